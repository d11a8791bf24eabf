<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Platform\Encryption;
use Trousseau\Platform\Keys;
use Trousseau\Platform\SignedToken;

final class EncryptionTest extends UnitTestCase {

	public function test_a_sealed_value_is_read_again_and_stands_nowhere_in_the_clear_and_any_other_text_opens_to_nothing(): void {
		foreach ( array( array( 'name' => 'Kännchen', 'price' => 10.0 ), 'Anna', 5, null ) as $value ) {
			$sealed = Encryption::seal( $value );
			self::assertSame( $value, Encryption::open( $sealed ) );
			self::assertStringNotContainsString( 'Anna', $sealed );
			self::assertNotSame( $sealed, Encryption::seal( $value ) );
		}
		$sealed = Encryption::seal( 'Anna' );
		foreach ( array( '', 'Anna', substr( $sealed, 0, 40 ), strrev( $sealed ), base64_encode( 'x' . base64_decode( $sealed ) ), false, null, array( $sealed ) ) as $other ) {
			self::assertNull( Encryption::open( $other ) );
		}
	}

	public function test_what_was_made_with_a_former_key_is_still_read_and_text_that_was_never_sealed_is_not_unreadable(): void {
		self::assertSame( array( TROUSSEAU_KEY, $GLOBALS['stored']['trousseau_key'], ...TROUSSEAU_FORMER_KEYS, wp_salt() ), Keys::all() );
		$nonce = random_bytes( SODIUM_CRYPTO_SECRETBOX_NONCEBYTES );
		foreach ( array( ...Keys::all(), 'a key that is lost' ) as $secret ) {
			$key    = static fn( string $purpose ): string => sodium_crypto_generichash( "trousseau $purpose $secret" );
			$sealed = base64_encode( $nonce . sodium_crypto_secretbox( '"Anna"', $nonce, $key( 'sealed' ) ) );
			$mark   = rtrim( strtr( base64_encode( sodium_crypto_generichash( '5', $key( 'link gift' ), 16 ) ), '+/', '-_' ), '=' );
			$lost   = $secret === 'a key that is lost';
			self::assertSame( $lost ? null : 'Anna', Encryption::open( $sealed ) );
			self::assertSame( $lost, Encryption::is_unreadable( $sealed ) );
			self::assertSame( $lost ? '' : '5', SignedToken::read( 'gift', 'NQ.' . $mark ) );
		}
		foreach ( array( '', '5', '2027-05-30', 'Ann & Bob', '{"5":"Kitchen"}', 'abcd efgh ijkl mnop qrst uvwx' ) as $text ) {
			self::assertFalse( Encryption::is_unreadable( $text ) );
		}
	}

	public function test_a_fingerprint_a_signed_text_and_a_sealed_address_are_for_one_purpose(): void {
		self::assertSame( Encryption::hash( 'a', 'x' ), Encryption::hash( 'a', 'x' ) );
		self::assertNotSame( Encryption::hash( 'a', 'x' ), Encryption::hash( 'b', 'x' ) );
		self::assertMatchesRegularExpression( '/^[\w-]{22}$/', Encryption::hash( 'a', 'x' ) );
		$signed = SignedToken::sign( 'gift', '5 ä' );
		self::assertSame( '5 ä', SignedToken::read( 'gift', $signed ) );
		foreach ( array( 'list' => $signed, 'gift' => substr( $signed, 0, -1 ) . 'x', ' gift' => $signed ) as $purpose => $text ) {
			self::assertSame( '', SignedToken::read( $purpose, $text ) );
		}
		self::assertSame( '', SignedToken::read( 'gift', array( $signed ) ) );
		self::assertSame( '', SignedToken::read( 'gift', "$signed\n" ) );
		$sealed = SignedToken::seal( 'no-mail', 'anna@example.org' );
		self::assertMatchesRegularExpression( '/^[\w-]+$/', $sealed );
		self::assertSame( 'anna@example.org', SignedToken::open( 'no-mail', $sealed ) );
		self::assertSame( '', SignedToken::open( 'my-gifts', $sealed ) );
		self::assertSame( '', SignedToken::open( 'no-mail', 'anna@example.org' ) );
		self::assertSame( '', SignedToken::read( 'no-mail', $sealed ) );
	}
}
