<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

/** A page about one list, whose number is in the page's address. */
abstract class ListPage extends Page {
}
