<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

/** The state of a claim, as the service answers it. */
final class ClaimState {

	/** Whether its giver has confirmed it, and has not taken it back. */
	public static function is_given( array $claim ): bool {
		return in_array( $claim['state'], array( 'reserved', 'purchased' ), true );
	}

	/** Whether it holds its pieces, perhaps still unconfirmed. */
	public static function is_open( array $claim ): bool {
		return $claim['state'] === 'pending' || self::is_given( $claim );
	}
}
