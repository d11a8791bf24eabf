<?php

declare(strict_types=1);

namespace Trousseau\Test;

/** Stands in for `$wpdb`: gives the answers that a test has written down, method by method, and notes the statements. */
final class ScriptedDatabase {

	public string $prefix = 'wp_';

	/** @var string[] */
	public array $statements = array();

	/** @param array<string, mixed[]> $answers */
	public function __construct( private array $answers ) {
		$GLOBALS['wpdb']   = $this;
		$GLOBALS['stored'] = array( 'trousseau_schema' => '1' );
	}

	public function prepare( string $statement, mixed ...$values ): string {
		return vsprintf( $statement, $values );
	}

	public function __call( string $method, array $arguments ): mixed {
		$this->statements[] = $arguments[0];
		return array_shift( $this->answers[ $method ] );
	}
}
