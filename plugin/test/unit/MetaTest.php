<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Registry\Meta;

final class MetaTest extends UnitTestCase {

	/** Stored by an older version or another plugin, and as it is read. */
	private const READ = array(
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
		array( 'clean_surprise_until', 'soon', 'always' ),
		array( 'clean_surprise_until', '2027-05-30', '2027-05-30' ),
		array( 'clean_surprise_until', false, '' ),
	);

	/** Sent to the REST API, and refused. */
	private const REFUSED = array(
		array( Meta::ITEM_IDS, 'rubbish' ),
		array( Meta::ITEM_IDS, '{"a":1}' ),
		array( Meta::ITEM_IDS, '[1,"2"]' ),
		array( Meta::ITEM_IDS, '[0]' ),
		array( Meta::ITEM_IDS, '' ),
		array( Meta::INVITEES, '["ok", 5]' ),
		array( Meta::INVITEES, '["  "]' ),
		array( Meta::EVENT_DATE, '2027-02-30' ),
		array( Meta::EVENT_DATE, '30.05.2027' ),
		array( Meta::CURRENCY, 'eur' ),
		array( Meta::CURRENCY, 'EURO' ),
		array( Meta::RESERVED_FOR, '15' ),
		array( Meta::SURPRISE_UNTIL, 'soon' ),
		array( Meta::SURPRISE_UNTIL, '2027-02-30' ),
	);

	public function test_a_value_that_another_version_stored_is_read_tolerantly(): void {
		foreach ( self::READ as list( $clean, $stored, $read ) ) {
			self::assertSame( $read, Meta::$clean( $stored ), "$clean " . json_encode( $stored ) );
		}
	}

	public function test_a_value_that_could_only_be_cleaned_by_losing_something_has_a_fault(): void {
		$long = array( array( Meta::INVITEES, json_encode( array( str_repeat( 'x', 255 ) ) ) ), array( Meta::INVITEES, json_encode( array_map( 'strval', range( 1, 1001 ) ) ) ), array( Meta::EVENT_TYPE, str_repeat( 'x', 1001 ) ) );
		foreach ( array( ...self::REFUSED, ...$long ) as list( $key, $value ) ) {
			self::assertNotSame( '', Meta::fault( $key, $value ), "$key " . substr( $value, 0, 60 ) );
		}
	}

	public function test_a_value_as_it_is_read_may_be_sent_back(): void {
		$keys = array( 'item_ids' => Meta::ITEM_IDS, 'invitees' => Meta::INVITEES, 'event_type' => Meta::EVENT_TYPE, 'event_date' => Meta::EVENT_DATE, 'currency' => Meta::CURRENCY, 'surprise_until' => Meta::SURPRISE_UNTIL, 'reserved_for' => Meta::RESERVED_FOR );
		foreach ( self::READ as list( $clean, , $read ) ) {
			self::assertSame( '', Meta::fault( $keys[ substr( $clean, strlen( 'clean_' ) ) ], $read ), $read );
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
