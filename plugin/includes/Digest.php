<?php

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

use WP_Post;

/** Once a day: what was given since, for owners who may know, and after the day who still waits for thanks. */
final class Digest {

	public const HOOK = 'trousseau_digest';

	private const META  = '_trousseau_digest_since';
	private const THANK = '_trousseau_thanks_reminded';

	/** Something was given; the owner hears of it once, however much it was. */
	public static function note( WP_Post $post ): void {
		if ( ! Meta::is_surprise( $post->ID ) && ! get_post_meta( $post->ID, self::META, true ) ) {
			update_post_meta( $post->ID, self::META, gmdate( 'Y-m-d\TH:i:s' ) );
		}
	}

	public static function send(): void {
		self::of_those_given_to();
		self::of_those_to_thank();
		RegistryDraft::sweep();
		Turn::sweep();
	}

	private static function of_those_given_to(): void {
		foreach ( self::with( self::META, 'EXISTS' ) as $post ) {
			$since  = (string) get_post_meta( $post->ID, self::META, true );
			$claims = self::claims( $post );
			if ( $claims === null ) {
				continue;
			}
			delete_post_meta( $post->ID, self::META );
			// Since the note was made, the owner may have asked for a surprise.
			$new = Meta::is_surprise( $post->ID ) ? array() : array_filter( $claims, static fn( array $claim ): bool => $claim['created_at'] >= $since && in_array( $claim['state'], array( 'reserved', 'purchased' ), true ) );
			self::mail( $post, 'digest', count( $new ) );
		}
	}

	private static function of_those_to_thank(): void {
		foreach ( self::with( Meta::EVENT_DATE, 'BETWEEN' ) as $post ) {
			if ( get_post_meta( $post->ID, self::THANK, true ) || Meta::is_surprise( $post->ID ) ) {
				continue;
			}
			$claims = self::claims( $post );
			if ( $claims === null ) {
				continue;
			}
			update_post_meta( $post->ID, self::THANK, '1' );
			self::mail( $post, 'thanks', count( array_filter( $claims, static fn( array $claim ): bool => in_array( $claim['state'], array( 'reserved', 'purchased' ), true ) && ! $claim['thanked_at'] ) ) );
		}
	}

	/** @return WP_Post[] Registries with something noted, or whose day was in the last weeks. */
	private static function with( string $key, string $compare ): array {
		$days = array( gmdate( 'Y-m-d', time() - 30 * DAY_IN_SECONDS ), gmdate( 'Y-m-d', time() - 3 * DAY_IN_SECONDS ) );
		return get_posts(
			array(
				'post_type'        => PostType::NAME,
				'post_status'      => array( 'publish', 'private' ),
				'numberposts'      => 200,
				'suppress_filters' => true,
				'meta_query'       => array( array( 'key' => $key, 'compare' => $compare ) + ( $compare === 'EXISTS' ? array() : array( 'value' => $days ) ) ),
			)
		);
	}

	/** @return array<string, mixed>[]|null */
	private static function claims( WP_Post $post ): ?array {
		$answer = ApiClient::of_site()->registry_claims( $post->ID );
		return is_array( $answer ) ? $answer['claims'] : null;
	}

	private static function mail( WP_Post $post, string $template, int $count ): void {
		$owner = get_userdata( (int) $post->post_author );
		if ( $count && $owner ) {
			Mail::send(
				$owner->user_email,
				$template,
				array(
					'registry' => Registry::title( $post ),
					'count'    => $count,
					'link'     => PageRouter::address( 'given', $post->ID ),
				)
			);
		}
	}
}
