<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\PageAddress;
use Trousseau\Service\Item;

/** The page for a registry that is missing or hidden from this visitor, without saying which, and for other failures. */
final class ErrorPage extends Page {

	/** @param bool $is_interrupted Whether the sender of a form should sign in: their session or invitation has ended since they opened it. */
	public function __construct(
		private readonly string $why = '',
		public readonly int $status = 404,
		private readonly string $to_list = '',
		private readonly bool $is_interrupted = false,
	) {
	}

	public function title(): string {
		return $this->is_interrupted ? __( 'Log in', 'trousseau' ) : __( 'This link doesn’t work', 'trousseau' );
	}

	public function address(): string {
		return home_url( '/' );
	}

	/** A gift that was typed into the form of a list that has gone in the meantime, to be copied from here. */
	public static function unsaved( Form $form ): string {
		$typed = array_filter( array_map( $form->lines( ... ), array( 'name', 'address', 'price', ...array_keys( Item::facts() ), 'description' ) ) );
		return $typed ? FlashMessage::note( __( 'Nothing was saved. Here’s what you typed:', 'trousseau' ), 'is-problem' ) . '<p class="trousseau-description" dir="auto">' . nl2br( esc_html( implode( "\n", $typed ) ) ) . '</p>' : '';
	}

	public function html( Form $form ): string {
		if ( $this->why !== '' ) {
			return FlashMessage::note( $this->why, 'is-problem' ) . ( $this->to_list === '' ? '' : sprintf( '<p class="trousseau-ways"><a href="%s">%s</a></p>', esc_url( $this->to_list ), esc_html__( 'Back to the list', 'trousseau' ) ) );
		}
		if ( $this->is_interrupted ) {
			return $this->sign_in( __( 'You’re no longer logged in. Log in again, or open the link in your invitation.', 'trousseau' ), may_be_guest: true );
		}
		$html = '<p>' . esc_html__( 'There’s no list here, or it’s private. If you’re invited, open the link in your invitation, or have it resent.', 'trousseau' ) . '</p>';
		$ways = '<p class="trousseau-ways"><a href="%s">%s</a></p>';
		if ( is_user_logged_in() ) {
			/* translators: %s: name of an account */
			$account = sprintf( __( 'You’re logged in as %s. If you were invited with another account or email, log out first.', 'trousseau' ), Language::isolate( Accounts::name_among_owners( wp_get_current_user() ) ) );
			return $html . sprintf( $ways, esc_url( PageAddress::of( 'mine' ) ), esc_html__( 'My lists', 'trousseau' ) ) . '<p>' . esc_html( $account ) . '</p>' . sprintf( $ways, esc_url( wp_logout_url( $this->return_address() ) ), esc_html__( 'Log out and try again', 'trousseau' ) ) . self::lost_invitation( $form );
		}
		// Most guests have no account, so logging in is an offer, not a demand.
		return $html . self::lost_invitation( $form ) . sprintf( $ways, esc_url( wp_login_url( $this->return_address() ) ), esc_html__( 'Log in with my account', 'trousseau' ) );
	}
}
