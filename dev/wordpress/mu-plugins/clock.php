<?php
/**
 * A clock for the plugin that tests can move: it runs as many seconds ahead as the file `ahead` in the content folder says. A nap of
 * a second or more is recorded in the file `naps` instead of being taken, and the hours and days that the plugin counts by don't end
 * during a test. Each of the plugin's namespaces has functions of its own for this, which PHP prefers to those without a namespace.
 */

final class Trousseau_Dev_Clock {

	public static function start(): void {
		foreach ( array_map( 'basename', glob( WP_PLUGIN_DIR . '/trousseau/src/*', GLOB_ONLYDIR ) ) as $room ) {
			// phpcs:ignore Squiz.PHP.Eval.Discouraged -- A namespace can't be named by a variable.
			eval(
				"namespace Trousseau\\$room;
				function time(): int {
					return (int) ( \\time() + \\Trousseau_Dev_Clock::ahead() );
				}
				function microtime( bool \$as_float = false ): string|float {
					return \$as_float ? \\microtime( true ) + \\Trousseau_Dev_Clock::ahead() : \\microtime();
				}
				function usleep( int \$microseconds ): void {
					\$microseconds < 1e6 ? \\usleep( \$microseconds ) : \\Trousseau_Dev_Clock::nap( \$microseconds );
				}
				function intdiv( int \$number, int \$by ): int {
					return \\intdiv( \$by < HOUR_IN_SECONDS ? \$number : filemtime( ABSPATH . 'wp-config.php' ), \$by );
				}"
			);
		}
	}

	public static function ahead(): float {
		$file = WP_CONTENT_DIR . '/ahead';
		return is_file( $file ) ? (float) file_get_contents( $file ) : 0.0;
	}

	public static function nap( int $microseconds ): void {
		file_put_contents( WP_CONTENT_DIR . '/naps', "$microseconds\n", FILE_APPEND );
		// The lock would have expired by the end of the nap.
		Trousseau\Plugin::get( Trousseau\Platform\Lock::class )->forget( 'early-form' );
	}
}

Trousseau_Dev_Clock::start();
