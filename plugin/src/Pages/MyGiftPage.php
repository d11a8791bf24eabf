<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Claims\Claim;
use Trousseau\Claims\ClaimFilter;
use Trousseau\Claims\RememberedGifts;
use Trousseau\Claims\ReservationTime;
use Trousseau\Registry\GiftList;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Support\FlashMessage;
use Trousseau\Support\Form;
use Trousseau\Support\Language;
use Trousseau\Support\PageAddress;
use Trousseau\Support\Template;

/** One gift of a giver's: confirming it, saying that it is bought, changing one's mind. */
final class MyGiftPage extends Page {

	public function title(): string {
		return __( 'Your gift', 'trousseau' );
	}

	public function address(): string {
		$of = $_GET['of'] ?? '';
		return PageAddress::of( 'gift', 0, array( 'of' => is_string( $of ) ? $of : '' ) );
	}

	public function obstacle(): string {
		return $this->id() !== '' ? '' : FlashMessage::note( __( 'This link isn’t complete. Please open it from the mail again.', 'trousseau' ), 'is-problem' );
	}

	public function html( Form $form ): string {
		$claim = $this->claim();
		if ( ! is_array( $claim ) ) {
			return FlashMessage::note( is_wp_error( $claim ) ? __( 'Your gift can’t be shown just now. Please come back in a moment.', 'trousseau' ) : __( 'This gift isn’t there any more.', 'trousseau' ), 'is-problem' );
		}
		$post  = get_post( (int) $claim['registry_id'] );
		$item  = $post ? GiftList::known_item( $post, (int) $claim['item_id'] ) : null;
		$ends  = (int) strtotime( (string) $claim['expires_at'] );
		$until = $post && $claim['state'] === 'reserved' ? ReservationTime::longer( $post, $ends ) : 0;
		return Template::html(
			'gift',
			ClaimView::of( ( is_array( $item ) ? array( 'item' => $item ) : array() ) + $claim ) + array(
				'answer'      => FlashMessage::html( (int) $claim['item_id'] ),
				'form'        => $form->action === 'change' ? $form : new Form( array( 'count' => (string) $claim['quantity'], 'message' => (string) $claim['message'] ) ),
				'most'        => is_array( $item ) ? (int) $claim['quantity'] + Item::remaining( $item ) : (int) $claim['quantity'],
				'longer'      => $until,
				'keep'        => $until === $ends + ReservationTime::USUAL
					? __( 'Keep it two more weeks', 'trousseau' )
					/* translators: %s: date */
					: sprintf( __( 'Keep it until %s', 'trousseau' ), Language::day( $until ) ),
				'address'     => $this->address(),
				'may_confirm' => $this->may_confirm(),
			)
		);
	}

	public function handle( Form $form ): ?string {
		$claim = $this->claim();
		if ( is_array( $claim ) && $claim['state'] === 'pending' && $form->action !== 'release' && ! $this->may_confirm() ) {
			$form->fault( '', __( 'Please confirm first: open the mail we sent you.', 'trousseau' ) );
			return null;
		}
		$changes = is_array( $claim ) ? $this->changes( $form, $claim ) : array();
		if ( ! $form->is_sound() ) {
			return null;
		}
		$done = $changes ? Claim::change( $claim, $changes ) : $claim;
		if ( ! is_array( $done ) ) {
			$form->fault( ...$this->refusal( $form, $done ) );
			return null;
		}
		// The mail's link makes this device remember the gift.
		RememberedGifts::remember( $done );
		// An answer that says how the gift stands now is shown in the place of the sentence that says so.
		FlashMessage::keep( self::answer( $form->action, $done ), item: $form->action === 'change' ? 0 : (int) $done['item_id'] );
		return $this->address();
	}

	/**
	 * The change that a form asks the service for.
	 *
	 * @return array<string, mixed>
	 */
	private function changes( Form $form, array $claim ): array {
		$post = get_post( (int) $claim['registry_id'] );
		switch ( $form->action ) {
			case 'confirm':
				return array( 'state' => 'reserved' ) + ( $post && $claim['state'] === 'pending' ? ReservationTime::for_service( $post ) : array() );
			case 'bought':
				return array( 'state' => 'purchased' );
			case 'release':
				return array( 'state' => 'released' );
			case 'keep':
				// The time that the button named, however often it is pressed.
				$ends  = (int) strtotime( (string) $claim['expires_at'] );
				$until = $post ? min( $form->number( 'until' ), ReservationTime::longer( $post, $ends ) ) : 0;
				return $claim['state'] !== 'reserved' || $until > $ends ? array( 'expires_in' => max( MINUTE_IN_SECONDS, $until - time() ) ) : array();
			case 'change':
				$count = $form->text( 'count' ) === '' ? (int) $claim['quantity'] : $form->number( 'count' );
				if ( $count < 1 ) {
					$form->fault( 'count', __( 'At least one. If you give none, press “I changed my mind”.', 'trousseau' ) );
				}
				$message = $form->needs( 'message', GivePage::MAX_MESSAGE );
				return array(
					'quantity' => $count,
					'message'  => $message === '' ? null : $message,
				);
		}
		return array();
	}

	/** @return array{0: string, 1: string} The field and what is wrong. */
	private function refusal( Form $form, mixed $answer ): array {
		if ( is_wp_error( $answer ) && $answer->get_error_code() === 'uninvited' ) {
			return array( 'count', $answer->get_error_message() );
		}
		if ( ItemService::status_of( $answer ) !== 409 ) {
			return array( '', $this->may_not_change_now( $answer ) );
		}
		return $form->action === 'change'
			? array( 'count', __( 'Not that many are left, or somebody has changed this gift meanwhile.', 'trousseau' ) )
			: array( '', __( 'That can’t be done any more: look at what became of it below.', 'trousseau' ) );
	}

	private static function answer( string $action, array $claim ): string {
		$until = Language::day( (int) strtotime( (string) $claim['expires_at'] ) );
		return match ( true ) {
			$action === 'change'           => __( 'Your changes are saved.', 'trousseau' ),
			$claim['state'] === 'purchased' => __( 'Thank you! It’s marked as bought.', 'trousseau' ),
			$claim['state'] === 'released'  => __( 'It’s free for others again.', 'trousseau' ),
			/* translators: %s: date */
			$action === 'keep'             => sprintf( __( 'It’s reserved for you until %s.', 'trousseau' ), $until ),
			/* translators: %s: date */
			default                        => sprintf( __( 'Thank you! It’s confirmed, and reserved for you until %s.', 'trousseau' ), $until ),
		};
	}

	/** The gift; none for an owner who is to be surprised, even by a giver's link. */
	private function claim(): mixed {
		$claim = ItemService::of_site()->get_claim( $this->id() );
		return is_array( $claim ) ? ClaimFilter::for_viewer( array( $claim ) )[0] ?? null : $claim;
	}

	private function id(): string {
		return Claim::of_link( $_GET['of'] ?? '' )[0];
	}

	/** A visitor who sees this gift on their device may not be the reader of the mail to the typed address. */
	private function may_confirm(): bool {
		return Claim::of_link( $_GET['of'] ?? '' )[1];
	}
}
