<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

/** The thing has changed, or there isn’t enough of it. */
final class Conflict extends ServiceError {
}
