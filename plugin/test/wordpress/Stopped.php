<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** WordPress ended its answer: by `wp_die()`, or by a redirect. */
final class Stopped extends \Exception {

	public function __construct( string $message, public readonly int $status, public readonly string $location = '' ) {
		parent::__construct( $message );
	}
}
