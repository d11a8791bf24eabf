<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Mail;
use Trousseau\Platform\SignedToken;

/** The page on which someone says that they want no more emails. */
final class UnsubscribePage extends Page {

	public const IS_LINKED = true;

	protected const TOKEN = 'of';

	public function __construct( private readonly Mail $mail ) {
	}

	public function title(): string {
		return __( 'Unsubscribe from emails', 'trousseau' );
	}

	public function obstacle(): string {
		return $this->email() !== '' ? '' : FlashMessage::note( __( 'This link isn’t complete. Please open it from the email again.', 'trousseau' ), 'is-problem' );
	}

	public function html( Form $form ): string {
		return $this->mail->is_refused( $this->email() )
			? '<p>' . esc_html__( 'You’re unsubscribed. This site won’t email you about lists and gifts any more.', 'trousseau' ) . '</p>'
			/* translators: %s: e-mail address */
			: '<p>' . esc_html( sprintf( __( 'Stop emailing %s about lists and gifts?', 'trousseau' ), Language::isolate( $this->email() ) ) ) . '</p>' . Form::button( $this->address(), 'stop', __( 'Unsubscribe', 'trousseau' ) );
	}

	/** Email programs press the button for their readers (RFC 8058). The address alone gives the right, and nothing leads on. */
	public function takes_from_elsewhere( Form $form ): bool {
		list( $field, $value ) = MailDelivery::ONE_CLICK;
		return $form->text( $field ) === $value;
	}

	public function handle( Form $form ): ?string {
		$this->mail->refuse( $this->email() );
		return $this->takes_from_elsewhere( $form ) ? null : $this->address();
	}

	private function email(): string {
		return SignedToken::open( 'no-mail', $this->token() );
	}
}
