<?php

declare(strict_types=1);

namespace Trousseau\Platform;

use NumberFormatter;

/** The currencies of prices, and how a reader's language writes amounts in them. */
final class Currency {

	/** The currencies that a form offers; any other code that a registry has is shown as it is. */
	private const CODES = array( 'EUR', 'USD', 'GBP', 'CHF', 'CAD', 'AUD', 'NZD', 'SEK', 'NOK', 'DKK', 'ISK', 'PLN', 'CZK', 'HUF', 'RON', 'BGN', 'UAH', 'TRY', 'ILS', 'AED', 'SAR', 'QAR', 'KWD', 'BHD', 'OMR', 'JOD', 'EGP', 'MAD', 'TND', 'ZAR', 'NGN', 'KES', 'INR', 'PKR', 'BDT', 'LKR', 'JPY', 'CNY', 'HKD', 'TWD', 'KRW', 'SGD', 'MYR', 'THB', 'IDR', 'PHP', 'VND', 'BRL', 'MXN', 'ARS', 'CLP', 'COP', 'PEN', 'UYU' );

	/** Currencies without a smaller coin. */
	private const WHOLE = array( 'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF' );

	/** Currencies whose smaller coin is a thousandth. */
	private const THOUSANDTHS = array( 'BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND' );

	/** Countries whose currency is another country's; those of all others begin with the country's code, or are the euro. */
	private const FOREIGN = array( 'BG' => 'EUR', 'EC' => 'USD', 'FO' => 'DKK', 'GG' => 'GBP', 'GL' => 'DKK', 'GU' => 'USD', 'IM' => 'GBP', 'JE' => 'GBP', 'LI' => 'CHF', 'PA' => 'USD', 'PR' => 'USD', 'SV' => 'USD', 'VI' => 'USD' );

	/** The countries of those WordPress languages that name none. */
	private const REGIONS = array( 'af' => 'ZA', 'ary' => 'MA', 'cy' => 'GB', 'gd' => 'GB', 'ja' => 'JP', 'th' => 'TH', 'uk' => 'UA', 'vi' => 'VN' );

	/** @var array<string, NumberFormatter> Making one takes longer than writing a price with it. */
	private static array $formats = array();

	/** @return array<string, string> Code → name, for a choice. */
	public static function all( string $also = '' ): array {
		$codes = array_unique( array_filter( array( $also, ...self::CODES ) ) );
		$names = array_combine( $codes, array_map( array( self::class, 'name' ), $codes ) );
		$order = class_exists( 'Collator' ) ? \Collator::create( determine_locale() ) : null;
		$order ? $order->asort( $names ) : asort( $names );
		return $names;
	}

	/** The currency of a new registry: that of the country in which the site's time zone lies, or else of its language's country. */
	public static function of_site(): string {
		$place  = wp_timezone()->getLocation();
		$region = preg_match( '/^[A-Z]{2}$/D', $place['country_code'] ?? '' ) ? $place['country_code'] : self::region( get_locale() );
		$own    = $region === '' ? array() : preg_grep( "/^$region/", self::CODES );
		return self::FOREIGN[ $region ] ?? ( $own ? reset( $own ) : 'EUR' );
	}

	private static function region( string $locale ): string {
		return preg_match( '/^[a-z]{2,3}_([A-Z]{2})\b|^[a-z]{2,3}_([A-Z]{2})_/', $locale, $found ) ? end( $found ) : self::REGIONS[ $locale ] ?? '';
	}

	/** The number of decimals of a price, by ISO 4217. */
	public static function digits( string $code ): int {
		return match ( true ) {
			in_array( $code, self::WHOLE, true )       => 0,
			in_array( $code, self::THOUSANDTHS, true ) => 3,
			default                                    => 2,
		};
	}

	public static function is_known( string $code ): bool {
		return in_array( $code, array( ...self::CODES, ...self::WHOLE, ...self::THOUSANDTHS ), true );
	}

	/** An amount as the reader's language writes it; without a currency it is a number. */
	public static function amount( float $amount, string $code ): string {
		$is_whole = $code !== '' && floor( $amount ) === $amount;
		if ( class_exists( NumberFormatter::class ) ) {
			// The digits are WordPress's, as in all other numbers on the page.
			$format = self::format( $code === '' ? NumberFormatter::DECIMAL : NumberFormatter::CURRENCY, $is_whole ? 0 : self::digits( $code ) );
			$text   = $code === '' ? $format->format( $amount ) : $format->formatCurrency( $amount, $code );
			if ( is_string( $text ) ) {
				return $text;
			}
		}
		$text = number_format_i18n( $amount, $is_whole ? 0 : self::digits( $code ) );
		return $code === '' ? $text : $code . "\u{a0}" . $text;
	}

	/** An amount of minor units, such as cents, as the reader's language writes it. */
	public static function of_units( int $units, string $code ): string {
		return self::amount( self::from_units( $units, $code ), $code );
	}

	public static function from_units( int $units, string $code ): float {
		return $units / 10 ** self::digits( $code );
	}

	public static function to_units( float $amount, string $code ): int {
		return (int) round( $amount * 10 ** self::digits( $code ) );
	}

	/** An amount as someone would type it in their language, with all its digits even if the currency has fewer. */
	public static function typed( float $amount, string $code ): string {
		$part   = rtrim( explode( '.', sprintf( '%.3F', $amount ) )[1], '0' );
		$digits = $part === '' ? 0 : max( self::digits( $code ), strlen( $part ) );
		if ( ! class_exists( NumberFormatter::class ) ) {
			return number_format( $amount, $digits, '.', '' );
		}
		$format = new NumberFormatter( determine_locale() . '@numbers=latn', NumberFormatter::DECIMAL );
		$format->setAttribute( NumberFormatter::FRACTION_DIGITS, $digits );
		$format->setAttribute( NumberFormatter::GROUPING_USED, 0 );
		return (string) $format->format( $amount );
	}

	/** @param int $digits Behind the point. */
	private static function format( int $style, int $digits ): NumberFormatter {
		$locale = determine_locale() . '@numbers=latn';
		$format = &self::$formats[ "$locale $style $digits" ];
		if ( ! $format ) {
			$format = new NumberFormatter( $locale, $style );
			$format->setAttribute( NumberFormatter::FRACTION_DIGITS, $digits );
		}
		return $format;
	}

	/** The currency as people speak of it: “British pounds”. */
	public static function plural( string $code ): string {
		return self::word( 'CurrencyPlurals', $code, 'other' ) ?? $code;
	}

	private static function name( string $code ): string {
		$name = self::word( 'Currencies', $code, 1 );
		return $name === null ? $code : "$name ($code)";
	}

	private static function word( string $table, string $code, string|int $key ): ?string {
		$bundle = class_exists( 'ResourceBundle' ) ? \ResourceBundle::create( determine_locale(), 'ICUDATA-curr', true ) : null;
		$word   = $bundle?->get( $table )?->get( $code )?->get( $key );
		return is_string( $word ) ? $word : null;
	}
}
