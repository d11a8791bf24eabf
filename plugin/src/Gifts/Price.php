<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Currency;
use NumberFormatter;

/**
 * A price as someone types it, read by the language of the page and the currency of the list. A text that can mean two
 * amounts, or names another currency, is in doubt: the person decides.
 */
final class Price {

	/** Symbols and words, and the currencies that they can stand for. */
	private const SYMBOLS = array(
		'us$'     => 'USD',
		'ca$'     => 'CAD',
		'c$'      => 'CAD',
		'au$'     => 'AUD',
		'a$'      => 'AUD',
		'nz$'     => 'NZD',
		'hk$'     => 'HKD',
		'nt$'     => 'TWD',
		'mx$'     => 'MXN',
		's$'      => 'SGD',
		'$us'     => 'USD',
		'$ca'     => 'CAD',
		'jp¥'     => 'JPY',
		'cn¥'     => 'CNY',
		'r$'      => 'BRL',
		'$'       => 'USD CAD AUD NZD HKD SGD TWD MXN ARS CLP COP UYU',
		'€'       => 'EUR',
		'euros'   => 'EUR',
		'euro'    => 'EUR',
		'dollars' => 'USD CAD AUD NZD HKD SGD TWD',
		'pounds'  => 'GBP',
		'£'       => 'GBP EGP',
		'¥'       => 'JPY CNY',
		'円'       => 'JPY',
		'元'       => 'CNY',
		'₩'       => 'KRW',
		'₹'       => 'INR',
		'₨'       => 'INR PKR LKR',
		'rs.'     => 'INR PKR LKR',
		'rs'      => 'INR PKR LKR',
		'৳'       => 'BDT',
		'฿'       => 'THB',
		'₫'       => 'VND',
		'₱'       => 'PHP',
		'rp'      => 'IDR',
		'rm'      => 'MYR',
		'₦'       => 'NGN',
		'ksh'     => 'KES',
		'₺'       => 'TRY',
		'₴'       => 'UAH',
		'₪'       => 'ILS',
		'zł'      => 'PLN',
		'kč'      => 'CZK',
		'ft'      => 'HUF',
		'lei'     => 'RON',
		'лв.'     => 'BGN',
		'лв'      => 'BGN',
		'kr.'     => 'SEK NOK DKK ISK',
		'kr'      => 'SEK NOK DKK ISK',
		'sfr.'    => 'CHF',
		'fr.'     => 'CHF',
		's/'      => 'PEN',
		'د.إ'     => 'AED',
		'dhs'     => 'AED MAD',
		'dh'      => 'AED MAD',
		'ر.س'     => 'SAR',
		'ج.م'     => 'EGP',
		'د.م'     => 'MAD',
		'د.ك'     => 'KWD',
		'د.ب'     => 'BHD',
		'د.ت'     => 'TND',
		'د.أ'     => 'JOD',
		'د.ا'     => 'JOD',
		'ر.ع'     => 'OMR',
		'ر.ق'     => 'QAR',
		'r'       => 'ZAR',
	);

	/** The zeros of digits that people type: Arabic, Persian, Devanagari, Bengali, Thai, full width. */
	private const ZEROS = array( 0x660, 0x6F0, 0x966, 0x9E6, 0xE50, 0xFF10 );

	/**
	 * @param float[] $amounts The amounts that it can mean: one, or those to choose from.
	 * @param bool    $is_sure Whether it means the one amount, in the list's currency.
	 * @param bool    $is_ours Whether it names no other currency.
	 */
	private function __construct(
		public readonly array $amounts,
		public readonly bool $is_sure,
		public readonly bool $is_ours,
	) {
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
			$codes = self::SYMBOLS[ $word ] ?? self::SYMBOLS[ rtrim( $word, '.' ) ] ?? ( Currency::is_known( strtoupper( $word ) ) ? strtoupper( $word ) : '' );
			if ( $codes === '' ) {
				return null;
			}
			$named = array_intersect( $named ?? explode( ' ', $codes ), explode( ' ', $codes ) );
		}
		return $named ?? array();
	}

	/** @return array{0: float[], 1: bool} The amounts that a number can mean, and whether that is beyond doubt. */
	private static function amounts( string $number, int $digits, string $point, string $group ): array {
		$whole    = self::whole( $number );
		$is_split = preg_match( '/^(.+)([.,٫])(\d+)$/u', $number, $found );
		if ( ! $is_split ) {
			return array( self::sensible( $whole ), true );
		}
		list( , $before, $mark, $part ) = $found;
		$before                         = str_contains( $before, $mark ) ? null : self::whole( $before );
		$decimal                        = $before === null ? null : round( (float) "$before.$part", $digits );
		$is_exact                       = strlen( rtrim( $part, '0' ) ) <= $digits;
		if ( $decimal === null || $whole === null ) {
			return $decimal === null ? array( self::sensible( $whole ), true ) : array( self::sensible( (string) $decimal ), $is_exact );
		}
		// The text has one mark with three digits behind it.
		if ( $digits === 0 || ( $digits === 2 && $mark === $group ) ) {
			return array( self::sensible( $whole ), true );
		}
		return $digits === 3 && $mark === $point
			? array( self::sensible( (string) $decimal ), true )
			: array( array( ...self::sensible( (string) $decimal ), ...self::sensible( $whole ) ), false );
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
