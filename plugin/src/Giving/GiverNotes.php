<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\GiftAmount;
use Trousseau\Platform\Encryption;
use Trousseau\Platform\KeptValues;

/** A giver's own note on a gift that they have bought: `wrapped`, or `given`. Nobody else sees it. */
final class GiverNotes {

	public const NOTES = array( 'wrapped', 'given' );

	private const PREFIX = 'note_';
	private const KEPT   = 400 * DAY_IN_SECONDS;

	public function __construct( private readonly KeptValues $kept_values ) {
	}

	/** Whether a gift takes notes: one that is bought, and is no share of money. */
	public static function takes( array $claim ): bool {
		return $claim['state'] === 'purchased' && ! GiftAmount::is_share( $claim );
	}

	/** The note, or empty. */
	public function of( array $claim ): string {
		return self::takes( $claim ) ? (string) $this->kept_values->get( self::name( $claim ) ) : '';
	}

	/** @param string $note One of the notes; nothing takes the note away. */
	public function put( array $claim, string $note ): void {
		if ( $note === '' ) {
			$this->kept_values->delete( self::name( $claim ) );
		} else {
			$this->kept_values->set( self::name( $claim ), $note, self::KEPT );
		}
	}

	/** @param array<string, mixed>[] $claims Claims whose notes are needed: one query reads them. */
	public function read_ahead( array $claims ): void {
		$this->kept_values->read_ahead( array_map( array( self::class, 'name' ), array_filter( $claims, array( self::class, 'takes' ) ) ) );
	}

	private static function name( array $claim ): string {
		return self::PREFIX . Encryption::hex( 'note', $claim['id'] );
	}
}
