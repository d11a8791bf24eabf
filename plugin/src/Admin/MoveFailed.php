<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

/** A move of the site has ended before anything was changed here. The message is for the site's keeper. */
final class MoveFailed extends \Exception {
}
