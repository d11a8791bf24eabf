<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftAmount;
use Trousseau\Gifts\ShopLink;
use Trousseau\Giving\Claim;
use Trousseau\Giving\ReservationTime;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\Meta;
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
 * Knows who buys the gifts that several pay for, and has the givers mailed when somebody buys one, has bought it or no longer does,
 * when shares are to be sent in another way, and when a goal is reached.
 * A change of a registry brings a job, which waits for the end of a reservation as long as its giver buys.
 */
final class BuyerWatch extends JobHandler {

	public const IS_SECRET = true;

	/** Its jobs in the queue, one a registry. */
	public const JOB = 'buyer';

	/** The shares of a registry's buyers as they were at the last look, since when they buy, where they want shares, and whose those were, by the numbers of the gifts. */
	private const BUYERS = '_trousseau_buyers';

	/** The place where the owners wanted shares at the last look. */
	private const PLACE = '_trousseau_share_place';

	/** Seconds before its end at which a share of a gift that is bought is extended. */
	private const SOON = 30 * DAY_IN_SECONDS;

	/** Seconds after which a share isn't extended any more. */
	private const LONG = 180 * DAY_IN_SECONDS;

	/** Seconds after the end of a reservation, by when the service has ended it. */
	private const AFTER_END = MINUTE_IN_SECONDS;

	public function __construct(
		private readonly Claim $claim,
		private readonly GiftLists $gift_lists,
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
		private readonly SharedGift $shared_gift,
		private readonly ShareMails $share_mails,
	) {
	}

	/** Looks at a registry soon, on `trousseau_change_reported`. */
	public function look( int $registry_id ): void {
		$post = get_post( $registry_id );
		if ( $post && ( metadata_exists( 'post', $registry_id, self::BUYERS ) || array_filter( $this->gift_lists->of( $post )->items ?? array(), array( Item::class, 'is_money' ) ) ) ) {
			$this->job_queue->add( self::JOB, null, 0, (string) $registry_id );
		}
	}

	/** Looks after somebody has given a share, on `trousseau_claim_made`. */
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
	 * Compares the buyers with those of the last look.
	 *
	 * @return int The time at which the first reservation of a buyer ends, or a share is to be extended; 0: none.
	 */
	private function compare( WP_Post $post ): int {
		$claims = $this->item_service->registry_claims( $post->ID, (int) $post->post_author )['claims'];
		$items  = $this->item_service->registry_items( $post->ID );
		$former = self::former( $post->ID );
		$shares = SharedGift::buyers( $claims );
		$by_id  = array_column( $claims, null, 'id' );
		$buyers = array();
		$funds  = array_column( array_filter( $items, static fn( array $item ): bool => ShopLink::is_fund( $item, $post->ID ) ), 'id', 'id' );
		foreach ( $shares as $item_id => $share ) {
			$before             = ( $former[ $item_id ]['id'] ?? '' ) === $share['id'] ? $former[ $item_id ] : array();
			$buyers[ $item_id ] = $before + array(
				'id'    => $share['id'],
				'since' => time(),
				'told'  => false,
				'place' => '',
				'shares' => array(),
			);
		}
		// A round that breaks off mails under the same names again, and so nobody twice.
		$this->store( $post->ID, $buyers + $former );
		$this->shared_gift->note_bought( $post->ID, array_filter( $claims, static fn( array $claim ): bool => ! isset( $funds[ $claim['item_id'] ] ) ) );
		foreach ( $shares as $item_id => $share ) {
			$buyer  = $buyers[ $item_id ];
			$place  = Encryption::hex( 'place', (string) $share['pay_to'] );
			$others = SharedGift::shares_of_others( $claims, $share );
			$ids    = array_column( $others, 'id' );
			foreach ( array_diff( $buyer['shares'], $ids ) as $ended ) {
				isset( $by_id[ $ended ] ) && $this->share_mails->tell_buyer( $share, $by_id[ $ended ] );
			}
			if ( isset( $funds[ $item_id ] ) ) {
				// Nobody buys a fund: whoever collects it only has the money.
				$buyer['told'] || $this->share_mails->mail_givers( ShareMails::PLACE_CHANGED, $item_id, $others, "{$buyer['id']}-{$buyer['since']}" );
			} elseif ( $this->shared_gift->is_bought( $share ) ) {
				$this->share_mails->mail_givers( ShareMails::BOUGHT, $item_id, $others, "{$buyer['id']}-{$buyer['since']}" );
			} elseif ( ! $buyer['told'] ) {
				$this->share_mails->mail_givers( ShareMails::BUYER_FOUND, $item_id, $others, "{$buyer['id']}-{$buyer['since']}" );
			} elseif ( ! in_array( $buyer['place'], array( '', $place ), true ) ) {
				$this->mail_those_to_send( $item_id, $others );
			}
			$buyers[ $item_id ] = array( 'told' => true, 'place' => $place, 'shares' => $ids ) + $buyer;
		}
		foreach ( array_diff_key( $former, $buyers ) as $item_id => $buyer ) {
			// The one who has stepped back and still gives knows it.
			$share  = $by_id[ $buyer['id'] ] ?? null;
			$others = $share ? array( ...SharedGift::shares_of_others( $claims, $share ), ...$this->shared_gift->held_by( $claims, $share ) ) : SharedGift::shares( $claims, $item_id );
			$about  = "{$buyer['id']}-{$buyer['since']}";
			isset( $funds[ $item_id ] )
				? $this->share_mails->mail_givers( ShareMails::PLACE_CHANGED, $item_id, $others, "$about-over" )
				: $this->share_mails->mail_givers( ShareMails::NO_BUYER, $item_id, $others, $about );
		}
		foreach ( $items as $item ) {
			if ( SharedGift::is_reached( $item, $claims ) ) {
				$this->share_mails->mail_givers( ShareMails::GOAL_REACHED, (int) $item['id'], SharedGift::shares( $claims, (int) $item['id'] ), (string) $item['id'] );
			}
		}
		$this->compare_place( $post, $claims, $buyers );
		$this->store( $post->ID, $buyers );
		$ends = array_map( static fn( array $share ): int => (int) strtotime( (string) $share['expires_at'] ), array_values( $shares ) );
		foreach ( $shares as $share ) {
			$kept = $this->shared_gift->is_bought( $share ) ? SharedGift::shares_of_others( $claims, $share ) : array_filter( array( $share ), fn( array $buyer ): bool => (bool) $this->shared_gift->sent_to( $claims, $buyer ) );
			array_push( $ends, ...$this->extend( $kept ) );
		}
		return $ends && array_filter( $ends ) ? min( array_filter( $ends ) ) : 0;
	}

	/** @param array<int, array<string, mixed>> $buyers */
	private function store( int $registry_id, array $buyers ): void {
		$buyers ? update_post_meta( $registry_id, self::BUYERS, wp_slash( (string) wp_json_encode( $buyers ) ) ) : delete_post_meta( $registry_id, self::BUYERS );
	}

	/**
	 * The shares of a gift that is bought don't end for a long time, since their money belongs to the one who has bought it; nor does the
	 * share of somebody who buys while they have money of others.
	 *
	 * @return int[] The times at which they are to be extended again.
	 */
	private function extend( array $shares ): array {
		$again = array();
		foreach ( array_filter( $shares, static fn( array $share ): bool => $share['state'] === 'reserved' ) as $share ) {
			$end = (int) strtotime( (string) $share['expires_at'] );
			if ( strtotime( (string) $share['created_at'] ) < time() - self::LONG ) {
				continue;
			}
			if ( $end < time() + self::SOON ) {
				try {
					$this->claim->change( $share, array( 'expires_in' => ReservationTime::MOST ) );
				} catch ( Conflict | NotFound ) {
					// Its giver has sent it or taken it back meanwhile.
					continue;
				}
				$end = time() + ReservationTime::MOST;
			}
			$again[] = $end - self::SOON;
		}
		return $again;
	}

	/** Has givers mailed where the owners want shares in another way than at the last look, and nobody buys the gift. */
	private function compare_place( WP_Post $post, array $claims, array $buyers ): void {
		$place  = Encryption::hex( 'place', Meta::pay_to( $post->ID ) );
		$former = (string) get_post_meta( $post->ID, self::PLACE, true );
		if ( $former === $place ) {
			return;
		}
		$shares = array_filter( $claims, array( SharedGift::class, 'is_confirmed' ) );
		foreach ( $former === '' ? array() : array_unique( array_column( $shares, 'item_id' ) ) as $item_id ) {
			isset( $buyers[ (int) $item_id ] ) || $this->mail_those_to_send( (int) $item_id, SharedGift::shares( $claims, (int) $item_id ) );
		}
		update_post_meta( $post->ID, self::PLACE, $place );
	}

	/** Mails those who haven't sent their shares yet, once an hour at most. */
	private function mail_those_to_send( int $item_id, array $shares ): void {
		$reserved = array_filter( $shares, static fn( array $share ): bool => $share['state'] === 'reserved' );
		$this->share_mails->mail_givers( ShareMails::PLACE_CHANGED, $item_id, $reserved, $item_id . gmdate( '-Y-m-d-H' ) );
	}

	/** @return array<int, array{id: string, since: int, told: bool, place: string, shares: string[]}> The buyers of the last look. */
	private static function former( int $registry_id ): array {
		return (array) json_decode( (string) get_post_meta( $registry_id, self::BUYERS, true ), true );
	}
}
