<?php

declare(strict_types=1);

namespace Trousseau;

use WP_Post;
use WP_Query;
use WP_REST_Request;
use WP_User;

/** Who may do what with registries. Nothing is written into roles: nothing has to be cleaned up in them. */
final class Access {

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
	 * Every signed-in user has registries of their own; administrators look after all of them.
	 *
	 * @param array<string, bool> $granted
	 * @param string[]            $caps
	 * @param mixed[]             $args
	 * @return array<string, bool>
	 */
	public static function grant( array $granted, array $caps, array $args, WP_User $user ): array {
		if ( ! $user->exists() ) {
			return $granted;
		}
		$own    = array_fill_keys( self::OWN, true );
		$others = empty( $granted['manage_options'] ) ? array() : array_fill_keys( self::OTHERS, true );
		return $granted + $own + $others;
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
		return $post && $post->post_status === 'private' && self::is_invitee( $post, $user_id ) ? array( 'read' ) : $caps;
	}

	/** Invitees are listed by user name or e-mail address, compared without regard to case. */
	public static function is_invitee( WP_Post $post, int $user_id ): bool {
		$user = $post->post_type === PostType::NAME ? get_userdata( $user_id ) : false;
		if ( ! $user ) {
			return false;
		}
		// An address is nobody's user name, and a user name shaped like an address is nobody's address.
		foreach ( Meta::invitees( $post->ID ) as $invitee ) {
			$name = str_contains( $invitee, '@' ) ? $user->user_email : $user->user_login;
			if ( $name !== '' && mb_strtolower( $invitee ) === mb_strtolower( $name ) ) {
				return true;
			}
		}
		return false;
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

	/**
	 * A REST list that reaches beyond what is public holds the caller's own. WordPress leaves out private posts of others
	 * too, but counts them, and a count answers a search for words in somebody's private registry. And before its fixes of
	 * September 2025 it gave the edit context of whatever one may read, which is the guests of every public registry.
	 *
	 * @param array<string, mixed> $query
	 * @return array<string, mixed>
	 */
	public static function restrict_rest_list( array $query, WP_REST_Request $request ): array {
		$beyond = array_diff( (array) ( $query['post_status'] ?? array() ), array( 'publish' ) );
		if ( ( ! $beyond && $request['context'] !== 'edit' ) || current_user_can( 'edit_others_registries' ) ) {
			return $query;
		}
		$me                  = get_current_user_id();
		$authors             = $query['author__in'] ?? array();
		$query['author__in'] = ! $authors || in_array( $me, $authors, true ) ? array( $me ) : array( 0 );
		return $query;
	}

	/** The archive is the list of public registries for everybody; the admin list shows one's own. */
	public static function restrict_query( WP_Query $query ): void {
		if ( ! $query->is_main_query() || ! $query->is_post_type_archive( PostType::NAME ) ) {
			return;
		}
		if ( ! is_admin() ) {
			$query->set( 'post_status', 'publish' );
		} elseif ( ! current_user_can( 'edit_others_registries' ) ) {
			$query->set( 'author', get_current_user_id() );
		}
	}
}
