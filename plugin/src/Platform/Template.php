<?php

declare(strict_types=1);

namespace Trousseau\Platform;

use const Trousseau\PLUGIN_FILE;

/** The HTML of pages and emails: `src/FEATURE/templates/NAME.php`, or a theme's own `trousseau/NAME.php`. */
final class Template {

	/** @var array<string, string> Theme and name → file: a list shows the same template for each gift. */
	private static array $files = array();

	/** The words of a button or link; behind them, for screen readers alone, the name of the gift or person that it is about. */
	public static function label( string $words, string $name ): string {
		$whole = $name === '' ? $words : self::about( $words, $name );
		return esc_html( $words ) . ( $name === '' ? '' : '<span class="screen-reader-text">' . esc_html( substr( $whole, strlen( $words ) ) ) . '</span>' );
	}

	/** The same as one text, for `aria-label`. */
	public static function about( string $words, string $name ): string {
		/* translators: 1: words of a button or link, which must stay first, 2: the gift or person that it is about */
		return sprintf( __( '%1$s: %2$s', 'trousseau' ), $words, $name );
	}

	/** A sign behind the words of a link that opens another window, and the same in words for screen readers. */
	public static function new_window(): string {
		return ' <span aria-hidden="true">↗</span><span class="screen-reader-text"> ' . esc_html__( '(opens in a new tab)', 'trousseau' ) . '</span>';
	}

	/** The menu behind “⋯”, which opens without a script: everything but the main thing to do. */
	public static function more( string $entries, string $about ): string {
		return sprintf( '<details class="trousseau-order__do" name="trousseau-row"><summary aria-label="%s">⋯</summary><div class="trousseau-order__menu">%s</div></details>', esc_attr( self::about( __( 'More', 'trousseau' ), $about ) ), $entries );
	}

	/** @param array<string, mixed> $values The template's variables. */
	public static function html( string $name, array $values = array() ): string {
		$file = self::$files[ get_stylesheet() . " $name" ] ??= locate_template( "trousseau/$name.php" ) ?: glob( dirname( PLUGIN_FILE ) . "/src/*/templates/$name.php" )[0];
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
