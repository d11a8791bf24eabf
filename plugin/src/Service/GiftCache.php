<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

use Trousseau\Admin\SetupNotice;
use Trousseau\Jobs\AffiliateUpdate;
use Trousseau\Jobs\PictureFetch;
use Trousseau\Pages\PageCache;
use Trousseau\Registry\Access;
use Trousseau\Registry\Meta;
use Trousseau\Registry\PostType;
use Trousseau\Registry\Registries;
use Trousseau\Support\Encryption;
use Trousseau\Support\Lock;
use Trousseau\Support\RateLimiter;
use WP_Error;
use WP_Post;
use WP_REST_Request;

/**
 * The gifts of a registry as this site keeps them, so that a page costs no more than another page and stays whole without
 * the service. A page that finds its list older than a few seconds asks the service, one page at a time and not for long;
 * while it fails, one page of the whole site asks now and then. What is kept is data: who may see it is asked elsewhere.
 */
final class GiftCache {

	/** The service's notice that something has changed; see notice(). */
	public const ROUTE = '/registries/(?P<id>\d+)/changed';

	/** An event that has the service look at the order of the items again. */
	public const REPAIR = 'trousseau_repair_order';

	private const OPTION = 'trousseau_gifts_';

	/** What the service said last when it failed: since when, and whether it only asked for a moment. */
	private const TROUBLE = 'trousseau_trouble';

	/** Seconds for which a list is shown without asking. */
	private const FRESH = 4;

	/** Seconds that a page waits for the service: with gifts to show without it, without any, and for another page. */
	private const PATIENCE       = 0.4;
	private const PATIENCE_FIRST = 1.5;
	private const PATIENCE_OTHER = 0.5;

	/** Seconds between two questions of the whole site while the service fails, and while it asks for a moment. */
	private const PAUSE      = 3;
	private const PAUSE_SOON = 1;

	/** Seconds after which somebody who asks for a moment has failed. */
	private const MOMENT = 30;

	/** Seconds to which it is known how old a list is that doesn't change. */
	private const EXACTNESS = 60;

	/** Limits for notices without credentials: seconds between two about one list, and how many about all lists in a minute. */
	private const NOTICES_APART    = 2;
	private const NOTICES_A_MINUTE = 1200;

	/** @var array<int, array{0: array{asked_at: float, items: array<string, mixed>[]}|null, 1: bool}> What this request has found. */
	private static array $found = array();

	/** @var array<int, true>|null Lists that are renewed later; null: at once. */
	private static ?array $put_off = null;

	/**
	 * @param array<string, mixed>[]|null $items    In the owner's order; null: nothing is known.
	 * @param int                         $known_at When it was like this.
	 */
	private function __construct(
		public readonly ?array $items,
		public readonly int $known_at,
		public readonly bool $is_current,
	) {
	}

	/** For the current visitor, who may read the registry. */
	public static function of( WP_Post $post ): self {
		list( $kept, $is_current ) = self::$found[ $post->ID ] ??= self::look( $post->ID );
		return new self( $kept ? self::arranged( $post, $kept['items'] ) : null, (int) ( $kept['asked_at'] ?? 0 ), $is_current );
	}

	/**
	 * What was set by others is nothing for an owner who is to be surprised: they see what is wished for, no more. The list
	 * itself is the same for everybody, since the service's answer to the plugin's account is.
	 */
	public static function is_surprise_to_viewer( WP_Post $post ): bool {
		return is_user_logged_in() && (int) $post->post_author === get_current_user_id() && Meta::is_surprise( $post->ID );
	}

	/** Runs something that changes much: each list is renewed once, behind it. */
	public static function renew_after( callable $work ): mixed {
		self::$put_off = array();
		try {
			return $work();
		} finally {
			$ids           = array_keys( self::$put_off );
			self::$put_off = null;
			array_map( array( self::class, 'renew' ), $ids );
		}
	}

	/** Something has changed: the next page shows it. */
	public static function renew( int $id ): void {
		unset( self::$found[ $id ] );
		if ( self::$put_off !== null ) {
			self::$put_off[ $id ] = true;
			return;
		}
		if ( get_post_type( $id ) !== PostType::NAME ) {
			return;
		}
		$kept = self::ask( $id, self::opened( $id ), self::PATIENCE_FIRST, true );
		// The next page needn't ask again, unless the service told nothing.
		Lock::forget( "gifts-$id" );
		if ( ! self::trouble() ) {
			self::is_turn( $id, null );
			self::$found[ $id ] = array( $kept, true );
		}
	}

	/**
	 * An item as the site knows it, for a form that is about to change it: the service checks the change itself, so it is asked
	 * for the item only where the site knows nothing of it.
	 */
	public static function item( WP_Post $post, int $item_id ): mixed {
		$kept = self::$found[ $post->ID ][0] ?? self::opened( $post->ID );
		return array_column( $kept['items'] ?? array(), null, 'id' )[ $item_id ] ?? Registries::item( $post, $item_id );
	}

	/**
	 * A list as the site has stored it: without asking the service, or whether the visitor may see it.
	 *
	 * @return array<string, mixed>[]|null
	 */
	public static function kept( int $id ): ?array {
		return self::opened( $id )['items'] ?? null;
	}

	public static function forget( int $id ): void {
		unset( self::$found[ $id ] );
		Lock::forget( "notice-$id" );
		delete_option( self::OPTION . $id );
		Lock::forget( "gifts-$id" );
		Lock::forget( "affiliate-$id" );
	}

	public static function register_route(): void {
		register_rest_route(
			'trousseau/v1',
			self::ROUTE,
			array(
				'methods'             => 'POST',
				'permission_callback' => '__return_true',
				'callback'            => static function ( WP_REST_Request $request ): array {
					self::notice( (int) $request['id'] );
					return array( 'changed' => true );
				},
			)
		);
	}

	/**
	 * The service says that something has changed, with the credentials of the person who did it, or without any after a change
	 * by the clock. Strangers can say so, too: without credentials the site looks at public lists only, and not often. The
	 * answer is the same for every number and everybody.
	 */
	private static function notice( int $id ): void {
		$post = get_post( $id );
		if ( ! $post || $post->post_type !== PostType::NAME ) {
			return;
		}
		$may_look = is_user_logged_in()
			? Access::can_read( $post )
			: $post->post_status === 'publish' && Lock::take( "notice-$id", self::NOTICES_APART ) && RateLimiter::allows( 'notice', 'anybody', self::NOTICES_A_MINUTE, MINUTE_IN_SECONDS );
		if ( $may_look ) {
			self::renew( $id );
			PageCache::look_again( $id );
		}
	}

	/** The service looks at a registry's order on this site, and mends it, whenever somebody visits who may. */
	public static function repair_order( int $id ): void {
		ItemService::of_site()->get_registry( $id );
	}

	/** @return array{0: array{asked_at: float, items: array<string, mixed>[]}|null, 1: bool} What is known, and whether it holds. */
	private static function look( int $id ): array {
		$kept    = self::opened( $id );
		$trouble = self::trouble();
		if ( self::is_turn( $id, $trouble ) ) {
			$first = ! $kept && ! $trouble;
			$kept  = self::ask( $id, $kept, $first ? self::PATIENCE_FIRST : self::PATIENCE, $first );
			self::expect_order( $id, $kept );
			$trouble = self::trouble();
		} elseif ( ! $kept && ! $trouble ) {
			$kept    = self::wait_for_other( $id );
			$trouble = self::trouble();
		}
		$failing = $trouble && ( ! $trouble['soon'] || microtime( true ) - $trouble['since'] > self::MOMENT );
		return array( $kept, ! $failing );
	}

	/** @param array{since: float, soon: bool}|null $trouble */
	private static function is_turn( int $id, ?array $trouble ): bool {
		if ( $trouble ) {
			return Lock::take( 'service', $trouble['soon'] ? self::PAUSE_SOON : self::PAUSE );
		}
		/** Filters for how many seconds a registry's page shows its gifts without asking the service again. */
		return Lock::take( "gifts-$id", (int) apply_filters( 'trousseau_gifts_fresh_for', self::FRESH ) );
	}

	/**
	 * Asks the service and keeps what it says, the list or that it failed.
	 *
	 * @param array{asked_at: float, items: array<string, mixed>[]}|null $kept
	 * @return array{asked_at: float, items: array<string, mixed>[]}|null
	 */
	private static function ask( int $id, ?array $kept, float $seconds, bool $again ): ?array {
		$asked_at = microtime( true );
		$items    = self::checked( $id, ItemService::of_site()->registry_items_soon( $id, $seconds, $again ) );
		if ( is_wp_error( $items ) ) {
			self::note_trouble( (bool) ( $items->get_error_data()['soon'] ?? false ) );
			return $kept;
		}
		SetupNotice::succeeded();
		AffiliateUpdate::expect( $id, $items );
		PictureFetch::expect( $items );
		if ( get_option( self::TROUBLE ) !== '' ) {
			update_option( self::TROUBLE, '', false );
		}
		// Whoever waits for an answer shows it, whether it could be kept or not.
		$found = compact( 'asked_at', 'items' );
		if ( ! $kept || $kept['items'] !== $items || $asked_at - $kept['asked_at'] > self::EXACTNESS ) {
			$newer = self::opened( $id, true );
			if ( $newer && $newer['asked_at'] > $asked_at ) {
				return $newer;
			}
			update_option( self::OPTION . $id, Encryption::seal( array( 'id' => $id ) + $found ), false );
			PageCache::look( $id );
		}
		return $found;
	}

	/**
	 * The registry's own items, or what is wrong with the answer.
	 *
	 * @return array<string, mixed>[]|WP_Error
	 */
	private static function checked( int $id, mixed $items ): array|WP_Error {
		if ( is_wp_error( $items ) ) {
			return $items;
		}
		if ( ! is_array( $items ) || ! array_is_list( $items ) || array_filter( $items, static fn( $item ) => ! isset( $item['id'], $item['name'] ) ) ) {
			return new WP_Error( 'api_error', __( 'The item service has no list of items for this registry.', 'trousseau' ), array( 'status' => 404 ) );
		}
		return array_values( array_filter( $items, static fn( array $item ): bool => (int) ( $item['registry_id'] ?? 0 ) === $id ) );
	}

	/** Another page is asking for the first time. */
	private static function wait_for_other( int $id ): ?array {
		$until = microtime( true ) + self::PATIENCE_OTHER;
		do {
			usleep( 20_000 );
			$kept = self::opened( $id, true );
		} while ( ! $kept && ! self::trouble( true ) && microtime( true ) < $until );
		return $kept;
	}

	/** @return array{since: float, soon: bool}|null */
	private static function trouble( bool $now = false ): ?array {
		$trouble = self::option( self::TROUBLE, $now );
		return is_array( $trouble ) && isset( $trouble['since'], $trouble['soon'] ) ? $trouble : null;
	}

	private static function note_trouble( bool $soon ): void {
		if ( ! $soon ) {
			// This page has waited for the whole site: the next one that does, after a pause.
			Lock::take( 'service', self::PAUSE );
		}
		$before = self::trouble( true );
		// Who asks for a moment after having failed has not said yet that all is well.
		if ( ! $before || ( $before['soon'] && ! $soon ) ) {
			$since = $before['since'] ?? microtime( true );
			update_option( self::TROUBLE, compact( 'since', 'soon' ), false );
		}
	}

	/** An item that the registry's order doesn't name, or names for nothing: the service could not write to this site once. */
	private static function expect_order( int $id, ?array $kept ): void {
		$active = array_column( $kept['items'] ?? array(), 'id' );
		$listed = Meta::item_ids( $id );
		if ( $kept && ( array_diff( $active, $listed ) || array_diff( $listed, $active ) ) ) {
			wp_schedule_single_event( time(), self::REPAIR, array( $id ) );
		}
	}

	/**
	 * In the owner's order, unlisted ones last; without numbers for an owner who is to be surprised. Not left to the service:
	 * it would have to ask this site for the order while the page waits, and an order that was just changed counts at once.
	 *
	 * @param array<string, mixed>[] $items
	 * @return array<string, mixed>[]
	 */
	private static function arranged( WP_Post $post, array $items ): array {
		$place = array_flip( Meta::item_ids( $post->ID ) );
		usort( $items, static fn( $one, $other ) => ( $place[ $one['id'] ] ?? PHP_INT_MAX ) <=> ( $place[ $other['id'] ] ?? PHP_INT_MAX ) );
		return self::is_surprise_to_viewer( $post ) ? array_map( array( Item::class, 'without_numbers' ), $items ) : $items;
	}

	/** An option; `$now`: as it is in the database, whatever this request has read before. */
	private static function option( string $name, bool $now ): mixed {
		if ( $now ) {
			wp_cache_delete( $name, 'options' );
			wp_cache_delete( 'notoptions', 'options' );
		}
		return get_option( $name );
	}

	/**
	 * What people wish for is in no cache and no copy of the database in the clear.
	 *
	 * @return array{asked_at: float, items: array<string, mixed>[]}|null
	 */
	private static function opened( int $id, bool $now = false ): ?array {
		$kept = Encryption::open( self::option( self::OPTION . $id, $now ) );
		return is_array( $kept ) && $kept['id'] === $id ? $kept : null;
	}
}
