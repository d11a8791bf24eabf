<?php

declare(strict_types=1);

namespace Trousseau\Registry;

defined( 'ABSPATH' ) || exit;

use WP_Post;

/** A registry may keep a secret from its owner: who gives what. */
final class Surprise {

	/** Whether a registry's owner is not to know yet who gives what. */
	public static function is_on( int $post_id ): bool {
		$until = Meta::surprise_until( $post_id );
		return $until === 'always' || $until > gmdate( 'Y-m-d' );
	}

	/**
	 * Whether the viewer is an owner who is to be surprised: they see the wishes, and nothing that others have set. The list
	 * itself is the same for everybody, since the service's answer to the plugin's account is.
	 */
	public static function is_for_viewer( WP_Post $post ): bool {
		return is_user_logged_in() && (int) $post->post_author === get_current_user_id() && self::is_on( $post->ID );
	}
}
