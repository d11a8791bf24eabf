<?php

declare(strict_types=1);

namespace Trousseau\Page;

defined( 'ABSPATH' ) || exit;

use Trousseau\ApiClient;
use Trousseau\Claim;
use Trousseau\Form;
use Trousseau\Link;
use Trousseau\Mail;
use Trousseau\Message;
use Trousseau\Page;
use Trousseau\PageRouter;
use Trousseau\Template;
use Trousseau\Throttle;

/** What a visitor gives: by their account, by what this device remembers, or by a mail to their address. */
final class MyGifts extends Page {

	private const KEPT = DAY_IN_SECONDS;

	public function title(): string {
		return __( 'My gifts', 'trousseau' );
	}

	public function address(): string {
		return PageRouter::address( 'my-gifts' );
	}

	public function html( Form $form ): string {
		$claims = $this->claims();
		return Template::html(
			'my-gifts',
			array(
				'form'    => $form,
				'address' => $this->address(),
				'gifts'   => is_wp_error( $claims ) ? null : array_map( array( Gift::class, 'shown' ), $claims ),
				'ask'     => ! is_user_logged_in(),
			)
		);
	}

	public function handle( Form $form ): ?string {
		$email = $form->text( 'email' );
		if ( ! is_email( $email ) ) {
			$form->fault( 'email', __( 'Type the address at which you get the mails about your gifts.', 'trousseau' ) );
		} elseif ( $form->is_by_a_machine() ) {
			$form->fault( '', __( 'That didn’t go through. Please press the button once more.', 'trousseau' ) );
		} elseif ( ! Throttle::allows( 'my-gifts', Throttle::visitor(), 10, HOUR_IN_SECONDS ) || ! Throttle::allows( 'my-gifts-mail', strtolower( $email ) . ' ' . Throttle::visitor(), 3, HOUR_IN_SECONDS ) ) {
			$form->fault( '', __( 'That was a lot in a short time. Please try again later.', 'trousseau' ) );
		}
		if ( ! $form->is_sound() ) {
			return null;
		}
		$token = Link::seal( 'my-gifts', ( time() + self::KEPT ) . ' ' . $email );
		if ( ! Mail::send( $email, 'my-gifts', array( 'link' => PageRouter::address( 'my-gifts', 0, array( 'of' => $token ) ) ) ) ) {
			$form->fault( 'email', __( 'No more mails can go to this address today. Please try again tomorrow.', 'trousseau' ) );
			return null;
		}
		Message::keep( __( 'A mail is on its way to you. Its link shows your gifts for a day.', 'trousseau' ) );
		return $this->address();
	}

	private function claims(): array|\WP_Error {
		list( $until, $email ) = explode( ' ', Link::open( 'my-gifts', $_GET['of'] ?? '' ), 2 ) + array( '0', '' );
		if ( (int) $until > time() && $email !== '' ) {
			$claims = ApiClient::of_site()->gifts_of( $email );
			return is_array( $claims ) ? Claim::for_viewer( Claim::without_surprises( $claims ) ) : Claim::unknown( $claims );
		}
		return Claim::of_visitor();
	}
}
