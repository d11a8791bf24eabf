<?php

declare(strict_types=1);

namespace Trousseau\Registry;

defined( 'ABSPATH' ) || exit;

use WP_Post;

/** A surprise: a registry may keep its givers secret from its owner. */
final class Surprise {

	/** Whether the givers are still a secret from a registry's owner. */
	public static function is_on( int $post_id ): bool {
		$until = Meta::surprise_until( $post_id );
		return $until === 'always' || $until > gmdate( 'Y-m-d' );
	}

	/**
	 * Whether the viewer is an owner who is to be surprised, and so sees the wishes, but nothing that others have set. The list
	 * itself is the same for everybody, since the service's answer to the plugin's account is.
	 */
	public static function is_for_viewer( WP_Post $post ): bool {
		return is_user_logged_in() && (int) $post->post_author === get_current_user_id() && self::is_on( $post->ID );
	}

	/** Whether somebody who looks after the site is an owner who is to be surprised. */
	public function is_for_a_keeper(): bool {
		$wpdb    = $GLOBALS['wpdb'];
		$rows    = $wpdb->get_results( $wpdb->prepare( "SELECT posts.ID, posts.post_author FROM $wpdb->posts AS posts JOIN $wpdb->postmeta AS surprise ON surprise.post_id = posts.ID WHERE surprise.meta_key = %s AND surprise.meta_value <> '' AND posts.post_type = %s", Meta::SURPRISE_UNTIL, PostType::NAME ) );
		$keepers = array_filter( array_unique( array_column( $rows, 'post_author' ) ), static fn( string $author ): bool => user_can( (int) $author, 'manage_options' ) );
		return (bool) array_filter( $rows, static fn( object $row ): bool => in_array( $row->post_author, $keepers, true ) && self::is_on( (int) $row->ID ) );
	}
}
