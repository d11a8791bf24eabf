<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\CoOwners;
use Trousseau\Lists\Meta;
use Trousseau\Lists\Surprise;
use Trousseau\Service\Claim;

/** Keeps gifts of a surprise from the owners who are to be surprised. */
final class ClaimFilter {

	/**
	 * Leaves out the gifts of lists that are a surprise to the viewer.
	 *
	 * @return Claim[]
	 */
	public static function for_viewer( array $claims ): array {
		$is_secret = static function ( Claim $claim ): bool {
			$post = get_post( $claim->registry_id );
			return $post && Surprise::is_for_viewer( $post );
		};
		return array_values( array_filter( $claims, static fn( Claim $claim ): bool => ! $is_secret( $claim ) ) );
	}

	/**
	 * Someone may have typed the address of the very owner who is to be surprised: no owner learns anything by it.
	 *
	 * @return Claim[]
	 */
	public static function without_surprises( array $claims ): array {
		return array_values( array_filter( $claims, static fn( Claim $claim ): bool => ! self::spoils_surprise( $claim ) ) );
	}

	public static function spoils_surprise( Claim $claim ): bool {
		$post = get_post( $claim->registry_id );
		if ( ! $post || ! Surprise::is_on( $post->ID ) ) {
			return false;
		}
		$address = Meta::invitee_key( $claim->email );
		// A list may have no author.
		return ( $claim->user_id && in_array( $claim->user_id, CoOwners::all_of( $post ), true ) )
			|| in_array( $address, CoOwners::addresses( $post ), true );
	}
}
