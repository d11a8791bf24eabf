<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/**
 * The plugin's two tables on each site: jobs that are to be done, and values that are kept. A site's first request makes them, or
 * whatever needs them before that.
 */
final class Tables {

	/** The version of the tables. WordPress loads this option with every page. */
	public const SCHEMA  = 'trousseau_schema';
	public const CURRENT = '1';

	/** @var array<string, bool> Whether this request could make them, by name of the first. */
	private array $made = array();

	/**
	 * Runs a statement, in which `{jobs}` and `{values}` stand for the tables, as in those of `rows`, `column` and `cell`. Returns the number
	 * of rows that it has changed, or false where it failed.
	 */
	public function change( string $statement, mixed ...$values ): int|bool {
		$wpdb = $GLOBALS['wpdb'];
		return $wpdb->query( $wpdb->prepare( $this->named( $statement ), ...$values ) );
	}

	public function rows( string $statement, mixed ...$values ): array {
		$wpdb = $GLOBALS['wpdb'];
		return $wpdb->get_results( $wpdb->prepare( $this->named( $statement ), ...$values ) ) ?: array();
	}

	/** @return string[] The first cell of each row. */
	public function column( string $statement, mixed ...$values ): array {
		return array_map( static fn( object $row ): string => (string) current( (array) $row ), $this->rows( $statement, ...$values ) );
	}

	/** The first cell, or null without one. */
	public function cell( string $statement, mixed ...$values ): ?string {
		$wpdb = $GLOBALS['wpdb'];
		return $wpdb->get_var( $wpdb->prepare( $this->named( $statement ), ...$values ) );
	}

	/** The pattern for `LIKE` of texts that begin with this one. */
	public function beginning( string $text ): string {
		return $GLOBALS['wpdb']->esc_like( $text ) . '%';
	}

	/** Whether the site has the tables. Creates missing ones. */
	public function are_there(): bool {
		if ( (string) get_option( self::SCHEMA ) !== '' ) {
			return true;
		}
		$name = $this->name( 'jobs' );
		if ( ! isset( $this->made[ $name ] ) ) {
			$this->made[ $name ] = $this->create();
			$this->made[ $name ] && add_option( self::SCHEMA, self::CURRENT );
		}
		return $this->made[ $name ];
	}

	/** Deletes both tables unless they hold values, and the option with their version: a new installation makes them anew. */
	public function drop(): void {
		$wpdb   = $GLOBALS['wpdb'];
		$tables = $this->cell( 'SELECT COUNT(*) FROM {values} WHERE name <> %s', '' ) ? array() : array( $this->name( 'jobs' ), $this->name( 'values' ) );
		foreach ( $tables as $table ) {
			$wpdb->query( "DROP TABLE IF EXISTS $table" );
		}
		delete_option( self::SCHEMA );
		$this->made = array();
	}

	/** Deletes all jobs, and all values except those whose names begin so. */
	public function clear( array $beginnings ): void {
		$not = implode( ' AND ', array_fill( 0, count( $beginnings ), 'name NOT LIKE %s' ) ) ?: 'name <> %s';
		$this->change( 'DELETE FROM {jobs} WHERE id > %d', 0 );
		$this->change( "DELETE FROM {values} WHERE $not", array_map( array( $this, 'beginning' ), $beginnings ) ?: array( '' ) );
	}

	/** Adds the tables to those that are deleted with a network's site. */
	public function drop_with_site( array $tables, int $site ): array {
		$prefix = $GLOBALS['wpdb']->get_blog_prefix( $site );
		return array( ...$tables, "{$prefix}trousseau_jobs", "{$prefix}trousseau_values" );
	}

	/** Unix time in milliseconds, as both tables keep it. */
	public static function now(): int {
		return (int) ( 1000 * microtime( true ) );
	}

	private function named( string $statement ): string {
		$this->are_there();
		return strtr( $statement, array( '{jobs}' => $this->name( 'jobs' ), '{values}' => $this->name( 'values' ) ) );
	}

	private function name( string $table ): string {
		return $GLOBALS['wpdb']->prefix . "trousseau_$table";
	}

	private function create(): bool {
		$wpdb    = $GLOBALS['wpdb'];
		$charset = $wpdb->get_charset_collate();
		$tables  = array(
			'jobs'   => 'id bigint(20) unsigned NOT NULL AUTO_INCREMENT,
				handler varchar(32) NOT NULL,
				unique_key varchar(191) NOT NULL,
				payload longtext NOT NULL,
				run_at bigint(20) NOT NULL,
				attempts int(11) NOT NULL DEFAULT 0,
				last_error text NOT NULL,
				claimed_until bigint(20) NOT NULL DEFAULT 0,
				failed_at bigint(20) NOT NULL DEFAULT 0,
				revision int(11) NOT NULL DEFAULT 0,
				PRIMARY KEY  (id),
				UNIQUE KEY unique_key (unique_key),
				KEY due (handler,failed_at,run_at)',
			'values' => 'name varchar(191) NOT NULL,
				value longtext NOT NULL,
				expires_at bigint(20) NOT NULL DEFAULT 0,
				PRIMARY KEY  (name),
				KEY expires_at (expires_at)',
		);
		foreach ( $tables as $name => $columns ) {
			$table = $this->name( $name );
			if ( $wpdb->query( "CREATE TABLE IF NOT EXISTS $table ( $columns ) $charset" ) === false ) {
				return false;
			}
		}
		return true;
	}
}
