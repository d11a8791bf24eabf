<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Gifts\Price;
use Trousseau\Platform\Currency;

final class PriceTest extends UnitTestCase {

	/** What people type in a language and a currency. A number: certain. A list: the amounts that it can mean. Null: no price. */
	private const CASES = array(
		array( 'en_US', 'USD', array( '24.90' => 24.9, '24,90' => 24.9, '24' => 24.0, '.99' => 0.99, '1,299' => 1299.0, '1,299.50' => 1299.5, '1.299,50' => 1299.5 ) ),
		array( 'en_US', 'USD', array( '1,234,567' => 1234567.0 ) ),
		array( 'en_US', 'INR', array( '1,23,456.50' => 123456.5 ) ),
		array( 'en_US', 'USD', array( '12.345' => array( 12.35, 12345.0 ), '12.500' => array( 12.5, 12500.0 ), '0.125' => array( 0.13 ), '0.500' => 0.5 ) ),
		array( 'en_US', 'USD', array( '1,234.567' => array( 1234.57 ), '$24.90' => 24.9, 'US$ 24.90' => 24.9, '24.90 usd' => 24.9, '1.234,50 €' => array( 1234.5 ) ) ),
		array( 'en_US', 'USD', array( '£24' => array( 24.0 ), 'CA$24' => array( 24.0 ) ) ),
		array( 'en_US', 'CAD', array( '$24' => 24.0 ) ),
		array( 'en_US', 'USD', array( '24 EUR' => array( 24.0 ) ) ),
		array( 'en_US', '', array( '24 €' => 24.0 ) ),
		array( 'en_US', 'USD', array( 'a lot' => null, '24 90' => null, '1.2.3' => null, '12,34,5' => null, '-5' => null, '0' => null, '20-30' => null, '24 apples' => null, 'USD.50' => null ) ),
		array( 'en_US', 'USD', array( '1e5' => null, '999999999999' => null ) ),
		array( 'de_DE', 'EUR', array( '24,90' => 24.9, '24.90' => 24.9, '12.345' => 12345.0, '12,345' => array( 12.35, 12345.0 ), '1.299,– €' => 1299.0, '24,-' => 24.0 ) ),
		array( 'de_DE', 'EUR', array( '24,– Euro' => 24.0, '1.234.567,5' => 1234567.5 ) ),
		array( 'de_CH', 'CHF', array( "1'299.50" => 1299.5, '1’299.–' => 1299.0, 'Fr. 24.90' => 24.9, 'CHF 12.345' => array( 12.35, 12345.0 ) ) ),
		array( 'fr_FR', 'EUR', array( "1\u{202f}299,50 €" => 1299.5, "1\u{a0}299" => 1299.0, '12 345,5' => 12345.5, '12.345' => array( 12.35, 12345.0 ) ) ),
		array( 'es_ES', 'EUR', array( '12.345' => 12345.0 ) ),
		array( 'ar', 'SAR', array( '٢٤٫٩٠' => 24.9, '١٬٢٩٩٫٥٠ ر.س' => 1299.5, "\u{200f}٢٤٫٩٠\u{a0}ر.س.\u{200f}" => 24.9 ) ),
		array( 'ar', 'EGP', array( '٢٤،٥٠ ج.م' => 24.5 ) ),
		array( 'ar', 'KWD', array( '١٢٫٣٤٥ د.ك' => 12.345 ) ),
		array( 'ar', 'SAR', array( '١٢٫٣٤٥' => array( 12.35 ) ) ),
		array( 'en_US', 'KWD', array( '12.345' => 12.345, '0.125' => 0.125 ) ),
		array( 'en_US', 'BHD', array( '1,234.567' => 1234.567 ) ),
		array( 'en_US', 'KWD', array( '12,345' => array( 12.345, 12345.0 ) ) ),
		array( 'de_DE', 'TND', array( '12,345' => 12.345, '12.345' => array( 12.345, 12345.0 ) ) ),
		array( 'en_US', 'KWD', array( '1.2345' => array( 1.235 ) ) ),
		array( 'en_US', 'JPY', array( '12,345' => 12345.0, '12.345' => 12345.0 ) ),
		array( 'de_DE', 'JPY', array( '12.345' => 12345.0 ) ),
		array( 'en_US', 'JPY', array( '¥1500' => 1500.0 ) ),
		array( 'en_US', 'CNY', array( '¥1500' => 1500.0 ) ),
		array( 'en_US', 'JPY', array( '１５００円' => 1500.0, '24.90' => array( 25.0 ), '24.00' => 24.0 ) ),
		array( 'en_US', 'SEK', array( '1 299:-' => null, '249 kr' => 249.0 ) ),
	);

	/** Amounts by currency. */
	private const SHOWN = array(
		'EUR' => array( 24.9, 1299.0, 0.5, 123456.78 ),
		'KWD' => array( 12.345, 12.3, 1299.0, 0.125 ),
		'JPY' => array( 1500.0, 12345.0 ),
	);

	public function test_a_price_is_read_by_the_language_and_the_currency_of_the_list_and_in_doubt_where_it_names_another(): void {
		foreach ( self::CASES as list( $locale, $currency, $cases ) ) {
			foreach ( $cases as $typed => $expected ) {
				$price = Price::read( (string) $typed, $currency, $locale );
				self::assertSame( $expected, $price ? ( $price->is_sure ? $price->amounts[0] : $price->amounts ) : null, "$locale $currency $typed" );
			}
		}
		self::assertFalse( Price::read( '24 EUR', 'USD', 'en_US' )->is_ours );
		self::assertTrue( Price::read( '12.345', 'USD', 'en_US' )->is_ours );
	}

	public function test_a_price_that_is_typed_as_it_is_shown_is_the_same_price_again(): void {
		foreach ( array( 'en_US', 'de_DE', 'de_CH', 'fr_FR', 'es_ES', 'ar', 'sv_SE' ) as $locale ) {
			$GLOBALS['locale'] = $locale;
			foreach ( self::SHOWN as $code => $amounts ) {
				foreach ( $amounts as $amount ) {
					foreach ( array( Currency::typed( $amount, $code ), Currency::amount( $amount, $code ) ) as $text ) {
						$price = Price::read( $text, $code, $locale );
						self::assertContains( $amount, $price->amounts ?? array(), "$locale $text" );
						self::assertTrue( $price->is_sure || $code === 'KWD', "$locale $text" );
					}
				}
			}
		}
	}

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
