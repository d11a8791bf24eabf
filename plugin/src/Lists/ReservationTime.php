<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use WP_Post;

/** The time for which gifts are reserved: as the owner of a list chose, and longer when a giver asks for it. */
final class ReservationTime {

	/** The usual seconds of the service, and the most that it allows at a time. */
	public const USUAL = 14 * DAY_IN_SECONDS;
	public const MOST  = 90 * DAY_IN_SECONDS;

	/** Seconds before its end at which its giver is reminded; halfway where it is too short for that. */
	public const REMINDER = 2 * DAY_IN_SECONDS;

	/** Seconds for which a gift of a list is reserved from now on. */
	public static function seconds( WP_Post $post ): int {
		$chosen = Meta::reserved_for( $post->ID );
		if ( $chosen === 'day' ) {
			$date = Meta::event_date( $post->ID );
			$left = $date === '' ? 0 : ( new \DateTimeImmutable( "$date +1 day", wp_timezone() ) )->getTimestamp() - 1 - time();
			return $left < DAY_IN_SECONDS ? self::USUAL : min( self::MOST, $left );
		}
		return $chosen === '' ? self::USUAL : (int) $chosen * DAY_IN_SECONDS;
	}

	/** @return array{expires_in?: int} The time to send to the service; empty for its default. A form may have shown another a while ago. */
	public static function for_service( WP_Post $post, int $shown = 0 ): array {
		$seconds = self::seconds( $post );
		$seconds = $shown && abs( $shown - $seconds ) <= DAY_IN_SECONDS ? $shown : $seconds;
		return $seconds === self::USUAL ? array() : array( 'expires_in' => $seconds );
	}

	/** The time of the reminder for a reservation that ends then. */
	public static function reminder_at( int $ends ): int {
		$usual = $ends - self::REMINDER;
		return $usual > time() + DAY_IN_SECONDS ? $usual : intdiv( time() + $ends, 2 );
	}

	/** The later end to which a reservation can be extended; 0: it can't be. */
	public static function longer( WP_Post $post, int $ends ): int {
		$until = min( time() + self::MOST, max( $ends + self::USUAL, time() + self::seconds( $post ) ) );
		return $until - $ends < DAY_IN_SECONDS ? 0 : $until;
	}
}
