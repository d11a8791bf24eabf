<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Platform\Currency;
use NumberFormatter;

/**
 * A price as someone types it, read by the language of the page and the currency of the list. A text that can mean two
 * amounts, or names another currency, is in doubt: the person decides.
 */
final class Price {

	/** The symbols and words for currencies, without a point at their end; some of them stand for several. */
	private const WORDS = array(
		'USD' => 'us$ $us $ dollars',
		'CAD' => 'ca$ c$ $ca $ dollars',
		'AUD' => 'au$ a$ $ dollars',
		'NZD' => 'nz$ $ dollars',
		'HKD' => 'hk$ $ dollars',
		'TWD' => 'nt$ $ dollars',
		'MXN' => 'mx$ $',
		'SGD' => 's$ $ dollars',
		'JPY' => 'jp¥ ¥ 円',
		'CNY' => 'cn¥ ¥ 元',
		'BRL' => 'r$',
		'ARS' => '$',
		'CLP' => '$',
		'COP' => '$',
		'UYU' => '$',
		'EUR' => '€ euros euro',
		'GBP' => 'pounds £',
		'EGP' => '£ ج.م',
		'KRW' => '₩',
		'INR' => '₹ ₨ rs',
		'PKR' => '₨ rs',
		'LKR' => '₨ rs',
		'BDT' => '৳',
		'THB' => '฿',
		'VND' => '₫',
		'PHP' => '₱',
		'IDR' => 'rp',
		'MYR' => 'rm',
		'NGN' => '₦',
		'KES' => 'ksh',
		'TRY' => '₺',
		'UAH' => '₴',
		'ILS' => '₪',
		'PLN' => 'zł',
		'CZK' => 'kč',
		'HUF' => 'ft',
		'RON' => 'lei',
		'BGN' => 'лв',
		'SEK' => 'kr',
		'NOK' => 'kr',
		'DKK' => 'kr',
		'ISK' => 'kr',
		'CHF' => 'sfr fr',
		'PEN' => 's/',
		'AED' => 'د.إ dhs dh',
		'MAD' => 'dhs dh د.م',
		'SAR' => 'ر.س',
		'KWD' => 'د.ك',
		'BHD' => 'د.ب',
		'TND' => 'د.ت',
		'JOD' => 'د.أ د.ا',
		'OMR' => 'ر.ع',
		'QAR' => 'ر.ق',
		'ZAR' => 'r',
	);

	/** The zeros of digits that people type: Arabic, Persian, Devanagari, Bengali, Thai, full width. */
	private const ZEROS = array( 0x660, 0x6F0, 0x966, 0x9E6, 0xE50, 0xFF10 );

	/**
	 * @param float[] $amounts The amounts that it can mean: one, or those to choose from.
	 * @param bool    $is_sure Whether it means the one amount, in the list's currency.
	 * @param bool    $is_ours Whether it names no other currency.
	 */
	private function __construct( public readonly array $amounts, public readonly bool $is_sure, public readonly bool $is_ours ) {
	}

	/** Null if the text isn't a price. */
	public static function read( string $text, string $currency, string $locale ): ?self {
		list( $number, $words ) = self::parts( self::plain( $text ) );
		$named                  = self::named( $words );
		if ( $number === '' || $named === null ) {
			return null;
		}
		$is_ours                   = $words === '' || $currency === '' || in_array( $currency, $named, true );
		list( $point, $group )     = self::separators( $locale );
		list( $amounts, $is_sure ) = self::amounts( $number, Currency::digits( $currency ), $point, $group );
		return $amounts ? new self( $amounts, $is_sure && $is_ours, $is_ours ) : null;
	}

	/** The text in Western digits, without marks of direction; every sign that only groups digits becomes an apostrophe. */
	private static function plain( string $text ): string {
		$text = (string) preg_replace( '/[\x{200e}\x{200f}\x{061c}\x{202a}-\x{202e}\x{2066}-\x{2069}]/u', '', $text );
		foreach ( self::ZEROS as $zero ) {
			foreach ( range( 0, 9 ) as $digit ) {
				$text = str_replace( mb_chr( $zero + $digit ), (string) $digit, $text );
			}
		}
		$text = strtr( $text, array( '،' => ',', '，' => ',', '．' => '.', '￥' => '¥', '＄' => '$' ) );
		return (string) preg_replace( '/(?<=\d)[\s\x{a0}\x{2007}\x{2009}\x{202f}\'’ʼ`´٬](?=\d)/u', '\'', $text );
	}

	/** @return array{0: string, 1: string} The number, from its first digit to its last one, and the words around it. */
	private static function parts( string $text ): array {
		if ( ! preg_match( '/^(\D*)(\d(?:[\d.,\'٫]*\d)?)(\D*)$/u', trim( $text ), $found ) ) {
			return array( '', '' );
		}
		list( , $before, $number, $after ) = $found;
		// Numbers may begin as in “.50”, or end as in “24,–”, some shops' way to write a round price.
		if ( preg_match( '/(?:^|[^\p{L}.,])[.,٫]$/u', $before ) ) {
			$number = '0' . mb_substr( $before, -1 ) . $number;
			$before = mb_substr( $before, 0, -1 );
		}
		$after = preg_replace( '/^[.,]?\s*[-–—]{1,2}/u', '', $after );
		return array( $number, trim( preg_replace( '/[\s\x{a0}\x{202f}]+/u', ' ', "$before $after" ) ) );
	}

	/** @return string[]|null The currencies that every word around the number can stand for; null: one of them is no currency. */
	private static function named( string $words ): ?array {
		$named = null;
		foreach ( array_filter( explode( ' ', mb_strtolower( $words ) ) ) as $word ) {
			$code  = strtoupper( $word );
			$codes = Currency::is_known( $code ) ? array( $code ) : array_keys( array_filter( self::WORDS, static fn( string $words ): bool => in_array( rtrim( $word, '.' ), explode( ' ', $words ), true ) ) );
			if ( ! $codes ) {
				return null;
			}
			$named = array_intersect( $named ?? $codes, $codes );
		}
		return $named ?? array();
	}

	/** @return array{0: float[], 1: bool} The amounts that a number can mean, and whether that is beyond doubt. */
	private static function amounts( string $number, int $digits, string $point, string $group ): array {
		$whole    = self::whole( $number );
		$as_whole = array( self::sensible( $whole ), true );
		if ( ! preg_match( '/^(.+)([.,٫])(\d+)$/u', $number, $found ) ) {
			return $as_whole;
		}
		list( , $before, $mark, $part ) = $found;
		$before                         = str_contains( $before, $mark ) ? null : self::whole( $before );
		$decimal                        = self::sensible( (string) round( (float) "$before.$part", $digits ) );
		return match ( true ) {
			$before === null                                 => $as_whole,
			$whole === null                                  => array( $decimal, strlen( rtrim( $part, '0' ) ) <= $digits ),
			// The text has one mark with three digits behind it.
			$digits === 0, $digits === 2 && $mark === $group => $as_whole,
			$digits === 3 && $mark === $point                => array( $decimal, true ),
			default                                          => array( array( ...$decimal, ...$as_whole[0] ), false ),
		};
	}

	/** The digits of a whole number, however they are grouped. Null if the text isn't one. */
	private static function whole( string $text ): ?string {
		$is_grouped = preg_match( "/^(?:[1-9]\d{0,2}(['.,])\d{3}(?:\\1\d{3})*|[1-9]\d?(?:,\d{2})+,\d{3})$/", $text );
		return $is_grouped || ctype_digit( $text ) ? str_replace( array( "'", '.', ',' ), '', $text ) : null;
	}

	/** @return float[] The amount, if a thing can cost so much. */
	private static function sensible( ?string $amount ): array {
		return $amount !== null && (float) $amount > 0 && (float) $amount < 1e11 ? array( (float) $amount ) : array();
	}

	/** @return array{0: string, 1: string} A language's decimal separator, and its separator of thousands. */
	private static function separators( string $locale ): array {
		if ( class_exists( NumberFormatter::class ) ) {
			$format = new NumberFormatter( "$locale@numbers=latn", NumberFormatter::DECIMAL );
			return array( $format->getSymbol( NumberFormatter::DECIMAL_SEPARATOR_SYMBOL ), $format->getSymbol( NumberFormatter::GROUPING_SEPARATOR_SYMBOL ) );
		}
		$format = $GLOBALS['wp_locale']->number_format;
		return array( $format['decimal_point'], $format['thousands_sep'] );
	}
}
