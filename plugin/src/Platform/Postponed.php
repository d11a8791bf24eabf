<?php

declare(strict_types=1);

namespace Trousseau\Platform;

defined( 'ABSPATH' ) || exit;

/** A job is to be done later. This is no failed attempt: it goes on where it was, or waits for the service. */
final class Postponed extends \Exception {

	/** @param bool $is_for_all Whether the other jobs of this kind need not be tried in this run either. */
	public function __construct( public readonly int $seconds, string $why = '', public readonly bool $is_for_all = false ) {
		parent::__construct( $why );
	}
}
