<?php
/**
 * Deleting the plugin keeps registries and settings, unless the settings ask for their removal.
 * Items stay in the item service in either case.
 */

declare(strict_types=1);

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

// The plugin is switched off by now, and none of its hooks is at work.
spl_autoload_register(
	static function ( string $name ): void {
		if ( str_starts_with( $name, 'Trousseau\\' ) ) {
			$file = __DIR__ . '/includes/' . str_replace( '\\', '/', substr( $name, strlen( 'Trousseau\\' ) ) ) . '.php';
			if ( is_file( $file ) ) {
				require_once $file;
			}
		}
	}
);
Trousseau\Network::on_sites( true, array( Trousseau\Removal::class, 'run' ) );
