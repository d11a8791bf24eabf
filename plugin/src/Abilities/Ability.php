<?php

declare(strict_types=1);

namespace Trousseau\Abilities;

use Closure;
use Trousseau\Lists\Page;
use Trousseau\Platform\Busy;
use Trousseau\Platform\Unreadable;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use WP_Error;

/** What a program may do for the person who is signed in. */
final class Ability {

	public const CATEGORY = 'trousseau';

	/** The effects: nothing changes, something does, something is taken away. */
	public const READS   = 'reads';
	public const CHANGES = 'changes';
	public const REMOVES = 'removes';

	/**
	 * @param string   $description What a call does, and what it doesn't.
	 * @param string[] $required    Fields of the input.
	 * @param mixed[]  $input       Field → schema, as in the output.
	 */
	public function __construct(
		public readonly string $label,
		public readonly string $description,
		public readonly string $effect,
		public readonly array $required,
		public readonly array $input,
		public readonly array $output,
		public readonly Closure $run,
	) {
	}

	/** @return array<string, mixed> As WordPress registers it. */
	public function arguments( callable $may ): array {
		return array(
			'label'               => $this->label,
			'description'         => $this->description,
			'category'            => self::CATEGORY,
			'input_schema'        => self::object( $this->input, $this->required ) + ( $this->required ? array() : array( 'default' => array() ) ),
			'output_schema'       => self::object( $this->output ),
			'execute_callback'    => $this->execute( ... ),
			'permission_callback' => $may,
			'meta'                => array(
				'annotations'  => array(
					'readonly'    => $this->effect === self::READS,
					'destructive' => $this->effect === self::REMOVES,
					'idempotent'  => $this->effect === self::READS,
				),
				'show_in_rest' => true,
				'mcp'          => array( 'public' => true ),
			),
		);
	}

	/** @param array<string, mixed> $fields Name → schema, or the names of its types. */
	public static function object( array $fields, array $required = array() ): array {
		$schema = static fn( string|array $field ): array => is_string( $field ) || array_is_list( $field ) ? array( 'type' => $field ) : $field;
		return array(
			'type'                 => 'object',
			'additionalProperties' => false,
		) + array_filter( array( 'properties' => array_map( $schema, $fields ) ) + compact( 'required' ) );
	}

	public static function several( array $fields ): array {
		return array( 'type' => 'array', 'items' => self::object( $fields ) );
	}

	/** A refusal as WordPress's tools expect it. */
	private function execute( mixed $input ): array|WP_Error {
		try {
			return ( $this->run )( (array) $input );
		} catch ( ServiceError | Refused | Unreadable | Busy $error ) {
			return new WP_Error( 'trousseau_refused', self::words( $error ), array( 'status' => $error instanceof Refused ? 422 : ( $error instanceof NotFound ? 404 : 503 ) ) );
		}
	}

	/** The reason for the person. */
	private static function words( Refused|ServiceError|Unreadable|Busy $error ): string {
		return match ( true ) {
			$error instanceof ServiceError => $error->words(),
			$error instanceof Unreadable   => Unreadable::words(),
			$error instanceof Busy         => Page::not_just_now(),
			default                        => $error->getMessage(),
		};
	}

	/** Runs the same step for each of several things. One that is refused has a `problem`, and leaves the others be. */
	public static function each( array $many, callable $step ): array {
		$run = static function ( mixed $one ) use ( $step ): array {
			try {
				return $step( $one );
			} catch ( ServiceError | Refused | Unreadable | Busy $error ) {
				return array( 'asked' => is_array( $one ) ? (string) ( $one['url'] ?? $one['name'] ?? '' ) : (string) $one, 'problem' => self::words( $error ) );
			}
		};
		return array_map( $run, array_values( $many ) );
	}
}
