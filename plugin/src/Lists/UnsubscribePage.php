<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Busy;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Mail;
use Trousseau\Platform\SignedToken;

/**
 * The page to which the link below every email leads. A browser with scripts presses its button by itself; programs that only look at
 * links unsubscribe nobody.
 */
final class UnsubscribePage extends Page {

	public const TOKEN = 'of';

	/** The parameter of the address after a press: the button waits for the next one, also when the page is loaded again. */
	private const PRESSED = 'pressed';

	public function __construct( private readonly FlashMessage $flash_message, private readonly Mail $mail ) {
	}

	public function title(): string {
		return __( 'Unsubscribe from emails', 'trousseau' );
	}

	public function obstacle(): string {
		return $this->email() !== '' ? '' : FlashMessage::note( __( 'This link isn’t complete. Please open it from the email again.', 'trousseau' ), 'is-problem' );
	}

	public function html( Form $form ): string {
		if ( $this->mail->is_refused( $this->email() ) ) {
			return '<p>' . esc_html__( 'You’re unsubscribed. This site won’t email you about lists and gifts any more.', 'trousseau' ) . '</p>' . Form::button( $this->address(), 'undo', __( 'Undo', 'trousseau' ), class: 'is-quiet' );
		}
		$is_at_once = $form->action === '' && ! isset( $_GET[ self::PRESSED ] );
		/* translators: %s: e-mail address */
		return '<p>' . esc_html( sprintf( __( 'Stop emailing %s about lists and gifts?', 'trousseau' ), Language::isolate( $this->email() ) ) ) . '</p>'
			. Form::button( $this->address(), 'stop', __( 'Unsubscribe', 'trousseau' ), class: $is_at_once ? 'is-at-once' : '' );
	}

	/** Email programs press the button for their readers (RFC 8058). The address alone gives the right, and nothing leads on. */
	public function takes_from_elsewhere( Form $form ): bool {
		list( $field, $value ) = MailDelivery::ONE_CLICK;
		return $form->action === '' && $form->text( $field ) === $value;
	}

	public function handle( Form $form ): ?string {
		$is_undo = $form->action === 'undo';
		$is_undo ? $this->mail->allow( $this->email() ) : $this->mail->refuse( $this->email() );
		if ( $this->mail->is_refused( $this->email() ) === $is_undo ) {
			throw new Busy( 'The database takes no writes' );
		}
		if ( $is_undo ) {
			$this->flash_message->keep( __( 'You’ll get emails about lists and gifts again.', 'trousseau' ) );
		}
		return $this->takes_from_elsewhere( $form ) ? null : add_query_arg( self::PRESSED, 1, $this->address() );
	}

	private function email(): string {
		return SignedToken::open( 'no-mail', $this->token() );
	}
}
