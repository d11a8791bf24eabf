<?php

declare(strict_types=1);

namespace Trousseau\Page;

defined( 'ABSPATH' ) || exit;

use Trousseau\Form;
use Trousseau\Interrupted;
use Trousseau\Message;
use Trousseau\Page;

/** Of a registry that isn't there, or not for this visitor: nobody learns which. Or of what else can't be shown, and why. */
final class Nothing extends Page {

	public function __construct( private readonly string $why = '', public readonly int $status = 404, private readonly string $back = '' ) {
		parent::__construct();
	}

	public function title(): string {
		return $this->is_interrupted() ? __( 'Log in', 'trousseau' ) : __( 'There is nothing to see here', 'trousseau' );
	}

	public function address(): string {
		return home_url( '/' );
	}

	public function html( Form $form ): string {
		if ( $this->why !== '' ) {
			return Message::note( $this->why, 'is-problem' ) . ( $this->back === '' ? '' : sprintf( '<p class="trousseau-ways"><a href="%s">%s</a></p>', esc_url( $this->back ), esc_html__( 'Back to the list', 'trousseau' ) ) );
		}
		if ( $this->is_interrupted() ) {
			return $this->sign_in( __( 'You are no longer logged in here. Log in again, or open the link in your invitation.', 'trousseau' ) );
		}
		$why = __( 'No list has this address, or it is private. Whoever invited you can send you their link again.', 'trousseau' );
		return is_user_logged_in() ? '<p>' . esc_html( $why ) . '</p>' : $this->sign_in( $why );
	}

	/** Whoever sends a form is no stranger who tries an address: their session or invitation has ended meanwhile. */
	private function is_interrupted(): bool {
		return $this->why === '' && Interrupted::is_one();
	}
}
