<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Encryption;
use Trousseau\Platform\KeptValues;

/** Gifts that their givers have cancelled and given again by “Undo”. A claim that ended stays as it is, so its links lead to the one after it. */
final class GivenAgain {

	private const NOTE = 'given_again_';
	private const KEPT = 400 * DAY_IN_SECONDS;

	/** The most presses of “Undo” that a link follows. */
	private const MOST = 20;

	public function __construct( private readonly KeptValues $kept_values ) {
	}

	public function note( string $id, string $next ): void {
		$this->kept_values->set( self::name( $id ), $next, self::KEPT );
	}

	/** @param string[] $ids */
	public function read_ahead( array $ids ): void {
		$ids && $this->kept_values->read_ahead( array_map( array( self::class, 'name' ), $ids ) );
	}

	/** The claim by which a gift is given now, whichever claim it began with. */
	public function latest( string $id ): string {
		for ( $n = 0; $n < self::MOST; ++$n ) {
			$next = $this->next( $id );
			if ( $next === '' ) {
				break;
			}
			$id = $next;
		}
		return $id;
	}

	/**
	 * Leaves out claims that another one has followed.
	 *
	 * @param array<string, mixed>[] $claims
	 * @return array<string, mixed>[]
	 */
	public function without_former( array $claims ): array {
		$is_over = static fn( array $claim ): bool => $claim['state'] === 'released';
		$this->read_ahead( array_column( array_filter( $claims, $is_over ), 'id' ) );
		return array_values( array_filter( $claims, fn( array $claim ): bool => ! $is_over( $claim ) || $this->next( $claim['id'] ) === '' ) );
	}

	private function next( string $id ): string {
		return (string) $this->kept_values->get( self::name( $id ) );
	}

	private static function name( string $id ): string {
		return self::NOTE . Encryption::hex( 'given again', $id );
	}
}
