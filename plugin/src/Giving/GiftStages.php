<?php

declare(strict_types=1);

namespace Trousseau\Giving;

use Trousseau\Platform\Encryption;
use Trousseau\Platform\KeptValues;
use Trousseau\Service\Claim;

/**
 * How far along each gift is, remembered by its claim, so that a page needn't ask the service. A claim that ended stays as it is: when
 * its giver presses “Undo” another one follows it, to which its links lead.
 */
final class GiftStages {

	/** The stage of a gift that has ended. */
	public const OVER = 'over';

	private const NAME = 'gift_stage_';
	private const KEPT = 400 * DAY_IN_SECONDS;

	/** The beginning of a stage that names the claim that follows. */
	private const NEXT = '>';

	/** The most presses of “Undo” that a link follows. */
	private const MOST = 20;

	public function __construct( private readonly KeptValues $kept_values ) {
	}

	/** The stage of a claim: `over`, or when its time to confirm ends, such as `1795670280`, or to buy, `r1795670280`. Empty if it has no end. */
	public static function of( Claim $claim ): string {
		$end = $claim->ends_at();
		return match ( true ) {
			! $claim->is_open() => self::OVER,
			! $end                          => '',
			$claim->state === 'pending'   => (string) $end,
			$claim->state === 'reserved'  => "r$end",
			default                         => '',
		};
	}

	public function remembered( string $id ): ?string {
		return $this->kept_values->get( self::name( $id ) );
	}

	public function remember( string $id, string $stage ): void {
		$this->kept_values->set( self::name( $id ), $stage, self::KEPT );
	}

	/** Remembers that a cancelled gift was given again. */
	public function follow( string $id, string $next ): void {
		$this->remember( $id, self::NEXT . $next );
	}

	/** The claim by which a gift is given now, whichever claim it began with. */
	public function latest( string $id ): string {
		$next = $this->next( $id );
		for ( $n = 0; $n < self::MOST && $next !== ''; ++$n ) {
			$id   = $next;
			$next = $this->next( $id );
		}
		return $id;
	}

	/** Leaves out claims that another one has followed. @return Claim[] */
	public function without_former( array $claims ): array {
		$released = array_filter( $claims, static fn( Claim $claim ): bool => $claim->state === 'released' );
		$this->read_ahead( array_column( $released, 'id' ) );
		return array_values( array_filter( $claims, fn( Claim $claim ): bool => $claim->state !== 'released' || $this->next( $claim->id ) === '' ) );
	}

	public function read_ahead( array $ids ): void {
		$ids && $this->kept_values->read_ahead( array_map( array( self::class, 'name' ), $ids ) );
	}

	private function next( string $id ): string {
		$stage = (string) $this->remembered( $id );
		return str_starts_with( $stage, self::NEXT ) ? substr( $stage, strlen( self::NEXT ) ) : '';
	}

	private static function name( string $id ): string {
		return self::NAME . Encryption::hex( 'gift stage', $id );
	}
}
