<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Encryption;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Language;

/**
 * The money of shares, by what their givers say: with whom it lies, be it the owners or a guest who buys or once did, and how much of it. It
 * stays known after a share has ended, until its giver has got the money back.
 */
final class ShareMoney {

	private const TO_OWNERS = 'owners';

	/** A note that the giver has got the money of a share back that still counts. */
	private const BACK = 'back';

	/** Notes of a share: the money that was sent for it, and money that lies elsewhere since the gift was bought with the share. */
	private const SENT = 'sent';
	private const LENT = 'lent';

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
		return $this->read( $share, self::LENT )[0] ?: $this->sent_to( $share );
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

	/** The money that was sent for a share, in the smallest coin: its giver may have changed it since. */
	public function units( array $share ): int {
		list( , $lent ) = $this->read( $share, self::LENT );
		list( , $sent ) = $this->read( $share, self::SENT );
		return $lent ?: ( $sent ?: (int) $share['quantity'] );
	}

	/** Whether money of others lies with the giver of a share. */
	public function holds_others( array $share ): bool {
		$place = self::place( $share );
		$notes = iterator_to_array( $this->kept_values->all( self::notes_of( (int) $share['registry_id'] ) ) );
		foreach ( $notes as $name => $note ) {
			// Money that lies elsewhere counts before what was sent since.
			$is_lent = isset( $notes[ preg_replace( '/' . self::SENT . '$/', self::LENT, $name ) ] ) && str_ends_with( $name, self::SENT );
			if ( ! $is_lent && preg_match( '/(?:' . self::SENT . '|' . self::LENT . ')$/', $name ) && explode( ':', (string) $note )[0] === $place ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Whether a share was sent to somebody else than to whom it belongs now.
	 *
	 * @param string[] $places The places of the one to whom it belongs.
	 */
	public function is_elsewhere( array $share, array $places ): bool {
		return $share['state'] === 'purchased' && ! in_array( $this->sent_to( $share ), array( '', ...$places ), true );
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
		return $this->kept_values->get( self::note( $share, self::SENT ) ) === self::BACK;
	}

	/** Whether nobody was sent the money of a share: the one who buys spends it. */
	public function is_spent( array $share ): bool {
		return (string) $this->kept_values->get( self::note( $share, self::SENT ) ) === '';
	}

	/** Notes that a giver has sent a share, or that its money, however much it was, is at another place now. */
	public function sent( array $share, string $place ): void {
		if ( preg_match( '/^(' . self::TO_OWNERS . '|[0-9a-f]{16,64})$/', $place ) === 1 ) {
			$is_moved = ! in_array( $this->sent_to( $share ), array( '', $place ), true );
			$units    = $is_moved ? $this->units( $share ) : $share['quantity'];
			$this->kept_values->set( self::note( $share, self::SENT ), "$place:$units" );
		}
	}

	/** Notes that the one who buys has spent a share: money that they had sent before lies where it is. */
	public function spent( array $share ): void {
		if ( $this->sent_to( $share ) !== '' ) {
			$this->kept_values->set( self::note( $share, self::LENT ), (string) $this->kept_values->get( self::note( $share, self::SENT ) ) );
		}
		$this->kept_values->delete( self::note( $share, self::SENT ) );
	}

	/** Notes that a giver has got the money of a share back from a place, if it still lies there. */
	public function got_back( array $share, string $place ): void {
		if ( $this->lies( $share ) !== $place ) {
			return;
		}
		if ( $this->read( $share, self::LENT )[0] !== '' ) {
			$this->kept_values->delete( self::note( $share, self::LENT ) );
		} elseif ( $this->sent_to( $share ) !== '' ) {
			$this->kept_values->set( self::note( $share, self::SENT ), self::BACK );
		}
	}

	/** @param array<string, mixed>[] $shares */
	public function read_ahead( array $shares ): void {
		$names = static fn( array $share ): array => array( self::note( $share, self::SENT ), self::note( $share, self::LENT ) );
		$this->kept_values->read_ahead( array_merge( ...array_map( $names, array_values( $shares ) ) ) );
	}

	private function sent_to( array $share ): string {
		$place = $this->read( $share, self::SENT )[0];
		return $place === self::BACK ? '' : $place;
	}

	/** @return array{0: string, 1: int} The place in a note, and the money; 0 where an earlier version didn't note it. */
	private function read( array $share, string $what ): array {
		list( $place, $units ) = explode( ':', (string) $this->kept_values->get( self::note( $share, $what ) ) ) + array( '', '0' );
		return array( $place, (int) $units );
	}
}
