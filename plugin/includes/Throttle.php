<?php

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

/** How often somebody may do something. What is kept are numbers under keyed hashes, which tell nobody who it was. */
final class Throttle {

	private const GROUP  = 'trousseau';
	private const PREFIX = 'trousseau_count_';

	/** Counts it, and says whether it is still among the first so many in this span of so many seconds. */
	public static function allows( string $what, string $who, int $most, int $seconds ): bool {
		$span  = intdiv( time(), $seconds );
		$name  = self::PREFIX . substr( hash_hmac( 'sha256', "$what\n$who\n$span", wp_salt( 'auth' ) ), 0, 32 );
		$count = wp_using_ext_object_cache() ? self::count_in_cache( $name, $seconds ) : self::count_in_row( $name, ( $span + 1 ) * $seconds );
		return $count <= $most;
	}

	/** By whom a visitor who isn't signed in is counted: an address, or the network that one household has. */
	public static function visitor(): string {
		/** Filters the address of a visitor, for sites behind a proxy that WordPress isn't told about. */
		$address = (string) apply_filters( 'trousseau_visitor_address', $_SERVER['REMOTE_ADDR'] ?? '' );
		$bytes   = filter_var( $address, FILTER_VALIDATE_IP, FILTER_FLAG_IPV6 ) ? (string) inet_pton( $address ) : '';
		return $bytes === '' || str_starts_with( $bytes, str_repeat( "\0", 10 ) . "\xff\xff" ) ? $address : bin2hex( substr( $bytes, 0, 8 ) );
	}

	private static function count_in_cache( string $name, int $seconds ): int {
		wp_cache_add( $name, 0, self::GROUP, $seconds );
		return (int) wp_cache_incr( $name, 1, self::GROUP );
	}

	/** In one statement, so that none of many at once is lost. WordPress sweeps it out as it does what it keeps for a time. */
	private static function count_in_row( string $name, int $until ): int {
		$wpdb = $GLOBALS['wpdb'];
		$row  = '_transient_' . $name;
		// MySQL counts a row that it adds as one and a row that it changes as two, and hands the new number back by the id.
		$added = $wpdb->query( $wpdb->prepare( "INSERT INTO $wpdb->options (option_name, option_value, autoload) VALUES (%s, '1', 'no') ON DUPLICATE KEY UPDATE option_value = LAST_INSERT_ID( option_value + 1 )", $row ) ) === 1;
		$count = $added ? 1 : (int) $wpdb->insert_id;
		if ( $count === 1 ) {
			$wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO $wpdb->options (option_name, option_value, autoload) VALUES (%s, %d, 'no')", '_transient_timeout_' . $name, $until ) );
		}
		return $count;
	}
}
