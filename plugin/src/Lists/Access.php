<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use WP_Post;

/** Who sees a registry, and who manages it. Accounts get `read_post` in Capabilities, devices in Guest; ReadablePosts says the same in SQL. */
final class Access {

	/** Invitees are listed by user name or e-mail address, compared without regard to case. */
	public static function is_invitee( WP_Post $post, int $user_id ): bool {
		$user = $post->post_type === PostType::NAME ? get_userdata( $user_id ) : false;
		return $user && Meta::invitee( $post->ID, ...Accounts::invited_as( $user ) ) !== '';
	}

	/** Whether someone is an owner or co-owner of a registry, whatever its state: its surprise is for all owners. */
	public static function owns( WP_Post $post, int $user_id ): bool {
		return $user_id > 0 && ( (int) $post->post_author === $user_id || CoOwners::is_listed( $post, $user_id ) );
	}

	/** Whether someone besides its author manages a registry, published or private. */
	public static function is_co_owner( WP_Post $post, int $user_id ): bool {
		return PostType::is_live( $post ) && (int) $post->post_author !== $user_id && CoOwners::is_listed( $post, $user_id );
	}

	/** Whether the current user manages everyone's registries. */
	public static function looks_after_all(): bool {
		return current_user_can( 'edit_others_registries' ) && current_user_can( 'read_private_registries' );
	}

	/** Whether the current user may see some registries only. Commands and scheduled events have no user, and see all. */
	public function is_restricted(): bool {
		// Other plugins may query before users are known.
		if ( ! function_exists( 'wp_get_current_user' ) ) {
			return true;
		}
		// With ALTERNATE_WP_CRON, events run in the request of a visitor, who may be signed in.
		$unasked = wp_doing_cron() || ! isset( $_SERVER['REQUEST_METHOD'] ) || ( defined( 'WP_CLI' ) && WP_CLI );
		return is_user_logged_in() && ! wp_doing_cron() ? ! self::looks_after_all() : ! $unasked;
	}

	public static function can_read( WP_Post $post ): bool {
		return ( $post->post_status === 'publish' || current_user_can( 'read_post', $post->ID ) ) && ! post_password_required( $post );
	}

	/** Whether the current user may open a registry's pages: people who may change it need no password. */
	public static function opens( WP_Post $post ): bool {
		return self::can_read( $post ) || current_user_can( 'edit_post', $post->ID );
	}

	/** Whether someone sees more of a registry than its public page, as an owner, an invitee or an administrator. */
	public static function belongs_to( WP_Post $post, int $user_id ): bool {
		return user_can( $user_id, 'edit_post', $post->ID )
			|| ( PostType::is_live( $post ) && self::is_invitee( $post, $user_id ) );
	}
}
