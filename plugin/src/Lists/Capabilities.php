<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use WP_User;

/** Capabilities for registries, granted as WordPress asks for them. Roles stay as they are, so nothing is left in them. */
final class Capabilities {

	private const OWN = array(
		'edit_registries', 'edit_published_registries', 'edit_private_registries', 'publish_registries',
		'delete_registries', 'delete_published_registries', 'delete_private_registries',
	);

	private const OTHERS = array( 'edit_others_registries', 'delete_others_registries', 'read_private_registries' );

	public function __construct( private readonly Limits $limits ) {
	}

	/** Every account with a role may own registries, and administrators manage all. The settings say who may create them. */
	public function grant( array $granted, array $caps, array $args, WP_User $user ): array {
		// Another plugin may grant visitors without an account the right to read.
		if ( ! $user->exists() || empty( $granted['read'] ) ) {
			return $granted;
		}
		$others = empty( $granted['manage_options'] ) ? array() : array_fill_keys( self::OTHERS, true );
		$all    = $granted + array_fill_keys( self::OWN, true ) + $others;
		// Registries are counted only for someone who is about to create one.
		if ( in_array( PostType::MAKE, $caps, true ) && ( ! empty( $all['edit_others_registries'] ) || ( ListMakers::includes( $user ) && $this->limits->has_room( $user->ID ) ) ) ) {
			$all[ PostType::MAKE ] = true;
		}
		return $all;
	}

	/** Invitees and co-owners with an account read a private registry as its owner does, and co-owners change it. */
	public static function let_in( array $caps, string $cap, int $user_id, array $args ): array {
		$post = isset( $args[0] ) && in_array( $cap, array( 'read_post', 'edit_post' ), true ) ? get_post( $args[0] ) : null;
		if ( $post?->post_type !== PostType::NAME ) {
			return $caps;
		}
		if ( $cap === 'edit_post' ) {
			return Access::is_co_owner( $post, $user_id ) ? array( 'edit_registries' ) : $caps;
		}
		$reads = $post->post_status === 'private' && ( Access::is_invitee( $post, $user_id ) || Access::is_co_owner( $post, $user_id ) );
		// A network's user may be a guest of a site without belonging to it.
		return $reads ? array( is_multisite() ? 'exist' : 'read' ) : $caps;
	}
}
