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
		array( 'en_US', 'USD', array( 'a lot' => null, '24 90' => null, '1.2.3' => null, '12,34,5' => null, '-5' => null, '0' => null, '20-30' => null, '24 apples' => null ) ),
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
				$found = $price ? ( $price->is_sure ? $price->amounts[0] : $price->amounts ) : null;
				self::assertSame( $expected, $found, "$locale $currency $typed" );
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
						// Three digits can be thousandths of a dinar, or thousands.
						self::assertTrue( $price->is_sure || $code === 'KWD', "$locale $text" );
					}
				}
			}
		}
	}
}
