<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use WP_Post;
use WP_User;

/** The owners of a registry besides its author. */
final class CoOwners {

	/** Whether an account is on the list, in whatever state the registry is. */
	public static function is_listed( WP_Post $post, int $user_id ): bool {
		$listed = $post->post_type === PostType::NAME ? Meta::owner_list( $post->ID ) : array();
		$user   = $listed ? get_userdata( $user_id ) : false;
		return $user && array_intersect_key( self::keys_of( $user ), $listed );
	}

	/** @return int[] The author of a registry, and the accounts on its list. */
	public static function all_of( WP_Post $post ): array {
		return array_values( array_unique( array( (int) $post->post_author, ...array_column( self::accounts_of( get_post_meta( $post->ID, Meta::OWNERS, true ) ), 'ID' ) ) ) );
	}

	/** @return array<string, WP_User> The accounts on a stored list, by the keys of their entries. */
	public static function accounts_of( mixed $stored ): array {
		$people   = Meta::people_in( $stored, Meta::MAX_OWNERS );
		$accounts = array_filter( array_map( static fn( string $name ): WP_User|false => get_user_by( str_contains( $name, '@' ) ? 'email' : 'login', $name ), $people ) );
		// The database ignores accents, while the list of owners doesn't.
		return array_filter( $accounts, static fn( WP_User $user, string $key ): bool => isset( self::keys_of( $user )[ $key ] ), ARRAY_FILTER_USE_BOTH );
	}

	/** @return array<string, mixed> The keys of all owners' names and addresses. An address may have no account yet. */
	public static function keys( WP_Post $post ): array {
		$accounts = array_filter( array_map( 'get_userdata', self::all_of( $post ) ) );
		return array_replace( Meta::owner_list( $post->ID ), ...array_map( self::keys_of( ... ), $accounts ) );
	}

	/** @return array<string, int> The keys under which an account may be on the list. */
	public static function keys_of( WP_User $user ): array {
		return array_flip( array_map( array( Meta::class, 'invitee_key' ), Accounts::invited_as( $user ) ) );
	}
}
