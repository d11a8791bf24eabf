<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

defined( 'ABSPATH' ) || exit;

use Trousseau\Claims\Guest;
use Trousseau\Registry\Access;
use Trousseau\Registry\Accounts;
use Trousseau\Registry\Meta;
use Trousseau\Registry\PostType;
use WP_Comment_Query;
use WP_Post;
use WP_Query;
use WP_REST_Request;

/**
 * Keeps registries that the current user may not read, and what belongs to them, out of every query of the site. The SQL
 * itself is narrowed, behind everything else: arguments beside arguments can be played off against one another.
 */
final class QueryFilter {

	/** Narrows a query further, to the current user's own registries. */
	public const OWN = 'trousseau_own';

	/** Types of posts that belong to the registry that is their parent. */
	private const CHILDREN = array( 'attachment', 'revision' );

	/** `get_posts()` asks for no filters: where registries may be among the posts it gets them all the same. */
	public static function keep_filters( WP_Query $query ): void {
		if ( $query->get( 'suppress_filters' ) && self::concerns( $query ) ) {
			$query->set( 'suppress_filters', false );
		}
	}

	/**
	 * @param array<string, string> $clauses
	 * @return array<string, string>
	 */
	public static function narrow( array $clauses, WP_Query $query ): array {
		if ( ! self::concerns( $query ) ) {
			return $clauses;
		}
		$searched     = $query->get( 's' );
		$is_searching = is_scalar( $searched ) && (string) $searched !== '';
		// A file that is asked for by its address is left to refuse_locked().
		$is_one = $query->is_singular() && ! $is_searching && in_array( $query->get( 'fields' ), array( '', 'all' ), true );
		$limits = self::limits( ! $is_one, $GLOBALS['wpdb']->posts );
		if ( $query->get( self::OWN ) ) {
			$limits .= "AND {$GLOBALS['wpdb']->posts}.post_author = " . get_current_user_id();
		}
		$clauses['where'] = " AND ( 1=1 {$clauses['where']} ) $limits";
		return $clauses;
	}

	/**
	 * Refuses a file that is asked for by its address, where its registry has a password that the visitor hasn't typed.
	 *
	 * @param WP_Post[] $posts
	 * @return WP_Post[]
	 */
	public static function refuse_locked( array $posts, WP_Query $query ): array {
		$is_shown = static fn( mixed $post ): bool => ! $post instanceof WP_Post || Attachments::may_see( $post );
		return self::concerns( $query ) && $query->is_singular() ? array_values( array_filter( $posts, $is_shown ) ) : $posts;
	}

	/**
	 * A REST list that reaches beyond what is public holds the caller's own. Before its fixes of September 2025 WordPress
	 * gave the edit context of whatever one may read, which is the guests of every public registry.
	 *
	 * @param array<string, mixed> $query
	 * @return array<string, mixed>
	 */
	public static function restrict_rest_list( array $query, WP_REST_Request $request ): array {
		$beyond = array_diff( (array) ( $query['post_status'] ?? array() ), array( 'publish' ) );
		return $beyond || $request['context'] === 'edit' ? array( self::OWN => true ) + $query : $query;
	}

	/** The archive is the list of public registries for everybody; the admin list shows one's own. */
	public static function restrict_main_query( WP_Query $query ): void {
		if ( ! $query->is_main_query() || ! $query->is_post_type_archive( PostType::NAME ) ) {
			return;
		}
		if ( is_admin() ) {
			$query->set( self::OWN, true );
		} else {
			$query->set( 'post_status', 'publish' );
		}
	}

	/**
	 * Numbers of posts by status. The admin list counts what it shows, one's own; elsewhere public registries count too.
	 *
	 * @param object $counts
	 */
	public static function count_registries( object $counts, string $type ): object {
		if ( $type !== PostType::NAME || ! Access::is_restricted() ) {
			return $counts;
		}
		$wpdb = $GLOBALS['wpdb'];
		$own  = $wpdb->get_results( $wpdb->prepare( "SELECT post_status, COUNT(*) AS number FROM $wpdb->posts WHERE post_type = %s AND post_author = %d AND post_author > 0 GROUP BY post_status", $type, get_current_user_id() ), OBJECT_K );
		foreach ( array_keys( (array) $counts ) as $status ) {
			if ( $status !== 'publish' || is_admin() ) {
				$counts->$status = (int) ( $own[ $status ]->number ?? 0 );
			}
		}
		return $counts;
	}

	/**
	 * Numbers of files by type, and of those in the trash.
	 *
	 * @param object $counts
	 */
	public static function count_files( object $counts ): object {
		if ( ! Access::is_restricted() ) {
			return $counts;
		}
		$wpdb    = $GLOBALS['wpdb'];
		$visible = $wpdb->get_results( "SELECT IF( post_status = 'trash', 'trash', post_mime_type ) AS kind, COUNT(*) AS number FROM $wpdb->posts WHERE post_type = 'attachment' " . self::limits( true, $wpdb->posts ) . ' GROUP BY kind', OBJECT_K );
		foreach ( array_keys( (array) $counts ) as $kind ) {
			$counts->$kind = (int) ( $visible[ $kind ]->number ?? 0 );
		}
		return $counts;
	}

	/**
	 * Leaves out comments on files and registries that the current user must not see.
	 *
	 * @param array<string, string> $clauses
	 * @return array<string, string>
	 */
	public static function narrow_comments( array $clauses ): array {
		if ( Access::is_restricted() ) {
			$clauses['where'] = ( $clauses['where'] === '' ? '1=1' : "( {$clauses['where']} )" ) . self::comment_limits();
		}
		return $clauses;
	}

	/** The same for feeds, whose SQL WordPress makes elsewhere. */
	public static function narrow_comment_feed( string $where ): string {
		return Access::is_restricted() ? preg_replace( '/^\s*WHERE\b(.*)$/Dis', 'WHERE ( $1 )', $where ) . self::comment_limits() : $where;
	}

	/** WordPress caches comments by their query alone, and everybody has comments of their own. Its placeholder for `%` differs in each request. */
	public static function keep_comments_apart( WP_Comment_Query $query ): void {
		if ( Access::is_restricted() ) {
			$query->query_vars['cache_domain'] .= md5( $GLOBALS['wpdb']->remove_placeholder_escape( self::comment_limits() ) . wp_cache_get_last_changed( 'posts' ) );
		}
	}

	/**
	 * Numbers of comments; those that WordPress keeps are of all.
	 *
	 * @param array<string, int>|object $counts
	 */
	public static function count_comments( array|object $counts, int $post_id ): array|object {
		if ( $counts || ! Access::is_restricted() ) {
			return $counts;
		}
		$visible = get_comment_count( $post_id );
		return (object) ( array( 'moderated' => $visible['awaiting_moderation'] ) + $visible );
	}

	/** The months of a list table's filter are those of everybody's posts. */
	public static function drop_months( bool $disabled, string $type ): bool {
		return $disabled || ( $type === PostType::NAME && Access::is_restricted() );
	}

	/** The months of the media library and its dialog, where every author works, are those of the files that the user may see. */
	public static function months_of_files( mixed $months, string $type = 'attachment' ): mixed {
		if ( $type !== 'attachment' || ! Access::is_restricted() ) {
			return $months;
		}
		$wpdb = $GLOBALS['wpdb'];
		return $wpdb->get_results( $wpdb->prepare( "SELECT DISTINCT YEAR( post_date ) AS year, MONTH( post_date ) AS month FROM $wpdb->posts WHERE post_type = %s " . self::limits( true, $wpdb->posts ) . ' ORDER BY year DESC, month DESC', $type ) );
	}

	/** Whether the query may reach registries that the current user must not see. */
	private static function concerns( WP_Query $query ): bool {
		$types = array_filter( (array) $query->get( 'post_type' ) );
		return ( ! $types || array_intersect( $types, array( 'any', PostType::NAME, ...self::CHILDREN ) ) ) && Access::is_restricted();
	}

	/** The same for rows of the comments table. */
	private static function comment_limits(): string {
		$wpdb   = $GLOBALS['wpdb'];
		$limits = self::limits( true, 'trousseau_commented' );
		return " AND NOT EXISTS (
			SELECT 1 FROM $wpdb->posts AS trousseau_commented
			WHERE trousseau_commented.ID = $wpdb->comments.comment_post_ID AND NOT ( 1=1 $limits ) ) ";
	}

	/**
	 * The condition for rows of the posts table, to be added to others.
	 *
	 * @param bool   $open  Whether registries of others behind a password are left out, and what hangs on them.
	 * @param string $posts The table, or the name that it has in the query.
	 */
	private static function limits( bool $open, string $posts ): string {
		$table    = $GLOBALS['wpdb']->posts;
		$type     = PostType::NAME;
		$children = "'" . implode( "', '", self::CHILDREN ) . "'";
		$own      = self::readable( $posts, $open );
		$parent   = self::readable( 'trousseau_parent', $open );
		return " AND ( $posts.post_type <> '$type' OR $own )
			AND ( $posts.post_type NOT IN ( $children ) OR $posts.post_parent = 0 OR NOT EXISTS (
				SELECT 1 FROM $table AS trousseau_parent
				WHERE trousseau_parent.ID = $posts.post_parent AND trousseau_parent.post_type = '$type' AND NOT $parent ) ) ";
	}

	/** The registry on whose page the visitor is, past its password; 0 for none. Its story may show its files. */
	private static function unlocked(): int {
		$post = did_action( 'wp' ) && is_singular( PostType::NAME ) ? get_queried_object() : null;
		return $post instanceof WP_Post && $post->post_password !== '' && ! post_password_required( $post ) ? $post->ID : 0;
	}

	/** Public registries, one's own, and those that one is invited to. */
	private static function readable( string $table, bool $open ): string {
		$wpdb   = $GLOBALS['wpdb'];
		$public = "$table.post_status = 'publish'" . ( $open ? " AND ( $table.post_password = '' OR $table.ID = " . self::unlocked() . ' )' : '' );
		$user   = function_exists( 'wp_get_current_user' ) ? wp_get_current_user() : null;
		if ( ! $user || ! $user->exists() ) {
			// This device may have opened somebody's invitation.
			$ids = implode( ', ', Guest::registries() );
			return $ids === '' ? "( $public )" : "( ( $public ) OR $table.ID IN ( $ids ) )";
		}
		$own = "$table.post_author = " . (int) $user->ID;
		$ids = array();
		foreach ( Accounts::invited_as( $user ) as $name ) {
			// As it stands in a list that is JSON text.
			$ids[] = $wpdb->prepare( 'trousseau_guests.meta_value LIKE %s', '%' . $wpdb->esc_like( (string) wp_json_encode( $name ) ) . '%' );
		}
		$listed = $ids ? implode( ' OR ', $ids ) : '1=0';
		$meta   = $wpdb->prepare( 'trousseau_guests.meta_key = %s', Meta::INVITEES );
		$guest  = "$table.post_status IN ( 'publish', 'private' ) AND EXISTS (
			SELECT 1 FROM $wpdb->postmeta AS trousseau_guests
			WHERE trousseau_guests.post_id = $table.ID AND $meta AND ( $listed ) )";
		return "( ( $public ) OR $own OR ( $guest ) )";
	}
}
