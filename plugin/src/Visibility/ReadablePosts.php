<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

use Trousseau\Guests\Guest;
use Trousseau\Lists\Accounts;
use Trousseau\Lists\Meta;
use Trousseau\Lists\PostType;
use WP_Comment_Query;
use WP_Post;
use WP_Query;

/** The posts that the current user may find, as a condition in SQL. */
final class ReadablePosts {

	/** Types of posts that belong to the registry that is their parent. */
	public const CHILDREN = array( 'attachment', 'revision' );

	private const GUARDED = array( 'any', PostType::NAME, ...self::CHILDREN );

	public function __construct( private readonly Guest $guest ) {
	}

	/** Whether registries, or what belongs to them, are among the types of a query. Without a type WordPress looks for posts or pages, except in these cases. */
	public static function are_queried( WP_Query $query ): bool {
		$types = array_filter( (array) $query->get( 'post_type' ) );
		return $types ? (bool) array_intersect( $types, self::GUARDED ) : $query->is_search || $query->is_tax || $query->is_attachment;
	}

	/** Whether another plugin has let them into a query’s SQL, where WordPress itself names all types that it looks for. MySQL takes “REGISTRY ” for the same. */
	public static function are_let_in( string $where ): bool {
		return ! str_contains( $where, 'post_type' ) || preg_match( "/'(?:" . implode( '|', array( PostType::NAME, ...self::CHILDREN ) ) . ")\s*'/i", $where );
	}

	/** Whether comments on registries, or on their files, may be among those of a query. */
	public static function are_commented( WP_Comment_Query $query ): bool {
		$type = get_post_type( (int) ( $query->query_vars['post_id'] ?: -1 ) );
		return ! $type || in_array( $type, array( PostType::NAME, ...self::CHILDREN ), true );
	}

	/**
	 * The condition for rows of the posts table, to be added to others.
	 *
	 * @param bool   $open  Whether to leave out others' registries with a password, and their files.
	 * @param string $posts The table, or the name that it has in the query.
	 */
	public function condition( bool $open, string $posts ): string {
		$table    = $GLOBALS['wpdb']->posts;
		$type     = PostType::NAME;
		$children = "'" . implode( "', '", self::CHILDREN ) . "'";
		$own      = $this->readable( $posts, $open );
		$parent   = $this->readable( 'trousseau_parent', $open );
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

	/** The condition for public registries, the user's own, and those that the user co-owns or is invited to. */
	private function readable( string $table, bool $open ): string {
		$wpdb   = $GLOBALS['wpdb'];
		$public = "$table.post_status = 'publish'" . ( $open ? " AND ( $table.post_password = '' OR $table.ID = " . self::unlocked() . ' )' : '' );
		$linked = implode( ', ', $this->guest->registries() );
		$anyone = $linked === '' ? "( $public )" : "( ( $public ) OR $table.ID IN ( $linked ) )";
		$user   = function_exists( 'wp_get_current_user' ) ? wp_get_current_user() : null;
		if ( ! $user || ! $user->exists() ) {
			return $anyone;
		}
		// The list is JSON text.
		$named  = array_map( static fn( string $name ): string => $wpdb->prepare( 'trousseau_guests.meta_value LIKE %s', '%' . $wpdb->esc_like( (string) wp_json_encode( $name ) ) . '%' ), Accounts::invited_as( $user ) );
		$listed = implode( ' OR ', $named ) ?: '1=0';
		$meta   = $wpdb->prepare( 'trousseau_guests.meta_key IN ( %s, %s )', Meta::INVITEES, Meta::OWNERS );
		$guest  = "$table.post_status IN ( 'publish', 'private' ) AND EXISTS (
			SELECT 1 FROM $wpdb->postmeta AS trousseau_guests
			WHERE trousseau_guests.post_id = $table.ID AND $meta AND ( $listed ) )";
		return "( $anyone OR $table.post_author = " . (int) $user->ID . " OR ( $guest ) )";
	}
}
