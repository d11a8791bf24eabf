<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Claims\Claim;
use Trousseau\Claims\ClaimFilter;
use Trousseau\Jobs\Mail;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;
use Trousseau\Support\FlashMessage;
use Trousseau\Support\Form;
use Trousseau\Support\PageAddress;
use Trousseau\Support\RateLimiter;
use Trousseau\Support\Request;
use Trousseau\Support\SignedToken;
use Trousseau\Support\Template;

/** The gifts that a visitor gives: found by account, by this device, or by a mail to their address. */
final class MyGiftsPage extends Page {

	private const KEPT = DAY_IN_SECONDS;

	public function title(): string {
		return __( 'Gifts I’m giving', 'trousseau' );
	}

	public function address(): string {
		return PageAddress::of( 'my-gifts' );
	}

	public function html( Form $form ): string {
		return $this->shown( $form, array_map( array( ClaimView::class, 'of' ), $this->claims() ) );
	}

	/** The page without the service, on which visitors can still ask for the mail. */
	public function trouble( ServiceError $error ): string {
		return $this->shown( Request::form(), null );
	}

	private function shown( Form $form, ?array $gifts ): string {
		return Template::html(
			'my-gifts',
			array(
				'form'    => $form,
				'address' => $this->address(),
				'gifts'   => $gifts,
				'ask'     => ! is_user_logged_in(),
			)
		);
	}

	public function handle( Form $form ): ?string {
		$email = $form->text( 'email' );
		if ( ! is_email( $email ) ) {
			$form->fault( 'email', __( 'Type the address at which you get the mails about your gifts.', 'trousseau' ) );
		} elseif ( $form->is_by_a_machine() ) {
			$form->fault( '', __( 'Something went wrong. Please press the button once more.', 'trousseau' ) );
		} elseif ( ! RateLimiter::allows( 'my-gifts', Request::visitor(), 10, HOUR_IN_SECONDS ) || ! RateLimiter::allows( 'my-gifts-mail', strtolower( $email ) . ' ' . Request::visitor(), 3, HOUR_IN_SECONDS ) ) {
			$form->fault( '', __( 'Too many tries in a short time. Please try again later.', 'trousseau' ) );
		}
		if ( ! $form->is_sound() ) {
			return null;
		}
		$token = SignedToken::seal( 'my-gifts', ( time() + self::KEPT ) . ' ' . $email );
		if ( ! Mail::send( $email, 'my-gifts', array( 'link' => PageAddress::of( 'my-gifts', 0, array( 'of' => $token ) ) ) ) ) {
			$form->fault( 'email', __( 'No more mails can go to this address today. Please try again tomorrow.', 'trousseau' ) );
			return null;
		}
		FlashMessage::keep( __( 'A mail is on its way to you. Its link shows your gifts for a day.', 'trousseau' ) );
		return $this->address();
	}

	/** @return array<string, mixed>[] */
	private function claims(): array {
		list( $until, $email ) = explode( ' ', SignedToken::open( 'my-gifts', $_GET['of'] ?? '' ), 2 ) + array( '0', '' );
		if ( (int) $until > time() && $email !== '' ) {
			return ClaimFilter::for_viewer( ClaimFilter::without_surprises( ItemService::of_site()->gifts_of( $email ) ) );
		}
		return Claim::of_visitor();
	}
}
