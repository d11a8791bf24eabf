<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Lists\Meta;
use Trousseau\Lists\ReservationTime;
use Trousseau\Lists\Surprise;
use WP_Post;

final class ReservationTimeTest extends UnitTestCase {

	/** @return int Whole days, however long the test takes. */
	private static function days( int $seconds ): int {
		return (int) round( $seconds / DAY_IN_SECONDS );
	}

	public function test_gifts_are_reserved_as_long_as_the_owner_chose(): void {
		$chosen = array(
			array( '', '', 14 ),
			array( '28', '', 28 ),
			array( 'rubbish', '', 14 ),
			array( 'day', '', 14 ),
			array( 'day', '+40 days', 41 ),
			array( 'day', '+300 days', 90 ),
			array( 'day', '-1 day', 14 ),
		);
		foreach ( $chosen as list( $reserved_for, $day, $days ) ) {
			$GLOBALS['stored'] = array(
				Meta::RESERVED_FOR => $reserved_for,
				Meta::EVENT_DATE   => $day === '' ? '' : gmdate( 'Y-m-d', strtotime( $day ) ),
			);
			self::assertEqualsWithDelta( $days, ReservationTime::seconds( new WP_Post() ) / DAY_IN_SECONDS, 1, "$reserved_for $day" );
		}
	}

	public function test_the_service_is_told_only_an_unusual_time_and_the_one_that_the_form_said(): void {
		self::assertSame( array(), ReservationTime::for_service( new WP_Post() ) );
		$GLOBALS['stored'][ Meta::RESERVED_FOR ] = '28';
		self::assertSame( array( 'expires_in' => 28 * DAY_IN_SECONDS ), ReservationTime::for_service( new WP_Post() ) );
		$shown = 28 * DAY_IN_SECONDS - 3600;
		self::assertSame( array( 'expires_in' => $shown ), ReservationTime::for_service( new WP_Post(), $shown ) );
		self::assertSame( array( 'expires_in' => 28 * DAY_IN_SECONDS ), ReservationTime::for_service( new WP_Post(), 90 * DAY_IN_SECONDS ) );
	}

	public function test_a_reservation_is_prolonged_up_to_ninety_days_from_now(): void {
		$longer = static fn( int $days ): int => ReservationTime::longer( new WP_Post(), time() + $days * DAY_IN_SECONDS );
		self::assertSame( array( 15, 84, 90, 0 ), array( self::days( $longer( 1 ) - time() ), self::days( $longer( 70 ) - time() ), self::days( $longer( 80 ) - time() ), $longer( 90 ) ) );
	}

	public function test_a_surprise_lasts_until_the_day_before_its_date_which_begins_where_it_begins_later(): void {
		$days = array(
			'always'               => true,
			gmdate( 'Y-m-d' )      => false,
			gmdate( 'Y-m-d', time() + 2 * DAY_IN_SECONDS ) => true,
			''                     => false,
			'soon'                 => true,
		);
		foreach ( $days as $until => $is_on ) {
			$GLOBALS['stored'][ Meta::SURPRISE_UNTIL ] = (string) $until;
			self::assertSame( $is_on, Surprise::is_on( 1 ), (string) $until );
		}
		$zones = array( 'Pacific/Pago_Pago', 'UTC', 'Pacific/Kiritimati' );
		foreach ( $zones as $GLOBALS['zone'] ) {
			$later = min( gmdate( 'Y-m-d' ), wp_date( 'Y-m-d' ) );
			foreach ( array( 0, 1 ) as $days ) {
				$GLOBALS['stored'][ Meta::SURPRISE_UNTIL ] = gmdate( 'Y-m-d', (int) strtotime( "$later UTC" ) + $days * DAY_IN_SECONDS );
				self::assertSame( $days === 1, Surprise::is_on( 1 ), "$GLOBALS[zone] $days" );
			}
		}
		unset( $GLOBALS['zone'] );
	}
}
