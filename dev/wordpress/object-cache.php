<?php
/**
 * A persistent object cache in files: a drop-in for development and tests, which have no cache server.
 */

final class Trousseau_Dev_Object_Cache {

	private const LOCK = 'lock-';

	/** @var array<string, mixed> Values that this request has read or written. */
	private array $known = array();

	/** @var array<string, true> */
	private array $local = array();

	public function __construct( private readonly string $folder ) {
	}

	public function keep_local( array $groups ): void {
		$this->local += array_fill_keys( $groups, true );
	}

	public function get( string $group, string $key, bool $force, ?bool &$found ): mixed {
		$name = $this->name( $group, $key );
		if ( ! $force && array_key_exists( $name, $this->known ) ) {
			$found = true;
			return $this->copy( $this->known[ $name ] );
		}
		$found = false;
		$text  = isset( $this->local[ $group ] ) ? false : self::quietly( fn() => file_get_contents( $this->folder . $name ) );
		$entry = $text ? unserialize( $text ) : false;
		if ( ! is_array( $entry ) || ( $entry[0] && $entry[0] <= self::now() ) ) {
			unset( $this->known[ $name ] );
			return false;
		}
		$found                = true;
		$this->known[ $name ] = $entry[1];
		return $this->copy( $entry[1] );
	}

	public function set( string $group, string $key, mixed $value, int $seconds ): bool {
		$name                 = $this->name( $group, $key );
		$this->known[ $name ] = $this->copy( $value );
		if ( isset( $this->local[ $group ] ) ) {
			return true;
		}
		$file = $this->folder . $name . '.' . getmypid();
		return file_put_contents( $file, serialize( array( $seconds ? self::now() + $seconds : 0, $value ) ) ) && rename( $file, $this->folder . $name );
	}

	/** Only one of several concurrent calls with the same key succeeds. Other keys hardly wait, as in a cache server. */
	public function add( string $group, string $key, mixed $value, int $seconds ): bool {
		$is_local = isset( $this->local[ $group ] );
		$lock     = $is_local ? null : fopen( $this->folder . self::LOCK . substr( $this->name( $group, $key ), 0, 2 ), 'c' );
		$lock && flock( $lock, LOCK_EX );
		$this->get( $group, $key, ! $is_local, $found );
		$added = ! $found && $this->set( $group, $key, $value, $seconds );
		$lock && fclose( $lock );
		return $added;
	}

	public function delete( string $group, string $key ): bool {
		$name = $this->name( $group, $key );
		unset( $this->known[ $name ] );
		return (bool) self::quietly( fn() => unlink( $this->folder . $name ) );
	}

	public function flush(): bool {
		$this->known = array();
		foreach ( preg_grep( '/^\.|^' . self::LOCK . '/', scandir( $this->folder ), PREG_GREP_INVERT ) as $name ) {
			self::quietly( fn() => unlink( $this->folder . $name ) );
		}
		return true;
	}

	/** Returns the time, as far ahead as the plugin's clock if the must-use plugin `clock` moves it. */
	private static function now(): float {
		return microtime( true ) + ( class_exists( 'Trousseau_Dev_Clock', false ) ? Trousseau_Dev_Clock::ahead() : 0 );
	}

	/** Runs `$work` without warnings: another process may have removed the file. */
	private static function quietly( callable $work ): mixed {
		$level = error_reporting( 0 );
		try {
			return $work();
		} finally {
			error_reporting( $level );
		}
	}

	private function name( string $group, string $key ): string {
		return sha1( $group . "\0" . $key );
	}

	private function copy( mixed $value ): mixed {
		return is_object( $value ) ? clone $value : $value;
	}
}

function wp_cache_init(): void {
	is_dir( TROUSSEAU_DEV_CACHE ) || mkdir( TROUSSEAU_DEV_CACHE, 0700, true );
	$GLOBALS['wp_object_cache'] = new Trousseau_Dev_Object_Cache( TROUSSEAU_DEV_CACHE . '/' );
}

function wp_cache_get( $key, $group = '', $force = false, &$found = null ) {
	return $GLOBALS['wp_object_cache']->get( $group ?: 'default', (string) $key, (bool) $force, $found );
}

function wp_cache_set( $key, $data, $group = '', $expire = 0 ) {
	return $GLOBALS['wp_object_cache']->set( $group ?: 'default', (string) $key, $data, (int) $expire );
}

function wp_cache_add( $key, $data, $group = '', $expire = 0 ) {
	return ! wp_suspend_cache_addition() && $GLOBALS['wp_object_cache']->add( $group ?: 'default', (string) $key, $data, (int) $expire );
}

function wp_cache_replace( $key, $data, $group = '', $expire = 0 ) {
	wp_cache_get( $key, $group, true, $found );
	return $found && wp_cache_set( $key, $data, $group, $expire );
}

function wp_cache_delete( $key, $group = '' ) {
	return $GLOBALS['wp_object_cache']->delete( $group ?: 'default', (string) $key );
}

function wp_cache_incr( $key, $offset = 1, $group = '' ) {
	$value = max( 0, (int) wp_cache_get( $key, $group ) + $offset );
	return wp_cache_replace( $key, $value, $group ) ? $value : false;
}

function wp_cache_decr( $key, $offset = 1, $group = '' ) {
	return wp_cache_incr( $key, -$offset, $group );
}

function wp_cache_flush() {
	return $GLOBALS['wp_object_cache']->flush();
}

function wp_cache_close() {
	return true;
}

function wp_cache_add_global_groups( $groups ) {
}

function wp_cache_add_non_persistent_groups( $groups ) {
	$GLOBALS['wp_object_cache']->keep_local( (array) $groups );
}

function wp_cache_switch_to_blog( $blog_id ) {
}
