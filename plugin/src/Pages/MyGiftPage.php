<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Claims\Claim;
use Trousseau\Claims\ClaimFilter;
use Trousseau\Claims\RememberedGifts;
use Trousseau\Claims\ReservationTime;
use Trousseau\Registry\GiftLists;
use Trousseau\Service\Conflict;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use Trousseau\Service\TooMany;
use Trousseau\Support\FlashMessage;
use Trousseau\Support\Form;
use Trousseau\Support\Language;
use Trousseau\Support\PageAddress;
use Trousseau\Support\Template;
use WP_Post;

/** The page of one gift for its giver, who confirms it, marks it as bought, changes it or gives it back. */
final class MyGiftPage extends Page {

	public function __construct(
		private readonly Claim $claim,
		private readonly ClaimView $claim_view,
		private readonly FlashMessage $flash_message,
		private readonly GiftLists $gift_lists,
		private readonly ItemService $item_service,
		private readonly RememberedGifts $remembered_gifts,
	) {
	}

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
		$post  = get_post( (int) $claim['registry_id'] );
		$item  = $post ? $this->item( $post, (int) $claim['item_id'] ) : null;
		$ends  = (int) strtotime( (string) $claim['expires_at'] );
		$until = $post && $claim['state'] === 'reserved' ? ReservationTime::longer( $post, $ends ) : 0;
		return Template::html(
			'gift',
			$this->claim_view->of( ( $item ? array( 'item' => $item ) : array() ) + $claim ) + array(
				'answer'      => $this->flash_message->html( (int) $claim['item_id'] ),
				'form'        => $form->action === 'change' ? $form : new Form( array( 'count' => (string) $claim['quantity'], 'message' => (string) $claim['message'] ) ),
				'most'        => $item ? (int) $claim['quantity'] + Item::remaining( $item ) : (int) $claim['quantity'],
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
		if ( $claim['state'] === 'pending' && $form->action !== 'release' && ! $this->may_confirm() ) {
			$form->fault( '', __( 'Please confirm first: open the mail we sent you.', 'trousseau' ) );
			return null;
		}
		$changes = $this->changes( $form, $claim );
		if ( ! $form->is_sound() ) {
			return null;
		}
		$done = $changes ? $this->claim->change( $claim, $changes ) : $claim;
		// The mail's link makes this device remember the gift.
		$this->remembered_gifts->remember( $done );
		// A message about the gift's new state replaces the sentence about its state.
		$this->flash_message->keep( self::answer( $form->action, $done ), item: $form->action === 'change' ? 0 : (int) $done['item_id'] );
		return $this->address();
	}

	/** The change that a form asks the service for. */
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
				// The time is the one on the button, however often it is pressed.
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

	public function trouble( ServiceError $error ): string {
		return FlashMessage::note( $error instanceof NotFound ? __( 'This gift isn’t there any more.', 'trousseau' ) : __( 'Your gift can’t be shown just now. Please come back in a moment.', 'trousseau' ), 'is-problem' );
	}

	public function refusal( Form $form, ServiceError $error ): array {
		return match ( true ) {
			$error instanceof NotFound => array( '', __( 'This gift isn’t there any more.', 'trousseau' ) ),
			! $error instanceof Conflict => array( $error instanceof TooMany && $form->action === 'change' ? 'count' : '', $error->words() ),
			$form->action === 'change' => array( 'count', __( 'Not that many are left, or somebody has changed this gift meanwhile.', 'trousseau' ) ),
			default                    => array( '', __( 'You can’t do this any more: your gift has changed in the meantime, as you see below.', 'trousseau' ) ),
		};
	}

	/** @return array<string, mixed>|null The item as the site knows it; the gift is shown without it, too. */
	private function item( WP_Post $post, int $item_id ): ?array {
		try {
			return $this->gift_lists->known_item( $post, $item_id );
		} catch ( ServiceError ) {
			return null;
		}
	}

	private static function answer( string $action, array $claim ): string {
		$until = Language::day( (int) strtotime( (string) $claim['expires_at'] ) );
		return match ( true ) {
			$action === 'change'           => __( 'Your changes are saved.', 'trousseau' ),
			$claim['state'] === 'purchased' => __( 'Thank you! It’s marked as bought.', 'trousseau' ),
			$claim['state'] === 'released'  => __( 'It’s free for others again.', 'trousseau' ),
			/* translators: %s: date */
			$action === 'keep'             => sprintf( __( 'Extended: it’s now reserved for you until %s.', 'trousseau' ), $until ),
			/* translators: %s: date */
			default                        => sprintf( __( 'Thank you! It’s confirmed, and reserved for you until %s.', 'trousseau' ), $until ),
		};
	}

	/** @return array<string, mixed> The gift; never for an owner who is to be surprised, even by a giver's link. */
	private function claim(): array {
		$claim = $this->item_service->get_claim( $this->id() );
		return ClaimFilter::for_viewer( array( $claim ) )[0] ?? throw new NotFound( 'The viewer is to be surprised.', 404 );
	}

	private function id(): string {
		return Claim::of_link( $_GET['of'] ?? '' )[0];
	}

	/** Only the mail's reader may confirm: a visitor whose device remembers the gift may have typed another's address. */
	private function may_confirm(): bool {
		return Claim::of_link( $_GET['of'] ?? '' )[1];
	}
}
