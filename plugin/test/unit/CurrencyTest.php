<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Platform\Currency;

final class CurrencyTest extends UnitTestCase {

	public function test_an_amount_is_written_as_the_language_writes_it(): void {
		$written = array(
			array( 'en_US', 24.9, 'USD', '$24.90' ),
			array( 'en_US', 24.0, 'USD', '$24' ),
			array( 'en_US', 1289.5, '', '1,289.50' ),
			array( 'de_DE', 1289.5, 'EUR', "1.289,50\u{a0}€" ),
			array( 'en_US', 1500.0, 'JPY', '¥1,500' ),
			array( 'en_US', 0.125, 'KWD', "KWD\u{a0}0.125" ),
			array( 'ar', 1289.5, 'EUR', "\u{200f}1,289.50\u{a0}€" ),
		);
		foreach ( $written as list( $locale, $amount, $code, $text ) ) {
			$GLOBALS['locale'] = $locale;
			self::assertSame( $text, Currency::amount( $amount, $code ), "$locale $code" );
		}
	}

	public function test_an_amount_is_typed_without_groups_and_symbols_and_loses_no_digit_of_its_currency(): void {
		self::assertSame( '1289.50', Currency::typed( 1289.5, 'USD' ) );
		self::assertSame( '24', Currency::typed( 24.0, 'USD' ) );
		self::assertSame( '0.125', Currency::typed( 0.125, 'USD' ) );
		$GLOBALS['locale'] = 'de_DE';
		self::assertSame( '1289,50', Currency::typed( 1289.5, 'EUR' ) );
		$GLOBALS['locale'] = 'ar';
		self::assertSame( '24.90', Currency::typed( 24.9, 'SAR' ) );
		self::assertSame( array( 2, 0, 3, 2 ), array_map( array( Currency::class, 'digits' ), array( 'EUR', 'JPY', 'KWD', '' ) ) );
	}

	public function test_currencies_are_named_as_people_say_it_in_the_order_of_the_reader’s_alphabet(): void {
		self::assertSame( 'British pounds', Currency::plural( 'GBP' ) );
		$GLOBALS['locale'] = 'fr_FR';
		self::assertSame( 'livres sterling', Currency::plural( 'GBP' ) );
		self::assertSame( 'XXQ', Currency::plural( 'XXQ' ) );
		$GLOBALS['locale'] = 'de_DE';
		$names             = array_values( Currency::all() );
		self::assertLessThan( array_search( 'Euro (EUR)', $names, true ), array_search( 'Ägyptisches Pfund (EGP)', $names, true ) );
		self::assertArrayHasKey( 'XXX', Currency::all( 'XXX' ) );
	}

	public function test_a_new_list_has_the_currency_of_the_site’s_region_or_of_its_language’s(): void {
		$expected = array(
			array( 'de_CH', 'UTC', 'CHF' ),
			array( 'en_US', 'UTC', 'USD' ),
			array( 'ja', 'UTC', 'JPY' ),
			array( 'uk', '+02:00', 'UAH' ),
			array( 'de_DE_formal', 'UTC', 'EUR' ),
			array( 'ar', 'UTC', 'EUR' ),
			array( 'bg_BG', 'UTC', 'EUR' ),
			// A new site speaks American English wherever it is.
			array( 'en_US', 'Europe/London', 'GBP' ),
			array( 'en_US', 'Europe/Berlin', 'EUR' ),
			array( 'de_DE', 'Europe/Zurich', 'CHF' ),
			array( 'fr_FR', 'America/Toronto', 'CAD' ),
			array( 'es_ES', 'America/Guayaquil', 'USD' ),
			array( 'ar', 'Africa/Cairo', 'EGP' ),
			array( 'en_GB', 'Etc/GMT+1', 'GBP' ),
		);
		foreach ( $expected as list( $locale, $zone, $code ) ) {
			$GLOBALS['locale'] = $locale;
			$GLOBALS['zone']   = $zone;
			self::assertSame( $code, Currency::of_site(), "$locale $zone" );
		}
	}
}
