<?php

declare(strict_types=1);

namespace Trousseau\Platform;

defined( 'ABSPATH' ) || exit;

/**
 * Moves the data that version 0.2.0 kept among WordPress's options and events to the tables. Each row is copied from the option itself
 * and then deleted there, so that a process that dies in between, or two processes at once, lose and double
 * nothing. The queue is closed until everything is moved.
 */
final class FormerOptions {

	private const PREFIX = 'trousseau_';

	/** The beginning of a mail's option while it is moved: no process of the former version looks for that name. */
	private const MOVED = 'trousseau_moved_';

	/** A kept value for as long as a process of the former version may still run. */
	private const LATE = 'late_options';

	private const AT_ONCE = 500;

	/** Options that become values of the same name without its beginning. */
	private const VALUES = array( 'mails_failed', 'mails_trouble', 'mails_sent_at', 'forgotten_at', 'affiliate_found', 'followed', 'trouble' );

	/** Events of the former version, and the jobs that do their work. */
	private const EVENTS = array(
		'trousseau_send_mails'         => '',
		'trousseau_tell_deletions'     => '',
		'trousseau_import'             => '',
		'trousseau_fetch_pictures'     => '',
		'trousseau_digest'             => 'digest',
		'trousseau_forget_givers'      => 'retention',
		'trousseau_affiliate_next'     => '',
		'trousseau_affiliate_registry' => 'affiliate-registry',
		'trousseau_repair_order'       => 'repair-order',
	);

	/** Seconds after which a process that moves them is taken to have died; others wait for it until then. */
	private const PATIENCE = 30;

	public function __construct(
		private readonly JobQueue $job_queue,
		private readonly KeptValues $kept_values,
		private readonly Lock $lock,
		private readonly Tables $tables,
	) {
	}

	/** Moves what is not yet in the tables. Returns whether everything is there: jobs wait for that. */
	public function move_if_needed(): bool {
		if ( $this->is_current() ) {
			return true;
		}
		// A newer version of the plugin has made other tables, which this one leaves alone.
		if ( (int) get_option( Tables::SCHEMA ) > (int) Tables::CURRENT || ! $this->tables->are_there() ) {
			return false;
		}
		try {
			$this->lock->alone( 'schema', self::PATIENCE, fn(): bool => $this->is_current( true ) || ( $this->move() && $this->expect_late_ones() && update_option( Tables::SCHEMA, Tables::CURRENT ) ) );
		} catch ( Busy ) {
			// The page opens without what isn't moved yet.
			return false;
		}
		return $this->is_current();
	}

	/** Moves what processes of the former version have still written, for a day after the update. */
	public function move_late_ones(): void {
		$this->kept_values->get( self::LATE ) !== null && $this->move();
	}

	private function expect_late_ones(): bool {
		$this->kept_values->set( self::LATE, 1, DAY_IN_SECONDS );
		return true;
	}

	/** @return bool Whether every statement has succeeded. */
	private function move(): bool {
		$wpdb  = $GLOBALS['wpdb'];
		$moved = true;
		$last  = '';
		do {
			$names = $wpdb->get_col( $wpdb->prepare( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE %s AND option_name > %s ORDER BY option_name LIMIT %d", $wpdb->esc_like( self::PREFIX ) . '%', $last, self::AT_ONCE ) );
			foreach ( $names as $last ) {
				$moved = $this->move_option( $last ) && $moved;
			}
		} while ( count( $names ) === self::AT_ONCE );
		// WordPress needn't load the rules with every page.
		$wpdb->update( $wpdb->options, array( 'autoload' => 'no' ), array( 'option_name' => 'trousseau_affiliate_rules' ) );
		$this->move_events();
		return $moved;
	}

	private function is_current( bool $now = false ): bool {
		if ( $now ) {
			wp_cache_delete( 'alloptions', 'options' );
			wp_cache_delete( Tables::SCHEMA, 'options' );
			wp_cache_delete( 'notoptions', 'options' );
		}
		return get_option( Tables::SCHEMA ) === Tables::CURRENT;
	}

	/** Names with ids and times, and some others, are data; the rest are settings. */
	private function move_option( string $option ): bool {
		$name = substr( $option, strlen( self::PREFIX ) );
		return match ( true ) {
			(bool) preg_match( '/^mail_(\d{11})_([0-9a-f]{16})$/D', $name, $part )     => $this->take_mail( $option, (int) $part[1], $part[2] ),
			(bool) preg_match( '/^moved_(\d{11})_([0-9a-f]{16})$/D', $name, $part )    => $this->move_mail( $option, (int) $part[1], $part[2] ),
			(bool) preg_match( '/^(gifts|gone)_\d+$/D', $name )                        => $this->keep( $option, $name ),
			(bool) preg_match( '/^draft_[0-9a-f]{32}$/D', $name )                      => $this->keep( $option, $name, 1000 * ( (int) ( $this->opened( $option )['at'] ?? 0 ) + WEEK_IN_SECONDS ) ),
			(bool) preg_match( '/^turn_(.+)$/D', $name, $part )                        => $this->keep( $option, "lock_$part[1]", (int) ( 1000 * (float) $this->value( $option ) ) ),
			(bool) preg_match( '/^followed_(\d{4}-\d\d-\d\d)_(.+)$/D', $name, $part ) => $this->keep( $option, "followed_$part[1]_" . rawurlencode( $part[2] ) ),
			(bool) preg_match( '/^deleted_([1-9]\d*)$/D', $name, $part )               => $this->queue( $option, 'deletion', $part[1], false ),
			(bool) preg_match( '/^import_([1-9]\d*)$/D', $name, $part )                => $this->queue( $option, 'import', $part[1] ),
			(bool) preg_match( '/^picture_([\w-]{22})\.jpg$/D', $name, $part )         => $this->queue( $option, 'picture', Encryption::as_hex( $part[1] ) ),
			$option === Settings::APP_PASSWORD                                         => $this->seal( $option ),
			$name === 'no_mail'                                                        => $this->keep_refused( $option ),
			$name === 'affiliate_round'                                                => $this->job_queue->add( 'affiliate-round', null, 0, 'all' ) && $this->keep( $option, $name ),
			in_array( $name, self::VALUES, true )                                      => $this->keep( $option, $name ),
			default                                                                    => true,
		};
	}

	/** Renames a mail's option, so that either a process of the former version sends it or the queue, never both. */
	private function take_mail( string $option, int $at, string $id ): bool {
		$wpdb  = $GLOBALS['wpdb'];
		$moved = self::MOVED . sprintf( '%011d_%s', $at, $id );
		$taken = $wpdb->update( $wpdb->options, array( 'option_name' => $moved ), array( 'option_name' => $option ) );
		wp_cache_delete( $option, 'options' );
		return $taken ? $this->move_mail( $moved, $at, $id ) : $taken !== false;
	}

	private function move_mail( string $option, int $at, string $id ): bool {
		return $this->queue( $option, 'mail', $id, true, 1000 * $at, (int) ( $this->opened( $option )['tries'] ?? 0 ) );
	}

	/** Stores a password anew that the former version has kept as it is: WordPress's filters seal it. */
	private function seal( string $option ): bool {
		$stored = $this->value( $option );
		return $stored === '' || Encryption::open( $stored ) !== null || Encryption::is_unreadable( $stored ) || update_option( $option, $stored, false );
	}

	/** Gives each address that wants no mails a row of its own. */
	private function keep_refused( string $option ): bool {
		foreach ( array_filter( (array) maybe_unserialize( $this->value( $option ) ), 'is_string' ) as $hash ) {
			$this->kept_values->add( 'no_mail_' . Encryption::as_hex( $hash ), 1 );
			if ( $this->kept_values->get( 'no_mail_' . Encryption::as_hex( $hash ), true ) === null ) {
				return false;
			}
		}
		return $this->drop( $option );
	}

	private function keep( string $option, string $name, int $expires_at = 0 ): bool {
		$wpdb   = $GLOBALS['wpdb'];
		$table  = $this->tables->values();
		$copied = $wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO $table (name, value, expires_at) SELECT %s, option_value, %d FROM $wpdb->options WHERE option_name = %s", $name, $expires_at, $option ) );
		wp_cache_delete( $name, KeptValues::GROUP );
		return $copied !== false && $this->drop( $option );
	}

	/** @param bool $is_sealed Whether the option's value is the job's payload; otherwise the key is enough. */
	private function queue( string $option, string $handler, string $key, bool $is_sealed = true, int $run_at = 0, int $attempts = 0 ): bool {
		$wpdb   = $GLOBALS['wpdb'];
		$table  = $this->tables->jobs();
		$value  = $is_sealed ? 'option_value' : "''";
		$copied = $wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO $table (handler, unique_key, payload, run_at, attempts, last_error) SELECT %s, %s, $value, %d, %d, '' FROM $wpdb->options WHERE option_name = %s", $handler, "$handler $key", $run_at ?: Tables::now(), $attempts, $option ) );
		return $copied !== false && $this->drop( $option );
	}

	private function drop( string $option ): bool {
		$wpdb    = $GLOBALS['wpdb'];
		$dropped = $wpdb->delete( $wpdb->options, array( 'option_name' => $option ) );
		wp_cache_delete( $option, 'options' );
		return $dropped !== false;
	}

	/** An option's value from the database: a cached one may be older. */
	private function value( string $option ): string {
		$wpdb = $GLOBALS['wpdb'];
		return (string) $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM $wpdb->options WHERE option_name = %s", $option ) );
	}

	private function opened( string $option ): array {
		$value = Encryption::open( $this->value( $option ) );
		return is_array( $value ) ? $value : array();
	}

	private function move_events(): void {
		$found = false;
		foreach ( (array) _get_cron_array() as $at => $events ) {
			foreach ( array_intersect_key( is_array( $events ) ? $events : array(), self::EVENTS ) as $hook => $planned ) {
				$found = true;
				foreach ( $planned as $event ) {
					$kind = self::EVENTS[ $hook ];
					$id   = (int) ( $event['args'][0] ?? 0 );
					if ( $kind !== '' ) {
						$this->job_queue->add_once( $kind, null, (int) $at, $id ? (string) $id : 'all' );
					}
				}
			}
		}
		$found && array_map( 'wp_unschedule_hook', array_keys( self::EVENTS ) );
		$this->job_queue->keep_going();
		$next = $this->job_queue->next_at();
		$next === null || $this->job_queue->wake( $next );
	}
}
