<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/**
 * Signed text, for links that carry a right of their own, and for cookies and fields of forms. A signature holds for one
 * purpose. Opening such a link does nothing; the page behind it has a button.
 */
final class SignedToken {

	/** The signed text: `about` and its signature for this purpose. */
	public static function sign( string $purpose, string $about ): string {
		return rtrim( strtr( base64_encode( $about ), '+/', '-_' ), '=' ) . '.' . Encryption::sign( "link $purpose", $about );
	}

	/** The text that this site has signed for this purpose. Empty if the signature is wrong. */
	public static function read( string $purpose, mixed $signed ): string {
		if ( ! is_string( $signed ) || ! preg_match( '/^([\w-]+)\.([\w-]+)$/D', $signed, $parts ) ) {
			return '';
		}
		$about = (string) base64_decode( strtr( $parts[1], '-_', '+/' ), true );
		return Encryption::is_signature( "link $purpose", $about, $parts[2] ) ? $about : '';
	}

	/** Signs and encrypts a text for an address, whose logs must not show it, such as someone's email address. */
	public static function seal( string $purpose, string $about ): string {
		return rtrim( strtr( Encryption::seal( array( $purpose, $about ) ), '+/', '-_' ), '=' );
	}

	/** The text that this site has sealed for this purpose. Empty if it hasn't. */
	public static function open( string $purpose, mixed $sealed ): string {
		$found = is_string( $sealed ) ? Encryption::open( strtr( $sealed, '-_', '+/' ) ) : null;
		return is_array( $found ) && ( $found[0] ?? '' ) === $purpose ? (string) ( $found[1] ?? '' ) : '';
	}
}
