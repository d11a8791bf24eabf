<?php

declare(strict_types=1);

namespace Trousseau\Support;

defined( 'ABSPATH' ) || exit;

use const Trousseau\PLUGIN_FILE;

/** The HTML of pages and mails: `templates/NAME.php`, or a theme's own `trousseau/NAME.php`. */
final class Template {

	/** @param array<string, mixed> $values The template's variables. */
	public static function html( string $name, array $values = array() ): string {
		$file = locate_template( "trousseau/$name.php" ) ?: dirname( PLUGIN_FILE ) . "/templates/$name.php";
		ob_start();
		try {
			( static function (): void {
				extract( func_get_arg( 1 ) );
				require func_get_arg( 0 );
			} )( $file, $values );
			return (string) ob_get_contents();
		} finally {
			ob_end_clean();
		}
	}
}
