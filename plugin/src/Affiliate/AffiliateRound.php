<?php

declare(strict_types=1);

namespace Trousseau\Affiliate;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\GiftLists;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Postponed;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;

/**
 * Brings the affiliate links of all items in line with the rules once a day, newest items first, in pieces, and checks them once a week. A
 * piece that is interrupted begins again where the last one ended.
 */
final class AffiliateRound extends JobHandler {

	public const JOB   = 'affiliate-round';
	public const EVERY = DAY_IN_SECONDS;

	/** Seconds between two checks of all links. */
	private const CHECK_EVERY = WEEK_IN_SECONDS;

	/** The round's progress: since when, how many items, its place in the list, the last id, the shop to check, the findings. */
	public const STATE = 'affiliate_round';

	/** The findings of the last round. */
	public const FOUND = 'affiliate_found';

	/** Items in one request, and the number of them that are requested again, since some before them may be gone in the meantime. */
	private const PAGE    = 100;
	private const OVERLAP = 20;

	/** Seconds until the next piece where shops were asked. */
	private const PAUSE = MINUTE_IN_SECONDS;

	/** The most shops without a rule that are counted: owners may invent any number of them. */
	private const MOST_SHOPS = 1000;

	public function __construct(
		private readonly GiftLists $gift_lists,
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
		private readonly KeptValues $kept_values,
		private readonly LinkCheck $link_check,
	) {
	}

	/** Begins a new round at the next run of the jobs. */
	public function begin( ?string $check = null ): void {
		$before = $this->kept_values->get( self::STATE, true );
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
		$this->kept_values->set( self::STATE, $state );
		$this->job_queue->add( self::JOB, null, 0, 'all' );
	}

	public static function words(): string {
		return __( 'Affiliate links', 'trousseau' );
	}

	/** Does the next piece, or begins the day's round. */
	public function run( Job $job ): void {
		$state = $this->kept_values->get( self::STATE, true );
		if ( ! is_array( $state ) ) {
			$checked = (int) ( $this->kept_values->get( self::FOUND )['checked'] ?? 0 );
			$this->item_service->is_configured() && $this->begin( $checked < time() - self::CHECK_EVERY + HOUR_IN_SECONDS ? '' : null );
			return;
		}
		$since   = $state['since'];
		$trouble = '';
		$links   = new AffiliateLinks( $this->item_service, $this->link_check, AffiliateRules::of_site(), $state['check'], $job->until );
		try {
			$this->gift_lists->renew_after(
				function () use ( $links, &$state ): void {
					$this->go_on( $links, $state );
				}
			);
		} catch ( ServiceError $error ) {
			$trouble = $error->getMessage();
		}
		if ( ( $this->kept_values->get( self::STATE, true )['since'] ?? 0 ) !== $since ) {
			throw new Postponed( 0 ); // A new round has begun in the meantime.
		}
		if ( $state['at'] === null ) {
			$this->end( $state );
			return;
		}
		$this->kept_values->set( self::STATE, array( 'trouble' => $trouble ) + $state );
		throw new Postponed( $trouble !== '' ? self::AWAY : ( $links->has_asked_shops() ? self::PAUSE : 0 ), $trouble );
	}

	/**
	 * Goes on until the time is over, or until everything is done and the list has no next place.
	 *
	 * @throws ServiceError Where going on makes no sense.
	 */
	private function go_on( AffiliateLinks $links, array &$state ): void {
		while ( ! $links->is_over() ) {
			$from  = max( 0, $state['at'] - self::OVERLAP );
			$items = $this->item_service->list_items( $from, self::PAGE );
			foreach ( $items as $place => $item ) {
				// Ids only grow: items added in the meantime stand before the ones that are done.
				if ( $item->id < $state['last'] ) {
					if ( $links->is_over() ) {
						return;
					}
					$counts = $links->look_after( $item );
					$shop   = $links->rules->shop_of( $item );
					if ( isset( $state['shops'][ $shop ] ) || $links->rules->has( $shop ) || count( $state['shops'] ) < self::MOST_SHOPS ) {
						$state['shops'][ $shop ] = AffiliateLinks::sum( $state['shops'][ $shop ] ?? null, $counts );
					}
					$state['last'] = $item->id;
					++$state['looked'];
				}
				$state['at'] = $from + $place + 1;
			}
			if ( count( $items ) < self::PAGE ) {
				$state['at'] = null;
				return;
			}
		}
	}

	private function end( array $state ): void {
		$before  = $this->kept_values->get( self::FOUND );
		$checked = $state['check'] === '' ? time() : (int) ( $before['checked'] ?? 0 );
		$this->kept_values->set( self::FOUND, array( 'at' => time(), 'checked' => $checked, 'shops' => $state['shops'] ) );
		$this->kept_values->delete( self::STATE );
	}
}
