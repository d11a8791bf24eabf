<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

use Trousseau\Lists\PostType;
use WP_Post;

/** A file of a registry that isn't public is the featured image of nothing else. */
final class FeaturedImage {

	/** A featured image is published with its words, so only people who may publish a file can make it one. */
	public static function refuse( mixed $done, int $post_id, string $key, mixed $value ): mixed {
		$post = $key === '_thumbnail_id' ? get_post( $post_id ) : null;
		return $post && ! self::is_allowed( (int) $value, $post->ID, (int) $post->post_author ) ? false : $done;
	}

	/**
	 * Hides a featured image that was set before its registry became private, or without the check above. On a page the
	 * picture of a registry waits for the password, as its story does.
	 */
	public static function hide( mixed $file_id, WP_Post $post ): mixed {
		$waits = $post->post_type === PostType::NAME && did_action( 'template_redirect' ) && post_password_required( $post );
		return $waits || ! self::is_allowed( (int) $file_id, $post->ID, (int) $post->post_author ) ? 0 : $file_id;
	}

	/** Whether a post may show a file as its featured image: it is the file's own registry, or its author may change that registry. */
	public static function is_allowed( int $file_id, int $post_id, int $author ): bool {
		$registry = Attachments::registry_of( $file_id > 0 ? get_post( $file_id ) : null );
		return ! $registry || $registry->ID === $post_id || user_can( $author, 'edit_post', $registry->ID );
	}
}
