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
use Trousseau\Support\Lock;
use Trousseau\Support\PageAddress;
use Trousseau\Support\RateLimiter;
use Trousseau\Support\Request;
use Trousseau\Support\SignedToken;
use Trousseau\Support\Template;

/** The gifts that a visitor gives: found by account, by this device, or by a mail to their address. */
final class MyGiftsPage extends Page {

	private const KEPT = DAY_IN_SECONDS;

	public function __construct(
		private readonly Claim $claim,
		private readonly ClaimView $claim_view,
		private readonly FlashMessage $flash_message,
		private readonly ItemService $item_service,
		private readonly Lock $lock,
		private readonly Mail $mail,
		private readonly RateLimiter $rate_limiter,
		private readonly Request $request,
	) {
	}

	public function title(): string {
		return __( 'Gifts I’m giving', 'trousseau' );
	}

	public function address(): string {
		return PageAddress::of( 'my-gifts' );
	}

	public function html( Form $form ): string {
		return $this->shown( $form, array_map( array( $this->claim_view, 'of' ), $this->claims() ) );
	}

	/** The page without the service, on which visitors can still ask for the mail. */
	public function trouble( ServiceError $error ): string {
		return $this->shown( $this->request->form(), null );
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
		} elseif ( $form->is_by_a_machine( $this->lock ) ) {
			$form->fault( '', __( 'Something went wrong. Please press the button once more.', 'trousseau' ) );
		} elseif ( ! $this->rate_limiter->allows( 'my-gifts', $this->request->visitor(), 10, HOUR_IN_SECONDS ) || ! $this->rate_limiter->allows( 'my-gifts-mail', strtolower( $email ) . ' ' . $this->request->visitor(), 3, HOUR_IN_SECONDS ) ) {
			$form->fault( '', __( 'Too many tries in a short time. Please try again later.', 'trousseau' ) );
		}
		if ( ! $form->is_sound() ) {
			return null;
		}
		$token = SignedToken::seal( 'my-gifts', ( time() + self::KEPT ) . ' ' . $email );
		if ( ! $this->mail->send( $email, 'my-gifts', array( 'link' => PageAddress::of( 'my-gifts', 0, array( 'of' => $token ) ) ) ) ) {
			$form->fault( 'email', __( 'No more mails can go to this address today. Please try again tomorrow.', 'trousseau' ) );
			return null;
		}
		$this->flash_message->keep( __( 'A mail is on its way to you. Its link shows your gifts for a day.', 'trousseau' ) );
		return $this->address();
	}

	/** @return array<string, mixed>[] */
	private function claims(): array {
		list( $until, $email ) = explode( ' ', SignedToken::open( 'my-gifts', $_GET['of'] ?? '' ), 2 ) + array( '0', '' );
		if ( (int) $until > time() && $email !== '' ) {
			return ClaimFilter::for_viewer( ClaimFilter::without_surprises( $this->item_service->gifts_of( $email ) ) );
		}
		return $this->claim->of_visitor();
	}
}
