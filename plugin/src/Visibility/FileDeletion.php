<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Access;
use Trousseau\Lists\Accounts;
use Trousseau\Lists\CoOwners;
use Trousseau\Lists\Meta;
use Trousseau\Lists\PostType;
use Trousseau\Service\GiftCache;
use WP_Post;

/** Deletes the files of a deleted registry: WordPress would keep them, attached to nothing and so visible to everyone. */
final class FileDeletion {

	public function __construct( private readonly Access $access, private readonly GiftCache $gift_cache, private readonly Meta $meta ) {
	}

	/** Deletes the files of a registry that wasn't public. A file that its owner shows elsewhere becomes that registry's. */
	public function delete( int $post_id, WP_Post $post ): void {
		$status = $post->post_status === 'trash' ? get_post_meta( $post_id, '_wp_trash_meta_status', true ) : $post->post_status;
		if ( $post->post_type !== PostType::NAME || ( $status === 'publish' && $post->post_password === '' ) ) {
			return;
		}
		$files  = get_posts(
			array(
				'post_type'   => 'attachment',
				'post_status' => 'any',
				'post_parent' => $post_id,
				'numberposts' => -1,
			)
		);
		$others = $files ? $this->others( $post ) : array();
		foreach ( $files as $file ) {
			$shown = FeaturedImage::shown_by( $file->ID, $post_id ) ?: $this->with_gift( $others, (string) wp_get_attachment_image_url( $file->ID, 'large' ) );
			if ( $shown ) {
				wp_update_post( array( 'ID' => $file->ID, 'post_parent' => $shown ) );
			} else {
				wp_delete_attachment( $file->ID, true );
			}
		}
	}

	/** @return int[] The other registries of the same owners, of which a copied gift may be. */
	private function others( WP_Post $post ): array {
		$ids = array();
		foreach ( CoOwners::all_of( $post ) as $owner ) {
			$user  = get_userdata( $owner );
			$named = array_merge( array(), ...array_map( fn( string $name ): array => $this->meta->naming( $name, Meta::OWNERS ), $user ? Accounts::invited_as( $user ) : array() ) );
			$owned = array_filter( array_map( PostType::find( ... ), array( ...$this->meta->made_by( $owner ), ...$named ) ), static fn( ?WP_Post $other ): bool => $other && Access::owns( $other, $owner ) );
			array_push( $ids, ...array_column( $owned, 'ID' ) );
		}
		// A file that may not be attached to a registry would be everyone's.
		$may = fn( int $id ): bool => $id !== $post->ID && ( ! $this->access->is_restricted() || current_user_can( 'edit_post', $id ) );
		return array_filter( array_unique( $ids ), $may );
	}

	/**
	 * The first of some registries on which a gift has this picture; 0 where there is none.
	 *
	 * @param int[] $ids
	 */
	private function with_gift( array $ids, string $url ): int {
		foreach ( $ids as $id ) {
			$items = $this->gift_cache->stored( $id ) ?? $this->gift_cache->of( $id )->items;
			// A list that can't be read may have the picture; a private one makes it no more public than it was.
			if ( $items === null ? get_post_status( $id ) === 'private' : in_array( $url, array_column( $items, 'image_url' ), true ) ) {
				return $id;
			}
		}
		return 0;
	}
}
