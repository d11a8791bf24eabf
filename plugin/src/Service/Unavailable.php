<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

/** The service doesn’t answer, fails, or asks to wait; or another server answers in its place. */
final class Unavailable extends ServiceError {
}
