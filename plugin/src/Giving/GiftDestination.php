<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Service\Claim;

/** Tells a giver where a gift is sent. */
interface GiftDestination {

	/** Returns lines for the giver of this claim. Empty while they may not know. */
	public static function for_giver( Claim $claim ): string;
}
