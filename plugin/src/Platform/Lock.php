<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/**
 * Locks over all of the site's PHP workers and servers, in the plugin's table alone: an object cache may fail, or lose what it has. A
 * lock ends by itself, and only the process that has it releases it.
 */
final class Lock {

	private const PREFIX = 'lock_';

	/** Milliseconds by which another process's time may be ahead: it is read a moment later, or on a machine whose clock differs. */
	private const AHEAD = 10_000;

	/** Failures of the database in a row, after which nobody waits for it. */
	private const FAILURES = 50;

	/** @var array<string, string> Name → token of the locks that this process has taken. */
	private array $taken = array();

	public function __construct( private readonly KeptValues $kept_values, private readonly Tables $tables ) {
	}

	public function take( string $name, int $seconds ): bool {
		if ( $seconds < 1 ) {
			return true;
		}
		$row   = self::PREFIX . $name;
		$token = bin2hex( random_bytes( 8 ) );
		$now   = Tables::now();
		$end   = $now + 1000 * $seconds;
		$until = $this->tables->cell( 'SELECT expires_at FROM {values} WHERE name = %s', $row );
		// A lock that ends too late to be valid was taken before the clock was set back.
		if ( $until > $now && $until <= $end + self::AHEAD ) {
			return false;
		}
		// One statement takes the row, and it succeeds for one process only; no cache holds it.
		$taken = $until === null
			? $this->kept_values->insert( $row, $token, $end )
			: (bool) $this->tables->change( 'UPDATE {values} SET value = %s, expires_at = %d WHERE name = %s AND expires_at = %d', $token, $end, $row, (int) $until );
		if ( $taken ) {
			$this->taken[ self::key( $name ) ] = $token;
		}
		return $taken;
	}

	/**
	 * Runs work that one process at a time may do, over all workers and servers; others wait.
	 *
	 * @param int $seconds The time after which a process that still has the lock is taken to have died.
	 * @throws Busy Where others have it for longer than that. The work has not begun.
	 */
	public function alone( string $name, int $seconds, callable $work ): mixed {
		$until  = microtime( true ) + $seconds + 1;
		$failed = 0;
		while ( ! $this->take( $name, $seconds ) ) {
			// A database in trouble may refuse a statement once; one that takes no writes refuses all of them.
			$failed = $GLOBALS['wpdb']->last_error === '' ? 0 : $failed + 1;
			if ( microtime( true ) > $until || $failed > self::FAILURES ) {
				throw new Busy( "Others have had the lock $name for too long" );
			}
			usleep( 10_000 );
		}
		try {
			return $work();
		} finally {
			$this->release( $name );
		}
	}

	/** Ends the lock if it is still this process's own: after its time another process may have it. */
	public function release( string $name ): void {
		$token = $this->taken[ self::key( $name ) ] ?? '';
		unset( $this->taken[ self::key( $name ) ] );
		if ( $token !== '' ) {
			$this->tables->change( 'DELETE FROM {values} WHERE name = %s AND value = %s', self::PREFIX . $name, $token );
		}
	}

	/** Ends the lock, whoever has it. */
	public function forget( string $name ): void {
		unset( $this->taken[ self::key( $name ) ] );
		$this->kept_values->delete( self::PREFIX . $name );
	}

	/** Sites of a network have locks of their own. */
	private static function key( string $name ): string {
		return get_current_blog_id() . " $name";
	}
}
