<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

/** The service doesn’t take such a value. */
final class Invalid extends ServiceError {
}
