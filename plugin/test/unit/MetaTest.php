<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Lists\Meta;

final class MetaTest extends UnitTestCase {

	/** Values of an older version or another plugin, and the values that are read. */
	public const READ = array(
		array( 'clean_item_ids', 'rubbish', '[]' ),
		array( 'clean_item_ids', array( '5', 6, 'x' ), '[5,6]' ),
		array( 'clean_item_ids', '[3, 1, 3, 9007199254740991]', '[3,1,9007199254740991]' ),
		array( 'clean_invitees', array( 'bob', 7, ' bob ' ), '["bob"]' ),
		array( 'clean_invitees', '"bob"', '[]' ),
		array( 'clean_event_date', 'soon', '' ),
		array( 'clean_event_date', '2028-02-29', '2028-02-29' ),
		array( 'clean_event_date', '2027-02-29', '' ),
		array( 'clean_event_date', "2028-02-29\n", '' ),
		array( 'clean_event_type', array( 'x' ), '' ),
		array( 'clean_currency', 'francs', '' ),
		array( 'clean_currency', 'CHF', 'CHF' ),
		array( 'clean_reserved_for', 'for ever', '' ),
		array( 'clean_reserved_for', 'day', 'day' ),
		array( 'clean_reserved_for', 28, '' ),
		array( 'clean_pay_to', " In an <b>envelope</b>\n", 'In an envelope' ),
		array( 'clean_pay_to', 'Ann &amp; Bob <3', 'Ann &amp; Bob <3' ),
		array( 'clean_pay_to', array( 'x' ), '' ),
		array( 'clean_surprise_until', 'soon', 'always' ),
		array( 'clean_surprise_until', '2027-05-30', '2027-05-30' ),
		array( 'clean_surprise_until', false, '' ),
	);

	public function test_a_value_that_another_version_stored_is_read_tolerantly(): void {
		foreach ( self::READ as list( $clean, $stored, $read ) ) {
			self::assertSame( $read, Meta::$clean( $stored ), "$clean " . json_encode( $stored ) );
		}
	}

	public function test_guests_are_the_same_whatever_the_case_and_the_spaces_around_them(): void {
		$odd  = 'Ann "A" O\'Neil \\ 🎁@example.test';
		$list = Meta::invitees_in( array( ' Bob ', 'bob', $odd, 'ÄNNE@example.test', 'änne@example.test', '12', 'Bob@example.test' ) );
		self::assertSame( array( 'Bob', $odd, 'ÄNNE@example.test', '12', 'Bob@example.test' ), array_values( $list ) );
		self::assertSame( Meta::invitee_key( 'BOB' ), Meta::invitee_key( ' bob' ) );
		self::assertContainsOnly( 'string', array_keys( $list ) );
		self::assertCount( Meta::MAX_INVITEES, Meta::invitees_in( array_map( static fn( int $number ): string => "guest$number", range( 1, 1001 ) ) ) );
	}
}
