<?php

declare(strict_types=1);

namespace Trousseau\PageCaching;

use Trousseau\Giving\RememberedGifts;
use Trousseau\Guests\Guest;
use Trousseau\Platform\Cookie;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Network;

/**
 * The readable cookie of a known device. It holds numbers and no rights: it tells a script whether to ask for the visitor's own
 * part of a page, and which places to keep free.
 */
final class VisitorMarks {

	private const COOKIE = 'here';
	private const KEPT   = 400 * DAY_IN_SECONDS;

	public function __construct(
		private readonly Cookie $cookie,
		private readonly FlashMessage $flash_message,
		private readonly Guest $guest,
		private readonly RememberedGifts $remembered_gifts,
	) {
	}

	/** Writes the cookie anew after this request's changes. */
	public function write( ?bool $is_signed_in = null ): void {
		$waits = $this->flash_message->waiting();
		$marks = array_merge(
			( $is_signed_in ?? is_user_logged_in() ) ? array( 'u' ) : array(),
			array_map( static fn( int $id ): string => "g$id", $this->guest->places() ),
			$this->remembered_gifts->places(),
			$waits ? array( 'm' . $waits['item'] . '-' . mb_strlen( $waits['text'] ) ) : array(),
		);
		$value = implode( '.', $marks );
		if ( $value === ( $_COOKIE[ self::cookie() ] ?? '' ) || headers_sent() ) {
			return;
		}
		$_COOKIE[ self::cookie() ] = $value;
		$this->cookie->send( self::cookie(), $value, $value === '' ? 1 : time() + self::KEPT, true );
	}

	public static function cookie(): string {
		return 'trousseau_' . Network::mark() . self::COOKIE;
	}
}
