<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

use Trousseau\Guests\Guest;
use Trousseau\Lists\Access;
use Trousseau\Lists\PostType;
use WP_Block_Supports;
use WP_Error;
use WP_Post;
use WP_REST_Request;

/**
 * Files that are attached to a registry which isn't public belong to that registry's people. WordPress asks for the rights
 * to posts and media instead, which every author has; its lists are narrowed by QueryFilter. A block shows the address of any file whose number
 * it contains to all its readers, no matter who wrote it. Gifts’ pictures are no attachments: GiftPicture hides them by their names.
 */
final class Attachments {

	/** Files that this page may show as featured images. @var array<int, true> */
	private array $featured = array();

	public function __construct( private readonly Access $access, private readonly Guest $guest ) {
	}

	/** Whether the current user may see a registry, or a file with its words. */
	public function may_see( WP_Post $post ): bool {
		$registry = $post->post_type === PostType::NAME ? $post : self::registry_of( $post );
		return ! $registry || ( $registry->post_status === 'publish' ? $this->opens( $registry ) : current_user_can( 'read_post', $registry->ID ) );
	}

	/** Whether the current user may pass a registry's password. */
	private function opens( WP_Post $registry ): bool {
		return ! post_password_required( $registry ) || Access::belongs_to( $registry, get_current_user_id() ) || $this->guest->of( $registry ) !== '';
	}

	/** People who may read the registry see its files, and people who may change the registry may change them. */
	public static function map_capability( array $caps, string $cap, int $user_id, array $args ): array {
		// WordPress asks for a page's or a post's right on any type: users who may delete pages could delete any file.
		if ( ! isset( $args[0] ) || ! preg_match( '/^(read|edit|delete)_(post|page)$/D', $cap, $right ) ) {
			return $caps;
		}
		$registry = self::registry_of( get_post( $args[0] ) );
		if ( ! $registry ) {
			return $caps;
		}
		if ( $right[1] === 'read' ) {
			return $registry->post_status === 'publish' ? $caps : map_meta_cap( 'read_post', $user_id, $registry->ID );
		}
		return array_values( array_unique( array( ...$caps, ...map_meta_cap( 'edit_post', $user_id, $registry->ID ) ) ) );
	}

	/** Attachment URLs contain the parent's slug, so only editors of a registry may attach files to it. */
	public function refuse_attaching( int $parent, int $post_id, array $post ): int {
		if ( ! $parent || get_post_type( $parent ) !== PostType::NAME || $post['post_type'] === 'revision' || ! $this->access->is_restricted() ) {
			return $parent;
		}
		$may = $post['post_type'] === 'attachment' && current_user_can( 'edit_post', $parent );
		return $may || (int) get_post_field( 'post_parent', $post_id ) === $parent ? $parent : 0;
	}

	/**
	 * Answers as if there were no such file. WordPress would show one whose registry has a password, and admit that any other
	 * exists.
	 */
	public function hide_from_rest( mixed $answer, array $handler, WP_REST_Request $request ): mixed {
		$file = $request['id'] ? get_post( (int) $request['id'] ) : null;
		return $file && ! $this->may_see( $file ) ? new WP_Error( 'rest_post_invalid_id', translate( 'Invalid post ID.' ), array( 'status' => 404 ) ) : $answer;
	}

	/**
	 * Stops a redirect that would tell the address of a hidden post: WordPress's own, which it sends even for a number that it answers with 404
	 * or an empty feed, and that of wp-trackback.php.
	 */
	public function hide_address( mixed $address ): mixed {
		$asked = array_map( 'intval', array( get_query_var( 'p' ), get_query_var( 'page_id' ), get_query_var( 'attachment_id' ), $GLOBALS['post_id'] ?? 0 ) );
		$found = array_filter( array_map( 'get_post', array_filter( $asked ) ) );
		return array_filter( $found, fn( WP_Post $post ): bool => ! $this->may_see( $post ) ) ? false : $address;
	}

	/** Notes a featured image that FeaturedImage has let pass: its owner publishes it. */
	public function note_featured( mixed $file_id ): mixed {
		$this->featured[ (int) $file_id ] = true;
		return $file_id;
	}

	/** Hides a file's address or its details. */
	public function hide_details( mixed $told, mixed $file_id = 0 ): mixed {
		return $told && $this->is_hidden( (int) $file_id ) ? false : $told;
	}

	/** Hides the address of a file's page, which contains the registry's address. */
	public function hide_page( mixed $link, mixed $file_id = 0 ): mixed {
		return $this->is_hidden( (int) $file_id ) ? home_url( '/' ) : $link;
	}

	/** Whether to hide a file in a block or a shortcode; the plugin's own show what their readers may see. */
	private function is_hidden( int $file_id ): bool {
		$block = (string) ( WP_Block_Supports::$block_to_render['blockName'] ?? '' );
		if ( ( $block === '' && ! doing_filter( 'the_content' ) ) || str_starts_with( $block, 'trousseau/' ) || isset( $this->featured[ $file_id ] ) || ! $this->access->is_restricted() ) {
			return false;
		}
		$file = get_post( $file_id );
		return $file && ! $this->may_see( $file );
	}

	/** Deletes a registry's files with it, unless it was public: WordPress would keep them, attached to nothing and so visible to everyone. A file that another post shows becomes that post's. */
	public function delete_with( int $post_id, WP_Post $post ): void {
		$status = $post->post_status === 'trash' ? get_post_meta( $post_id, '_wp_trash_meta_status', true ) : $post->post_status;
		if ( $post->post_type !== PostType::NAME || ( $status === 'publish' && $post->post_password === '' ) ) {
			return;
		}
		foreach ( self::files_of( $post_id ) as $file ) {
			$shown = self::shown_by( $file->ID, $post_id );
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

	/** The number of another post whose featured image is this file; 0 where there is none. */
	public static function shown_by( int $file_id, int $but ): int {
		$found = get_posts(
			array(
				'post_type'   => 'any',
				'post_status' => 'any',
				'meta_key'    => '_thumbnail_id',
				'meta_value'  => (string) $file_id,
				'exclude'     => array( $but ),
				'numberposts' => 1,
				'fields'      => 'ids',
			)
		);
		return (int) ( $found[0] ?? 0 );
	}

	/** The registry that a file belongs to, unless it is open to everyone: then its files are as public as others. */
	public static function registry_of( ?WP_Post $file ): ?WP_Post {
		$parent = $file?->post_type === 'attachment' && $file->post_parent ? get_post( $file->post_parent ) : null;
		return $parent && $parent->post_type === PostType::NAME && ( $parent->post_status !== 'publish' || $parent->post_password !== '' ) ? $parent : null;
	}
}
