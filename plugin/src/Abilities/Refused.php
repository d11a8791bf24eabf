<?php

declare(strict_types=1);

namespace Trousseau\Abilities;

use RuntimeException;

/** A page's refusal, in words for the person. */
final class Refused extends RuntimeException {
}
