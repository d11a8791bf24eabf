<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Claims\SharedGift;
use Trousseau\Registry\GiftAmount;
use Trousseau\Registry\GiftLists;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\Unavailable;
use Trousseau\Support\Job;
use Trousseau\Support\JobHandler;
use Trousseau\Support\JobQueue;
use Trousseau\Support\Postponed;
use WP_Post;

/**
 * Knows who buys the gifts that several pay for, and has the givers mailed when a buyer steps back or the buyer's time is over,
 * and when a goal is reached.
 * A change of a registry brings a job, which waits for the end of a reservation as long as its giver buys.
 */
final class BuyerWatch extends JobHandler {

	/** Its jobs in the queue, one a registry. */
	public const JOB = 'buyer';

	/** The shares of a registry's buyers as they were at the last look, by the numbers of the gifts. */
	private const BUYERS = '_trousseau_buyers';

	/** Seconds after the end of a reservation, by when the service has ended it. */
	private const AFTER_END = MINUTE_IN_SECONDS;

	public function __construct(
		private readonly GiftLists $gift_lists,
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
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
	 * @return int The time at which the first reservation of a buyer ends; 0: none does.
	 */
	private function compare( WP_Post $post ): int {
		$claims = $this->item_service->registry_claims( $post->ID, (int) $post->post_author )['claims'];
		$former = (array) json_decode( (string) get_post_meta( $post->ID, self::BUYERS, true ), true );
		$shares = array_filter( $claims, static fn( array $claim ): bool => ! empty( $claim['buys'] ) && SharedGift::is_confirmed( $claim ) );
		$buyers = array_column( $shares, 'id', 'item_id' );
		foreach ( array_diff_key( $former, $buyers ) as $item_id => $share_id ) {
			// The one who has stepped back and still gives knows it.
			$is_same = static fn( array $claim ): bool => $claim['id'] === $share_id;
			$address = strtolower( (string) ( array_values( array_filter( $claims, $is_same ) )[0]['giver']['email'] ?? '' ) );
			$others  = array_filter( SharedGift::shares( $claims, (int) $item_id ), static fn( array $claim ): bool => strtolower( (string) $claim['giver']['email'] ) !== $address );
			$this->share_mails->mail_givers( ShareMails::NO_BUYER, (int) $item_id, $others, (string) $share_id );
		}
		foreach ( $this->item_service->registry_items( $post->ID ) as $item ) {
			if ( SharedGift::is_reached( $item, $claims ) ) {
				$this->share_mails->mail_givers( ShareMails::GOAL_REACHED, (int) $item['id'], SharedGift::shares( $claims, (int) $item['id'] ), (string) $item['id'] );
			}
		}
		$buyers ? update_post_meta( $post->ID, self::BUYERS, wp_slash( (string) wp_json_encode( $buyers ) ) ) : delete_post_meta( $post->ID, self::BUYERS );
		$ends = array_filter( array_map( static fn( array $claim ): int => (int) strtotime( (string) $claim['expires_at'] ), $shares ) );
		return $ends ? min( $ends ) : 0;
	}
}
