<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

use Trousseau\Lists\Access;
use Trousseau\Lists\CoOwnerRules;
use Trousseau\Lists\PostType;
use WP_Post;
use WP_Query;
use WP_REST_Request;

/**
 * Keeps registries that the current user may not read, and all that belongs to them, out of every query for posts. The SQL
 * itself is narrowed, after all other filters: further arguments of the query could be circumvented. No list has a registry with a password,
 * whose owner wants nobody to find it by guessing.
 */
final class QueryFilter {

	public function __construct(
		private readonly Access $access,
		private readonly Attachments $attachments,
		private readonly CoOwnerRules $co_owner_rules,
		private readonly ReadablePosts $readable_posts,
	) {
	}

	/** Runs the filters even for `get_posts()`, which suppresses them, where registries may be among the posts. */
	public function keep_filters( WP_Query $query ): void {
		if ( $this->access->is_restricted() ) {
			$query->set( 'suppress_filters', false );
		}
	}

	public function narrow( array $clauses, WP_Query $query ): array {
		$posts = $GLOBALS['wpdb']->posts;
		$owned = array_filter( array_map( 'intval', (array) $query->get( PostType::OWNED_BY ) ) );
		if ( $owned ) {
			$known             = Access::looks_after_all() ? $owned : array_intersect( $owned, array( get_current_user_id() ) );
			$clauses['where'] .= ' AND ' . $this->co_owner_rules->condition( $posts, $owned, $known );
		}
		if ( ! $this->access->is_restricted() ) {
			return $clauses;
		}
		$searched     = $query->get( 's' );
		$is_searching = is_scalar( $searched ) && (string) $searched !== '';
		// refuse_locked() decides about a file that is requested by its address.
		$is_one = $query->is_singular() && ! $is_searching && in_array( $query->get( 'fields' ), array( '', 'all' ), true );
		$limits = $this->readable_posts->condition( ! $is_one, $posts );
		if ( $query->get( PostType::OWN ) ) {
			$me      = array( get_current_user_id() );
			$limits .= 'AND ' . $this->co_owner_rules->condition( $posts, $me, $owned ? $me : array() );
		}
		$clauses['where'] = " AND ( 1=1 {$clauses['where']} ) $limits";
		return $clauses;
	}

	/**
	 * Refuses a file that is requested by its address while the visitor hasn't typed its registry's password, and such a registry
	 * itself by its number: only its address asks for the password, which strangers can't guess, unless addresses are numbers.
	 */
	public function refuse_locked( array $posts, WP_Query $query ): array {
		$is_address = $query->get( 'name' ) || ! get_option( 'permalink_structure' );
		$is_shown   = fn( mixed $post ): bool => ! $post instanceof WP_Post || ( $is_address && $post->post_type === PostType::NAME ) || $this->attachments->may_see( $post );
		return $query->is_singular() && $this->access->is_restricted() ? array_values( array_filter( $posts, $is_shown ) ) : $posts;
	}

	/**
	 * Limits a REST list beyond public registries to the caller's own. Before its fixes of September 2025 WordPress
	 * gave the edit context of every readable post, and with it the guests of every public registry. Registries with a password are in
	 * the lists in which owners and administrators edit.
	 */
	public static function restrict_rest_list( array $query, WP_REST_Request $request ): array {
		$beyond  = array_diff( (array) ( $query['post_status'] ?? array() ), array( 'publish' ) );
		$is_edit = $request['context'] === 'edit';
		$query   = $beyond || $is_edit ? array( PostType::OWN => true ) + $query : $query;
		$query   = $is_edit && is_user_logged_in() ? array( PostType::WITH_LOCKED => true ) + $query : $query;
		return $request['co_owned'] ? self::with_co_owned( $query ) : $query;
	}

	/** Asks for the registries that the authors co-own, too. */
	private static function with_co_owned( array $query ): array {
		$me = get_current_user_id();
		$of = array_map( 'intval', (array) ( $query['author__in'] ?? array() ) );
		if ( ! $of && ! empty( $query[ PostType::OWN ] ) && ! Access::looks_after_all() ) {
			$of = array( $me );
		}
		if ( ! $of || ( ! Access::looks_after_all() && ! in_array( $me, $of, true ) ) ) {
			return $query;
		}
		unset( $query['author__in'] );
		return array( PostType::OWNED_BY => $of ) + $query;
	}

	/**
	 * Limits a query for registries: the archive to public ones for everyone, and the admin list to the user's own. Those with a password are in no
	 * list on the site, no sitemap, and no list of the REST API except those in which their owners and administrators edit.
	 */
	public static function restrict( WP_Query $query ): void {
		if ( ! is_admin() && ! $query->is_singular() && (array) $query->get( 'post_type' ) === array( PostType::NAME ) && ! $query->get( PostType::WITH_LOCKED ) ) {
			$query->set( 'has_password', false );
		}
		if ( ! $query->is_main_query() || ! $query->is_post_type_archive( PostType::NAME ) ) {
			return;
		}
		if ( is_admin() ) {
			$query->set( PostType::OWN, true );
			if ( ! Access::looks_after_all() ) {
				$query->set( PostType::OWNED_BY, array( get_current_user_id() ) );
				// WordPress would show private registries to their authors only.
				$query->set( 'perm', '' );
				$query->get( 'post_status' ) || $query->set( 'post_status', array_values( get_post_stati( array( 'show_in_admin_all_list' => true ) ) ) );
			}
		} else {
			$query->set( 'post_status', 'publish' );
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

	/** Leaves registries with a password out of the links to the previous and the next post. */
	public static function skip_locked( string $where ): string {
		return "$where AND ( p.post_type <> '" . PostType::NAME . "' OR p.post_password = '' )";
	}
}
