<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/**
 * Values that the plugin stores on a site, each with a name, some with an end. Personal ones are
 * encrypted by the classes that keep them. WordPress's options hold settings only.
 */
final class KeptValues {

	/** A cache group of this request alone, so that it reads each value once. */
	public const GROUP = 'trousseau_values';

	/** Seconds after which an ended value is deleted: a process may be taking an ended lock or counter again. */
	private const SWEPT_AFTER = HOUR_IN_SECONDS;

	private const AT_ONCE = 500;

	public function __construct( private readonly Tables $tables ) {
		wp_cache_add_non_persistent_groups( array( self::GROUP ) );
	}

	/** @param bool $now Whether to read it from the database even if this request has read it before. */
	public function get( string $name, bool $now = false ): mixed {
		$kept = $now ? false : wp_cache_get( $name, self::GROUP );
		if ( ! is_array( $kept ) ) {
			$row  = $this->tables->rows( 'SELECT value, expires_at FROM {values} WHERE name = %s', $name )[0] ?? null;
			$kept = array( $row->value ?? null, (int) ( $row->expires_at ?? 0 ) );
			wp_cache_set( $name, $kept, self::GROUP );
		}
		list( $value, $expires_at ) = $kept;
		return $value !== null && self::is_live( $expires_at ) ? maybe_unserialize( $value ) : null;
	}

	/** Reads many at once, so that `get` needn't ask for each of them. */
	public function read_ahead( array $names ): void {
		foreach ( array_chunk( array_unique( $names ), self::AT_ONCE ) as $some ) {
			$in   = implode( ', ', array_fill( 0, count( $some ), '%s' ) );
			$rows = array_column( $this->tables->rows( "SELECT name, value, expires_at FROM {values} WHERE name IN ( $in )", $some ), null, 'name' );
			foreach ( $some as $name ) {
				wp_cache_set( $name, array( $rows[ $name ]->value ?? null, (int) ( $rows[ $name ]->expires_at ?? 0 ) ), self::GROUP );
			}
		}
	}

	/** @param int $seconds The time for which it is kept; 0: for good. */
	public function set( string $name, mixed $value, int $seconds = 0 ): void {
		$this->tables->change( 'INSERT INTO {values} (name, value, expires_at) VALUES (%s, %s, %d) ON DUPLICATE KEY UPDATE value = VALUES(value), expires_at = VALUES(expires_at)', $name, maybe_serialize( $value ), self::end( $seconds ) );
		wp_cache_delete( $name, self::GROUP );
	}

	/** Stores a value if there is none of that name. Returns whether there was none. */
	public function add( string $name, mixed $value, int $seconds = 0 ): bool {
		$this->tables->change( 'DELETE FROM {values} WHERE name = %s AND expires_at > 0 AND expires_at <= %d', $name, Tables::now() );
		wp_cache_delete( $name, self::GROUP );
		return $this->insert( $name, (string) maybe_serialize( $value ), self::end( $seconds ) );
	}

	/** Stores a row if there is none of that name, not even an ended one. Among simultaneous processes one succeeds. */
	public function insert( string $name, string $value, int $expires_at ): bool {
		return (bool) $this->tables->change( 'INSERT IGNORE INTO {values} (name, value, expires_at) VALUES (%s, %s, %d)', $name, $value, $expires_at );
	}

	/** Counts from 1 on, for so many seconds. */
	public function increase( string $name, int $seconds ): void {
		$this->tables->change( "INSERT INTO {values} (name, value, expires_at) VALUES (%s, '1', %d) ON DUPLICATE KEY UPDATE value = value + 1", $name, self::end( $seconds ) );
		wp_cache_delete( $name, self::GROUP );
	}

	/** Deletes a value. Returns whether this call has deleted it. */
	public function delete( string $name ): bool {
		wp_cache_delete( $name, self::GROUP );
		return (bool) $this->tables->change( 'DELETE FROM {values} WHERE name = %s', $name );
	}

	/** @return \Generator<string, mixed> The values whose names have this beginning, read some at a time, in the order of their names. */
	public function all( string $beginning ): \Generator {
		$last = '';
		do {
			$rows = $this->tables->rows( 'SELECT name, value, expires_at FROM {values} WHERE name LIKE %s AND name > %s ORDER BY name LIMIT %d', $this->tables->beginning( $beginning ), $last, self::AT_ONCE );
			foreach ( $rows as $row ) {
				$last = $row->name;
				if ( self::is_live( (int) $row->expires_at ) ) {
					yield $last => maybe_unserialize( $row->value );
				}
			}
		} while ( count( $rows ) === self::AT_ONCE );
	}

	public function count( string $beginning ): int {
		return (int) $this->tables->cell( 'SELECT COUNT(*) FROM {values} WHERE name LIKE %s AND ( expires_at = 0 OR expires_at > %d )', $this->tables->beginning( $beginning ), Tables::now() );
	}

	public function sweep(): void {
		$this->tables->change( 'DELETE FROM {values} WHERE expires_at > 0 AND expires_at < %d', Tables::now() - 1000 * self::SWEPT_AFTER );
	}

	private static function is_live( int $expires_at ): bool {
		return ! $expires_at || $expires_at > Tables::now();
	}

	private static function end( int $seconds ): int {
		return $seconds ? Tables::now() + 1000 * $seconds : 0;
	}
}
