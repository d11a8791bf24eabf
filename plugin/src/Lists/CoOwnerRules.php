<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use WP_Error;
use WP_Post;

/** Co-owners may do whatever the author of a registry may, except delete it, hand it over, or remove other owners. */
final class CoOwnerRules {

	/** @var array<int, bool> Accounts that this request has asked about. */
	private array $owners = array();

	public function __construct( private readonly Meta $meta ) {
	}

	/** Whether an account owns or co-owns a registry outside the trash. */
	public function owns_any( int $user_id ): bool {
		return $this->owners[ $user_id ] ??= $user_id && ( $this->authors_any( $user_id ) || $this->co_owned_by( $user_id ) );
	}

	private function authors_any( int $user_id ): bool {
		$wpdb = $GLOBALS['wpdb'];
		return (bool) $wpdb->get_var( $wpdb->prepare( "SELECT ID FROM $wpdb->posts WHERE post_type = %s AND post_author = %d AND post_status NOT IN ( 'trash', 'auto-draft' ) LIMIT 1", PostType::NAME, $user_id ) );
	}

	/** The SQL condition for registries that belong to these authors, or to these co-owners with others. */
	public function condition( string $table, array $authors, array $co_owners ): string {
		$by_author = "$table.post_author IN ( " . implode( ', ', array_map( 'intval', $authors ) ?: array( 0 ) ) . ' )';
		$ids       = implode( ', ', array_unique( array_merge( ...array_map( array( $this, 'co_owned_by' ), $co_owners ) ) ) );
		if ( $ids === '' ) {
			return "( $by_author )";
		}
		$states = Access::looks_after_all() ? '' : " AND $table.post_status IN ( 'publish', 'private' )";
		return "( $by_author OR ( $table.ID IN ( $ids )$states ) )";
	}

	/** @return int[] Numbers of the registries on whose lists an account is. */
	private function co_owned_by( int $user_id ): array {
		$user = get_userdata( $user_id );
		$ids  = $user ? $this->meta->naming( Accounts::invited_as( $user ), Meta::OWNERS ) : array();
		return array_values( array_filter( $ids, static fn( int $id ): bool => get_post( $id ) && CoOwners::is_listed( get_post( $id ), $user_id ) ) );
	}

	/** Whether someone who edits a registry may write its list of owners. By then the REST API has checked the change itself. */
	public static function may_write_list( int $post_id, int $user_id ): bool {
		return (int) get_post_field( 'post_author', $post_id ) === $user_id || user_can( $user_id, 'edit_others_registries' )
			|| ( defined( 'REST_REQUEST' ) && REST_REQUEST );
	}

	/** Why the current user may not make this change to the list of owners, or null if they may. A new registry has the number 0. */
	public static function refuse_change( int $post_id, mixed $value ): ?WP_Error {
		$post = $post_id ? get_post( $post_id ) : null;
		if ( ! $post || ! self::is_bound( $post ) ) {
			return null;
		}
		$had    = array_keys( Meta::owner_list( $post_id ) );
		$others = array_values( array_diff( $had, array_keys( CoOwners::keys_of( wp_get_current_user() ) ) ) );
		$wanted = array_keys( Meta::people_in( $value ) );
		return in_array( $wanted, array( $had, $others ), true ) ? null
			: new WP_Error( 'trousseau_cannot_change_owners', __( 'You can only remove yourself as an owner of this list.', 'trousseau' ), array( 'status' => 403 ) );
	}

	/** A registry that a co-owner stores by any form keeps its type and its author, and stays out of the trash. */
	public static function keep_author( array $data, array $sent ): array {
		$post = empty( $sent['ID'] ) ? null : get_post( (int) $sent['ID'] );
		if ( $post && self::is_bound( $post ) ) {
			$data['post_type']   = $post->post_type;
			$data['post_author'] = $post->post_author;
			$data['post_status'] = $data['post_status'] === 'trash' ? $post->post_status : $data['post_status'];
		}
		return $data;
	}

	/** WordPress's form names the author, and WordPress refuses that from everyone else. */
	public function send_no_author(): void {
		$id   = filter_var( $_POST['post_ID'] ?? '', FILTER_VALIDATE_INT );
		$post = $id ? get_post( $id ) : null;
		if ( $post && self::is_bound( $post ) ) {
			unset( $_POST['post_author'] );
		}
	}

	/** Whether the current user is a co-owner, with fewer rights than the author. */
	public static function is_bound( WP_Post $post ): bool {
		return Access::is_co_owner( $post, get_current_user_id() ) && ! current_user_can( 'edit_others_registries' );
	}
}
