<?php

declare(strict_types=1);

namespace Trousseau\Platform;

defined( 'ABSPATH' ) || exit;

use RuntimeException;

/** Other processes have had a lock for too long. Nothing was stored. */
final class Busy extends RuntimeException {
}
