<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** Encrypts and signs values for the database, caches and cookies, so that only this site can read and write them. */
final class Encryption {

	/** The bytes of the shortest sealed text. */
	private const LEAST = SODIUM_CRYPTO_SECRETBOX_NONCEBYTES + SODIUM_CRYPTO_SECRETBOX_MACBYTES;

	public static function seal( mixed $value ): string {
		$nonce = random_bytes( SODIUM_CRYPTO_SECRETBOX_NONCEBYTES );
		$text  = (string) wp_json_encode( $value, JSON_PRESERVE_ZERO_FRACTION | JSON_UNESCAPED_UNICODE );
		return base64_encode( $nonce . sodium_crypto_secretbox( $text, $nonce, self::key( 'sealed', Keys::current() ) ) );
	}

	/** The value that this site has sealed, or null if the text isn't one. */
	public static function open( mixed $sealed ): mixed {
		$bytes = self::bytes( $sealed );
		if ( $bytes === '' ) {
			return null;
		}
		foreach ( Keys::all() as $secret ) {
			$text = sodium_crypto_secretbox_open( substr( $bytes, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES ), substr( $bytes, 0, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES ), self::key( 'sealed', $secret ) );
			if ( is_string( $text ) ) {
				return json_decode( $text, true );
			}
		}
		return null;
	}

	/** Whether a text looks sealed, and none of the site's keys opens it. */
	public static function is_unreadable( mixed $text ): bool {
		return self::bytes( $text ) !== '' && self::open( $text ) === null;
	}

	/** A signature of a text, which only this site can make. */
	public static function sign( string $purpose, string $text ): string {
		return self::hash_by( Keys::current(), $purpose, $text );
	}

	public static function is_signature( string $purpose, string $text, string $signature ): bool {
		return (bool) array_filter( Keys::all(), static fn( string $secret ): bool => hash_equals( self::hash_by( $secret, $purpose, $text ), $signature ) );
	}

	/** A keyed hash that stands for a text in names. It reveals nothing about the text, and stays the same whatever keys come and go. */
	public static function hash( string $purpose, string $text ): string {
		return self::hash_by( Keys::own(), $purpose, $text );
	}

	/** The same fingerprint in letters that databases don't confuse: names in tables are compared without case. */
	public static function hex( string $purpose, string $text ): string {
		return bin2hex( (string) base64_decode( strtr( self::hash( $purpose, $text ), '-_', '+/' ), true ) );
	}

	private static function bytes( mixed $sealed ): string {
		$bytes = is_string( $sealed ) ? (string) base64_decode( $sealed, true ) : '';
		// A long name of letters and spaces is base64 to PHP, too.
		return strlen( $bytes ) > self::LEAST && rtrim( base64_encode( $bytes ), '=' ) === rtrim( $sealed, '=' ) ? $bytes : '';
	}

	private static function hash_by( string $secret, string $purpose, string $text ): string {
		return rtrim( strtr( base64_encode( sodium_crypto_generichash( $text, self::key( $purpose, $secret ), 16 ) ), '+/', '-_' ), '=' );
	}

	private static function key( string $purpose, string $secret ): string {
		return sodium_crypto_generichash( 'trousseau ' . Keys::mark( $secret ) . "$purpose $secret" );
	}
}
