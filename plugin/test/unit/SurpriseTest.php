<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Lists\Meta;
use Trousseau\Lists\Surprise;

final class SurpriseTest extends UnitTestCase {

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
