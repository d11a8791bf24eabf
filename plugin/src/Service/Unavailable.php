<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

/** The service doesn’t answer, fails, or asks to wait; or another server answers in its place. */
final class Unavailable extends ServiceError {

	protected function usual_words(): string {
		return __( 'This couldn’t be saved right now. Nothing you typed is lost: try again in a minute.', 'trousseau' );
	}
}
