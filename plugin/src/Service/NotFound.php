<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

/** The service has no such thing. */
final class NotFound extends ServiceError {
}
