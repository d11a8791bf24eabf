<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use WP_Post;

/**
 * Addresses of registries. A registry that isn't public has a random one: WordPress numbers equal addresses, and a
 * “-2” would tell that someone has a private registry of that name. An address stays when the status changes.
 */
final class Slug {

	private const LENGTH = 10;

	public function __construct( private readonly PrivateByDefault $private_by_default ) {
	}

	/** The address of a registry that is being published, privately or for all. */
	public function choose( ?string $chosen, string $slug, ?int $id, string $status, string $type ): ?string {
		return $type === PostType::NAME && ( $status !== 'publish' || Approval::holds( (int) $id ) || $this->private_by_default->stays_private( (int) $id ) ) && ! self::is_kept( $slug, (int) $id ) ? self::hidden( $slug ) : $chosen;
	}

	/** The address of a draft, which WordPress leaves as it was asked for. */
	public static function hide_unpublished( array $data, array $post ): array {
		$named = $data['post_type'] === PostType::NAME && $data['post_name'] !== '' && in_array( $data['post_status'], array( 'draft', 'pending' ), true );
		if ( $named && ! self::is_kept( $data['post_name'], (int) ( $post['ID'] ?? 0 ) ) ) {
			$data['post_name'] = self::hidden( $data['post_name'] );
		}
		return $data;
	}

	/** Redirects a former address only for visitors who may still see the registry. */
	public static function redirect_readers( mixed $id ): mixed {
		$post = PostType::find( (int) $id );
		return $post && ! Access::can_read( $post ) && $post->post_status !== 'publish' ? 0 : $id;
	}

	/** Stores the former address of a private registry, as WordPress does for a published one. */
	public function store_former( int $id, WP_Post $after, WP_Post $before ): void {
		$is_renamed = $after->post_name !== $before->post_name && PostType::is_live( $before );
		if ( $is_renamed && $after->post_status === 'private' ) {
			add_post_meta( $id, '_wp_old_slug', $before->post_name );
		}
	}

	private static function is_kept( string $slug, int $id ): bool {
		$name = $id ? get_post_field( 'post_name', $id, 'raw' ) : '';
		// In the trash WordPress adds a mark. An empty address stays empty: WordPress then makes one from the number.
		return in_array( $name, array( $slug, _truncate_post_slug( $slug, 191 ) . '__trashed' ), true );
	}

	private static function hidden( string $slug ): string {
		return _truncate_post_slug( $slug, 200 - 1 - self::LENGTH ) . '-' . strtolower( wp_generate_password( self::LENGTH, false ) );
	}
}
