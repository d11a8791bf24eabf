<?php

declare(strict_types=1);

namespace Trousseau\Registry;

defined( 'ABSPATH' ) || exit;

use WP_Post;
use WP_User;

/** Who may do what with registries. Nothing is written into roles: nothing has to be cleaned up in them. */
final class Access {

	/** The right to make a registry. No role has it: it is granted while the account has room for one more. */
	public const MAKE = 'create_registries';

	private const OWN    = array(
		'edit_registries',
		'edit_published_registries',
		'edit_private_registries',
		'publish_registries',
		'delete_registries',
		'delete_published_registries',
		'delete_private_registries',
	);
	private const OTHERS = array( 'edit_others_registries', 'delete_others_registries', 'read_private_registries' );

	/**
	 * Every user of the site has registries of their own, an account without a role none; administrators look after all.
	 *
	 * @param array<string, bool> $granted
	 * @param string[]            $caps
	 * @param mixed[]             $args
	 * @return array<string, bool>
	 */
	public static function grant( array $granted, array $caps, array $args, WP_User $user ): array {
		if ( ! $user->exists() || empty( $granted['read'] ) ) {
			return $granted;
		}
		$own    = array_fill_keys( self::OWN, true );
		$others = empty( $granted['manage_options'] ) ? array() : array_fill_keys( self::OTHERS, true );
		$all    = $granted + $own + $others;
		// Counted only where somebody is about to make one.
		if ( in_array( self::MAKE, $caps, true ) && ( ! empty( $all['edit_others_registries'] ) || Limits::has_room( $user->ID ) ) ) {
			$all[ self::MAKE ] = true;
		}
		return $all;
	}

	/**
	 * An invitee reads a private registry as its owner does.
	 *
	 * @param string[] $caps
	 * @param mixed[]  $args
	 * @return string[]
	 */
	public static function let_invitees_read( array $caps, string $cap, int $user_id, array $args ): array {
		if ( $cap !== 'read_post' || ! isset( $args[0] ) ) {
			return $caps;
		}
		$post = get_post( $args[0] );
		if ( ! $post || $post->post_type !== PostType::NAME || $post->post_status !== 'private' ) {
			return $caps;
		}
		// A network's user may be a guest of a site without belonging to it.
		return self::is_invitee( $post, $user_id ) ? array( is_multisite() ? 'exist' : 'read' ) : $caps;
	}

	/** Invitees are listed by user name or e-mail address, compared without regard to case. */
	public static function is_invitee( WP_Post $post, int $user_id ): bool {
		$user = $post->post_type === PostType::NAME ? get_userdata( $user_id ) : false;
		return $user && array_filter( self::names_of( $user ), static fn( string $name ): bool => Meta::invitee( $post->ID, $name ) !== '' );
	}

	/**
	 * What a user is invited by. An address is nobody's user name, and a user name shaped like an address is nobody's address.
	 *
	 * @return string[]
	 */
	public static function names_of( WP_User $user ): array {
		$login   = str_contains( $user->user_login, '@' ) ? '' : $user->user_login;
		$address = str_contains( $user->user_email, '@' ) ? $user->user_email : '';
		return array_values( array_filter( array( $login, $address ), static fn( string $name ): bool => $name !== '' ) );
	}

	/** Whether the current user looks after everybody's registries. */
	public static function looks_after_all(): bool {
		return current_user_can( 'edit_others_registries' ) && current_user_can( 'read_private_registries' );
	}

	/** Whether the current user may open the registry's page. */
	public static function can_read( WP_Post $post ): bool {
		return ( $post->post_status === 'publish' || current_user_can( 'read_post', $post->ID ) ) && ! post_password_required( $post );
	}

	/** Owner, invitee or administrator: whoever sees more of a registry than its public page. */
	public static function belongs_to( WP_Post $post, int $user_id ): bool {
		return user_can( $user_id, 'edit_post', $post->ID )
			|| ( in_array( $post->post_status, array( 'publish', 'private' ), true ) && self::is_invitee( $post, $user_id ) );
	}
}
