<?php

declare(strict_types=1);

namespace Trousseau\Guests;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\PostType;
use WP_Post;
use WP_Query;

/** Private registries open on the devices that opened a link to them. */
final class GuestAccess {

	public function __construct( private readonly Guest $guest ) {
	}

	/** Shows a private registry to a guest without an account when WordPress looks for it by its address. */
	public function open( WP_Query $query ): void {
		if ( ! $query->is_main_query() || is_admin() || is_user_logged_in() || ! $query->is_singular() || $query->get( 'post_type' ) !== PostType::NAME ) {
			return;
		}
		$id   = (int) $query->get( 'p' );
		$post = $id ? get_post( $id ) : get_page_by_path( (string) $query->get( PostType::NAME ) ?: (string) $query->get( 'name' ), OBJECT, PostType::NAME );
		if ( $post instanceof WP_Post && $post->post_status === 'private' && $this->guest->may_read( $post ) ) {
			$query->set( 'post_status', PostType::LIVE );
		}
	}

	/** Allows its guest to read it when WordPress asks for the right. */
	public function let_read( array $caps, string $cap, int $user_id, array $args ): array {
		if ( $cap !== 'read_post' || $user_id !== get_current_user_id() || ! isset( $args[0] ) ) {
			return $caps;
		}
		$post = get_post( $args[0] );
		return $post && $post->post_type === PostType::NAME && $post->post_status === 'private' && $this->guest->may_read( $post ) ? array( 'exist' ) : $caps;
	}
}
