<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/**
 * A form as someone opened it: its time, its name, and a fingerprint of each value that it showed. The form carries them in a hidden
 * field, so that saving tells the fields that its sender has changed from those that someone else has changed in the meantime.
 */
final class OpenedForm {

	public const FIELD = 'opened';

	/** @param array<string, string> $prints Field → fingerprint. */
	private function __construct(
		public readonly int $at,
		public readonly string $name,
		private readonly array $prints,
	) {
	}

	/** @param array<string, string> $values The values that the form shows. */
	public static function stamp( array $values ): string {
		$prints = array_map( static fn( string $field, string $value ): string => "$field:" . self::fingerprint( $value ), array_keys( $values ), $values );
		return implode( ' ', array( time(), bin2hex( random_bytes( 6 ) ), ...$prints ) );
	}

	/** The form that was sent; null where it carries nothing readable. */
	public static function of( Form $form ): ?self {
		$parts = explode( ' ', $form->text( self::FIELD ) );
		if ( ! ctype_digit( $parts[0] ) || ! preg_match( '/^[0-9a-f]{12}$/D', $parts[1] ?? '' ) ) {
			return null;
		}
		preg_match_all( '/([a-z_]+):([0-9a-f]{16})(?= |$)/D', implode( ' ', array_slice( $parts, 2 ) ), $found );
		return new self( (int) $parts[0], $parts[1], array_combine( $found[1], $found[2] ) );
	}

	/**
	 * Compares the sent values with the present ones. A value that is the same in both needs nothing.
	 *
	 * @param array<string, string> $sent Fields that the form leaves out are left alone.
	 * @return array{0: array<string, string>, 1: string[]} The values that only others have changed, and the fields that both have changed.
	 */
	public function compare( array $sent, array $present ): array {
		$theirs = array();
		$both   = array();
		foreach ( array_intersect_key( $sent, $present, $this->prints ) as $field => $value ) {
			if ( $value === $present[ $field ] ) {
				continue;
			}
			if ( self::fingerprint( $value ) === $this->prints[ $field ] ) {
				$theirs[ $field ] = $present[ $field ];
			} elseif ( self::fingerprint( $present[ $field ] ) !== $this->prints[ $field ] ) {
				$both[] = $field;
			}
		}
		return array( $theirs, $both );
	}

	/** The form's name and the fields that its sender has changed, as words. */
	public function mark( array $sent ): string {
		$changed = array_filter( array_intersect_key( $sent, $this->prints ), fn( string $value, string $field ): bool => self::fingerprint( $value ) !== $this->prints[ $field ], ARRAY_FILTER_USE_BOTH );
		return implode( ' ', array( $this->name, ...array_keys( $changed ) ) );
	}

	private static function fingerprint( string $value ): string {
		return substr( hash( 'sha256', $value ), 0, 16 );
	}
}
