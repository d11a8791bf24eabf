<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

/** The service has no such thing. */
final class NotFound extends ServiceError {

	protected function usual_words(): string {
		return __( 'It no longer exists, so nothing was saved.', 'trousseau' );
	}
}
