<?php

declare(strict_types=1);

namespace Trousseau\Support;

defined( 'ABSPATH' ) || exit;

/** Encrypts and signs values for the database, caches and cookies, so that only this site can read and write them. */
final class Encryption {

	public static function seal( mixed $value ): string {
		$nonce = random_bytes( SODIUM_CRYPTO_SECRETBOX_NONCEBYTES );
		return base64_encode( $nonce . sodium_crypto_secretbox( (string) wp_json_encode( $value, JSON_PRESERVE_ZERO_FRACTION | JSON_UNESCAPED_UNICODE ), $nonce, self::key( 'sealed' ) ) );
	}

	/** The value that this site has sealed, or null where the text isn't one. */
	public static function open( mixed $sealed ): mixed {
		$bytes = is_string( $sealed ) ? base64_decode( $sealed, true ) : false;
		if ( ! $bytes || strlen( $bytes ) <= SODIUM_CRYPTO_SECRETBOX_NONCEBYTES ) {
			return null;
		}
		$nonce = substr( $bytes, 0, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES );
		$text  = sodium_crypto_secretbox_open( substr( $bytes, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES ), $nonce, self::key( 'sealed' ) );
		return is_string( $text ) ? json_decode( $text, true ) : null;
	}

	/** A keyed hash of a text: it tells nothing about the text, and only this site can make it. */
	public static function hash( string $purpose, string $text ): string {
		return rtrim( strtr( base64_encode( sodium_crypto_generichash( $text, self::key( $purpose ), 16 ) ), '+/', '-_' ), '=' );
	}

	/** The same fingerprint in letters that databases don't confuse: names in tables are compared without case. */
	public static function hex( string $purpose, string $text ): string {
		return self::as_hex( self::hash( $purpose, $text ) );
	}

	/** A fingerprint of `hash()` in the letters of `hex()`. */
	public static function as_hex( string $hash ): string {
		return bin2hex( (string) base64_decode( strtr( $hash, '-_', '+/' ), true ) );
	}

	private static function key( string $purpose ): string {
		// Sites of a network have the same salts.
		return sodium_crypto_generichash( 'trousseau ' . Network::mark() . "$purpose " . wp_salt( 'auth' ) );
	}
}
