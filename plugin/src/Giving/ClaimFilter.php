<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\CoOwners;
use Trousseau\Lists\Meta;
use Trousseau\Lists\Surprise;

/** Keeps gifts of a surprise from the owners who are to be surprised. */
final class ClaimFilter {

	/**
	 * Leaves out the gifts of lists that are a surprise to the viewer.
	 *
	 * @return array<string, mixed>[]
	 */
	public static function for_viewer( array $claims ): array {
		$is_secret = static function ( array $claim ): bool {
			$post = get_post( (int) $claim['registry_id'] );
			return $post && Surprise::is_for_viewer( $post );
		};
		return array_values( array_filter( $claims, static fn( array $claim ): bool => ! $is_secret( $claim ) ) );
	}

	/**
	 * Someone may have typed the address of the very owner who is to be surprised: no owner learns anything by it.
	 *
	 * @return array<string, mixed>[]
	 */
	public static function without_surprises( array $claims ): array {
		return array_values( array_filter( $claims, static fn( array $claim ): bool => ! self::spoils_surprise( $claim ) ) );
	}

	public static function spoils_surprise( array $claim ): bool {
		$post = get_post( (int) $claim['registry_id'] );
		if ( ! $post || ! Surprise::is_on( $post->ID ) ) {
			return false;
		}
		$address = Meta::invitee_key( (string) $claim['giver']['email'] );
		return in_array( $claim['giver']['user_id'], CoOwners::all_of( $post ), true )
			|| in_array( $address, CoOwners::addresses( $post ), true );
	}
}
