<?php

declare(strict_types=1);

namespace Trousseau\Giving;

use Trousseau\Lists\ListField;
use Trousseau\Lists\ReservationTime;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Lock;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\SignedToken;
use Trousseau\Plugin;
use Trousseau\Service\Claim;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\TooMany;
use WP_Post;

/** Makes, shows and changes claims for the site's pages. */
final class Claims {

	/** The purpose of the link that confirms. */
	private const CONFIRMS = 'confirm gift';

	public function __construct(
		private readonly GiftStages $gift_stages,
		private readonly Givers $givers,
		private readonly ItemService $item_service,
		private readonly KeptValues $kept_values,
		private readonly Lock $lock,
		private readonly RememberedGifts $remembered_gifts,
		private readonly UninvitedGifts $uninvited_gifts,
		private readonly UninvitedLimits $uninvited_limits,
	) {
	}

	/** Claims pieces for a giver. The key comes with the form, so a form that is sent several times makes one claim; `$seconds` is the time that it showed. */
	public function make( WP_Post $post, Item $item, Giver $giver, string $state, int $quantity, string $message, string $key, int $seconds = 0 ): Claim {
		$body  = array(
			'quantity' => $quantity,
			'state'    => $giver->is_known ? $state : 'pending',
			'giver'    => $giver->for_service(),
		) + ( $message === '' ? array() : array( 'message' => $message ) )
			+ ( $giver->is_known && $state === 'reserved' ? ReservationTime::for_service( $post, $seconds ) : array() );
		$claim = $this->create( $post, $item->id, $body, $key );
		if ( $claim->state === 'pending' ) {
			// The service stores no later state: the confirmation brings it. A corrected form is the same claim.
			$state === 'purchased' ? $this->kept_values->set( "bought_$claim->id", 1, DAY_IN_SECONDS ) : $this->kept_values->delete( "bought_$claim->id" );
		}
		$this->givers->remember( $giver );
		// The same form sent twice is one gift and one email: the service knows its key for a day.
		if ( $this->lock->take( 'mailed-' . $claim->id, DAY_IN_SECONDS ) ) {
			/** Fires once for each claim that is made. Passes the registry, the item, the claim and its Giver. */
			do_action( 'trousseau_claim_made', $post, $item, $claim, $giver );
		}
		return $claim;
	}

	/** Whether a giver who has to confirm said that they've already bought it. */
	public function is_bought( Claim $claim ): bool {
		return $claim->state !== 'reserved' && $this->kept_values->get( "bought_$claim->id" ) !== null;
	}

	/** Gives a gift again that its giver has cancelled, as it was before. The same press twice is one gift. */
	public function give_again( WP_Post $post, Claim $released, string $state, int $ends ): Claim {
		// If an answer is lost, the next press sends the same body, or the service would refuse it.
		$this->kept_values->add( "again_{$released->id}", min( ReservationTime::MOST, max( MINUTE_IN_SECONDS, $ends - time() ) ), DAY_IN_SECONDS );
		$seconds = (int) $this->kept_values->get( "again_{$released->id}", true );
		$claim   = $this->create(
			$post,
			$released->item_id,
			array_filter( array_intersect_key( $released->answer, array_flip( array( 'quantity', 'message' ) ) ) ) + array(
				'state' => $state,
				'giver' => array_filter( $released->answer['giver'] ),
			) + ( $state === 'purchased' ? array() : array( 'expires_in' => $seconds ) ),
			"again-{$released->id}"
		);
		$state === 'pending' && $this->is_bought( $released ) && $this->kept_values->set( "bought_$claim->id", 1, DAY_IN_SECONDS );
		$this->gift_stages->follow( $released->id, $claim->id );
		// Devices that remember the gift follow it, and their cookies don't say its stage.
		$this->gift_stages->remember( $claim->id, GiftStages::of( $claim ) );
		if ( $this->lock->take( 'mailed-' . $claim->id, HOUR_IN_SECONDS ) ) {
			do_action( 'trousseau_claim_changed', $released, $claim );
		}
		return $claim;
	}

	private function create( WP_Post $post, int $item_id, array $body, string $key ): Claim {
		$claim = $this->item_service->create_claim( $post->ID, $item_id, $body, $key, (int) $post->post_author );
		$this->remembered_gifts->remember( $claim );
		$this->uninvited_limits->is_uninvited( $post ) && $this->uninvited_gifts->add( $claim );
		return $claim;
	}

	/** Changes a claim: confirms it, marks it as bought or cancels it. */
	public function change( Claim $claim, array $changes ): Claim {
		$more = (int) ( $changes['quantity'] ?? 0 ) - $claim->quantity;
		// A share counts as one piece, whatever its amount, so a larger one adds none.
		$pieces = $claim->is_share() ? 0 : $more;
		if ( $more > 0 && ! $this->uninvited_limits->may_add( $claim, $pieces ) ) {
			throw new TooMany( 'Nobody has invited this giver.', 429, words: UninvitedLimits::refusal() );
		}
		$changed = $this->item_service->update_claim( $claim->id, $changes );
		$this->uninvited_gifts->update( $changed );
		$this->gift_stages->remember( $changed->id, GiftStages::of( $changed ) );
		/** Fires when a giver has changed a claim. Passes the claim before and after the change. */
		do_action( 'trousseau_claim_changed', $claim, $changed );
		return $changed;
	}

	/** Where to send the gift, as lines. Empty if its giver isn't told. */
	public static function destination( Claim $claim ): string {
		return implode( "\n", array_filter( array_map( static fn( string $field ): string => $field::for_giver( $claim ), Plugin::parts( ListField::class ) ) ) );
	}

	/** The link by which a giver comes back to their gift. Only the link in the email that asks for it can confirm. */
	public static function link( string $id, bool $confirms = false ): string {
		return PageAddress::of( 'gift', 0, array( 'of' => SignedToken::sign( $confirms ? self::CONFIRMS : 'gift', $id ) ) );
	}

	/** @return array{0: string, 1: bool} The gift of such a link, and whether its reader has the email that asks them to confirm. */
	public static function of_link( mixed $signed ): array {
		$id = SignedToken::read( self::CONFIRMS, $signed );
		return $id === '' ? array( SignedToken::read( 'gift', $signed ), false ) : array( $id, true );
	}

	/** @return Claim[] The gifts of one person, each with its item, as far as the viewer may see them. */
	public function of_person( string $email, int $user_id = 0 ): array {
		return $this->gift_stages->without_former( Surprise::without_secrets( Surprise::without_spoilers( $this->item_service->gifts_of( $email, $user_id ) ) ) );
	}

	/** @return Claim[] The gifts of this visitor: their account's, and those that this device remembers, each with its item. */
	public function of_visitor(): array {
		$user   = wp_get_current_user();
		$found  = $user->ID && $user->user_email !== '' ? $this->of_person( $user->user_email, $user->ID ) : array();
		$ids    = array_diff( $this->remembered_gifts->ids(), array_column( $found, 'id' ) );
		$claims = array( ...$found, ...$this->item_service->gifts( $ids ) );
		$this->remembered_gifts->compare( $claims );
		return $this->gift_stages->without_former( Surprise::without_secrets( array_column( $claims, null, 'id' ) ) );
	}
}
