<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

/** Someone has asked for too much in a short time. */
final class TooMany extends ServiceError {

	protected function usual_words(): string {
		return __( 'Too many attempts in a short time. Please try again later.', 'trousseau' );
	}
}
