<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\PostType;
use WP_Query;
use WP_REST_Request;

/**
 * Leaves registries behind a password out of lists, so that none is found by guessing: an owner who sets a password wants nobody to find
 * it.
 */
final class LockedRegistries {

	/**
	 * Leaves them out of every list on the site, every sitemap, and every list of the REST API except those in which their owners and
	 * administrators edit.
	 */
	public static function leave_out_locked( WP_Query $query ): void {
		$is_list = (array) $query->get( 'post_type' ) === array( PostType::NAME ) && ! $query->is_singular();
		if ( $is_list && ! is_admin() && ! $query->get( PostType::WITH_LOCKED ) ) {
			$query->set( 'has_password', false );
		}
	}

	/** Excludes all registries, with or without a password, from WordPress's guesses for an incomplete address. */
	public function guess_no_registry( mixed $guessed ): mixed {
		$asked = get_query_var( 'post_type' );
		$among = (array) ( $asked ?: get_post_types( array( 'public' => true ) ) );
		$types = array_diff( $among, array( PostType::NAME ) );
		if ( $guessed !== null || $types === $among ) {
			return $guessed;
		}
		// WordPress guesses among the requested types.
		set_query_var( 'post_type', $types );
		$guessed = $types ? redirect_guess_404_permalink() : false;
		set_query_var( 'post_type', $asked );
		return $guessed;
	}

	/** Leaves them out of the links to the previous and the next post. */
	public static function skip_locked( string $where ): string {
		return "$where AND ( p.post_type <> '" . PostType::NAME . "' OR p.post_password = '' )";
	}

	/** Keeps them in the lists in which owners and administrators edit. */
	public static function keep_locked_to_edit( array $query, WP_REST_Request $request ): array {
		$edit = is_user_logged_in() && $request['context'] === 'edit' && ! empty( $query[ PostType::OWN ] );
		return $edit ? array( PostType::WITH_LOCKED => true ) + $query : $query;
	}
}
