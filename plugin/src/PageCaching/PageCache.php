<?php

declare(strict_types=1);

namespace Trousseau\PageCaching;

use Trousseau\Gifts\BoughtForAll;
use Trousseau\Gifts\GiftPicture;
use Trousseau\Lists\Closing;
use Trousseau\Lists\ClosingWords;
use Trousseau\Lists\GiftNotes;
use Trousseau\Lists\Meta;
use Trousseau\Lists\PostType;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Busy;
use Trousseau\Platform\Encryption;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Lock;
use Trousseau\Platform\ResponseHeaders;
use Trousseau\Platform\Settings;
use Trousseau\Service\GiftCache;
use Trousseau\Service\Item;
use WP_Post;

/**
 * Clears public pages from page caches when strangers would see something else: PHP doesn't run for a cached page, so the page itself can't
 * notice.
 */
final class PageCache {

	/** Values, one a public registry: a fingerprint of the page that strangers see, its addresses, and the time of a change until it is cleared again. */
	private const SHOWN = 'shown_';

	/** Pages of the site that show registries in a block: number of a registry, or 0 for lists of all → numbers of pages. */
	private const SHOWN_ON = 'shown_on';
	private const MOST     = 50;

	/** Seconds after which a page that was noting itself is taken to have died. */
	private const TURN = 5;

	/** Pages of the archive that are cleared. */
	private const ARCHIVE_PAGES = 10;

	/** A cache may keep a page that was being made during a change. A notice that comes so many seconds later clears once more. */
	private const AGAIN_AFTER = 2;

	/** Seconds for which caches that heed headers keep a page: most of them learn of no change. */
	private const SHARED_SECONDS = 5;

	/** @var array<int, true> Registries that this request may have changed. */
	private array $touched = array();

	/** @var array<int, string[]> The addresses that this request clears, by registry. */
	private array $urls = array();

	private bool $has_cleared = false;

	/** @var array<string, true> Tags by which CDNs know the page that is being made. */
	private array $tags = array();

	public function __construct(
		private readonly GiftCache $gift_cache,
		private readonly KeptValues $kept_values,
		private readonly Lock $lock,
		private readonly ResponseHeaders $response_headers,
	) {
	}

	/** Notes that something of a post was stored. */
	public function touch_post( int $id ): void {
		if ( get_post_type( $id ) === PostType::NAME ) {
			// Other sites of a network have other pages.
			is_multisite() && ms_is_switched() ? $this->look( $id ) : $this->touched[ $id ] = true;
		}
	}

	/** Clears the pages of changed registries before the answer is sent: some caches are told by its headers. */
	public function look_at_touched(): void {
		$ids           = array_keys( $this->touched );
		$this->touched = array();
		array_map( array( $this, 'look' ), $ids );
		// Surge notes the pages to clear at the end of the request, in whole seconds: a page of that very second would stay.
		if ( $this->has_cleared && defined( 'Surge\CACHE_DIR' ) ) {
			usleep( (int) ( 1_000_000 * ( ceil( microtime( true ) ) - microtime( true ) ) ) );
		}
	}

	/** Checks the pages of every registry after a change of a setting. */
	public function look_at_all(): void {
		foreach ( $this->kept_values->all( self::SHOWN ) as $name => $shown ) {
			$name === self::SHOWN_ON || $this->look( (int) substr( $name, strlen( self::SHOWN ) ) );
		}
	}

	/** Clears a registry's pages if they have changed for strangers. */
	public function look( int $id ): void {
		$post   = PostType::find( $id );
		$before = $this->shown( $id );
		$former = $before['is'] ?? '';
		$now    = PostType::is_public( $post ) ? $this->fingerprint( $post ) : '';
		if ( $now === $former ) {
			return;
		}
		$url  = $now === '' ? '' : (string) get_permalink( $post );
		$urls = array_values( array_unique( array_filter( array( $url, ...( $before['urls'] ?? array() ) ) ) ) );
		if ( $now === '' ) {
			$this->kept_values->delete( self::SHOWN . $id );
		} else {
			$this->kept_values->set( self::SHOWN . $id, array( 'is' => $now, 'at' => time(), 'urls' => array( $url ) ) );
		}
		// The same page with other gifts.
		$this->clear( $id, $urls, $now !== '' && strtok( $now, ' ' ) === strtok( $former, ' ' ) );
	}

	/** Clears a registry's pages once more after a change. */
	public function look_again( int $id ): void {
		$shown = $this->shown( $id );
		if ( $shown && $shown['at'] && $shown['at'] <= time() - self::AGAIN_AFTER ) {
			$this->kept_values->set( self::SHOWN . $id, array( 'at' => 0 ) + $shown );
			$this->clear( $id, $shown['urls'], true );
		}
	}

	/** Notes that the page shows a registry in a block, or a list of all (0). */
	public function note_page( int $registry ): void {
		$this->tag( $registry );
		$page = is_singular() && ! is_singular( PostType::NAME ) ? get_queried_object_id() : 0;
		if ( ! $page || in_array( $page, $this->pages()[ $registry ] ?? array(), true ) ) {
			return;
		}
		try {
			// Cache plugins open many pages at once for the first time.
			$this->lock->alone( 'shown-on', self::TURN, fn() => $this->add_page( $registry, $page ) );
		} catch ( Busy ) {
			$this->response_headers->keep_out_of_caches();
		}
	}

	private function add_page( int $registry, int $page ): void {
		$on              = $this->pages( true );
		$on[ $registry ] = array_slice( array_unique( array( $page, ...( $on[ $registry ] ?? array() ) ) ), 0, self::MOST );
		$this->kept_values->set( self::SHOWN_ON, $on );
	}

	/** Tells caches in front of the site about a page that is the same for all strangers. */
	public function send_headers(): void {
		if ( is_singular( PostType::NAME ) ) {
			$this->tag( get_queried_object_id() );
		} elseif ( is_post_type_archive( PostType::NAME ) ) {
			$this->tag( 0 );
		}
	}

	/** The tags of a registry's pages, for sites with a CDN of their own. @return string[] */
	public static function tags( int $registry ): array {
		return $registry ? array( "trousseau-registry-$registry" ) : array( 'trousseau-registries' );
	}

	private function tag( int $registry ): void {
		$this->tags += array_fill_keys( self::tags( $registry ), true );
		if ( headers_sent() || ! $this->is_for_strangers() ) {
			return;
		}
		$this->response_headers->add( 'Surrogate-Key', array_keys( $this->tags ), ' ' );
		$this->response_headers->add( 'Cache-Tag', array_keys( $this->tags ), ',' );
		/** Filters for how many seconds servers and networks in front of the site may keep a public page; for sites that clear theirs on `trousseau_page_changed`. */
		$seconds = (int) apply_filters( 'trousseau_shared_cache_seconds', self::SHARED_SECONDS );
		header( "Cache-Control: s-maxage=$seconds" );
		header( "X-Accel-Expires: $seconds" );
	}

	/**
	 * Whether any stranger is shown this page. A public list may stand in a page that has a password, that another plugin
	 * has taken out of caches, or that has a commenter's address in its form.
	 */
	private function is_for_strangers(): bool {
		$post = get_queried_object();
		return ! is_user_logged_in() && ! $this->response_headers->is_for_this_visitor() && ! ( defined( 'DONOTCACHEPAGE' ) && DONOTCACHEPAGE )
			&& ( $_SERVER['REQUEST_METHOD'] ?? 'GET' ) !== 'POST'
			&& ! ( $post instanceof WP_Post && ( $post->post_password !== '' || $post->post_status !== 'publish' ) )
			&& ! preg_grep( '/^(comment_author_|wp-postpass_|wordpress_logged_in_)/', array_keys( $_COOKIE ) )
			&& ! preg_grep( '/^(Cache-Control:.*\b(private|no-store|no-cache)\b|X-Accel-Expires: *0)/i', headers_list() );
	}

	/**
	 * Clears a registry's page, the pages that list it, and the feed.
	 *
	 * @param string[] $urls     Of the page itself.
	 * @param bool     $is_gifts Whether nothing but its gifts has changed.
	 */
	private function clear( int $id, array $urls, bool $is_gifts ): void {
		$this->has_cleared = true;

		$on    = $this->pages();
		$pages = array_unique( array( ...( $on[ $id ] ?? array() ), ...( $on[0] ?? array() ), (int) get_option( 'page_for_posts' ) ) );
		$pages = array_values( array_filter( $pages, static fn( int $page ): bool => get_post_status( $page ) === 'publish' ) );
		$urls  = array_values( array_unique( array( ...self::with_feeds( $urls ), ...self::lists(), ...array_map( 'get_permalink', $pages ) ) ) );

		$this->urls[ $id ] = $urls;
		foreach ( array( $id, ...$pages ) as $post ) {
			// This clears WP Super Cache, WP Rocket, Surge and the site's own object cache.
			clean_post_cache( $post );
			do_action( 'litespeed_purge_post', $post );
			do_action( 'wphb_clear_page_cache', $post );
			do_action( 'wpfc_clear_post_cache_by_id', false, $post );
			function_exists( 'w3tc_flush_post' ) && w3tc_flush_post( $post );
		}
		$nginx = $GLOBALS['nginx_purger'] ?? null;
		foreach ( $urls as $url ) {
			do_action( 'cache_enabler_clear_page_cache_by_url', $url );
			do_action( 'litespeed_purge_url', $url );
			function_exists( 'w3tc_flush_url' ) && w3tc_flush_url( $url );
			function_exists( 'sg_cachepress_purge_cache' ) && sg_cachepress_purge_cache( $url );
			// Nginx Helper.
			is_object( $nginx ) && is_callable( array( $nginx, 'purge_url' ) ) && $nginx->purge_url( $url, false );
		}
		function_exists( 'rocket_clean_files' ) && rocket_clean_files( $urls );
		do_action( 'swcfpc_purge_cache', $urls );
		// Newer versions of Breeze clear single pages, but never the front page; older ones everything or nothing.
		if ( has_action( 'purge_post_cache' ) && $is_gifts && ! in_array( (int) get_option( 'page_on_front' ), $on[ $id ] ?? array(), true ) ) {
			do_action( 'purge_post_cache', $id );
		} else {
			do_action( 'breeze_clear_all_cache' );
		}
		/**
		 * Fires when strangers are shown something else of a registry: for caches that nobody else clears.
		 *
		 * @param int      $id   Its number.
		 * @param string[] $urls The addresses that show it.
		 * @param string[] $tags The values of `Surrogate-Key` and `Cache-Tag` on them.
		 */
		do_action( 'trousseau_page_changed', $id, $urls, array( ...self::tags( $id ), ...self::tags( 0 ) ) );
	}

	/** Adds the addresses to those that Breeze clears. */
	public function add_urls( array $found, mixed $id ): array {
		return array( ...$found, ...( $this->urls[ (int) $id ] ?? array() ) );
	}

	private static function with_feeds( array $urls ): array {
		foreach ( preg_grep( '/\?/', $urls, PREG_GREP_INVERT ) as $url ) {
			array_push( $urls, user_trailingslashit( trailingslashit( $url ) . 'feed' ), user_trailingslashit( trailingslashit( $url ) . 'embed' ) );
		}
		return $urls;
	}

	/** @return string[] The front page, the archive and its feed. */
	private static function lists(): array {
		$archive = (string) get_post_type_archive_link( PostType::NAME );
		$urls    = array( home_url( '/' ), $archive, (string) get_post_type_archive_feed_link( PostType::NAME ), (string) get_post_type_archive_feed_link( PostType::NAME, 'atom' ) );
		$last    = min( self::ARCHIVE_PAGES, (int) ceil( (int) wp_count_posts( PostType::NAME )->publish / max( 1, (int) get_option( 'posts_per_page' ) ) ) );
		for ( $page = 2; $page <= $last; $page++ ) {
			$urls[] = str_contains( $archive, '?' ) ? add_query_arg( 'paged', $page, $archive ) : user_trailingslashit( trailingslashit( $archive ) . "page/$page" );
		}
		return array_filter( $urls );
	}

	private function pages( bool $now = false ): array {
		return $this->kept_values->get( self::SHOWN_ON, $now ) ?? array();
	}

	/** @return array{is: string, at: int, urls: string[]}|null */
	private function shown( int $id ): ?array {
		return $this->kept_values->get( self::SHOWN . $id );
	}

	/** Fingerprints of all that strangers see of a public registry, and of its gifts. A surprise changes neither: it is for the owner alone. */
	private function fingerprint( WP_Post $post ): string {
		// A page doesn't show these times.
		$items = array_map( static fn( Item $item ): array => array( GiftPicture::address( $item->image_url, $post->ID ) ) + array_diff_key( $item->answer, array_flip( array( 'created_at', 'updated_at' ) ) ), $this->gift_cache->stored( $post->ID ) ?? array() );
		$page  = array(
			array( $post->post_title, $post->post_content, $post->post_excerpt, $post->post_name, $post->post_date, $post->post_author, get_permalink( $post ) ),
			array( Meta::event_type( $post->ID ), Meta::event_date( $post->ID ), get_post_meta( $post->ID, Meta::CURRENCY, true ), Closing::is_over( $post ) ? ClosingWords::value( $post->ID ) : null ),
			array( get_post_thumbnail_id( $post ), Registries::owner_name( $post ), Settings::is_on( Settings::ANONYMOUS_GIVING ) ),
		);
		$gifts = array( Meta::item_ids( $post->ID ), GiftNotes::sections( $post ), GiftNotes::most_wanted( $post ), GiftNotes::got_elsewhere( $post->ID ), BoughtForAll::of( $post->ID ), $items );
		return implode( ' ', array_map( static fn( array $shown ): string => Encryption::hash( 'shown', (string) wp_json_encode( $shown ) ), array( $page, $gifts ) ) );
	}
}
