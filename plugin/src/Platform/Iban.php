<?php

declare(strict_types=1);

namespace Trousseau\Platform;

defined( 'ABSPATH' ) || exit;

/** Numbers of bank accounts by ISO 13616. */
final class Iban {

	/** The length of a number → the countries that have it. */
	private const COUNTRIES = array(
		15 => 'NO',
		16 => 'BE',
		18 => 'DK FI FK FO GL NL SD',
		19 => 'MK SI',
		20 => 'AT BA EE KZ LT LU MN XK',
		21 => 'CH HR LI LV',
		22 => 'BG BH CR DE GB GE IE ME RS VA',
		23 => 'AE GI IL IQ OM SO TL',
		24 => 'AD CZ ES MD PK RO SA SE SK TN VG',
		25 => 'LY PT ST',
		26 => 'IS TR',
		27 => 'BI DJ FR GR IT MC MR SM',
		28 => 'AL AZ BY CY DO GT HN HU LB NI PL SV',
		29 => 'BR EG PS QA UA',
		30 => 'JO KW MU YE',
		31 => 'MT SC',
		32 => 'LC',
		33 => 'RU',
	);

	/**
	 * The first valid number in a text.
	 *
	 * @return array{0: string, 1: string} The number without spaces, and as it stands in the text; nothing where there is none.
	 */
	public static function find( string $text ): array {
		preg_match_all( '/(?<![\p{L}\p{N}])[A-Za-z]{2}\s?\d\s?\d/u', $text, $starts, PREG_OFFSET_CAPTURE );
		foreach ( $starts[0] as list( $start, $offset ) ) {
			$more = self::length( strtoupper( substr( $start, 0, 2 ) ) ) - 1;
			if ( $more > 0 && preg_match( "/\G[A-Za-z](?:[\\s.-]?[A-Za-z0-9]){{$more}}(?![\\p{L}\\p{N}])/u", $text, $found, 0, $offset ) ) {
				$iban = strtoupper( (string) preg_replace( '/[^A-Za-z0-9]/', '', $found[0] ) );
				if ( self::is_valid( $iban ) ) {
					return array( $iban, $found[0] );
				}
			}
		}
		return array( '', '' );
	}

	/** Whether a text has something that looks like an IBAN by its beginning and length, but no valid one. */
	public static function is_mistyped( string $text ): bool {
		preg_match_all( '/(?<![\p{L}\p{N}\/=_.@-])([A-Za-z]{2})\d\d(?:[\s.-]?[A-Za-z]{0,4}\d)+/u', $text, $numbers, PREG_SET_ORDER );
		$is_near = static fn( array $number ): bool => abs( strlen( (string) preg_replace( '/[^A-Za-z0-9]/', '', $number[0] ) ) - self::length( strtoupper( $number[1] ) ) ) <= 3;
		return array_filter( $numbers, $is_near ) && self::find( $text )[0] === '';
	}

	/** In groups of four, as people read it. */
	public static function shown( string $iban ): string {
		return trim( chunk_split( $iban, 4, ' ' ) );
	}

	/** Whether the checksum is right: the number, its beginning moved to its end and letters written as numbers, leaves 1 when divided by 97. */
	private static function is_valid( string $iban ): bool {
		$rest = 0;
		foreach ( str_split( substr( $iban, 4 ) . substr( $iban, 0, 4 ) ) as $sign ) {
			foreach ( str_split( ctype_alpha( $sign ) ? (string) ( ord( $sign ) - 55 ) : $sign ) as $digit ) {
				$rest = ( 10 * $rest + (int) $digit ) % 97;
			}
		}
		return $rest === 1;
	}

	private static function length( string $country ): int {
		foreach ( self::COUNTRIES as $length => $countries ) {
			if ( in_array( $country, explode( ' ', $countries ), true ) ) {
				return $length;
			}
		}
		return 0;
	}
}
