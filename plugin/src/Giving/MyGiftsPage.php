<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Page;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\MailRequest;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Request;
use Trousseau\Platform\SignedToken;
use Trousseau\Platform\Template;
use Trousseau\Service\Claim;
use Trousseau\Service\ServiceError;

/** The gifts that a visitor gives: found by account, by this device, or by an email to their address. */
final class MyGiftsPage extends Page {

	private const KEPT = DAY_IN_SECONDS;

	public function __construct(
		private readonly Claims $claims,
		private readonly ClaimView $claim_view,
		private readonly FlashMessage $flash_message,
		private readonly MailRequest $mail_request,
		private readonly Request $request,
	) {
	}

	public function title(): string {
		return __( 'Gifts I’m giving', 'trousseau' );
	}

	public function html( Form $form ): string {
		$email  = $this->proven();
		$claims = $email !== '' ? $this->claims->of_person( $email ) : $this->claims->of_visitor();
		// A buyer keeps each share: none of them is to be sent.
		$bought = array_column( array_filter( $claims, static fn( Claim $claim ): bool => $claim->buys ), 'item_id' );
		return $this->shown( $form, array_map( fn( Claim $claim ): array => array( 'buys' => in_array( $claim->item_id, $bought, true ) ) + $this->claim_view->of( $claim, $email ), $claims ) );
	}

	public function trouble( ServiceError $error ): string {
		return FlashMessage::note( __( 'Your gifts can’t be shown right now. Please come back in a minute.', 'trousseau' ), 'is-problem' );
	}

	/** Visitors can still ask for the email. */
	public function despite_trouble(): string {
		return $this->shown( $this->request->form(), null );
	}

	private function shown( Form $form, ?array $gifts ): string {
		// Those with something left to do come first.
		$stages = array_fill_keys( array( 'pending', 'reserved', 'removed', 'purchased', 'over' ), array() );
		foreach ( $gifts ?? array() as $gift ) {
			$stage = match ( true ) {
				! in_array( $gift['state'], array( 'pending', 'reserved' ), true ) => $gift['state'] === 'purchased' ? 'purchased' : 'over',
				$gift['is_lost'] || $gift['is_list_gone'] => 'removed',
				default => $gift['state'],
			};

			$stages[ $stage ][] = $gift;
		}
		return Template::html(
			'my-gifts',
			array(
				'form'    => $form,
				'address' => $this->address(),
				'stages'  => $gifts === null ? null : array_filter( $stages ),
				'ask'     => ! is_user_logged_in(),
				'is_sent' => $this->flash_message->has_kind( FlashMessage::SENT ),
				'is_late' => isset( $_GET['of'] ) && $this->proven() === '',
				'lost'    => PageAddress::of( 'lost-invitation' ),
			)
		);
	}

	public function handle( Form $form ): ?string {
		$values  = static fn( string $email ): array => array( 'link' => PageAddress::of( 'my-gifts', 0, array( 'of' => SignedToken::seal( 'my-gifts', ( time() + self::KEPT ) . ' ' . $email ) ) ) );
		$missing = __( 'Enter the email you used for your gifts.', 'trousseau' );
		/* translators: %s: email address */
		$said = __( 'Check your inbox and your spam folder: we’ve sent a link to %s. It shows your gifts for one day.', 'trousseau' );
		return $this->mail_request->send( $form, 'my-gifts', $values, array(), $missing, $said ) ? $this->address() : null;
	}

	/** The email to which the link was sent that the visitor followed. Empty without one, or once its day is over. */
	private function proven(): string {
		list( $until, $email ) = explode( ' ', SignedToken::open( 'my-gifts', $_GET['of'] ?? '' ), 2 ) + array( '0', '' );
		return (int) $until > time() ? $email : '';
	}
}
