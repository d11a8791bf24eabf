<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** A job is to be done later. This is no failed attempt: it goes on where it was, or waits for the service. */
final class Postponed extends \Exception {

	public function __construct( public readonly int $seconds, string $why = '' ) {
		parent::__construct( $why );
	}
}
