<?php

declare(strict_types=1);

namespace Trousseau\Platform;

use Trousseau\Plugin;

/**
 * A form that came too late: its sender was signed out in the meantime, or its nonce had expired. The submitted fields are stored, encrypted,
 * for a limited time, and fill the form again when the sender comes back to it on the device that has the key.
 */
final class InterruptedForm {

	private const COOKIE = 'typed';
	private const PREFIX = 'typed_';
	private const KEPT   = 30 * MINUTE_IN_SECONDS;

	/**
	 * Anyone can send a form, so the site limits what it keeps: the bytes of one (the longest story fits), the forms of a visitor
	 * in an hour, and those of all visitors at a time.
	 */
	private const MOST_BYTES = 150_000;
	private const AN_HOUR    = 20;
	private const MOST       = 200;

	private ?bool $is_kept = null;

	public function __construct(
		private readonly Cookie $cookie,
		private readonly KeptValues $kept_values,
		private readonly RateLimiter $rate_limiter,
		private readonly Request $request,
	) {
	}

	/**
	 * @param array<string, mixed> $typed The fields that are no secret.
	 * @param string|null          $at    The address of the form to fill in; this page's when absent.
	 */
	public function keep( array $typed, ?string $at = null ): void {
		if ( ! $this->request->is_from_here() ) {
			return;
		}
		$this->forget();
		$at   ??= $this->here();
		$sealed = Encryption::seal( compact( 'at', 'typed' ) );
		$token  = bin2hex( random_bytes( 16 ) );
		// A form that was too large for PHP has come without its fields.
		$this->is_kept = $typed && strlen( $sealed ) <= self::MOST_BYTES
			&& $this->rate_limiter->allows( 'typed', $this->request->visitor(), self::AN_HOUR, HOUR_IN_SECONDS )
			&& $this->kept_values->count( self::PREFIX ) < self::MOST
			&& $this->kept_values->add( self::PREFIX . $token, $sealed, self::KEPT );
		if ( $this->is_kept ) {
			$this->cookie->set( self::COOKIE, $token, self::KEPT );
		}
	}

	/** Whether this request has stored the fields, so that the page can say so. Null if there were none. */
	public static function is_kept(): ?bool {
		return Plugin::get( self::class )->is_kept;
	}

	/** The fields of the form that was interrupted there; they are returned once. */
	public function resume( ?string $at = null ): ?array {
		$token = $this->cookie->read( self::COOKIE );
		$kept  = $token === '' ? null : Encryption::open( $this->kept_values->get( self::PREFIX . $token ) );
		if ( ! is_array( $kept ) || $kept['at'] !== ( $at ?? $this->here() ) ) {
			return null;
		}
		$this->forget();
		return $kept['typed'];
	}

	private function forget(): void {
		$token = $this->cookie->read( self::COOKIE );
		if ( $token !== '' ) {
			$this->kept_values->delete( self::PREFIX . $token );
			$this->cookie->clear( self::COOKIE );
		}
	}

	private function here(): string {
		return (string) wp_unslash( $_SERVER['REQUEST_URI'] ?? '' );
	}
}
