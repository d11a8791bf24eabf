<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\BoughtForAll;
use Trousseau\Giving\Claims;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\Meta;
use Trousseau\Lists\ReservationTime;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Mail;
use Trousseau\Platform\Postponed;
use Trousseau\Service\Claim;
use Trousseau\Service\Conflict;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\TooMany;
use Trousseau\Service\Unavailable;
use WP_Post;

/**
 * Has givers mailed when someone buys a group gift, has bought it or no longer does, when a goal is reached, and on the list's day when it
 * isn't. A change of a registry brings a job, which waits for that day, and for the end of a buyer's reservation.
 */
final class BuyerWatch extends JobHandler {

	public const IS_SECRET = true;

	/** Its jobs in the queue, one a registry. */
	public const JOB = 'buyer';

	/** The shares of a registry's buyers at the last look, by the numbers of the gifts. */
	private const SEEN = '_trousseau_buyers';

	/** Seconds after the end of a reservation, by when the service has ended it. */
	private const AFTER_END = MINUTE_IN_SECONDS;

	public function __construct(
		private readonly BoughtForAll $bought_for_all,
		private readonly Claims $claims,
		private readonly GiftLists $gift_lists,
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
		private readonly Mail $mail,
	) {
	}

	/** Looks at a registry soon. */
	public function look( int $registry_id ): void {
		$post  = get_post( $registry_id );
		$items = $post ? $this->gift_lists->of( $post )->items : array();
		if ( $items === null || metadata_exists( 'post', $registry_id, self::SEEN ) || array_filter( $items, static fn( Item $item ): bool => $item->is_money() ) ) {
			$this->job_queue->add( self::JOB, null, 0, (string) $registry_id );
		}
	}

	/** Looks again after the day of a list with shares has changed. It asks the service nothing: the change may be the service's own. */
	public function look_at_day( int $meta_id, int $registry_id ): void {
		metadata_exists( 'post', $registry_id, self::SEEN ) && $this->job_queue->add( self::JOB, null, 0, (string) $registry_id );
	}

	/** Takes along the buyer of a gift, on `trousseau_gift_moved`: its givers know them already. */
	public function moved( WP_Post $from, WP_Post $to, Item $item ): void {
		$buyers = array_intersect_key( (array) get_post_meta( $from->ID, self::SEEN, true ), array( $item->id => true ) );
		$buyers && update_post_meta( $to->ID, self::SEEN, $buyers + array_filter( (array) get_post_meta( $to->ID, self::SEEN, true ) ) );
	}

	public static function words(): string {
		return __( 'Email', 'trousseau' );
	}

	public function run( Job $job ): void {
		$post = get_post( (int) $job->key );
		try {
			$end = $post ? $this->compare( $post ) : 0;
		} catch ( NotFound ) {
			return;
		} catch ( Unavailable | TooMany $error ) {
			throw new Postponed( self::AWAY, $error->getMessage() );
		}
		if ( $end ) {
			throw new Postponed( max( MINUTE_IN_SECONDS, $end + self::AFTER_END - time() ) );
		}
	}

	/** Compares the group gifts with those of the last look. Returns when to look again: a buyer's reservation ends, or the list's day begins; 0: none. */
	private function compare( WP_Post $post ): int {
		$claims = $this->item_service->claims_at( $post );
		$groups = GroupGift::all( $post, $this->item_service->registry_items( $post->ID ), $claims );
		$former = (array) get_post_meta( $post->ID, self::SEEN, true );
		$by_id  = array_column( $claims, null, 'id' );
		$buyers = array_map( static fn( GroupGift $group ): string => $group->buyer->id ?? '', $groups );
		$day    = Meta::event_date( $post->ID );
		$times  = $groups && $day > wp_date( 'Y-m-d' ) ? array( ( new \DateTimeImmutable( $day, wp_timezone() ) )->getTimestamp() ) : array();
		$this->bought_for_all->note( $post->ID, array_keys( array_filter( $groups, static fn( GroupGift $group ): bool => $group->is_bought() ) ) );
		foreach ( $groups as $id => $group ) {
			$this->tell_of_buyer( $id, $group, $by_id[ $former[ $id ] ?? '' ] ?? null );
			$group->is_reached() && $this->mail_givers( 'goal-reached', $id, $group->shares, (string) $id );
			$group->is_short() && $this->mail_givers( 'goal-missed', $id, $group->shares, (string) $id );
			$this->extend( $group );
			$times[] = $group->buyer?->ends_at();
		}
		$buyers ? update_post_meta( $post->ID, self::SEEN, $buyers ) : delete_post_meta( $post->ID, self::SEEN );
		return min( array_filter( $times ) ?: array( 0 ) );
	}

	/** Emails the others who is to have their shares now, once an hour at most. */
	private function tell_of_buyer( int $id, GroupGift $group, ?Claim $former ): void {
		$buyer = $group->buyer->id ?? '';
		$hour  = gmdate( '-Y-m-d-H' );
		// The one who has stepped back and still gives knows it.
		$knows  = $group->buyer ?? $former;
		$others = $knows ? $group->others( $knows ) : $group->shares;
		match ( true ) {
			$group->is_bought() => $this->mail_givers( 'shared-bought', $id, $others, $buyer ),
			$buyer === ( $former->id ?? '' ) => null,
			$buyer !== ''       => $this->mail_givers( 'buyer-found', $id, $others, $buyer . $hour ),
			default             => $this->mail_givers( 'no-buyer', $id, $others, $former?->id . $hour ),
		};
	}

	/** Emails each giver once; `$about`, the occasion, tells one email from another. */
	private function mail_givers( string $template, int $item_id, array $shares, string $about ): void {
		foreach ( Surprise::without_spoilers( $shares ) as $share ) {
			$this->mail->send_once( $share->email, $template, "$template-$about", array( 'shares' => array( $share->registry_id, $item_id ) ) );
		}
	}

	/**
	 * The shares of a gift that is bought don't end soon, since their money belongs to the one who has bought it; nor does the share of
	 * someone who buys while they have money of others. The buyer's other shares are spent, where their press didn't come so far.
	 */
	private function extend( GroupGift $group ): void {
		$shares = $group->is_bought() ? $group->shares : array_filter( array( $group->is_settled() ? $group->buyer : null ) );
		foreach ( $shares as $share ) {
			$is_spent = $group->is_bought() && $group->stage( $share ) === GroupGift::SPENT;
			if ( $share->state === 'reserved' && ( $is_spent || $share->ends_at() < time() + ReservationTime::MOST - DAY_IN_SECONDS ) ) {
				try {
					$this->claims->change( $share, $is_spent ? array( 'state' => 'purchased' ) : array( 'expires_in' => ReservationTime::MOST ) );
				} catch ( Conflict | NotFound ) {
					// Its giver has sent it or cancelled it in the meantime.
					continue;
				}
			}
		}
	}
}
