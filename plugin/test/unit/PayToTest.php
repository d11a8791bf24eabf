<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Platform\Iban;
use Trousseau\GroupGifts\PayTo;

final class PayToTest extends UnitTestCase {

	private const IBAN = 'DE89370400440532013000';

	/** A text, the account in it, its holder's name, and the links. */
	private const READ = array(
		array( 'DE89 3704 0044 0532 0130 00, Ann & Bob', self::IBAN, 'Ann & Bob', array() ),
		array( 'de89370400440532013000', self::IBAN, '', array() ),
		array( "Ann Miller: DE89\u{a0}3704 0044 0532 0130 00", self::IBAN, 'Ann Miller', array() ),
		array( 'DE89 3704 0044 0532 0130 00 Ann Miller', self::IBAN, 'Ann Miller', array() ),
		array( "DE89 3704 0044 0532 0130 00\nAnn Miller\nThank you so much!", self::IBAN, 'Ann Miller', array() ),
		array( "Ann Miller\nDE89 3704 0044 0532 0130 00\nThank you so much!", self::IBAN, 'Ann Miller', array() ),
		array( "Ann Miller\nDE89 3704 0044 0532 0130 00\nThank you so much! ❤️\nLove you all.", self::IBAN, 'Ann Miller', array() ),
		array( "Bankverbindung:\nDE89 3704 0044 0532 0130 00\nFörderverein Lindenhof e.V.", self::IBAN, 'Förderverein Lindenhof e.V.', array() ),
		array( 'Please send it to DE89 3704 0044 0532 0130 00, Ann Miller.', self::IBAN, 'Ann Miller.', array() ),
		array( "Ann Miller, DE89 3704 0044 0532 0130 00\nPayPal: paypal.me/ann", self::IBAN, 'Ann Miller', array( 'https://paypal.me/ann' ) ),
		array( 'DE89 3704 0044 0532 0130 00 – Димитър', self::IBAN, 'Димитър', array() ),
		array( 'In an envelope, or DE89 3704 0044 0532 0130 00, Amira Berg', self::IBAN, 'Amira Berg', array() ),
		array( 'Ann Miller, DE89 3704 0044 0532 0130 00, by June', self::IBAN, 'Ann Miller', array() ),
		array( 'Ann; IBAN: DE89-3704-0044-0532-0130-00; BIC COBADEFFXXX', self::IBAN, 'Ann', array() ),
		array( "\u{200f}DE89 3704 0044 0532 0130 00\u{200f}، آن", self::IBAN, 'آن', array() ),
		array( 'DE88 3704 0044 0532 0130 00, Ann', '', '', array() ),
		array( 'DE89 3704 0044 0532 0130 0, Ann', '', '', array() ),
		array( 'DE89 3704 0044 0532 0130 000, Ann', '', '', array() ),
		array( 'XX89 3704 0044 0532 0130 00', '', '', array() ),
		array( 'NO93 8601 1117 947, Kari', 'NO9386011117947', 'Kari', array() ),
		array( 'MT84 MALT 0110 0001 2345 MTLC AST0 01S', 'MT84MALT011000012345MTLCAST001S', '', array() ),
		array( 'At the door of no. DE89, in an envelope', '', '', array() ),
		array( 'https://paypal.me/annbob.', '', '', array( 'https://paypal.me/annbob' ) ),
		array( 'paypal.me/annbob or in an envelope', '', '', array( 'https://paypal.me/annbob' ) ),
		array( 'http://paypal.example/ann', '', '', array() ),
		array( 'https://bank@evil.example/', '', '', array() ),
		array( 'javascript:alert(1)', '', '', array() ),
		array( '', '', '', array() ),
	);

	public function test_an_account_its_holder_and_links_are_found_in_what_people_write(): void {
		foreach ( self::READ as list( $text, $iban, $name, $links ) ) {
			$read = PayTo::read( $text );
			self::assertSame( array( $iban, $name, $links ), array( $read->iban, $read->name, $read->links ), $text );
		}
		self::assertSame( 'DE89 3704 0044 0532 0130 00', Iban::shown( self::IBAN ) );
		self::assertTrue( PayTo::read( 'DE89 3704 0044 0532 0130 00, Ann & Bob' )->is_account_only() );
		self::assertFalse( PayTo::read( 'DE89 3704 0044 0532 0130 00, Ann & Bob, by June' )->is_account_only() );
		self::assertFalse( PayTo::read( 'In an envelope' )->is_account_only() );
	}

	public function test_the_code_for_banking_apps_follows_epc069_12(): void {
		$pay_to = PayTo::read( 'DE89 3704 0044 0532 0130 00, Ann & Bob' );
		self::assertSame( "BCD\n002\n1\nSCT\n\nAnn & Bob\nDE89370400440532013000\nEUR50.00\n\n\nPram for May", $pay_to->code( 5000, 'EUR', "Pram\nfor  May", '' ) );
		self::assertStringContainsString( "\nSam\n", PayTo::read( self::IBAN )->code( 1, 'EUR', 'Pram', 'Sam' ) );
		self::assertStringContainsString( "\nEUR0.01\n", $pay_to->code( 1, 'EUR', 'Pram', '' ) );
		foreach ( array( str_repeat( 'عربة ', 60 ), str_repeat( '🍼', 200 ), str_repeat( 'x', 500 ) ) as $long ) {
			$code = PayTo::read( self::IBAN . ', ' . str_repeat( 'ö', 90 ) )->code( 99_999_999_999, 'EUR', $long, '' );
			self::assertLessThanOrEqual( 331, strlen( $code ) );
			self::assertTrue( mb_check_encoding( $code, 'UTF-8' ) );
			self::assertSame( 70, mb_strlen( explode( "\n", $code )[5] ) );
		}
		self::assertSame( '', $pay_to->code( 5000, 'CHF', 'Pram', '' ) );
		self::assertSame( '', $pay_to->code( 0, 'EUR', 'Pram', '' ) );
		self::assertSame( '', PayTo::read( 'In an envelope' )->code( 5000, 'EUR', 'Pram', 'Ann' ) );
		self::assertSame( '', PayTo::read( self::IBAN )->code( 5000, 'EUR', 'Pram', '' ) );
	}

	public function test_paypal_s_links_take_the_amount_and_others_stay(): void {
		$links = array(
			'https://paypal.me/ann'               => 'https://paypal.me/ann/50.00EUR',
			'https://www.paypal.me/ann/'          => 'https://www.paypal.me/ann/50.00EUR',
			'https://www.paypal.com/paypalme/ann' => 'https://www.paypal.com/paypalme/ann/50.00EUR',
			'https://paypal.me/ann/20'            => 'https://paypal.me/ann/20',
			'https://paypal.me.example/ann'       => 'https://paypal.me.example/ann',
			'https://bank.example/pay?to=ann'     => 'https://bank.example/pay?to=ann',
		);
		foreach ( $links as $link => $shown ) {
			self::assertSame( $shown, PayTo::with_amount( $link, 5000, 'EUR' ) );
		}
		self::assertSame( 'https://paypal.me/ann/5000JPY', PayTo::with_amount( 'https://paypal.me/ann', 5000, 'JPY' ) );
	}

	public function test_a_number_that_cannot_be_an_account_is_noticed(): void {
		$numbers = array(
			'DE89 3704 0044 0532 0130 01, Bob Berg'                   => true,
			'DE89 3704 0044 0532 0130 0'                              => true,
			'FR14 2004 1010 0505 0001 3M02 606'                       => false,
			'in an envelope, to room DE12'                            => false,
			'https://paypal.me/de1234567890'                          => false,
			'Call me at 0171 2345678, or au numéro de 06 12 34 56 78' => false,
			'My account is 1234567890'                                => false,
			'ZZ12 3456 7890 1234 56'                                  => false,
		);
		foreach ( $numbers as $text => $is_mistyped ) {
			self::assertSame( $is_mistyped, Iban::is_mistyped( $text ), $text );
		}
	}
}
