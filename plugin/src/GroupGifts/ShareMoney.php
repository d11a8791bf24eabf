<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftAmount;
use Trousseau\Platform\Encryption;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Language;

/**
 * The money of shares, by what their givers say: with whom it lies, be it the owners or a guest who buys. A share that is sent stays as it is
 * until its giver has the money back, and a guest goes on buying as long as they have money of others.
 */
final class ShareMoney {

	private const TO_OWNERS = 'owners';

	/** A note that the giver has got the money of a share back that still counts. */
	private const BACK = 'back';

	/** The note of the place to which a share was sent. */
	private const SENT = 'sent';

	public function __construct( private readonly KeptValues $kept_values ) {
	}

	/** The name of a note of a share. All notes of a registry begin alike. */
	public static function note( array $share, string $what = '' ): string {
		return self::notes_of( (int) $share['registry_id'] ) . Encryption::hex( 'share', $share['id'] ) . $what;
	}

	/** The beginning of the names of a registry's notes. */
	public static function notes_of( int $registry_id ): string {
		return "share_answer_{$registry_id}_";
	}

	/** A place to which a share is sent, as a note keeps it: the owners', or that of the one who buys. */
	public static function place( ?array $buyer ): string {
		return $buyer ? Encryption::hex( 'share', $buyer['id'] ) : self::TO_OWNERS;
	}

	/** The place where the money of a share lies; nothing where it wasn't sent, came back, or the site doesn't know it. */
	public function lies( array $share ): string {
		$place = $this->note_of( $share );
		return $place === self::BACK ? '' : $place;
	}

	public function lies_with_owners( array $share ): bool {
		return $this->lies( $share ) === self::TO_OWNERS;
	}

	/** A sentence for the giver of a share about its money. A holder without a name is a guest who isn't named, or is forgotten. */
	public static function where( string $amount, bool $with_owners, string $holder ): string {
		return match ( true ) {
			/* translators: %s: amount of money */
			$with_owners   => sprintf( __( 'The owners of the list have your %s.', 'trousseau' ), $amount ),
			/* translators: %s: amount of money */
			$holder === '' => sprintf( __( 'Your %s is with a guest who is buying the gift, or was going to.', 'trousseau' ), $amount ),
			/* translators: 1: amount of money, 2: name of a person */
			default        => sprintf( __( 'Your %1$s is with %2$s.', 'trousseau' ), $amount, Language::isolate( $holder ) ),
		};
	}

	/** Whether money of others lies with the giver of a share. */
	public function holds_others( array $share ): bool {
		$notes = iterator_to_array( $this->kept_values->all( self::notes_of( (int) $share['registry_id'] ) ) );
		return in_array( self::place( $share ), array_filter( $notes, static fn( string $name ): bool => str_ends_with( $name, self::SENT ), ARRAY_FILTER_USE_KEY ), true );
	}

	/** Why a share that is sent isn't taken back, and its amount stays. */
	public static function no_way_back(): string {
		return __( 'You’ve told us that you sent your share. Only the person who has the money can return it, so please ask them.', 'trousseau' );
	}

	/** Whether a share is marked as sent: then it stays as it is until its giver has the money back. */
	public function is_sent( array $share ): bool {
		return GiftAmount::is_share( $share ) && $share['state'] === 'purchased' && ! $this->came_back( $share );
	}

	/**
	 * Whether a share was sent to somebody else than to whom it belongs now.
	 *
	 * @param string[] $places The places of the one to whom it belongs.
	 */
	public function is_elsewhere( array $share, array $places ): bool {
		return $share['state'] === 'purchased' && ! in_array( $this->lies( $share ), array( '', ...$places ), true );
	}

	/**
	 * Whether a share counts as sent, and its money is where it belongs.
	 *
	 * @param string[] $places The places of the one to whom it belongs.
	 */
	public function has_come( array $share, array $places ): bool {
		return $share['state'] === 'purchased' && ! $this->came_back( $share ) && ! $this->is_elsewhere( $share, $places );
	}

	/** Whether the giver has got the money of a share back, and still has to send it. */
	public function came_back( array $share ): bool {
		return $this->note_of( $share ) === self::BACK;
	}

	/** Whether nobody was sent the money of a share: the one who buys spends it. */
	public function is_spent( array $share ): bool {
		return $this->note_of( $share ) === '';
	}

	/** Notes that a giver has sent a share, or that its money is at another place now. */
	public function sent( array $share, string $place ): void {
		if ( preg_match( '/^(' . self::TO_OWNERS . '|[0-9a-f]{16,64})$/', $place ) === 1 ) {
			$this->kept_values->set( self::note( $share, self::SENT ), $place );
		}
	}

	/** Notes that the one who buys has spent a share. */
	public function spent( array $share ): void {
		$this->kept_values->delete( self::note( $share, self::SENT ) );
	}

	/** Notes that a giver has got the money of a share back from a place, unless it lies elsewhere by now. */
	public function got_back( array $share, string $place ): void {
		if ( $this->is_sent( $share ) && in_array( $this->lies( $share ), array( '', $place ), true ) ) {
			$this->kept_values->set( self::note( $share, self::SENT ), self::BACK );
		}
	}

	/** @param array<string, mixed>[] $shares */
	public function read_ahead( array $shares ): void {
		$this->kept_values->read_ahead( array_map( static fn( array $share ): string => self::note( $share, self::SENT ), array_values( $shares ) ) );
	}

	private function note_of( array $share ): string {
		return (string) $this->kept_values->get( self::note( $share, self::SENT ) );
	}
}
