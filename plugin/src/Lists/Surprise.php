<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use DateTimeImmutable;
use Trousseau\Platform\Language;
use Trousseau\Service\Claim;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;
use WP_Post;
use WP_User;

/** A surprise: a registry may keep its givers secret from its owners. */
final class Surprise {

	/** Seconds that a page waits to learn who gives what, if that is only a part of it. */
	private const PATIENCE = 0.5;

	/** Whether the givers are still a secret from a registry's owners. */
	public static function is_on( int $post_id ): bool {
		return self::lasts( Meta::surprise_until( $post_id ) );
	}

	/** From when the owners see what a guest gives, in words for that guest. */
	public static function words( int $post_id ): string {
		$until = Meta::surprise_until( $post_id );
		return match ( true ) {
			! self::lasts( $until ) => __( 'The owners can see this as well.', 'trousseau' ),
			$until === 'always'     => __( 'The owners can’t see this.', 'trousseau' ),
			/* translators: %s: date */
			default                 => sprintf( __( 'The owners can see this from %s.', 'trousseau' ), Language::calendar_day( $until ) ),
		};
	}

	/** @return Claim[] The gifts from guests that the owners may know of: none while it's a surprise. `$seconds` is as for `ItemService::claims_at`. */
	public static function given( ItemService $item_service, WP_Post $post, ?float $seconds = null ): array {
		$claims = self::is_on( $post->ID ) ? array() : $item_service->claims_at( $post, $seconds );
		return array_filter( $claims, static fn( Claim $claim ): bool => $claim->is_given() );
	}

	/** @return Claim[]|null The same for a page with other parts, which doesn't wait long; null while the service doesn't answer. */
	public static function given_soon( ItemService $item_service, WP_Post $post ): ?array {
		try {
			return self::given( $item_service, $post, self::PATIENCE );
		} catch ( ServiceError ) {
			return null;
		}
	}

	/** A registry's REST field for the service, besides its meta. */
	public static function register_field(): void {
		register_rest_field(
			PostType::NAME,
			'registry_surprise_ends',
			array(
				'get_callback' => static fn( array $post ): ?string => self::ends( (int) $post['id'] ),
				'schema'       => array( 'type' => array( 'string', 'null' ), 'context' => array( 'edit' ), 'readonly' => true ),
			)
		);
	}

	/** When the day begins on which a surprise ends, in the site's time zone, for the service. Null if it never ends or there is none. */
	public static function ends( int $post_id ): ?string {
		$until = Meta::surprise_until( $post_id );
		return preg_match( '/^\d/', $until ) ? gmdate( 'Y-m-d\TH:i:s\Z', ( new DateTimeImmutable( $until, wp_timezone() ) )->getTimestamp() ) : null;
	}

	/** A day begins in UTC and where the site is: the later beginning counts, for the service as well. */
	private static function lasts( string $until ): bool {
		return $until === 'always' || $until > min( gmdate( 'Y-m-d' ), wp_date( 'Y-m-d' ) );
	}

	/**
	 * @param string $until The end of the surprise after the change; `$names` whether only names stay secret then.
	 * @return array{question: string, options: array<string, array{0: string}>}|null What to ask where a change would show owners something earlier.
	 */
	public static function question( WP_Post $post, string $until, bool $names ): ?array {
		$before = Meta::surprise_until( $post->ID );
		if ( ! self::lasts( $before ) ) {
			return null;
		}
		if ( ! self::lasts( $until ) ) {
			$question = __( 'This ends the surprise: all owners of this list would see who gives what right away. End it?', 'trousseau' );
		} elseif ( $until < $before ) {
			/* translators: %s: date */
			$question = sprintf( __( 'This ends the surprise earlier: all owners of this list would see who gives what from %s. Change it?', 'trousseau' ), Language::calendar_day( $until ) );
		} elseif ( $names && ! Meta::surprise_keeps_names_only( $post->ID ) ) {
			$question = __( 'All owners of this list would see right away how many of each gift are given, but not by whom. Change it?', 'trousseau' );
		} else {
			return null;
		}
		$options = array(
			( $until === '' ? 'end' : $until ) => array( __( 'Yes', 'trousseau' ) ),
			/* translators: %s: date */
			'no' => array( $before === 'always' ? __( 'No, keep the surprise', 'trousseau' ) : sprintf( __( 'No, keep the surprise until %s', 'trousseau' ), Language::calendar_day( $before ) ) ),
		);
		return compact( 'question', 'options' );
	}

	/** Whether the viewer is an owner who is to be surprised, and so sees the wishes, but nothing that others have set. */
	public static function is_for_viewer( WP_Post $post ): bool {
		return is_user_logged_in() && Access::owns( $post, get_current_user_id() ) && self::is_on( $post->ID );
	}

	/** Whether the surprise hides even from the viewer how much is taken. */
	public static function hides_numbers( WP_Post $post ): bool {
		return self::is_for_viewer( $post ) && ! Meta::surprise_keeps_names_only( $post->ID );
	}

	/** @return Claim[] The gifts without those from lists that are a surprise to the viewer. */
	public static function without_secrets( array $claims ): array {
		return array_values( array_filter( $claims, static fn( Claim $claim ): bool => ! get_post( $claim->registry_id ) || ! self::is_for_viewer( get_post( $claim->registry_id ) ) ) );
	}

	/** @return Claim[] The gifts without those of the very owners who are to be surprised: someone may have typed their address. */
	public static function without_spoilers( array $claims ): array {
		return array_values( array_filter( $claims, static fn( Claim $claim ): bool => ! self::is_spoiled_by( $claim ) ) );
	}

	/** Whether a gift's giver owns the list, which is a surprise to them. */
	public static function is_spoiled_by( Claim $claim ): bool {
		$post = get_post( $claim->registry_id );
		// A list may have no author.
		return $post && self::is_on( $post->ID )
			&& ( ( $claim->user_id && in_array( $claim->user_id, CoOwners::all_of( $post ), true ) ) || isset( CoOwners::keys( $post )[ Meta::invitee_key( $claim->email ) ] ) );
	}

	/** Whether someone who reads Site Health is an owner who is to be surprised by this registry. */
	public static function is_for_keeper( WP_Post $post ): bool {
		return self::is_on( $post->ID ) && array_filter( CoOwners::all_of( $post ), static fn( int $id ): bool => user_can( $id, 'view_site_health_checks' ) );
	}

	/** Whether someone who manages the site is an owner with a surprise. */
	public function any_is_for_keepers(): bool {
		$wpdb    = $GLOBALS['wpdb'];
		$rows    = $wpdb->get_results( $wpdb->prepare( "SELECT posts.ID, posts.post_author, owners.meta_value AS owners FROM $wpdb->posts AS posts JOIN $wpdb->postmeta AS surprise ON surprise.post_id = posts.ID LEFT JOIN $wpdb->postmeta AS owners ON owners.post_id = posts.ID AND owners.meta_key = %s WHERE surprise.meta_key = %s AND surprise.meta_value <> '' AND posts.post_type = %s", Meta::OWNERS, Meta::SURPRISE_UNTIL, PostType::NAME ) );
		$keepers = array_filter( array_unique( array_column( $rows, 'post_author' ) ), static fn( string $author ): bool => user_can( (int) $author, 'manage_options' ) );
		$is_for  = static fn( object $row ): bool => in_array( $row->post_author, $keepers, true ) || array_filter( CoOwners::accounts_of( $row->owners ), static fn( WP_User $user ): bool => user_can( $user, 'manage_options' ) );
		return (bool) array_filter( $rows, static fn( object $row ): bool => $is_for( $row ) && self::is_on( (int) $row->ID ) );
	}
}
