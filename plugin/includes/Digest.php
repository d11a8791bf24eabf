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
		$noted = array( 'key' => self::META, 'compare' => 'EXISTS' );
		foreach ( self::given_at( self::with( $noted ) ) as $id => $claims ) {
			$since = (string) get_post_meta( $id, self::META, true );
			delete_post_meta( $id, self::META );
			// Since the note was made, the owner may have asked for a surprise.
			$new = Meta::is_surprise( $id ) ? array() : array_filter( $claims, static fn( array $claim ): bool => $claim['created_at'] >= $since && in_array( $claim['state'], array( 'reserved', 'purchased' ), true ) );
			self::mail( get_post( $id ), 'digest', count( $new ) );
		}
	}

	private static function of_those_to_thank(): void {
		$days     = array( gmdate( 'Y-m-d', time() - 30 * DAY_IN_SECONDS ), gmdate( 'Y-m-d', time() - 3 * DAY_IN_SECONDS ) );
		$was_held = array( 'key' => Meta::EVENT_DATE, 'compare' => 'BETWEEN', 'value' => $days );
		$is_new   = array( 'key' => self::THANK, 'compare' => 'NOT EXISTS' );
		$ids      = array_filter( self::with( $was_held, $is_new ), static fn( int $id ): bool => ! Meta::is_surprise( $id ) );
		foreach ( self::given_at( $ids ) as $id => $claims ) {
			update_post_meta( $id, self::THANK, '1' );
			self::mail( get_post( $id ), 'thanks', count( array_filter( $claims, static fn( array $claim ): bool => in_array( $claim['state'], array( 'reserved', 'purchased' ), true ) && ! $claim['thanked_at'] ) ) );
		}
	}

	/**
	 * Registries whose meta is like this.
	 *
	 * @param array<string, mixed> ...$meta
	 * @return int[]
	 */
	private static function with( array ...$meta ): array {
		return get_posts(
			array(
				'post_type'        => PostType::NAME,
				'post_status'      => array( 'publish', 'private' ),
				'numberposts'      => -1,
				'fields'           => 'ids',
				'suppress_filters' => true,
				Privacy::WITH_LOCKED => true,
				'meta_query'       => $meta,
			)
		);
	}

	/**
	 * What is given at each, as long as the service answers: it would be waited for once a registry.
	 *
	 * @param int[] $ids
	 * @return \Generator<int, array<string, mixed>[]>
	 */
	private static function given_at( array $ids ): \Generator {
		foreach ( $ids as $id ) {
			$answer = ApiClient::of_site()->registry_claims( $id );
			if ( is_array( $answer ) ) {
				yield $id => $answer['claims'];
			} elseif ( is_wp_error( $answer ) && $answer->get_error_code() !== 'api_error' ) {
				return;
			}
		}
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
