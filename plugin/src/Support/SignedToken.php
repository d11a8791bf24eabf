<?php

declare(strict_types=1);

namespace Trousseau\Support;

defined( 'ABSPATH' ) || exit;

/**
 * Links that carry a right of their own: what it is for, what it is about, and a signature of this site. Opening one does
 * nothing; the page behind it has a button.
 */
final class SignedToken {

	/** The signed text: `about` and its signature for this purpose. */
	public static function sign( string $purpose, string $about ): string {
		return rtrim( strtr( base64_encode( $about ), '+/', '-_' ), '=' ) . '.' . Encryption::hash( "link $purpose", $about );
	}

	/** What a text was signed about for this purpose; nothing when this site never signed it. */
	public static function read( string $purpose, mixed $signed ): string {
		if ( ! is_string( $signed ) || ! preg_match( '/^([\w-]+)\.([\w-]+)$/D', $signed, $parts ) ) {
			return '';
		}
		$about = (string) base64_decode( strtr( $parts[1], '-_', '+/' ), true );
		return hash_equals( Encryption::hash( "link $purpose", $about ), $parts[2] ) ? $about : '';
	}

	/** The same for what must not stand in an address, and so in no log of addresses: somebody's mail address. */
	public static function seal( string $purpose, string $about ): string {
		return rtrim( strtr( Encryption::seal( array( $purpose, $about ) ), '+/', '-_' ), '=' );
	}

	/** What was sealed for this purpose; nothing when this site never did. */
	public static function open( string $purpose, mixed $sealed ): string {
		$found = is_string( $sealed ) ? Encryption::open( strtr( $sealed, '-_', '+/' ) ) : null;
		return is_array( $found ) && ( $found[0] ?? '' ) === $purpose ? (string) ( $found[1] ?? '' ) : '';
	}
}
