<?php

declare(strict_types=1);

namespace Trousseau\Page;

defined( 'ABSPATH' ) || exit;

use Trousseau\ApiClient;
use Trousseau\Claim;
use Trousseau\Currency;
use Trousseau\Form;
use Trousseau\GiftList;
use Trousseau\Giver;
use Trousseau\Giving;
use Trousseau\Item;
use Trousseau\Language;
use Trousseau\Message;
use Trousseau\Page;
use Trousseau\PageRouter;
use Trousseau\Picture;
use Trousseau\Registry;
use Trousseau\ShopLink;
use Trousseau\Template;
use Trousseau\Throttle;

/** Where a guest says what they give. */
final class Give extends Page {

	private const MAX_MESSAGE = 500;

	public function title(): string {
		return __( 'Give this', 'trousseau' );
	}

	public function address(): string {
		return PageRouter::address( 'give', $this->post->ID, array( 'item' => $this->item_id() ) );
	}

	public function obstacle(): string {
		if ( GiftList::is_surprise_to_viewer( $this->post ) ) {
			return Message::note( __( 'This list is yours, and a surprise: you can’t give from it.', 'trousseau' ), 'is-problem' );
		}
		if ( ! Giving::is_allowed( $this->post ) ) {
			return $this->sign_in( __( 'Log in to give something from this list, or open the link in your invitation.', 'trousseau' ) );
		}
		return '';
	}

	public function form(): Form {
		return new Form(
			array(
				'key'   => bin2hex( random_bytes( 16 ) ),
				'state' => isset( $_GET['bought'] ) ? 'purchased' : 'reserved',
				'count' => '1',
				'giver' => Giver::of_visitor( $this->post )->name,
			)
		);
	}

	public function html( Form $form ): string {
		$item = Registry::item( $this->post, $this->item_id() );
		$back = (string) get_permalink( $this->post );
		$why  = match ( true ) {
			is_wp_error( $item )           => __( 'The gifts can’t be shown just now. Please come back in a moment.', 'trousseau' ),
			$item === null                 => __( 'That gift is no longer on the list.', 'trousseau' ),
			Item::remaining( $item ) === 0 => __( 'Somebody gives that already. Maybe something else from the list?', 'trousseau' ),
			default                        => '',
		};
		if ( $why !== '' ) {
			return ( new Nothing( $why, back: $back ) )->html( $form );
		}
		return Template::html(
			'give',
			array(
				'form'      => $form,
				'address'   => $this->address(),
				'name'      => (string) $item['name'],
				'registry'  => Registry::title( $this->post ),
				'back'      => $back . '#trousseau-item-' . $item['id'],
				'picture'   => Picture::address( $item['image_url'] ?? '' ),
				'about'     => (string) ( $item['description'] ?? '' ),
				'price'     => Currency::price( $item['price'] ?? null, $this->post, $item ),
				'shop'      => ShopLink::of( $item, $this->post->ID ),
				'remaining' => Item::remaining( $item ),
				'giver'     => Giver::of_visitor( $this->post ),
			)
		);
	}

	public function handle( Form $form ): ?string {
		$item = Registry::item( $this->post, $this->item_id() );
		if ( ! is_array( $item ) ) {
			$form->fault( '', $this->may_not_change_now( $item ) );
			return null;
		}
		$giver   = Giver::of_visitor( $this->post )->completed( $form );
		$count   = $form->text( 'count' ) === '' ? 1 : $form->number( 'count' );
		$message = $form->needs( 'message', self::MAX_MESSAGE );
		if ( $count < 1 ) {
			$form->fault( 'count', __( 'How many do you give? At least one.', 'trousseau' ) );
		}
		if ( ! $giver->user_id ) {
			$form->needs( 'giver', 100, __( 'Say who you are, so that they can thank you.', 'trousseau' ) );
			$giver->is_known || is_email( $giver->email ) || $form->fault( 'email', __( 'Type your address: you get a mail to confirm.', 'trousseau' ) );
		}
		if ( $form->is_sound() && ! $giver->is_known ) {
			$this->hold_back( $form, $giver );
		}
		if ( ! $form->is_sound() ) {
			return null;
		}
		$state = $form->text( 'state' ) === 'purchased' ? 'purchased' : 'reserved';
		$key   = preg_match( '/^[0-9a-f]{32}$/D', $form->text( 'key' ) ) ? $form->text( 'key' ) : bin2hex( random_bytes( 16 ) );
		$claim = Claim::make( $this->post, $item, $giver, $state, $count, $message, $key );
		if ( ! is_array( $claim ) ) {
			$form->fault( '', self::refusal( $claim ) );
			return null;
		}
		Message::keep( self::thanks( $claim, (string) $item['name'] ), 'is-answer', (int) $item['id'] );
		return get_permalink( $this->post ) . '#trousseau-item-' . $item['id'];
	}

	/** What visitors whom nobody knows may do is limited. */
	private function hold_back( Form $form, Giver $giver ): void {
		if ( $form->is_by_a_machine() ) {
			$form->fault( '', __( 'That was very fast. Please look once more and press again.', 'trousseau' ) );
		} elseif ( ! Throttle::allows( 'give', Throttle::visitor(), 20, HOUR_IN_SECONDS ) || ! Throttle::allows( 'give-mail', strtolower( $giver->email ), 5, HOUR_IN_SECONDS ) || ! Throttle::allows( 'give-at', (string) $this->post->ID, 60, HOUR_IN_SECONDS ) ) {
			$form->fault( '', __( 'That was a lot in a short time. Please come back in an hour, or log in.', 'trousseau' ) );
		}
	}

	private static function refusal( mixed $answer ): string {
		return match ( $answer === null ? 404 : ApiClient::status_of( $answer ) ) {
			404     => __( 'That gift is no longer on the list. Nothing was marked.', 'trousseau' ),
			409     => __( 'Not that many are still needed: somebody may have been faster. Nothing was marked.', 'trousseau' ),
			429     => __( 'Too many gifts wait for a confirmation just now. Please try again in an hour.', 'trousseau' ),
			default => __( 'Your gift could not be marked just now. Nothing is lost: press again in a moment.', 'trousseau' ),
		};
	}

	private static function thanks( array $claim, string $name ): string {
		$text = match ( $claim['state'] ) {
			/* translators: %s: name of a gift */
			'pending'   => __( '“%s” is held for you for an hour. Open the mail that is on its way to you and confirm it there.', 'trousseau' ),
			/* translators: %s: name of a gift */
			'purchased' => __( 'Thank you! You give “%s”.', 'trousseau' ),
			/* translators: %s: name of a gift */
			default     => __( 'Thank you! “%s” is reserved for you. Say when you have bought it.', 'trousseau' ),
		};
		return sprintf( $text, Language::isolate( $name ) );
	}

	private function item_id(): int {
		return (int) filter_input( INPUT_GET, 'item', FILTER_VALIDATE_INT );
	}
}
