<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\PostType;
use WP_Post;

/** Deletes the files of a deleted registry: WordPress would keep them, attached to nothing and so visible to everyone. */
final class FileDeletion {

	/** Deletes the files of a registry that wasn't public. A file that its owner shows elsewhere becomes that registry's. */
	public function delete( int $post_id, WP_Post $post ): void {
		$status = $post->post_status === 'trash' ? get_post_meta( $post_id, '_wp_trash_meta_status', true ) : $post->post_status;
		if ( $post->post_type !== PostType::NAME || ( $status === 'publish' && $post->post_password === '' ) ) {
			return;
		}
		foreach ( self::files_of( $post_id ) as $file ) {
			$shown = FeaturedImage::shown_by( $file->ID, $post_id );
			if ( $shown ) {
				wp_update_post( array( 'ID' => $file->ID, 'post_parent' => $shown ) );
			} else {
				wp_delete_attachment( $file->ID, true );
			}
		}
	}

	/** Returns a list's files, also those in the trash. @return WP_Post[] */
	public static function files_of( int $post_id ): array {
		return get_posts( array( 'post_type' => 'attachment', 'post_status' => array_values( get_post_stati() ), 'post_parent' => $post_id, 'numberposts' => -1 ) );
	}
}
