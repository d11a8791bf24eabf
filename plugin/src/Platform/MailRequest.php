<?php

declare(strict_types=1);

namespace Trousseau\Platform;

defined( 'ABSPATH' ) || exit;

/** A form by which a visitor asks for an email to an address, their own or someone else's. */
final class MailRequest {

	public function __construct(
		private readonly Lock $lock,
		private readonly RateLimiter $rate_limiter,
		private readonly Request $request,
	) {
	}

	/**
	 * The typed address. Empty if the form has an error.
	 *
	 * @param string $purpose The requests that are counted together.
	 * @param string $missing The words where no address was typed.
	 */
	public function address( Form $form, string $purpose, string $missing ): string {
		$email = $form->text( 'email' );
		if ( ! is_email( $email ) ) {
			$form->fault( 'email', $missing );
		} elseif ( $form->is_by_a_machine( $this->lock ) ) {
			$form->fault( '', __( 'Something went wrong. Please try again.', 'trousseau' ) );
		} elseif ( ! $this->rate_limiter->allows( $purpose, $this->request->visitor(), 10, HOUR_IN_SECONDS ) || ! $this->rate_limiter->allows( "$purpose-mail", strtolower( $email ) . ' ' . $this->request->visitor(), 3, HOUR_IN_SECONDS ) ) {
			$form->fault( '', __( 'Too many attempts in a short time. Please try again later.', 'trousseau' ) );
		}
		return $form->is_sound() ? $email : '';
	}

	/** Answers that an email may not go now: its address has had the most of a day. */
	public static function refuse( Form $form, string $field = 'email' ): void {
		$form->fault( $field, __( 'We can’t email this address any more today. Please try again tomorrow.', 'trousseau' ) );
	}
}
