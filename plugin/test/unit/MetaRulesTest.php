<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Lists\Meta;
use Trousseau\Lists\MetaRules;

final class MetaRulesTest extends UnitTestCase {

	/** Values that the REST API refuses. */
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

	public function test_a_value_that_could_only_be_cleaned_by_losing_something_has_a_fault(): void {
		$long = array( array( Meta::INVITEES, json_encode( array( str_repeat( 'x', 255 ) ) ) ), array( Meta::INVITEES, json_encode( array_map( 'strval', range( 1, 1001 ) ) ) ), array( Meta::EVENT_TYPE, str_repeat( 'x', 1001 ) ), array( Meta::PAY_TO, str_repeat( 'x', 301 ) ) );
		foreach ( array( ...self::REFUSED, ...$long ) as list( $key, $value ) ) {
			self::assertNotSame( '', MetaRules::fault( $key, $value ), "$key " . substr( $value, 0, 60 ) );
		}
	}

	public function test_a_value_as_it_is_read_may_be_sent_back(): void {
		$keys = array( 'item_ids' => Meta::ITEM_IDS, 'invitees' => Meta::INVITEES, 'event_type' => Meta::EVENT_TYPE, 'event_date' => Meta::EVENT_DATE, 'currency' => Meta::CURRENCY, 'surprise_until' => Meta::SURPRISE_UNTIL, 'reserved_for' => Meta::RESERVED_FOR, 'pay_to' => Meta::PAY_TO );
		foreach ( MetaTest::READ as list( $clean, , $read ) ) {
			self::assertSame( '', MetaRules::fault( $keys[ substr( $clean, strlen( 'clean_' ) ) ], $read ), $read );
		}
	}
}
