<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftPicture;
use Trousseau\Gifts\ShareForm;
use Trousseau\Gifts\ShopLink;
use Trousseau\Lists\Accounts;
use Trousseau\Lists\ErrorPage;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\ListPage;
use Trousseau\Lists\Registries;
use Trousseau\Lists\ReservationTime;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Request;
use Trousseau\Platform\Template;
use Trousseau\Service\Claim;
use Trousseau\Service\Conflict;
use Trousseau\Service\IdempotencyKey;
use Trousseau\Service\Invalid;
use Trousseau\Service\Item;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use Trousseau\Service\TooMany;

/** The page on which a guest gives a gift. */
final class GivePage extends ListPage {

	public const TOKEN = 'item';

	public function __construct(
		private readonly Claims $claims,
		private readonly FlashMessage $flash_message,
		private readonly GiftLists $gift_lists,
		private readonly Givers $givers,
		private readonly RememberedGifts $remembered_gifts,
		private readonly Request $request,
		private readonly UninvitedLimits $uninvited_limits,
	) {
	}

	public function title(): string {
		return $this->gift_lists->known( $this->post, $this->item_id() )?->is_money() ? __( 'Chip in', 'trousseau' ) : __( 'Give this gift', 'trousseau' );
	}

	public function obstacle(): string {
		if ( Surprise::is_for_viewer( $this->post ) ) {
			return FlashMessage::note( __( 'This is your own list, and who gives what is a surprise, so you can’t give from it.', 'trousseau' ), 'is-problem' );
		}
		$why = Givers::obstacle( $this->post, $this->item_id() );
		if ( $why !== '' ) {
			return $this->way_back( $why );
		}
		return $this->givers->is_allowed( $this->post ) ? '' : $this->sign_in( __( 'Log in to give a gift from this list, or open the link in your invitation.', 'trousseau' ), may_be_new: true, may_be_guest: true );
	}

	public function form(): Form {
		return new Form(
			array(
				'state' => isset( $_GET['bought'] ) ? 'purchased' : 'reserved',
				'count' => '1',
				'for'   => (string) ReservationTime::seconds( $this->post ),
				'giver' => $this->givers->of_visitor( $this->post )->name,
			)
		);
	}

	public function html( Form $form ): string {
		$item     = $this->gift_lists->item( $this->post, $this->item_id() );
		$back     = (string) get_permalink( $this->post );
		$mine     = $this->remembered_gifts->at( $this->post )[ $this->item_id() ] ?? null;
		$currency = GiftAmount::currency( $item, $this->post->ID );
		$own      = $mine ? sprintf( '<a href="%s">%s</a>', esc_url( Claims::link( $mine['id'] ) ), esc_html__( 'View or change', 'trousseau' ) ) : '';
		if ( $mine && $item->remaining() === 0 ) {
			return FlashMessage::note( $mine['waits'] ? __( 'Please confirm', 'trousseau' ) : __( 'You’re giving this', 'trousseau' ) )
				. sprintf( '<p class="trousseau-ways">%s <a href="%s">%s</a></p>', $own, esc_url( $back ), esc_html__( 'Back to the list', 'trousseau' ) );
		}
		if ( $item->remaining() === 0 ) {
			return $this->way_back( __( 'Someone is already giving this. Choose something else?', 'trousseau' ) );
		}
		// A form that was refused says so itself.
		$warning = $this->gift_lists->of( $this->post )->is_current || ! $form->is_sound() ? '' : FlashMessage::note( __( 'Gifts can’t be reserved right now. Fill this in anyway, and if it doesn’t go through, try again in a minute.', 'trousseau' ), 'is-problem' );
		return $warning . ( $mine ? '<p class="trousseau-note">' . esc_html__( 'You’re already giving this. What you choose now comes on top.', 'trousseau' ) . " $own</p>" : '' ) . Template::html(
			'give',
			array(
				'form'      => $form,
				'key'       => IdempotencyKey::field( $this->key_purpose(), $form->text( 'key' ) ),
				'address'   => $this->address(),
				'item'      => $item,
				'registry'  => Registries::title( $this->post ),
				'back'      => $back . '#trousseau-item-' . $item->id,
				'picture'   => GiftPicture::address( $item->image_url, $this->post->ID ),
				'price'     => GiftAmount::price( $item, $this->post->ID ),
				'shop'      => ShopLink::of( $item, $this->post->ID ),
				'currency'  => $currency,
				'is_fund'   => ShopLink::is_fund( $item, $this->post->ID ),
				'shares'    => $currency === '' ? array() : ShareForm::proposals( $item->remaining(), $item->needed(), $currency ),
				'giver'     => $this->givers->of_visitor( $this->post ),
				'until'     => Language::day( time() + ReservationTime::seconds( $this->post ) ),
				'confirm'   => $this->uninvited_limits->is_to_confirm( $this->post ),
			)
		);
	}

	public function handle( Form $form ): ?string {
		$item  = $this->gift_lists->known_item( $this->post, $this->item_id() );
		$giver = $this->givers->of_form( $this->post, $form );
		$money = GiftAmount::currency( $item, $this->post->ID );
		$count = match ( true ) {
			$money !== ''                  => ShareForm::chosen( $form, $money ),
			$form->text( 'count' ) === '' => 1,
			default                        => $form->number( 'count' ),
		};
		// A share of any amount counts as one piece.
		$pieces  = $money === '' ? $count : 1;
		$message = $form->needs( 'message', ClaimKind::MAX_MESSAGE );
		if ( $count < 1 && $money === '' ) {
			$form->fault( 'count', __( 'How many are you giving? Enter at least 1.', 'trousseau' ) );
		} elseif ( $item->needed() === Item::ANY_NUMBER && $count > $item->most() ) {
			/* translators: %s: number of pieces, or amount of money */
			$form->fault( $money === '' ? 'count' : 'amount', sprintf( __( 'You can give up to %s.', 'trousseau' ), GiftAmount::of( $item->most(), $money ) ) );
		}
		if ( ! $giver->user_id ) {
			$form->needs( 'giver', Accounts::LONGEST_NAME, __( 'Enter your name, so they can thank you.', 'trousseau' ) );
			$giver->is_known || is_email( $giver->email ) || $form->fault( 'email', $form->text( 'email' ) === '' ? __( 'Enter your email, so we can send you a link to confirm.', 'trousseau' ) : __( 'Check your email: it isn’t complete.', 'trousseau' ) );
		}
		if ( ! $form->is_sound() ) {
			return null;
		}
		$state = $form->text( 'state' ) === 'purchased' && $money === '' ? 'purchased' : 'reserved';
		$key   = IdempotencyKey::of_form( $form, $this->key_purpose() );
		$giver = $this->uninvited_limits->admitted( $form, $this->post, $item->id, $giver, $pieces, $key );
		if ( ! $giver ) {
			return null;
		}
		$claim = $this->claims->make( $this->post, $item, $giver, $state, $count, $message, $key, $form->number( 'for' ) );
		$now   = $this->gift_lists->known( $this->post, $item->id ) ?? $item;
		$this->flash_message->keep( self::thanks( $claim, $now ), $claim->state === 'pending' ? 'is-answer' : FlashMessage::THANKS, $item->id );
		return Claims::link( $claim->id );
	}

	public function trouble( ServiceError $error ): string {
		return $this->way_back( $error instanceof NotFound ? __( 'This gift is no longer on the list.', 'trousseau' ) : __( 'The gifts can’t be shown right now. Please come back in a minute.', 'trousseau' ) );
	}

	public function refusal( Form $form, ServiceError $error ): array {
		return match ( true ) {
			$error instanceof Conflict => $this->too_much( $form ),
			$error instanceof NotFound => array( '', __( 'This gift is no longer on the list.', 'trousseau' ) ),
			$error instanceof Invalid  => parent::refusal( $form, $error ),
			$error instanceof TooMany  => array( '', __( 'Too many gifts are waiting to be confirmed. Please try again in an hour.', 'trousseau' ) ),
			default                    => array( '', __( 'We couldn’t save your gift right now. Nothing you typed is lost: try again in a minute.', 'trousseau' ) ),
		};
	}

	/** @return array{0: string, 1: string} What someone reads who would give more than is needed, at its field: for a group gift, it names the amount that is left. */
	private function too_much( Form $form ): array {
		$this->gift_lists->renew( $this->post->ID );
		$item     = $this->gift_lists->known( $this->post, $this->item_id() );
		$currency = $item ? GiftAmount::currency( $item, $this->post->ID ) : '';
		return match ( true ) {
			$item?->remaining() === 0 => array( '', $currency !== '' ? __( 'Someone else got there first: the goal is reached, and nothing more is needed.', 'trousseau' ) : __( 'Someone else got there first, so nothing is reserved for you.', 'trousseau' ) ),
			// The last piece has no such field.
			$currency === ''          => array( $item?->most() === 1 ? '' : 'count', __( 'Fewer than that are still needed. Choose a smaller number.', 'trousseau' ) ),
			/* translators: %s: amount of money */
			default                   => array( ctype_digit( $form->text( 'share' ) ) ? 'share' : 'amount', sprintf( __( 'Only %s is still needed. Choose a smaller amount.', 'trousseau' ), GiftAmount::of( $item->remaining(), $currency ) ) ),
		};
	}

	private function way_back( string $why ): string {
		return ( new ErrorPage( $why, to_list: (string) get_permalink( $this->post ) ) )->html( new Form() );
	}

	/** The sentence on the list's page for someone who has just given something. */
	private static function thanks( Claim $claim, Item $item ): string {
		$money = GiftAmount::currency_of_claim( $claim );
		$name  = GiftAmount::named( $claim->quantity, $item->name, $money );
		$until = Language::day( $claim->ends_at() );
		$text  = match ( $claim->state ) {
			'pending'   => sprintf(
				$money === ''
					/* translators: 1: email address, 2: name of a gift */
					? __( 'Check your inbox and your spam folder: we’ve emailed a link to %1$s. Use it to confirm your gift. “%2$s” is reserved for you for an hour.', 'trousseau' )
					/* translators: 1: email address, 2: amount and name of a gift */
					: __( 'Check your inbox and your spam folder: we’ve emailed a link to %1$s. Use it within an hour to confirm your share, %2$s.', 'trousseau' ),
				Language::isolate( $claim->email ),
				$name
			),
			/* translators: %s: name of a gift */
			'purchased' => sprintf( __( 'Thank you! You’re giving “%s”.', 'trousseau' ), $name ),
			default     => sprintf(
				$money === ''
					/* translators: 1: name of a gift, 2: date */
					? __( 'Thank you! “%1$s” is reserved for you until %2$s.', 'trousseau' )
					/* translators: %s: amount and name of a gift */
					: __( 'Thank you! You’re giving %s.', 'trousseau' ),
				$name,
				$until
			),
		};
		// The bar below says how much is missing.
		return $claim->state === 'pending' || ( $money !== '' && $item->remaining() > 0 ) ? $text : trim( $text . ' ' . GiftAmount::still_needed( $item, $money ) );
	}

	private function key_purpose(): string {
		return "give-{$this->post->ID}-{$this->item_id()}";
	}

	private function item_id(): int {
		return $this->request->number( 'item' );
	}
}
