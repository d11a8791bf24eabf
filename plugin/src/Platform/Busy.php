<?php

declare(strict_types=1);

namespace Trousseau\Platform;

use RuntimeException;

/** Thrown when other processes have held a lock for too long, or the database refused a change. Nothing was stored. */
final class Busy extends RuntimeException {
}
