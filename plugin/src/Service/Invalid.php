<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

/** The service doesn’t take such a value. */
final class Invalid extends ServiceError {

	/** Whether the form's key came before, with other values: these may have been stored. */
	public function is_key_known(): bool {
		return str_starts_with( $this->getMessage(), 'Idempotency-Key' );
	}

	public static function words_for_known_key(): string {
		return __( 'This couldn’t be saved. An earlier try may have gone through: check that first, then try again.', 'trousseau' );
	}
}
