<?php

declare(strict_types=1);

namespace Trousseau\Claims;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\Surprise;

/** Keeps gifts of a surprise from the owner who is to be surprised. */
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
	 * Somebody may have typed the address of the very owner who is to be surprised: that owner learns nothing by it.
	 *
	 * @return array<string, mixed>[]
	 */
	public static function without_surprises( array $claims ): array {
		return array_values( array_filter( $claims, static fn( array $claim ): bool => ! self::spoils_surprise( $claim ) ) );
	}

	public static function spoils_surprise( array $claim ): bool {
		$post  = get_post( (int) $claim['registry_id'] );
		$owner = $post && Surprise::is_on( $post->ID ) ? get_userdata( (int) $post->post_author ) : false;
		return $owner && ( $claim['giver']['user_id'] === $owner->ID || strcasecmp( (string) $claim['giver']['email'], $owner->user_email ) === 0 );
	}
}
