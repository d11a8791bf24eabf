<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\BoughtForAll;
use Trousseau\Gifts\GiftAmount;
use Trousseau\Giving\Claim;
use Trousseau\Giving\ReservationTime;
use Trousseau\Lists\GiftLists;
use Trousseau\Platform\Encryption;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Postponed;
use Trousseau\Service\Conflict;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\Unavailable;
use WP_Post;

/**
 * Has givers mailed when someone buys a group gift, has bought it or no longer does, when shares are to be sent in another way, when one
 * ends, and when a goal is reached. A change of a registry brings a job, which waits for the end of a reservation as long as its giver buys.
 */
final class BuyerWatch extends JobHandler {

	public const IS_SECRET = true;

	/** Its jobs in the queue, one a registry. */
	public const JOB = 'buyer';

	/** A registry's group gifts as they were at the last look, by their numbers. */
	private const SEEN = '_trousseau_buyers';

	/** Seconds before its end at which a share of a gift that is bought is extended. */
	private const SOON = 30 * DAY_IN_SECONDS;

	/** Seconds after which a share isn't extended any more. */
	private const LONG = 180 * DAY_IN_SECONDS;

	/** Seconds after the end of a reservation, by when the service has ended it. */
	private const AFTER_END = MINUTE_IN_SECONDS;

	public function __construct(
		private readonly BoughtForAll $bought_for_all,
		private readonly Claim $claim,
		private readonly GiftLists $gift_lists,
		private readonly GroupGifts $group_gifts,
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
		private readonly ShareMails $share_mails,
	) {
	}

	/** Looks at a registry soon, on `trousseau_change_reported`. */
	public function look( int $registry_id ): void {
		$post = get_post( $registry_id );
		if ( $post && ( metadata_exists( 'post', $registry_id, self::SEEN ) || array_filter( $this->gift_lists->of( $post )->items ?? array(), array( Item::class, 'is_money' ) ) ) ) {
			$this->job_queue->add( self::JOB, null, 0, (string) $registry_id );
		}
	}

	/** Looks after someone has given a share, on `trousseau_claim_made`. */
	public function made( WP_Post $post, array $item, array $claim ): void {
		GiftAmount::is_share( $claim ) && $this->look( $post->ID );
	}

	/** Looks after a giver has changed a share, on `trousseau_claim_changed`. */
	public function changed( array $before, array $after ): void {
		GiftAmount::is_share( $after ) && $this->look( (int) $after['registry_id'] );
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
		} catch ( Unavailable $error ) {
			throw new Postponed( 5 * MINUTE_IN_SECONDS, $error->getMessage() );
		}
		if ( $end ) {
			throw new Postponed( max( MINUTE_IN_SECONDS, $end + self::AFTER_END - time() ) );
		}
	}

	/**
	 * Compares the group gifts with those of the last look.
	 *
	 * @return int The time at which the first reservation of a buyer ends, or a share is to be extended; 0: none.
	 */
	private function compare( WP_Post $post ): int {
		$claims = $this->item_service->registry_claims( $post->ID, (int) $post->post_author )['claims'];
		$groups = $this->group_gifts->all( $post, $this->item_service->registry_items( $post->ID ), $claims );
		$former = self::former( $post->ID );
		$seen   = array_map( array( self::class, 'seen' ), $groups );
		$times  = array();
		$this->bought_for_all->note( $post->ID, array_keys( array_filter( $groups, static fn( GroupGift $group ): bool => $group->is_bought() ) ) );
		foreach ( $groups as $id => $group ) {
			isset( $former[ $id ] ) && $this->tell_of_ended( $group, $former[ $id ], array_column( $claims, null, 'id' ) );
			$this->tell_of_receiver( $id, $group, $seen[ $id ], ( $former[ $id ] ?? array() ) + array_fill_keys( array( 'buyer', 'place' ), '' ) );
			$group->is_reached() && $this->share_mails->mail_givers( ShareMails::GOAL_REACHED, $id, $group->shares, (string) $id );
			array_push( $times, (int) strtotime( (string) ( $group->buyer['expires_at'] ?? '' ) ), ...$this->extend( $group ) );
		}
		$this->keep( $post->ID, $seen );
		return array_filter( $times ) ? min( array_filter( $times ) ) : 0;
	}

	/** Takes the last look along with a gift, on `trousseau_gift_moved`, so that the next one tells of what has changed since, and of nothing else. */
	public function move( WP_Post $from, WP_Post $to, array $item ): void {
		$look = array_intersect_key( self::former( $from->ID ), array( (int) $item['id'] => true ) );
		if ( $look ) {
			$this->keep( $to->ID, $look + self::former( $to->ID ) );
			$this->keep( $from->ID, array_diff_key( self::former( $from->ID ), $look ) );
			$this->job_queue->add( self::JOB, null, 0, (string) $to->ID );
		}
	}

	/** @return array<int, array{buyer: string, place: string, shares: string[]}> The last look. */
	private static function former( int $registry_id ): array {
		return (array) json_decode( (string) get_post_meta( $registry_id, self::SEEN, true ), true );
	}

	/** @param array<int, array{buyer: string, place: string, shares: string[]}> $seen */
	private function keep( int $registry_id, array $seen ): void {
		$seen ? update_post_meta( $registry_id, self::SEEN, wp_slash( (string) wp_json_encode( $seen ) ) ) : delete_post_meta( $registry_id, self::SEEN );
	}

	/** @return array{buyer: string, place: string, shares: string[]} */
	private static function seen( GroupGift $group ): array {
		return array(
			'buyer'  => $group->buyer['id'] ?? '',
			'place'  => Encryption::hex( 'place', $group->place( $group->buyer ?? $group->shares[0] ) ),
			'shares' => array_column( $group->shares, 'id' ),
		);
	}

	/** Tells the one who still buys of shares that have ended since the last look. */
	private function tell_of_ended( GroupGift $group, array $former, array $claims ): void {
		$ended = array_diff( $former['shares'], array_column( $group->shares, 'id' ) );
		foreach ( $group->buyer && $group->buyer['id'] === $former['buyer'] ? $ended : array() as $id ) {
			isset( $claims[ $id ] ) && ! GroupGift::is_same_giver( $claims[ $id ], $group->buyer ) && $this->share_mails->tell_buyer( $group->buyer, $claims[ $id ] );
		}
	}

	/** Emails givers who is to have their shares now, once an hour at most. */
	private function tell_of_receiver( int $id, GroupGift $group, array $now, array $former ): void {
		$hour   = gmdate( '-Y-m-d-H' );
		$others = $group->buyer ? $group->others( $group->buyer ) : $group->shares;
		match ( true ) {
			$group->is_bought()                  => $this->share_mails->mail_givers( ShareMails::BOUGHT, $id, $others, $now['buyer'] ),
			$now['buyer'] !== $former['buyer']   => $group->buyer
				? $this->share_mails->mail_givers( ShareMails::BUYER_FOUND, $id, $others, $now['buyer'] . $hour )
				// The one who has stepped back and still gives knows it.
				: $this->share_mails->mail_givers( ShareMails::NO_BUYER, $id, self::without( $group, $former['buyer'] ), $former['buyer'] . $hour, $former['buyer'] ),
			! in_array( $former['place'], array( '', $now['place'] ), true ) => $this->share_mails->mail_givers( ShareMails::PLACE_CHANGED, $id, $group->at( GroupGift::TO_SEND ), $id . $hour ),
			default                              => null,
		};
	}

	/** @return array<string, mixed>[] The shares of all givers but the one of this share. */
	private static function without( GroupGift $group, string $share ): array {
		$found = array_column( $group->shares, null, 'id' )[ $share ] ?? null;
		return $found ? $group->others( $found ) : $group->shares;
	}

	/**
	 * The shares of a gift that is bought don't end for a long time, since their money belongs to the one who has bought it; nor does the
	 * share of someone who buys while they have money of others.
	 *
	 * @return int[] The times at which they are to be extended again.
	 */
	private function extend( GroupGift $group ): array {
		$again  = array();
		$shares = $group->is_bought() ? $group->at( GroupGift::TO_SEND ) : ( $group->buyer && $group->is_settled() ? array( $group->buyer ) : array() );
		foreach ( array_filter( $shares, static fn( array $share ): bool => $share['state'] === 'reserved' ) as $share ) {
			$end = (int) strtotime( (string) $share['expires_at'] );
			if ( strtotime( (string) $share['created_at'] ) < time() - self::LONG ) {
				continue;
			}
			if ( $end < time() + self::SOON ) {
				try {
					$this->claim->change( $share, array( 'expires_in' => ReservationTime::MOST ) );
				} catch ( Conflict | NotFound ) {
					// Its giver has sent it or cancelled it in the meantime.
					continue;
				}
				$end = time() + ReservationTime::MOST;
			}
			$again[] = $end - self::SOON;
		}
		return $again;
	}
}
