<?php

declare(strict_types=1);

namespace Trousseau\Support;

defined( 'ABSPATH' ) || exit;

use const Trousseau\PLUGIN_FILE;

/**
 * A network of sites on one WordPress. Each of its sites is a site like any other, with registries, settings and a service
 * of its own; users are the network's.
 */
final class Network {

	/** Runs work on every site, or only on this one. */
	public function on_sites( bool $all, callable $work ): void {
		if ( ! $all || ! is_multisite() ) {
			$work();
			return;
		}
		$query = array(
			'fields' => 'ids',
			'number' => 0,
		);
		foreach ( get_sites( $query ) as $id ) {
			switch_to_blog( $id );
			try {
				$work();
			} finally {
				restore_current_blog();
			}
		}
	}

	/** A prefix that tells this site's keys and cookies from those of the network's other sites; nothing for a single or the first site. */
	public static function mark(): string {
		return is_multisite() && ! is_main_site() ? get_current_blog_id() . '_' : '';
	}

	/** Whether the plugin is active on every site. */
	public static function has_plugin(): bool {
		return is_multisite() && isset( get_site_option( 'active_sitewide_plugins', array() )[ plugin_basename( PLUGIN_FILE ) ] );
	}
}
