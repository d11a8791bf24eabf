<?php

declare(strict_types=1);

namespace Trousseau\Owners;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Accounts;
use Trousseau\Lists\Limits;
use Trousseau\Lists\OwnAccount;
use Trousseau\Lists\Page;
use Trousseau\Lists\Registries;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\PlainText;
use Trousseau\Platform\RateLimiter;
use Trousseau\Platform\Request;
use Trousseau\Platform\Template;

/** The page that the email to a new owner links to, where they log in or create an account. */
final class OwnerLinkPage extends Page {

	public const TOKEN = 'for';

	/** The most accounts from one network in an hour, attempts included. */
	private const AN_HOUR = 20;

	public function __construct(
		private readonly FlashMessage $flash_message,
		private readonly OwnAccount $own_account,
		private readonly OwnerLink $owner_link,
		private readonly RateLimiter $rate_limiter,
		private readonly Request $request,
	) {
	}

	public function title(): string {
		$found = OwnerLink::behind( $this->token() );
		/* translators: %s: name of a list */
		return $found ? sprintf( __( 'You’re now an owner of “%s”', 'trousseau' ), PlainText::to_html( Language::isolate( Registries::title( $found[0] ) ) ) ) : __( 'This link doesn’t work', 'trousseau' );
	}

	public function obstacle(): string {
		if ( ! OwnerLink::behind( $this->token() ) ) {
			return FlashMessage::note( __( 'This link has expired or isn’t complete. Ask the owners for a new one.', 'trousseau' ), 'is-problem' );
		}
		return ! is_user_logged_in() || current_user_can( 'edit_registries' ) ? '' : FlashMessage::note( Limits::no_maker(), 'is-problem' );
	}

	public function html( Form $form ): string {
		list( $post, $entry ) = OwnerLink::behind( $this->token() );
		return Template::html(
			'owner-link',
			array(
				'form'        => $form,
				'address'     => $this->address(),
				'registry'    => Registries::title( $post ),
				'owner'       => Registries::owner_name( $post ),
				'entry'       => $entry,
				'reader'      => is_user_logged_in() ? Accounts::name_among_owners( wp_get_current_user() ) : '',
				'gifts'       => current_user_can( 'edit_post', $post->ID ) ? PageAddress::of( 'gifts', $post->ID ) : '',
				'has_account' => OwnerLink::account( $entry ) !== null,
				'may_make'    => get_option( 'users_can_register' ) && is_email( $entry ) && ! OwnerLink::account( $entry ),
				'shortest'    => OwnAccount::SHORTEST_PASSWORD,
			)
		);
	}

	public function handle( Form $form ): ?string {
		list( $post, $entry ) = OwnerLink::behind( $this->token() );
		$gifts                = PageAddress::of( 'gifts', $post->ID );
		// The second press of one form.
		if ( current_user_can( 'edit_post', $post->ID ) ) {
			return $gifts;
		}
		$is_taken = $form->action === 'take' && is_user_logged_in() && $this->owner_link->take( $post->ID, $this->token() );
		$is_made  = $form->action === 'make' && ! is_user_logged_in() && get_option( 'users_can_register' ) && $this->make( $form, $entry );
		if ( ! $is_taken && ! $is_made ) {
			return null;
		}
		/* translators: %s: name of a list */
		$this->flash_message->keep( sprintf( __( 'You’re now an owner of “%s”', 'trousseau' ), Language::isolate( Registries::title( $post ) ) ) );
		return $gifts;
	}

	private function make( Form $form, string $address ): bool {
		$name     = $form->needs( 'person', Accounts::LONGEST_NAME, __( 'Please enter your name.', 'trousseau' ) );
		$password = OwnAccount::typed_password( $form );
		if ( ! $form->is_sound() ) {
			return false;
		}
		if ( ! $this->rate_limiter->allows( 'own-account', $this->request->visitor(), self::AN_HOUR, HOUR_IN_SECONDS ) ) {
			$form->fault( '', __( 'Too many accounts were created in a short time. Please come back in an hour.', 'trousseau' ) );
			return false;
		}
		if ( is_email( $address ) && $this->own_account->make( $address, $name, $password ) ) {
			return true;
		}
		$form->fault( '', __( 'We couldn’t create this account. If you already have one, log in.', 'trousseau' ) );
		return false;
	}
}
