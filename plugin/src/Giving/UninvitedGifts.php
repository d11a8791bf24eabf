<?php

declare(strict_types=1);

namespace Trousseau\Giving;

use Trousseau\Lists\Surprise;
use Trousseau\Platform\Encryption;
use Trousseau\Platform\KeptValues;
use Trousseau\Service\Claim;
use Trousseau\Service\Conflict;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;

/**
 * Notes the gifts that accounts take from registries to which nobody invited them, so that the site's administrator can see
 * accounts that take far more than people usually do, and can undo it.
 */
final class UninvitedGifts {

	/** The beginning of the values' names; each gift has a value. */
	private const NOTE = 'uninvited_';

	/** Seconds for which the site's administrator sees them, and can undo them. */
	private const KEPT = 60 * DAY_IN_SECONDS;

	public function __construct( private readonly GiftStages $gift_stages, private readonly ItemService $item_service, private readonly KeptValues $kept_values ) {
	}

	/** @param Claim $claim A gift that the current account has just taken. */
	public function add( Claim $claim ): void {
		$this->kept_values->add( self::row( get_current_user_id(), $claim->id ), self::sealed( $claim, time() ), self::seconds( $claim, time() ) );
	}

	/** @param Claim $claim Anyone's gift that has changed. */
	public function update( Claim $claim ): void {
		$row  = self::row( $claim->user_id, $claim->id );
		$note = Encryption::open( $this->kept_values->get( $row ) );
		if ( ! $note ) {
			return;
		}
		$claim->is_open() ? $this->kept_values->set( $row, self::sealed( $claim, $note['at'] ), self::seconds( $claim, $note['at'] ) ) : $this->kept_values->delete( $row );
	}

	/** Whether a gift was taken without an invitation. */
	public function has( int $user, string $claim ): bool {
		return $this->kept_values->get( self::row( $user, $claim ) ) !== null;
	}

	/**
	 * Accounts that have taken more than people usually do, alone, or together with others at one registry.
	 *
	 * @param array<string, int> $limits The amounts that people usually take.
	 * @param callable(\WP_Post): bool $hides Whether a registry is left out: its reader is to be surprised.
	 * @return array<int, array{gifts: int, pieces: int, registries: int[]}> By the number of the account.
	 */
	public function found( array $limits, callable $hides ): array {
		$by_user = array();
		$on_day  = array();
		foreach ( $this->notes() as $note ) {
			$post = get_post( $note['registry'] );
			if ( $post && ! $hides( $post ) ) {
				$by_user[ $note['user'] ][]                                       = $note;
				$on_day[ "$post->ID " . intdiv( $note['at'], DAY_IN_SECONDS ) ][] = $note['user'];
			}
		}
		$crowded = array_merge( array(), ...array_values( array_filter( $on_day, static fn( array $users ): bool => count( $users ) > $limits['of_all'] ) ) );
		$found   = array();
		foreach ( $by_user as $user => $notes ) {
			$gifts  = array_count_values( array_column( $notes, 'registry' ) );
			$pieces = array();
			foreach ( $notes as $note ) {
				$pieces[ $note['registry'] ] = ( $pieces[ $note['registry'] ] ?? 0 ) + $note['pieces'];
			}
			if ( max( $gifts ) > $limits['gifts'] || max( $pieces ) > $limits['pieces'] || count( $notes ) > $limits['everywhere'] || in_array( $user, $crowded, true ) ) {
				$found[ $user ] = array( 'gifts' => count( $notes ), 'pieces' => (int) array_sum( $pieces ), 'registries' => array_keys( $gifts ) );
			}
		}
		uasort( $found, static fn( array $one, array $other ): int => $other['pieces'] <=> $one['pieces'] );
		return $found;
	}

	/** Frees all gifts that an account took uninvited. @return int[] The number freed, and the number that couldn't be, on lists that the viewer may know of. */
	public function release( int $user ): array {
		$counts     = array( 0, 0 );
		$registries = array();
		foreach ( $this->notes( $user ) as $note ) {
			$post    = get_post( $note['registry'] );
			$is_free = $this->is_released( $note['claim'] );
			if ( $is_free ) {
				$this->kept_values->delete( self::row( $user, $note['claim'] ) );
				$this->gift_stages->remember( $note['claim'], GiftStages::OVER );
				$registries[ $note['registry'] ] = true;
			}
			if ( $post && ! Surprise::is_for_viewer( $post ) ) {
				++$counts[ $is_free ? 0 : 1 ];
			}
		}
		foreach ( array_keys( $registries ) as $id ) {
			do_action( 'trousseau_written', $id );
		}
		return $counts;
	}

	/** A gift that no longer exists, or that has ended by itself, is as good as taken back. */
	private function is_released( string $claim ): bool {
		try {
			$this->item_service->release_claim( $claim );
			return true;
		} catch ( NotFound | Conflict ) {
			return true;
		} catch ( ServiceError ) {
			return false;
		}
	}

	public function forget_of( int $user ): void {
		foreach ( $this->kept_values->all( self::NOTE . "{$user}_" ) as $row => $note ) {
			$this->kept_values->delete( $row );
		}
	}

	/** @return array<int, array{user: int, registry: int, claim: string, pieces: int, at: int}> Of gifts that still hold pieces. */
	private function notes( int $user = 0 ): array {
		$notes = array();
		foreach ( $this->kept_values->all( self::NOTE . ( $user ? "{$user}_" : '' ) ) as $row => $sealed ) {
			$note = Encryption::open( $sealed );
			if ( is_array( $note ) ) {
				$notes[] = array( 'user' => (int) substr( $row, strlen( self::NOTE ) ) ) + $note;
			}
		}
		return $notes;
	}

	/** Seconds for which a note is kept: as long as the gift waits to be confirmed or bought, and never longer than KEPT. */
	private static function seconds( Claim $claim, int $at ): int {
		return max( 1, min( $claim->ends_at() ?: PHP_INT_MAX, $at + self::KEPT ) - time() );
	}

	private static function sealed( Claim $claim, int $at ): string {
		return Encryption::seal(
			array( 'registry' => $claim->registry_id, 'claim' => $claim->id, 'pieces' => $claim->is_share() ? 1 : $claim->quantity, 'at' => $at )
		);
	}

	private static function row( int $user, string $claim ): string {
		return self::NOTE . $user . '_' . Encryption::hex( 'uninvited', $claim );
	}
}
