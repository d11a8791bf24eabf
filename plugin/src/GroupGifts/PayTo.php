<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

use Trousseau\Platform\Currency;
use Trousseau\Platform\Iban;

/** The place to which a share is sent, as people write it: a bank account with a name, addresses on the web, and words. */
final class PayTo {

	/** The limits of a bank's code: characters of the name and the purpose, and bytes of all of it. */
	private const MAX_NAME    = 70;
	private const MAX_PURPOSE = 140;
	private const MAX_BYTES   = 331;

	/**
	 * @param string   $text  As it was written.
	 * @param string   $iban  A valid number of an account, or nothing.
	 * @param string   $name  The name of the account's holder, or nothing.
	 * @param string[] $links Addresses that begin with https.
	 */
	private function __construct(
		public readonly string $text,
		public readonly string $iban,
		public readonly string $name,
		public readonly array $links,
	) {
	}

	public static function read( string $text ): self {
		$text  = trim( (string) preg_replace( '/[\x{200e}\x{200f}\x{061c}\x{202a}-\x{202e}\x{2066}-\x{2069}]/u', '', $text ) );
		$links = self::links_in( $text );
		$rest  = str_replace( $links, ' ', $text );

		list( $iban, $written ) = Iban::find( $rest );
		list( $before, $after ) = $written === '' ? array( '', '' ) : explode( $written, $rest, 2 ) + array( '', '' );
		// Another way to pay may come before the account (“In an envelope, or”), and a sentence on a line below it (“Thank you!”).
		$is_name                = static fn( string $part ): bool => (bool) preg_match( '/^\P{Ll}/u', $part );
		$behind                 = self::parts( (string) preg_replace( '/\n.*(?:[!?…].*|(?<![.\s]\p{L})(?<!\b[JS]r)(?<!\bLtd)(?<!\bInc)\.\s*)$/mu', '', $after ) );
		list( $before, $after ) = array( self::parts( $before ), self::parts( $after ) );
		$name                   = current( array( ...array_filter( $behind, $is_name ), ...array_filter( $before, $is_name ), ...$before, ...$after ) );
		return new self( $text, $iban, mb_substr( (string) $name, 0, self::MAX_NAME ), array_map( static fn( string $link ): string => str_starts_with( $link, 'https://' ) ? $link : "https://$link", $links ) );
	}

	/** @return string[] The parts of a text that have letters, without what a bank is called by. */
	private static function parts( string $text ): array {
		$text  = (string) preg_replace( array( '/\bBIC\b:?\s*[A-Z]{6}[A-Z0-9]{2,5}\b/i', '/\b(?:IBAN|PayPal)\b:?/i' ), ',', $text );
		$parts = array_map( static fn( string $part ): string => (string) preg_replace( '/^[\s:\-–—()]+|[\s:\-–—()]+$/u', '', $part ), preg_split( '/[,;،؛|\n]/u', $text ) ?: array() );
		return array_values( array_filter( $parts, static fn( string $part ): bool => (bool) preg_match( '/\p{L}/u', $part ) ) );
	}

	/** Whether the text says no more than the account and its holder's name. */
	public function is_account_only(): bool {
		return $this->iban !== '' && mb_strlen( (string) preg_replace( '/[^\p{L}\p{N}]|IBAN/u', '', $this->text ) ) === mb_strlen( (string) preg_replace( '/[^\p{L}\p{N}]/u', '', $this->iban . $this->name ) );
	}

	/** A link with the amount in it, where the address takes one: PayPal.Me does. */
	public static function with_amount( string $link, int $units, string $currency ): string {
		$amount = number_format( Currency::from_units( $units, $currency ), Currency::digits( $currency ), '.', '' );
		return preg_match( '#^https://(?:www\.)?paypal\.(?:me|com/paypalme)/[\w.-]+/?$#i', $link ) ? rtrim( $link, '/' ) . "/$amount$currency" : $link;
	}

	/** The text of the code that banking apps read (EPC069-12), with the name `$otherwise` where there is none; '' without an account, or if the currency isn't EUR. */
	public function code( int $units, string $currency, string $purpose, string $otherwise ): string {
		if ( $this->iban === '' || $currency !== 'EUR' || $units < 1 || $units > 99_999_999_999 ) {
			return '';
		}
		$line  = static fn( string $text, int $most ): string => trim( mb_substr( (string) preg_replace( '/[\p{Cc}\s]+/u', ' ', $text ), 0, $most ) );
		$name  = $line( $this->name !== '' ? $this->name : $otherwise, self::MAX_NAME );
		$lines = array( 'BCD', '002', '1', 'SCT', '', $name, $this->iban, 'EUR' . number_format( $units / 100, 2, '.', '' ), '', '', '' );
		$room  = self::MAX_BYTES - strlen( implode( "\n", $lines ) );
		return $name === '' ? '' : implode( "\n", $lines ) . mb_strcut( $line( $purpose, self::MAX_PURPOSE ), 0, max( 0, $room ) );
	}

	/** @return string[] Addresses as they stand in the text; PayPal.Me's may lack their beginning. */
	private static function links_in( string $text ): array {
		preg_match_all( '~https://[^\s<>"“”«»]{4,}|(?<![\w/.@-])(?:www\.)?paypal\.me/[\w.-]+~iu', $text, $found );
		$links = array_map( static fn( string $link ): string => (string) preg_replace( '/[.,;:!?)]+$/', '', $link ), $found[0] );
		// An address with a user name in it may lead elsewhere than it seems.
		return array_values( array_filter( $links, static fn( string $link ): bool => ! preg_match( '#^https://[^/?\#]*@#i', $link ) ) );
	}
}
