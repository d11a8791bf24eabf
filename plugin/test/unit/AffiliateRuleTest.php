<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Affiliate\AffiliateRule;
use Trousseau\Affiliate\AffiliateRules;
use Trousseau\Service\Item;

final class AffiliateRuleTest extends UnitTestCase {

	/** Shop, template, address of a gift, and its link; null: the rule is not for it. */
	private const LINKS = array(
		array( 'shop.example', 'https://p.example/?to={url}', 'https://shop.example/a b?x=1&y=ü#z', 'https://p.example/?to=https%3A%2F%2Fshop.example%2Fa%20b%3Fx%3D1%26y%3D%C3%BC%23z' ),
		array( 'shop.example', '?tag=me-21', 'https://www.shop.example/pan', 'https://www.shop.example/pan?tag=me-21' ),
		array( 'shop.example', '?tag=me-21&via=x', 'http://SHOP.example/pan?a.b=1&tag=you&c#top', 'http://SHOP.example/pan?a.b=1&c&tag=me-21&via=x#top' ),
		array( 'shop.example', '?tag=me-21', 'https://de.shop.example/', 'https://de.shop.example/?tag=me-21' ),
		array( 'shop.example/de', '?tag=me-21', 'https://shop.example/de/pan', 'https://shop.example/de/pan?tag=me-21' ),
		array( 'shop.example/de', '?tag=me-21', 'https://shop.example/design', null ),
		array( 'shop.example', '?tag=me-21', 'https://myshop.example/', null ),
		array( 'shop.example', '?tag=me-21', 'https://shop.example.evil.example/', null ),
		array( 'shop.example', '?tag=me-21', 'https://shop.example:8443/', null ),
		array( 'shop.example', '?tag=me-21', 'https://evil.example/https://shop.example/', null ),
		array( 'shop.example', '?tag=me-21', 'https://shop.example@evil.example/', null ),
	);

	public function test_a_link_is_made_of_a_shop’s_addresses_as_its_rule_says_and_of_nothing_else_and_known_by_its_rule_alone(): void {
		foreach ( self::LINKS as list( $shop, $template, $url, $link ) ) {
			$rule = new AffiliateRule( $shop, $template );
			self::assertSame( $link, $rule->fit( $url ) ? $rule->link( $url ) : null, $url );
			self::assertTrue( $link === null || $rule->has_made( $link ), $url );
		}
		$rule = new AffiliateRule( 'shop.example', 'https://p.example/?to={url}&me' );
		self::assertFalse( $rule->has_made( 'https://p.example/?to=&me' ) );
		self::assertFalse( $rule->has_made( 'https://p.example/?to=https%3A%2F%2Fshop.example%2F&you' ) );
		self::assertFalse( ( new AffiliateRule( 'shop.example', '?tag=me' ) )->has_made( 'https://shop.example/?tag=you' ) );
	}

	public function test_a_shop_is_named_as_people_type_it(): void {
		$named = array(
			'https://www.Shop.example/de/' => 'shop.example/de',
			' shop.example '               => 'shop.example',
			'shop.example:8443'            => 'shop.example:8443',
			'shop'                         => '',
			'a b.example'                  => '',
			''                             => '',
			'https://'                     => '',
			'<b>.example'                  => '',
		);
		foreach ( $named as $typed => $shop ) {
			self::assertSame( $shop, AffiliateRule::shop_named( $typed ), $typed );
		}
	}

	public function test_a_template_of_which_no_links_can_be_made_has_a_fault(): void {
		$faulty = array( '', 'https://p.example/', 'javascript:{url}', 'https://{url}', 'https://p.example{url}', 'https://a@p.example/{url}', 'https://p.example/{url}{url}', '?tag', '?tag=a#b', '//p.example/{url}' );
		foreach ( $faulty as $template ) {
			self::assertNotSame( '', AffiliateRule::fault( $template ), $template );
		}
		foreach ( array( 'https://p.example/?to={url}', '?tag=me-21', '?a=b&c=d' ) as $template ) {
			self::assertSame( '', AffiliateRule::fault( $template ), $template );
		}
	}

	public function test_the_rule_that_fits_most_exactly_counts_and_up_to_a_hundred_that_ended_are_remembered(): void {
		$rules = AffiliateRules::of_site();
		$rules->set( new AffiliateRule( 'shop.example', '?tag=all' ) );
		$rules->set( new AffiliateRule( 'shop.example/de', '?tag=de' ) );
		$rules = AffiliateRules::of_site();
		self::assertSame( '?tag=de', $rules->for_address( 'https://shop.example/de/pan' )->template );
		self::assertSame( '?tag=all', $rules->for_address( 'https://shop.example/fr/pan' )->template );
		self::assertNull( $rules->for_address( 'https://other.example/de/pan' ) );
		self::assertSame( 'shop.example/de', $rules->shop_of( new Item( array( 'url' => 'https://shop.example/de/pan' ) ) ) );
		self::assertSame( 'other.example', $rules->shop_of( new Item( array( 'url' => 'https://www.other.example/pan' ) ) ) );

		for ( $number = 0; $number < 101; ++$number ) {
			$rules->set( new AffiliateRule( 'again.example', "?n=$number" ) );
		}
		self::assertTrue( $rules->have_made( 'https://again.example/?n=100' ) );
		self::assertTrue( $rules->have_made( 'https://again.example/?n=0' ) );
		$rules->end( 'again.example' );
		self::assertFalse( $rules->have_made( 'https://again.example/?n=0' ) );
	}
}
