<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Platform\Request;
use Trousseau\Plugin;

final class RequestTest extends UnitTestCase {

	protected function tearDown(): void {
		unset( $_SERVER['HTTP_SEC_FETCH_SITE'], $_SERVER['HTTP_ORIGIN'], $_SERVER['HTTP_REFERER'], $_SERVER['REMOTE_ADDR'] );
	}

	public function test_a_form_comes_from_this_site_or_from_another_where_the_browser_says_so(): void {
		$sent = array(
			// Headers, whether they are of a page of this site, and of another's.
			array( array( 'HTTP_SEC_FETCH_SITE' => 'same-origin' ), true, false ),
			array( array( 'HTTP_SEC_FETCH_SITE' => 'same-site', 'HTTP_ORIGIN' => 'https://site.example' ), false, true ),
			array( array( 'HTTP_SEC_FETCH_SITE' => 'none' ), false, false ),
			array( array( 'HTTP_ORIGIN' => 'https://site.example' ), true, false ),
			array( array( 'HTTP_REFERER' => 'https://site.example/shop/registries/new/' ), true, false ),
			array( array( 'HTTP_REFERER' => 'https://elsewhere.example/' ), false, false ),
			array( array( 'HTTP_ORIGIN' => 'https://behind.a.proxy', 'HTTP_SEC_FETCH_SITE' => 'same-origin' ), true, false ),
			array( array( 'HTTP_ORIGIN' => 'http://site.example' ), false, true ),
			array( array( 'HTTP_ORIGIN' => 'https://site.example:8443' ), false, true ),
			array( array( 'HTTP_ORIGIN' => 'https://site.example.evil.example' ), false, true ),
			array( array( 'HTTP_ORIGIN' => 'null' ), false, true ),
			array( array( 'HTTP_SEC_FETCH_SITE' => 'same-origin', 'HTTP_ORIGIN' => 'https://site.example' ), true, false ),
			array( array( 'HTTP_SEC_FETCH_SITE' => 'none', 'HTTP_ORIGIN' => 'chrome-extension://abcdefghijklmnop' ), false, false ),
			array( array( 'HTTP_ORIGIN' => 'moz-extension://01234567' ), false, false ),
			array( array(), false, false ),
		);
		foreach ( $sent as list( $headers, $is_from_here, $is_from_elsewhere ) ) {
			$this->tearDown();
			$_SERVER = $headers + $_SERVER;
			$request = Plugin::get( Request::class );
			self::assertSame( array( $is_from_here, $is_from_elsewhere ), array( $request->is_from_here(), $request->is_from_elsewhere() ), json_encode( $headers ) );
		}
	}

	public function test_a_visitor_is_counted_by_address_or_by_the_network_of_a_household(): void {
		$visitors = array(
			'198.51.100.7'          => '198.51.100.7',
			'2001:db8:1:2:3:4:5:6'  => '20010db800010002',
			'2001:db8:1:2::1'       => '20010db800010002',
			'::ffff:198.51.100.7'   => '::ffff:198.51.100.7',
			''                      => '',
		);
		foreach ( $visitors as $address => $name ) {
			$_SERVER['REMOTE_ADDR'] = $address;
			self::assertSame( $name, Plugin::get( Request::class )->visitor() );
		}
	}
}
