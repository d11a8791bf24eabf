<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\ReceivedGifts;
use Trousseau\Gifts\RemovedGifts;
use Trousseau\Gifts\ShopLink;
use Trousseau\Lists\Approval;
use Trousseau\Lists\Digest;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\GiftNotes;
use Trousseau\Lists\MailFacts;
use Trousseau\Lists\Registries;
use Trousseau\Lists\ReservationTime;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Lock;
use Trousseau\Platform\Mail;
use Trousseau\Platform\Postponed;
use Trousseau\Service\Claim;
use Trousseau\Service\Conflict;
use Trousseau\Service\Invalid;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use Trousseau\Service\TooMany;
use Trousseau\Service\Unavailable;
use WP_Post;

/** Emails to givers: to confirm a gift, about its state, before it lapses, and when the owner has removed it. */
final class ClaimMails extends JobHandler implements MailFacts {

	public const IS_SECRET = true;

	/** Its jobs in the queue: each emails the givers of a gift that was removed, or that the owners got elsewhere, unless they think again. */
	public const LOST = 'gift-lost';

	/** Seconds for which a giver may press “Undo” before an email confirms that a gift is cancelled. */
	public const UNDO = 2 * MINUTE_IN_SECONDS;

	/** Seconds for which owners may think again before givers hear of it. */
	private const SECOND_THOUGHTS = 15 * MINUTE_IN_SECONDS;

	public function __construct(
		private readonly Digest $digest,
		private readonly GiftLists $gift_lists,
		private readonly GiftStages $gift_stages,
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
		private readonly Lock $lock,
		private readonly Mail $mail,
	) {
	}

	/** Resends the confirmation link to the giver of an unconfirmed gift. Returns whether that was allowed. */
	public function ask_again( Claim $claim ): bool {
		$post = get_post( $claim->registry_id );
		$item = $post ? $this->item( $post, $claim->item_id ) : null;
		if ( ! $item || ! $this->mail->may_go( array( $claim->email ), 'claim-confirm' ) ) {
			return false;
		}
		$this->mail( 'confirm', $post, $item, $claim );
		return true;
	}

	/** Emails the giver on `trousseau_claim_made`. */
	public function made( WP_Post $post, Item $item, Claim $claim, Giver $giver ): void {
		$item = $this->gift_lists->known( $post, $item->id ) ?? $item;
		$this->mail( $giver->is_known ? $claim->state : 'confirm', $post, $item, $claim );
		$giver->is_known && $this->digest->note( $post );
	}

	/** Emails the giver on `trousseau_claim_changed`. facts() drops emails that were planned for another time. */
	public function changed( Claim $before, Claim $after ): void {
		if ( $after->state === $before->state && $after->expires_at === $before->expires_at ) {
			return;
		}
		$post = get_post( $before->registry_id );
		$item = $post ? $this->item( $post, $before->item_id ) : null;
		if ( ! $item ) {
			return;
		}
		// The email about cancelling a gift that is given again hasn't been sent yet.
		if ( $after->state === $before->state || $before->state === 'released' ) {
			$after->state === 'reserved' && $this->plan_reminder( $post, $item, $after );
			return;
		}
		if ( $before->state === 'pending' && $after->state === 'released' ) {
			// Nobody has confirmed the address, and anyone may have typed it.
			return;
		}
		if ( ! $this->lock->take( "{$after->state}-{$after->id}", HOUR_IN_SECONDS ) ) {
			// Two presses at once.
			return;
		}
		$this->mail( $after->state, $post, $item, $after );
		$before->state === 'pending' && $this->digest->note( $post );
	}

	/** Null: the gift is off its list. The email leaves without the gift's name while the service is away. */
	private function item( WP_Post $post, int $item_id ): ?Item {
		try {
			return $this->gift_lists->known_item( $post, $item_id );
		} catch ( NotFound ) {
			return null;
		} catch ( ServiceError ) {
			return new Item( array( 'id' => $item_id, 'name' => __( 'a gift', 'trousseau' ) ) );
		}
	}

	/** Has givers emailed on `trousseau_gift_removed`. */
	public function removed( WP_Post $post, Item $item, float $removed_at ): void {
		$this->plan( 'claim-removed', $post, $item, $removed_at );
	}

	/** Has givers emailed on `trousseau_got_elsewhere`. */
	public function got_elsewhere( WP_Post $post, Item $item ): void {
		$this->plan( 'claim-got', $post, $item, GiftNotes::got_at( $post->ID, $item->id ) );
	}

	private function plan( string $template, WP_Post $post, Item $item, float $at ): void {
		$payload = compact( 'template', 'at' ) + array( 'list' => $post->ID, 'item' => $item->answer );
		$this->job_queue->add( self::LOST, $payload, (int) $at + self::SECOND_THOUGHTS, "$template-{$item->id}-$at" );
	}

	public static function words(): string {
		return __( 'Email', 'trousseau' );
	}

	/** Addresses that nobody confirmed get no email. */
	public function run( Job $job ): void {
		$payload = $job->payload;
		$item    = new Item( $payload['item'] );
		$only    = array( $payload['template'] === 'claim-got' ? 'got_elsewhere' : 'removed_at' => (float) $payload['at'] );
		try {
			$listed = $this->item_service->find_item( $item->id );
			$post   = get_post( $listed->registry_id ?? $payload['list'] );
			$claims = $post && self::is_still_lost( $only, $post->ID, $item->id, (bool) $listed ) ? $this->item_service->claims_at( $post ) : array();
		} catch ( NotFound ) {
			return;
		} catch ( Unavailable | TooMany $error ) {
			throw new Postponed( self::AWAY, $error->getMessage() );
		}
		foreach ( Surprise::without_spoilers( $claims ) as $claim ) {
			if ( $claim->item_id === $item->id && $claim->is_given() && $claim->email !== '' ) {
				$about = $only + array( 'claim' => $claim->id, 'state' => $claim->state, 'expires' => $claim->expires_at ) + self::share( $claim );
				$this->mail->send( $claim->email, $payload['template'], self::values( $post, $item, $claim ), time(), $about );
			}
		}
	}

	/** Whether a gift is still removed, or its owners still have it from elsewhere, since that time: they may have thought again, also twice. */
	private static function is_still_lost( array $only, int $registry, int $item, bool $is_listed ): bool {
		return isset( $only['removed_at'] )
			? ! $is_listed && RemovedGifts::removed_at( $registry, $item ) === (float) $only['removed_at']
			: $is_listed && GiftNotes::got_at( $registry, $item ) === (float) $only['got_elsewhere'];
	}

	public function facts( string $about, array $mail ): ?array {
		$only = $mail['only'];
		if ( $about === 'released' ) {
			return $this->gift_stages->latest( $only['released'] ) === $only['released'] ? $mail['values'] : null;
		}
		try {
			$claim = $this->item_service->get_claim( $only['claim'] );
			$item  = $this->item_service->find_item( $claim->item_id );
		} catch ( NotFound | Invalid | Conflict ) {
			// Asking again would bring the same answer.
			return null;
		}
		if ( isset( $only['removed_at'] ) || isset( $only['got_elsewhere'] ) ) {
			return $claim->is_given() && self::is_still_lost( $only, $claim->registry_id, $claim->item_id, (bool) $item ) ? array( 'quantity' => $claim->quantity ) + $mail['values'] : null;
		}
		// The giver of a removed gift, or of a list that was deleted, already knows.
		$is_gone = ! $item || GoneLists::is_gone( $claim->registry_id );
		if ( $is_gone || $claim->state !== $only['state'] || $claim->expires_at !== $only['expires'] ) {
			return null;
		}
		// The gift may be on another list by now.
		$post = get_post( $claim->registry_id );
		// The owners have it, though its giver hasn't said so.
		$is_here = $post && isset( ReceivedGifts::of( $post )[ $claim->id ] );
		return $is_here ? null : ( $post ? self::values( $post, $item, $claim ) : array() ) + $mail['values'];
	}

	/** @param string $about `confirm`, or a state. */
	private function mail( string $about, WP_Post $post, Item $item, Claim $claim ): void {
		$to = $claim->email;
		if ( $to === '' || Surprise::is_spoiled_by( $claim ) ) {
			return;
		}
		// It doesn't suit bad news. Like every upload it has an address that nobody guesses and that asks for no right.
		$cover  = in_array( $about, array( 'confirm', 'reserved', 'purchased' ), true ) && Givers::is_let_in( $post, $claim ) ? (string) get_the_post_thumbnail_url( $post, 'medium_large' ) : '';
		$values = self::values( $post, $item, $claim, $about === 'confirm' ) + compact( 'cover' );
		if ( $about === 'confirm' ) {
			// An address that was only typed gets no words of people but the title of a public list; an account's own address does. The
			// page counted this email before it reserved the gift.
			$template = 'claim-confirm';
			$said     = array( 'link', 'expires_at', 'currency', Approval::vouches_for( $post ) ? 'registry' : '' );
			$values   = $claim->user_id ? $values : array_intersect_key( $values, array_flip( $said ) );
			$this->mail->queue( array( compact( 'to', 'template', 'values' ) ) );
			return;
		}
		$is_released = $about === 'released';
		$this->mail->send( $to, "claim-$about", $values, $is_released ? time() + self::UNDO : 0, self::share( $claim ) + ( $is_released ? array( 'released' => $claim->id ) : array() ) );
		if ( $about === 'reserved' ) {
			$this->plan_reminder( $post, $item, $claim );
		}
	}

	/** Plans the reminder before the end of a reservation, and the email after it. */
	private function plan_reminder( WP_Post $post, Item $item, Claim $claim ): void {
		$to = $claim->email;
		if ( $to === '' || ! $claim->expires_at || Surprise::is_spoiled_by( $claim ) ) {
			return;
		}
		$values = self::values( $post, $item, $claim );
		$only   = array( 'claim' => $claim->id, 'expires' => $claim->expires_at ) + self::share( $claim );
		$this->mail->send( $to, 'claim-reminder', $values, ReservationTime::reminder_at( $claim->ends_at() ), $only + array( 'state' => 'reserved' ) );
		$this->mail->send( $to, 'claim-expired', $values, $claim->ends_at() + MINUTE_IN_SECONDS, $only + array( 'state' => 'expired' ) );
	}

	/** @return array{share?: array{0: int, 1: int}} The registry and the item of a share, for its emails. */
	private static function share( Claim $claim ): array {
		return $claim->is_share() ? array( 'share' => array( $claim->registry_id, $claim->item_id ) ) : array();
	}

	/** @return array<string, mixed> The values for an email about a gift. */
	private static function values( WP_Post $post, Item $item, Claim $claim, bool $confirms = false ): array {
		$is_told = ! $confirms && Givers::is_let_in( $post, $claim );
		$lines   = $is_told ? explode( "\n", Claims::destination( $claim ) ) : array();
		return array(
			'registry'   => Registries::title( $post ),
			'gift'       => $item->name,
			'quantity'   => $claim->quantity,
			'currency'   => GiftAmount::currency_of_claim( $claim ),
			'needed'     => $item->needed(),
			'left'       => $item->remaining(),
			'link'       => Claims::link( $claim->id, $confirms ),
			'shop'       => ShopLink::of( $item, $post->ID ),
			'expires_at' => $claim->expires_at,
			'is_free'    => Givers::obstacle( $post, $item->id ) === '',
			'delivery'   => implode( ', ', array_filter( array_map( 'trim', $lines ) ) ),
		);
	}
}
