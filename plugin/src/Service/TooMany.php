<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

/** Someone has asked for too much in a short time. */
final class TooMany extends ServiceError {
}
