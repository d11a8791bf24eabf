<?php

declare(strict_types=1);

namespace Trousseau\Owners;

use Trousseau\Lists\PostType;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Language;
use WP_REST_Request;
use WP_User;

/**
 * A registry's owner in WordPress's own screens. WordPress offers only people with a role that may edit as authors, and owners needn't
 * have one: they are missing from the lists, and a form that names no author makes the person who presses the button the author.
 */
final class Owner {

	/** Offers everyone with an account as a registry's owner. */
	public static function offer_everybody( array $query, array $arguments ): array {
		// WordPress lists nobody where there are very many users: the editor searches them.
		if ( (array) ( $arguments['capability'] ?? array() ) === array( 'edit_registries' ) && ! wp_is_large_user_count() ) {
			unset( $query['capability'] );
		}
		return $query;
	}

	/** Does the same for the block editor, which asks the REST API. */
	public static function offer_everybody_in_rest( array $query, WP_REST_Request $request ): array {
		if ( $request['trousseau_owners'] && current_user_can( 'edit_others_registries' ) && current_user_can( 'list_users' ) ) {
			unset( $query['who'], $query['capability'], $query['capability__in'] );
		}
		return $query;
	}

	/** Explains what happens to registries where WordPress asks whether to delete or hand on the content of a deleted account. */
	public static function explain_deletion( WP_User $by, array $users = array() ): void {
		$found = get_posts(
			array(
				'post_type'   => PostType::NAME,
				'post_status' => array_keys( get_post_stati() ),
				'author__in'  => array( 0, ...array_map( 'intval', $users ) ),
				'numberposts' => 21,
			)
		);
		if ( ! $found ) {
			return;
		}
		$names = array_map( array( Registries::class, 'title' ), array_slice( $found, 0, 20 ) );
		/* translators: %s: names of registries */
		$which = sprintf( __( 'This content includes gift lists: %s.', 'trousseau' ), Language::list( $names ) . ( count( $found ) > 20 ? ' …' : '' ) );
		$words = __( 'If you delete them, they’re gone for good with their gifts, guests and pictures, and all reservations end. If you hand them over, they stay as they are, and the new owner sees who gives what, unless it’s still a surprise.', 'trousseau' );
		printf( '<div class="notice notice-warning inline" id="trousseau-registries"><p>%s %s</p></div>', esc_html( $which ), esc_html( $words ) );
	}

	/** Leaves the owner as it is where a form names no author. */
	public function leave_owner( array $data, array $sent ): array {
		$id = (int) ( $sent['ID'] ?? 0 );
		// WordPress has filled the person who pressed the button into $_POST, but not into the request itself.
		$number = static fn( string $field ): int => (int) filter_input( INPUT_POST, $field, FILTER_VALIDATE_INT );
		if ( $data['post_type'] === PostType::NAME && $id && $number( 'post_ID' ) === $id && ! $number( 'post_author' ) && ! $number( 'post_author_override' ) ) {
			$data['post_author'] = get_post_field( 'post_author', $id );
		}
		return $data;
	}
}
