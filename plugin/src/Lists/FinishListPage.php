<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Lock;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\SignedToken;
use Trousseau\Platform\Template;

/**
 * The page behind the email “Finish your list”: one press makes the account of the email's address, signs in, and makes the list
 * that was begun without it.
 */
final class FinishListPage extends Page {

	public const TOKEN = 'of';

	private const PURPOSE = 'finish list';

	public function __construct(
		private readonly FlashMessage $flash_message,
		private readonly Lock $lock,
		private readonly OwnAccount $own_account,
		private readonly RegistryDraft $registry_draft,
		private readonly RegistryForm $registry_form,
	) {
	}

	/** The address of this page for a draft and the address to which its email goes. */
	public static function link( string $draft, string $email ): string {
		return PageAddress::of( 'finish', 0, array( 'of' => SignedToken::seal( self::PURPOSE, "$draft $email" ) ) );
	}

	public function title(): string {
		return __( 'Finish your list', 'trousseau' );
	}

	public function obstacle(): string {
		list( $draft ) = $this->named();
		if ( $this->registry_draft->fields( $draft ) || get_post( $this->registry_draft->list_of( $draft ) ?: -1 ) ) {
			return '';
		}
		return FlashMessage::note( __( 'This link has expired or isn’t complete.', 'trousseau' ), 'is-problem' ) . sprintf( '<p class="trousseau-ways"><a href="%s">%s</a></p>', esc_url( PageAddress::of( 'new' ) ), esc_html__( 'Create your list', 'trousseau' ) );
	}

	public function html( Form $form ): string {
		list( $draft, $email ) = $this->named();
		$list                  = $this->registry_draft->list_of( $draft );
		return Template::html(
			'finish-list',
			array(
				'address'     => $this->address(),
				'title'       => (string) ( $this->registry_draft->fields( $draft )['title'] ?? '' ),
				'home'        => $list && current_user_can( 'edit_post', $list ) ? PageAddress::of( 'home', $list ) : '',
				'reader'      => is_user_logged_in() ? Accounts::name_among_owners( wp_get_current_user() ) : '',
				'has_account' => (bool) get_user_by( 'email', $email ),
				'login'       => wp_login_url( $this->address(), true ),
				'lost'        => wp_lostpassword_url( $this->address() ),
			)
		);
	}

	public function handle( Form $form ): ?string {
		list( $draft, $email ) = $this->named();
		$list                  = $this->registry_draft->list_of( $draft );
		if ( $list && current_user_can( 'edit_post', $list ) ) {
			return PageAddress::of( 'home', $list );
		}
		if ( $form->action === 'take' && is_user_logged_in() ) {
			$this->registry_draft->take_over( $draft );
			return PageAddress::of( 'new' );
		}
		if ( $form->action !== 'make' || is_user_logged_in() || ! OwnAccount::is_offered() ) {
			return $this->address();
		}
		return $this->lock->alone( "draft-$draft", 30, fn(): string => $this->make( $draft, $email ) );
	}

	/** Creates the account and the list. A second press of the same form finds those of the first. */
	private function make( string $draft, string $email ): string {
		$typed = new Form( (array) $this->registry_draft->fields( $draft ) );
		if ( ! $this->own_account->make( $email, $typed->text( 'host' ) ) ) {
			return $this->address();
		}
		$list = $this->registry_draft->list_of( $draft ) ?: $this->registry_form->make( $typed );
		if ( ! $list ) {
			// The form says the reason, and offers it once more.
			$this->registry_draft->take_over( $draft );
			return PageAddress::of( 'new' );
		}
		$this->registry_draft->note_made( $draft, $list );
		$this->flash_message->keep( __( 'Your list is ready. To log in on another device, choose a password under “My lists”.', 'trousseau' ) );
		return PageAddress::of( 'home', $list );
	}

	/** @return array{0: string, 1: string} The draft and the email's address that the link names. */
	private function named(): array {
		return explode( ' ', SignedToken::open( self::PURPOSE, $this->token() ), 2 ) + array( '', '' );
	}
}
