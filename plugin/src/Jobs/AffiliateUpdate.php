<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\GiftLists;
use Trousseau\Service\ItemService;
use Trousseau\Support\JobQueue;
use Trousseau\Support\KeptValues;
use Trousseau\Support\Lock;
use Trousseau\Support\Postponed;
use WP_Error;

/**
 * Brings the affiliate links of all items in line with the rules, and checks once a week whether they still lead anywhere.
 * It goes through the items of the service, newest first, in pieces, each a run of the job `AffiliateRound`. A piece that is
 * interrupted begins again where the last one ended.
 */
final class AffiliateUpdate {

	/** The jobs that go through all items, and that look after one registry's. */
	public const ROUND    = 'affiliate-round';
	public const REGISTRY = 'affiliate-registry';

	/** The round's progress: since when, how many items, its place in the list, the last id, the shop to check, the findings. */
	public const STATE = 'affiliate_round';

	/** The findings of the last round. */
	public const FOUND = 'affiliate_found';

	/** Items in one request, and the number of them that are requested again, since some before them may be gone meanwhile. */
	private const PAGE    = 100;
	private const OVERLAP = 20;

	/** The most addresses of shops that a piece fetches. */
	private const CHECKS = 20;

	/** Seconds until the next piece: when shops were asked, and when the service failed. */
	private const PAUSE       = MINUTE_IN_SECONDS;
	private const PAUSE_AFTER = 5 * MINUTE_IN_SECONDS;

	/** Seconds between two checks of everything. */
	private const CHECK_EVERY = WEEK_IN_SECONDS;

	/** Seconds between two looks at one registry. */
	private const REGISTRY_EVERY = 15;

	/** The most shops without a rule that are counted: owners may invent any number of them. */
	private const MOST_SHOPS = 1000;

	/** The most dead links of a shop that are named. */
	private const MOST_NAMED = 20;

	/** Characters that the affiliate endpoint takes; an item itself takes more. */
	private const MOST_CHARACTERS = 500;

	private const COUNTS = array(
		'gifts'   => 0,
		'links'   => 0,
		'own'     => 0,
		'unknown' => 0,
		'dead'    => array(),
		'expired' => 0,
	);

	private int $checks = 0;

	/** @param string|null $check The shop whose links are checked; nothing for all, null for none. */
	private function __construct( private readonly AffiliateRules $rules, private readonly ?string $check, private readonly float $until ) {
	}

	/** Begins a new round at the next run of the jobs. */
	public static function begin( ?string $check = null ): void {
		$before = KeptValues::get( self::STATE, true );
		// A rule that changes during a check doesn't end the check.
		$check ??= is_array( $before ) ? $before['check'] : null;
		$state   = array(
			'since'  => microtime( true ),
			'looked' => 0,
			'at'     => 0,
			'last'   => PHP_INT_MAX,
			'check'  => $check,
			'shops'  => array(),
		);
		KeptValues::set( self::STATE, $state );
		( new JobQueue() )->add( self::ROUND, null, 0, 'all' );
	}

	/** Begins the daily round, which checks all links once a week. */
	public static function daily(): void {
		ShopClicks::fold();
		if ( ItemService::of_site()->is_configured() && ! KeptValues::get( self::STATE ) ) {
			$found = KeptValues::get( self::FOUND );
			self::begin( time() - (int) ( $found['checked'] ?? 0 ) > self::CHECK_EVERY - HOUR_IN_SECONDS ? '' : null );
		}
	}

	/**
	 * Does the next piece.
	 *
	 * @throws Postponed Where there are more.
	 */
	public static function run_next( float $until ): void {
		$state = KeptValues::get( self::STATE, true );
		if ( ! is_array( $state ) ) {
			return;
		}
		$since   = $state['since'];
		$round   = new self( AffiliateRules::of_site(), $state['check'], $until );
		$trouble = GiftLists::renew_after(
			static function () use ( $round, &$state ): string {
				return $round->go_on( $state );
			}
		);
		if ( ( KeptValues::get( self::STATE, true )['since'] ?? 0 ) !== $since ) {
			throw new Postponed( 0 ); // A new round has begun meanwhile.
		}
		if ( $state['at'] === null ) {
			self::finish( $state );
			return;
		}
		KeptValues::set( self::STATE, array( 'trouble' => $trouble ) + $state );
		throw new Postponed( $trouble !== '' ? self::PAUSE_AFTER : ( $round->checks ? self::PAUSE : 0 ), $trouble );
	}

	/** Queues a registry whose items' links differ from the rules, because an item is new or its address has changed. */
	public static function expect( int $registry, array $items ): void {
		$rules = AffiliateRules::of_site();
		if ( $rules->are_none() ) {
			return;
		}
		foreach ( $items as $item ) {
			if ( array_key_exists( 'affiliate_url', $item ) && ! in_array( $rules->link_for( $item ), array( null, (string) $item['affiliate_url'] ), true ) ) {
				if ( Lock::take( "affiliate-$registry", self::REGISTRY_EVERY ) ) {
					( new JobQueue() )->add( self::REGISTRY, null, 0, (string) $registry );
				}
				return;
			}
		}
	}

	/** Deletes the pending work for a deleted registry. */
	public static function forget( int $registry ): void {
		Lock::forget( "affiliate-$registry" );
	}

	/**
	 * Brings the links of one registry's items in line with the rules.
	 *
	 * @throws Postponed Where some are left.
	 */
	public static function run_for( int $registry, float $until ): void {
		$items = ItemService::of_site()->registry_items( $registry );
		if ( ! is_array( $items ) ) {
			throw new Postponed( self::PAUSE_AFTER, is_wp_error( $items ) ? $items->get_error_message() : '' );
		}
		$round   = new self( AffiliateRules::of_site(), null, $until );
		$is_over = GiftLists::renew_after(
			static function () use ( $items, $round ): bool {
				foreach ( $items as $item ) {
					if ( $round->is_over() || is_wp_error( $round->look_after( $item ) ) ) {
						return false;
					}
				}
				return true;
			}
		);
		if ( ! $is_over ) {
			throw new Postponed( $round->is_over() ? 0 : self::PAUSE_AFTER );
		}
	}

	/**
	 * Goes on until the time is over, or until everything is done and the list has no next place.
	 *
	 * @param array<string, mixed> $state
	 * @return string The trouble, or nothing.
	 */
	private function go_on( array &$state ): string {
		while ( ! $this->is_over() ) {
			$from  = max( 0, $state['at'] - self::OVERLAP );
			$items = ItemService::of_site()->list_items( $from, self::PAGE );
			if ( ! is_array( $items ) ) {
				return is_wp_error( $items ) ? $items->get_error_message() : __( 'The item service has no list of items.', 'trousseau' );
			}
			foreach ( $items as $place => $item ) {
				// Ids only grow: items added meanwhile stand before the ones that are done.
				if ( (int) $item['id'] < $state['last'] ) {
					$counts = $this->is_over() ? null : $this->look_after( $item );
					if ( ! is_array( $counts ) ) {
						return $counts ? $counts->get_error_message() : '';
					}
					$shop = $this->rules->shop_of( $item );
					if ( isset( $state['shops'][ $shop ] ) || $this->rules->has( $shop ) || count( $state['shops'] ) < self::MOST_SHOPS ) {
						$state['shops'][ $shop ] = self::sum( $state['shops'][ $shop ] ?? self::COUNTS, $counts );
					}
					$state['last'] = (int) $item['id'];
					++$state['looked'];
				}
				$state['at'] = $from + $place + 1;
			}
			if ( count( $items ) < self::PAGE ) {
				$state['at'] = null;
				return '';
			}
		}
		return '';
	}

	/**
	 * Gives an item the link that it should have.
	 *
	 * @param array<string, mixed> $item
	 * @return array<string, mixed>|WP_Error Counts for the findings; an error where going on makes no sense.
	 */
	private function look_after( array $item ): array|WP_Error {
		if ( ! array_key_exists( 'affiliate_url', $item ) ) {
			return new WP_Error( 'not_admin', __( 'The service shows affiliate links to administrators only, and doesn’t take the plugin’s account for one: see its setting ADMIN_ROLES.', 'trousseau' ) );
		}
		$present = (string) $item['affiliate_url'];
		$status  = (string) $item['affiliate_status'];
		$wanted  = $this->rules->link_for( $item );
		$link    = $wanted ?? $present;
		// A link that somebody has switched off stays off, and an owner's own link is left alone while it works.
		$is_on = $link !== '' && ( $present === '' || $status === 'active' || ( $status === 'expired' && $wanted !== null ) );
		$state = $is_on && $this->is_to_be_checked( $item ) ? $this->state_of( $link ) : null;
		$next  = match ( true ) {
			! $is_on                     => $status,
			$state === LinkCheck::DEAD   => 'expired',
			$state === LinkCheck::ALIVE  => 'active',
			default                      => $present === $link ? $status : 'active',
		};
		if ( $link !== $present || $next !== $status ) {
			$answer = $this->store( $item, $link, $next );
			if ( self::is_passing( $answer ) ) {
				return $answer;
			}
			if ( $answer === null || is_wp_error( $answer ) ) {
				list( $link, $next ) = array( $present, $status );
			}
		}
		$is_dead = $link !== '' && $next === 'expired';
		return array(
			'gifts'   => 1,
			'links'   => $link !== '' && $next === 'active' ? 1 : 0,
			'own'     => $link !== '' && $wanted === null ? 1 : 0,
			'unknown' => $state === LinkCheck::UNKNOWN ? 1 : 0,
			'expired' => $is_dead ? 1 : 0,
			'dead'    => $is_dead ? array( array( (int) $item['registry_id'], (int) $item['id'] ) ) : array(),
		);
	}

	/** @param array<string, mixed> $item */
	private function store( array $item, string $link, string $status ): mixed {
		$client = ItemService::of_site();
		if ( $link === '' ) {
			return $client->clear_affiliate( (int) $item['registry_id'], (int) $item['id'] );
		}
		if ( strlen( $link ) <= self::MOST_CHARACTERS ) {
			return $client->set_affiliate( (int) $item['registry_id'], (int) $item['id'], $link, $status );
		}
		$fields = array(
			'affiliate_url'    => $link,
			'affiliate_status' => $status,
		);
		return $client->update_item( (int) $item['id'], $fields );
	}

	/** @param array<string, mixed> $item */
	private function is_to_be_checked( array $item ): bool {
		return $this->check === '' || ( $this->check !== null && $this->check === $this->rules->shop_of( $item ) );
	}

	private function state_of( string $link ): string {
		if ( ! LinkCheck::is_known( $link ) ) {
			++$this->checks;
		}
		return LinkCheck::state( $link );
	}

	private function is_over(): bool {
		return $this->checks >= self::CHECKS || microtime( true ) > $this->until;
	}

	/** Whether a failure may pass: the service may take this link and the others later. */
	private static function is_passing( mixed $answer ): bool {
		$status = ItemService::status_of( $answer );
		// This 404 is from a server in front of the service, or in its place.
		return is_wp_error( $answer ) && ( in_array( $status, array( 0, 401, 404 ), true ) || $status === 429 || $status >= 500 );
	}

	/**
	 * @param array<string, mixed> $sum
	 * @param array<string, mixed> $counts
	 * @return array<string, mixed>
	 */
	private static function sum( array $sum, array $counts ): array {
		foreach ( $counts as $name => $value ) {
			$sum[ $name ] = is_array( $value ) ? array_slice( array( ...$sum[ $name ], ...$value ), 0, self::MOST_NAMED ) : $sum[ $name ] + $value;
		}
		return $sum;
	}

	/** @param array<string, mixed> $state */
	private static function finish( array $state ): void {
		$before = KeptValues::get( self::FOUND );
		$found  = array(
			'at'      => time(),
			'checked' => $state['check'] === '' ? time() : (int) ( $before['checked'] ?? 0 ),
			'shops'   => $state['shops'],
		);
		KeptValues::set( self::FOUND, $found );
		KeptValues::delete( self::STATE );
	}
}
