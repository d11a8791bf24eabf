<?php

declare(strict_types=1);

namespace Trousseau\Platform;

use RuntimeException;

/** A stored text that none of the site's keys opens. Nothing has been changed. */
final class Unreadable extends RuntimeException {

	/** A sentence for the person on the page. */
	public static function words(): string {
		return __( 'Part of this list can’t be read right now. Nothing has been deleted. Please tell the people who run this site.', 'trousseau' );
	}
}
