<?php

declare(strict_types=1);

namespace Trousseau\Support;

defined( 'ABSPATH' ) || exit;

/** Turns that one at a time may take, over all of the site's PHP workers and servers. They end by themselves. */
final class Lock {

	private const GROUP  = 'trousseau';
	private const PREFIX = 'trousseau_turn_';

	/** Whether nobody took this turn in so many seconds. If so, it is the caller's now. */
	public static function take( string $name, int $seconds ): bool {
		if ( $seconds < 1 ) {
			return true;
		}
		return wp_using_ext_object_cache() ? wp_cache_add( $name, 1, self::GROUP, $seconds ) : self::take_row( $name, $seconds );
	}

	/**
	 * Does what one at a time may do, over all workers and servers; others wait for their turn.
	 *
	 * @param int $seconds After which a process that still has the turn is taken to have died.
	 */
	public static function alone( string $name, int $seconds, callable $work ): mixed {
		$until = microtime( true ) + $seconds;
		while ( ! self::take( $name, $seconds ) && microtime( true ) < $until ) {
			usleep( 10_000 );
		}
		try {
			return $work();
		} finally {
			self::forget( $name );
		}
	}

	/** By one statement that changes the row for one of them only; nothing of it is ever in a cache. */
	private static function take_row( string $name, int $seconds ): bool {
		$wpdb  = $GLOBALS['wpdb'];
		$row   = self::PREFIX . $name;
		$now   = microtime( true );
		$time  = static fn( float $at ): string => sprintf( '%.3F', $at );
		$until = $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM $wpdb->options WHERE option_name = %s", $row ) );
		if ( $until === null ) {
			return (bool) $wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO $wpdb->options (option_name, option_value, autoload) VALUES (%s, %s, 'no')", $row, $time( $now + $seconds ) ) );
		}
		// Further ahead than any turn lasts: the clock was set back.
		if ( (float) $until > $now && (float) $until <= $now + $seconds ) {
			return false;
		}
		return (bool) $wpdb->query( $wpdb->prepare( "UPDATE $wpdb->options SET option_value = %s WHERE option_name = %s AND option_value = %s", $time( $now + $seconds ), $row, $until ) );
	}

	/** Those that are over long since are no turns any more; nobody else takes their rows away. */
	public static function sweep(): void {
		$wpdb = $GLOBALS['wpdb'];
		$wpdb->query( $wpdb->prepare( "DELETE FROM $wpdb->options WHERE option_name LIKE %s AND option_value + 0 < %d", $wpdb->esc_like( self::PREFIX ) . '%', time() - DAY_IN_SECONDS ) );
	}

	/** Leaves nothing of it behind. */
	public static function forget( string $name ): void {
		$wpdb = $GLOBALS['wpdb'];
		wp_cache_delete( $name, self::GROUP );
		$wpdb->delete( $wpdb->options, array( 'option_name' => self::PREFIX . $name ) );
	}
}
