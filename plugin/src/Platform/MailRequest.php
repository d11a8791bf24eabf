<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** A form by which a visitor asks for an email to an address, their own or someone else's. */
final class MailRequest {

	public function __construct(
		private readonly FlashMessage $flash_message,
		private readonly Lock $lock,
		private readonly Mail $mail,
		private readonly RateLimiter $rate_limiter,
		private readonly Request $request,
	) {
	}

	/**
	 * Sends an email to the typed address, and tells the visitor. Returns false if the form has an error.
	 *
	 * @param string                                 $template Requests for the same email are counted together.
	 * @param callable(string): array<string, mixed> $values   The template's variables for an address.
	 * @param array<string, mixed>                   $only     As for `Mail::send`.
	 * @param string                                 $missing  The words where no address was typed.
	 * @param string                                 $said     The words once it is sent, with the address for `%s`.
	 */
	public function send( Form $form, string $template, callable $values, array $only, string $missing, string $said ): bool {
		$email = $form->text( 'email' );
		if ( ! is_email( $email ) ) {
			$form->fault( 'email', $missing );
		} elseif ( $form->is_by_a_machine( $this->lock ) ) {
			$form->fault( '', __( 'Something went wrong. Please try again.', 'trousseau' ) );
		} elseif ( ! $this->rate_limiter->allows( $template, $this->request->visitor(), 10, HOUR_IN_SECONDS ) || ! $this->rate_limiter->allows( "$template-mail", strtolower( $email ) . ' ' . $this->request->visitor(), 3, HOUR_IN_SECONDS ) ) {
			$form->fault( '', __( 'Too many attempts in a short time. Please try again later.', 'trousseau' ) );
		} elseif ( $this->mail->send( $email, $template, $values( $email ), only: $only ) ) {
			$this->flash_message->keep( sprintf( $said, Language::isolate( $email ) ), FlashMessage::SENT );
		} else {
			self::refuse( $form );
		}
		return $form->is_sound();
	}

	/** Answers that an email may not go now: its address has had the most of a day. */
	public static function refuse( Form $form, string $field = 'email' ): void {
		$form->fault( $field, __( 'We can’t email this address any more today. Please try again tomorrow.', 'trousseau' ) );
	}
}
