<?php

declare(strict_types=1);

namespace Trousseau\Platform;

use const Trousseau\PLUGIN_FILE;

/**
 * A network of sites on one WordPress. Each of its sites is a site like any other, with registries and settings of its own; users
 * are the network's. The sites may join one service, which the network enters once.
 */
final class Network {

	/** Sites among which are chosen at once. */
	private const AT_ONCE = 100;

	public const SERVICE = 'trousseau_network_service';

	/**
	 * Runs work on every site, or only on this one.
	 *
	 * @param (callable(int[]): int[])|null $choose Chooses among some of all sites: switching to each takes a while.
	 */
	public function on_sites( bool $all, callable $work, ?callable $choose = null ): void {
		if ( ! $all || ! is_multisite() ) {
			$work();
			return;
		}
		foreach ( array_chunk( get_sites( array( 'fields' => 'ids', 'number' => 0 ) ), self::AT_ONCE ) as $some ) {
			foreach ( $choose ? $choose( $some ) : $some as $id ) {
				switch_to_blog( $id );
				try {
					$work();
				} finally {
					restore_current_blog();
				}
			}
		}
	}

	/** The prefix of this site's keys and cookies in a network; '' on a single site and on the network's first one. */
	public static function mark(): string {
		return is_multisite() && ! is_main_site() ? get_current_blog_id() . '_' : '';
	}

	/** @return array{address: string, code: string, key: string, entered: string} The service that the network's sites join; `entered` changes whenever it is entered. */
	public static function service(): array {
		$none   = array_fill_keys( array( 'address', 'code', 'key', 'entered' ), '' );
		$stored = is_multisite() ? get_site_option( self::SERVICE ) : null;
		return is_array( $stored ) ? array_map( 'strval', array_intersect_key( $stored, $none ) ) + $none : $none;
	}

	public function enter_service( string $address, string $code, string $key ): void {
		$entered = bin2hex( random_bytes( 8 ) );
		update_site_option( self::SERVICE, compact( 'address', 'code', 'key', 'entered' ) );
	}

	/** Whether the plugin is active on every site. */
	public static function has_plugin(): bool {
		return is_multisite() && isset( get_site_option( 'active_sitewide_plugins', array() )[ plugin_basename( PLUGIN_FILE ) ] );
	}
}
