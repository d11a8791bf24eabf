<?php
/**
 * Finds classes: `Trousseau\FEATURE\NAME` stands in `src/FEATURE/NAME.php`.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

spl_autoload_register(
	static function ( string $name ): void {
		if ( ! str_starts_with( $name, 'Trousseau\\' ) ) {
			return;
		}
		$file = __DIR__ . '/src/' . str_replace( '\\', '/', substr( $name, strlen( 'Trousseau\\' ) ) ) . '.php';
		if ( is_file( $file ) ) {
			require $file;
		}
	}
);
