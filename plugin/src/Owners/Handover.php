<?php

declare(strict_types=1);

namespace Trousseau\Owners;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Access;
use Trousseau\Lists\Accounts;
use Trousseau\Lists\CoOwners;
use Trousseau\Lists\Meta;
use Trousseau\Lists\OwnersOwn;
use Trousseau\Platform\Lock;
use WP_Post;
use WP_User;

/** A registry's author offers it to a co-owner. Once that account accepts, it is the author, and the former author stays a co-owner. */
final class Handover implements OwnersOwn {

	/** The account to which the registry is offered, and its author at that time: `12 7`. */
	private const META = '_trousseau_offered';

	public function __construct( private readonly Lock $lock, private readonly Meta $meta ) {
	}

	public function offer( WP_Post $post, WP_User $to ): void {
		update_post_meta( $post->ID, self::META, "$to->ID $post->post_author" );
	}

	public function end( WP_Post $post ): void {
		delete_post_meta( $post->ID, self::META );
	}

	/** The account to which a registry is offered. Null if there is no offer, or either of the two no longer owns it. */
	public static function offered_to( WP_Post $post ): ?WP_User {
		list( $to, $author ) = array_map( 'intval', explode( ' ', get_post_meta( $post->ID, self::META, true ) . ' 0' ) );
		$is_open             = $to && $author === (int) $post->post_author && Access::is_co_owner( $post, $to );
		return $is_open ? ( get_userdata( $to ) ?: null ) : null;
	}

	/** Withdraws an offer when either of the two is removed as an owner: someone who comes back is asked again. */
	public function forget_former( WP_Post $post, array $owners ): void {
		self::offered_to( $post ) || $this->end( $post );
	}

	/** Makes the first co-owner with an account the author of a registry that has lost its author. Returns the account, or null. */
	public function inherit( WP_Post $post ): ?WP_User {
		$heir = current( CoOwners::accounts_of( get_post_meta( $post->ID, Meta::OWNERS, true ) ) );
		if ( ! $heir || ! wp_update_post( array( 'ID' => $post->ID, 'post_author' => $heir->ID ) ) ) {
			return null;
		}
		$this->meta->store_people( $post->ID, Meta::OWNERS, array_diff_key( Meta::owner_list( $post->ID ), CoOwners::keys_of( $heir ) ) );
		return $heir;
	}

	/** Makes the current user the author. Returns false if the offer is over. */
	public function accept( int $post_id ): bool {
		return $this->lock->alone(
			"owners-$post_id",
			30,
			function () use ( $post_id ): bool {
				// Another process may have stored it a moment ago.
				clean_post_cache( $post_id );
				$post = get_post( $post_id );
				$new  = wp_get_current_user();
				if ( ! $post || self::offered_to( $post )?->ID !== $new->ID ) {
					return false;
				}
				$before = get_post_meta( $post_id, Meta::OWNERS, true );
				$former = get_userdata( (int) $post->post_author );
				$others = array_diff_key( Meta::owner_list( $post_id ), CoOwners::keys_of( $new ) );
				// The former author stays an owner at every moment.
				$this->meta->store_people( $post_id, Meta::OWNERS, array( ...array_values( $others ), ...array_slice( $former ? Accounts::invited_as( $former ) : array(), 0, 1 ) ) );
				if ( ! wp_update_post( array( 'ID' => $post_id, 'post_author' => $new->ID ) ) ) {
					update_post_meta( $post_id, Meta::OWNERS, wp_slash( $before ) );
					return false;
				}
				return true;
			}
		);
	}
}
