<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** Numbers of bank accounts by ISO 13616. */
final class Iban {

	/** Each country with the length of its numbers. */
	private const LENGTHS = 'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 '
		. 'DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 '
		. 'HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 '
		. 'MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 '
		. 'RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 '
		. 'VA22 VG24 XK20 YE30';

	/** @return array{0: string, 1: string} The first valid number in a text, without spaces and as it stands there; empty where there is none. */
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
		return preg_match( "/\b$country(\d\d)/", self::LENGTHS, $found ) ? (int) $found[1] : 0;
	}
}
