<?php

declare(strict_types=1);

namespace Trousseau\Test;

/** Stands in for `$wpdb` with the table of kept values, in memory: it knows the statements of `KeptValues` and `Lock`. */
final class ValuesDatabase {

	public string $prefix = 'wp_';

	public array $rows = array();

	public function __construct() {
		$GLOBALS['wpdb']                       = $this;
		$GLOBALS['stored']['trousseau_schema'] = '1';
	}

	public function prepare( string $statement, mixed ...$values ): array {
		return array( $statement, $values );
	}

	public function get_results( array $statement ): array {
		return array_filter( array( $this->rows[ $statement[1][0] ] ?? null ) );
	}

	public function get_var( array $statement ): ?string {
		return $this->rows[ $statement[1][0] ]->expires_at ?? null;
	}

	public function query( array $statement ): int {
		list( $text, $values ) = $statement;
		if ( str_starts_with( $text, 'DELETE' ) ) {
			$is_there = isset( $this->rows[ $values[0] ] );
			unset( $this->rows[ $values[0] ] );
			return (int) $is_there;
		}
		if ( str_starts_with( $text, 'UPDATE' ) ) {
			list( $value, $end, $name, $until ) = $values;
			if ( (int) ( $this->rows[ $name ]->expires_at ?? -1 ) !== $until ) {
				return 0;
			}
			$values = array( $name, $value, $end );
		} elseif ( str_starts_with( $text, 'INSERT IGNORE' ) && isset( $this->rows[ $values[0] ] ) ) {
			return 0;
		}
		$this->rows[ $values[0] ] = (object) array( 'value' => (string) $values[1], 'expires_at' => (string) $values[2] );
		return 1;
	}
}
