<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Affiliate\AffiliateRule;
use Trousseau\Affiliate\AffiliateRules;
use Trousseau\Service\Item;

final class AffiliateRulesTest extends UnitTestCase {

	protected function setUp(): void {
		parent::setUp();
		$rules = AffiliateRules::of_site();
		$rules->set( new AffiliateRule( 'shop.example', '?tag=all' ) );
		$rules->set( new AffiliateRule( 'shop.example/de', '?tag=de' ) );
	}

	public function test_the_rule_that_fits_most_exactly_counts(): void {
		$rules = AffiliateRules::of_site();
		self::assertSame( '?tag=de', $rules->for_address( 'https://shop.example/de/pan' )->template );
		self::assertSame( '?tag=all', $rules->for_address( 'https://shop.example/fr/pan' )->template );
		self::assertNull( $rules->for_address( 'https://other.example/de/pan' ) );
		self::assertSame( 'shop.example/de', $rules->shop_of( new Item( array( 'url' => 'https://shop.example/de/pan' ) ) ) );
		self::assertSame( 'other.example', $rules->shop_of( new Item( array( 'url' => 'https://www.other.example/pan' ) ) ) );
	}

	public function test_rules_that_ended_are_remembered_up_to_a_hundred(): void {
		$rules = AffiliateRules::of_site();
		for ( $number = 0; $number < 101; ++$number ) {
			$rules->set( new AffiliateRule( 'again.example', "?n=$number" ) );
		}
		self::assertTrue( $rules->have_made( 'https://again.example/?n=100' ) );
		self::assertTrue( $rules->have_made( 'https://again.example/?n=0' ) );
		$rules->end( 'again.example' );
		self::assertFalse( $rules->have_made( 'https://again.example/?n=0' ) );
	}
}
