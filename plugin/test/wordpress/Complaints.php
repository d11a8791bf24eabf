<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** Collects everything that PHP, WordPress and the database complain about and that is this plugin's fault, or a test's. */
final class Complaints {

	private static array $all = array();

	public static function listen(): void {
		$plugin = dirname( __DIR__, 2 ) . '/';
		set_error_handler(
			static function ( int $level, string $message, string $file, int $line ) use ( $plugin ): bool {
				if ( ( error_reporting() & $level ) && str_starts_with( $file, $plugin ) ) {
					self::$all[] = "$message in $file:$line";
				}
				return $level !== E_USER_ERROR;
			}
		);
		$blame = static function ( string $name, string ...$also ) use ( $plugin ): void {
			foreach ( debug_backtrace( DEBUG_BACKTRACE_IGNORE_ARGS ) as $frame ) {
				$file = $frame['file'] ?? '';
				// The first file that isn't WordPress's has called the function.
				if ( $file !== __FILE__ && ! preg_match( '#/wp-(includes|admin)/#', $file ) ) {
					if ( str_starts_with( $file, $plugin ) && ! str_starts_with( $file, "{$plugin}test/" ) ) {
						self::$all[] = "$name: " . implode( ' ', $also ) . " in $file:$frame[line]";
					}
					return;
				}
			}
		};
		foreach ( array( 'doing_it_wrong', 'deprecated_function', 'deprecated_argument', 'deprecated_hook', 'deprecated_file' ) as $kind ) {
			add_action( "{$kind}_run", static fn( ...$about ) => $blame( ...array_map( 'strval', $about ) ), 10, 3 );
		}
	}

	public static function add( string $complaint ): void {
		self::$all[] = $complaint;
	}

	/** Takes over the errors of the database, which WordPress keeps for one request. */
	public static function collect(): void {
		foreach ( (array) ( $GLOBALS['EZSQL_ERROR'] ?? array() ) as $error ) {
			self::$all[] = "$error[error_str] in $error[query]";
		}
		$GLOBALS['EZSQL_ERROR'] = array();
	}

	/** @return string[] All since the last call. */
	public static function take(): array {
		self::collect();
		$all       = self::$all;
		self::$all = array();
		return $all;
	}
}
