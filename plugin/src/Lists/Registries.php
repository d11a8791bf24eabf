<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\PlainText;
use Trousseau\Platform\Slugs;
use Trousseau\Plugin;
use Trousseau\Service\Item;
use Trousseau\Service\ServiceError;
use WP_Error;
use WP_Post;

/** Registries as the site's pages and other plugins ask for them. */
final class Registries {

	private const OWNER_NAME = '_trousseau_owner_name';

	/** The most lists of one account. */
	private const MOST = 100;

	/** Words that people put between two names. */
	private const JOINING = array( 'and', 'und', 'et', 'y', 'و' );

	public function __construct( private readonly Meta $meta ) {
	}

	/** The registry with a post id or slug, if it opens for the current user. */
	public static function find( int|string $reference ): ?WP_Post {
		$post   = is_numeric( $reference ) ? PostType::find( (int) $reference ) : null;
		$post ??= get_page_by_path( sanitize_title( (string) $reference ), OBJECT, PostType::NAME );
		return $post && Access::opens( $post ) ? $post : null;
	}

	/** @return WP_Post[] The registries that an account owns, alone or with others. */
	public static function owned_by( int $user_id, array $states = PostType::LIVE ): array {
		return self::all( array( 'post_status' => $states, 'numberposts' => self::MOST, 'suppress_filters' => false, PostType::OWNED_BY => array( $user_id ) ) );
	}

	/** @return WP_Post[] The live registries with this meta, for background work. */
	public static function with_meta( array ...$meta ): array {
		return self::all( array( 'numberposts' => -1, 'suppress_filters' => true, 'meta_query' => $meta ) );
	}

	/** @return WP_Post[] The registries with this meta, whatever their state. */
	public static function ever_with_meta( string $key ): array {
		return self::all( array( 'post_status' => array_keys( get_post_stati() ), 'numberposts' => -1, 'suppress_filters' => true, 'meta_key' => $key ) );
	}

	/**
	 * @param string[] $names Those of a guest, whose account this is; 0: none.
	 * @return WP_Post[] The lists of others to which they are invited, newest first.
	 */
	public function inviting( array $names, int $user_id ): array {
		$ids = $this->meta->naming( $names, Meta::INVITEES );
		rsort( $ids );
		_prime_post_caches( $ids, false );
		$posts = array_filter( array_map( PostType::live( ... ), $ids ), static fn( ?WP_Post $post ): bool => $post && ! Access::owns( $post, $user_id ) && Meta::invitee( $post->ID, ...$names ) !== '' );
		return array_slice( $posts, 0, self::MOST );
	}

	private static function all( array $query ): array {
		return get_posts( $query + array( 'post_type' => PostType::NAME, 'post_status' => PostType::LIVE, PostType::WITH_LOCKED => true ) );
	}

	/** A registry in one array, for other plugins. It holds the guests for its people only, and affiliate links for administrators only. */
	public static function flatten( WP_Post $post ): array|WP_Error {
		try {
			$items = Plugin::get( GiftLists::class )->items( $post );
		} catch ( ServiceError $error ) {
			return $error->as_wp_error();
		}
		$belongs = Access::belongs_to( $post, get_current_user_id() );
		return array(
			'id'          => $post->ID,
			'user_id'     => (int) $post->post_author,
			'title'       => self::title( $post ),
			'description' => $post->post_content,
			'is_public'   => $post->post_status === 'publish',
			'permalink'   => get_permalink( $post ),
			'share_key'   => $post->ID,
			'meta'        => array(
				Meta::ITEM_IDS   => Meta::item_ids( $post->ID ),
				Meta::INVITEES   => $belongs ? Meta::invitees( $post->ID ) : array(),
				Meta::EVENT_TYPE => Meta::event_type( $post->ID ),
				Meta::EVENT_DATE => Meta::event_date( $post->ID ),
			),
			'items'       => array_map( static fn( Item $item ): array => ( current_user_can( 'manage_options' ) ? $item : $item->without_affiliate() )->answer, $items ),
		);
	}

	/**
	 * Whether an address is a registry's own, which gifts without a shop have: as it is, or as it was before
	 * its slug, the site's word for lists, its scheme or its permalinks changed.
	 *
	 * @param bool $has_shop Whether the gift names a shop. If it doesn't, a former domain of the site counts, too.
	 */
	public static function is_own_address( string $url, int $id, bool $has_shop = true ): bool {
		// To those who may not see a private list, also in emails, get_permalink() names another address.
		if ( in_array( $url, array( get_permalink( $id ), get_post_permalink( $id, false, true ) ), true ) ) {
			return true;
		}
		$home = (string) preg_replace( '~^https?://~', '', home_url( '/' ) );
		if ( $has_shop && ! str_contains( $url, $home ) ) {
			// Nearly all gifts of a page.
			return false;
		}
		$home  = $has_shop ? preg_quote( $home, '~' ) : '[^/]+/';
		$slugs = (array) get_post_meta( $id, '_wp_old_slug' );
		$slugs = array_filter( array( (string) get_post_field( 'post_name', $id, 'raw' ), ...$slugs ) );
		$slug  = implode( '|', array_map( 'preg_quote', $slugs ) );
		$list  = '(?:[^?]*/)?' . Slugs::pattern( Slugs::LISTS ) . "/(?:$slug)/?";
		// WordPress may have been in a subfolder.
		$plain = ( $has_shop ? '' : '(?:[^?]*/)?' ) . '\?post_type=' . PostType::NAME . "&p=$id";
		return (bool) preg_match( "~^https?://$home(?:$list|$plain)$~D", $url );
	}

	/** The name as plain text: WordPress keeps it with entities. */
	public static function title( WP_Post $post ): string {
		return trim( PlainText::of_html( $post->post_title ) );
	}

	/** The name of the host as guests know it: from the page of guests, or else of the owner's account; empty where that is a user name or an address. */
	public static function owner_name( WP_Post $post ): string {
		if ( metadata_exists( 'post', $post->ID, self::OWNER_NAME ) ) {
			return (string) get_post_meta( $post->ID, self::OWNER_NAME, true );
		}
		$owner = get_userdata( (int) $post->post_author );
		return $owner ? Accounts::own_name( $owner ) : '';
	}

	/** @param string|null $name Null: the name of the owner's account. */
	public function name_owner( WP_Post $post, ?string $name ): void {
		$name === null ? delete_post_meta( $post->ID, self::OWNER_NAME ) : update_post_meta( $post->ID, self::OWNER_NAME, wp_slash( $name ) );
	}

	/**
	 * @return WP_Post[] Public registries with the most of these words in their names and their owners', newest first. The others aren't even looked
	 * at, so that neither the answer nor its time tells of one.
	 */
	public function named( string $names, int $most ): array {
		$words = preg_split( '/[^\p{L}\p{M}\p{N}]+/u', mb_strtolower( $names ), -1, PREG_SPLIT_NO_EMPTY ) ?: array();
		$words = array_unique( array_diff( $words, self::JOINING ) ?: $words );
		if ( ! $words ) {
			return array();
		}
		$wpdb = $GLOBALS['wpdb'];
		// The name that `owner_name` shows, and no user name or address that it hides.
		$owner = "COALESCE( owner.meta_value, CASE WHEN users.display_name LIKE '%%@%%' OR ( users.display_name = users.user_login AND COALESCE( first.meta_value, '' ) = '' ) THEN '' ELSE users.display_name END, '' )";
		$count = implode( ' + ', array_fill( 0, count( $words ), "( REPLACE( post_title, '&amp;', '' ) LIKE %s OR REPLACE( $owner, '&amp;', '' ) LIKE %s )" ) );
		$from  = "$wpdb->posts AS posts LEFT JOIN $wpdb->users AS users ON users.ID = posts.post_author LEFT JOIN $wpdb->usermeta AS first ON first.user_id = posts.post_author AND first.meta_key = 'first_name' LEFT JOIN $wpdb->postmeta AS owner ON owner.post_id = posts.ID AND owner.meta_key = %s";
		$likes = array_merge( ...array_map( static fn( string $word ): array => array_fill( 0, 2, '%' . $wpdb->esc_like( $word ) . '%' ), array_values( $words ) ) );
		$rows  = $wpdb->get_results( $wpdb->prepare( "SELECT posts.ID, $count AS words FROM $from WHERE post_type = %s AND post_status = 'publish' AND post_password = '' AND $count > 0 ORDER BY words DESC, post_date DESC, posts.ID DESC LIMIT %d", array( ...$likes, self::OWNER_NAME, PostType::NAME, ...$likes, $most ) ) );
		$ids   = array_unique( array_column( array_filter( $rows, static fn( object $row ): bool => $row->words === $rows[0]->words ), 'ID' ) );
		_prime_post_caches( $ids, false );
		$posts = array_map( 'get_post', $ids );
		cache_users( array_map( 'intval', array_column( $posts, 'post_author' ) ) );
		return $posts;
	}

	/** `?registry=…` on the front page opens that registry; on any other page it is left to the block there. */
	public static function open_from_query( string $asked ): array {
		$post = self::find( $asked );
		return $post ? array( 'post_type' => PostType::NAME, 'p' => $post->ID ) : array( 'error' => '404' );
	}
}
