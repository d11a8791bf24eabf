<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\BoughtForAll;
use Trousseau\Gifts\GiftAmount;
use Trousseau\Lists\Meta;
use Trousseau\Platform\KeptValues;
use Trousseau\Service\ClaimState;
use Trousseau\Service\Item;
use WP_Post;

/** A gift that several pay for: its shares, its buyer, whether its goal is missed on the day, and what givers want then. */
final class SharedGift {

	/** Answers of givers: the share stays for the gift, or may be used for something else. Taking it back releases it. */
	public const KEEP  = 'keep';
	public const OTHER = 'other';

	/** A note that the others may read a buyer's name. */
	private const NAMED = 'named';

	public function __construct( private readonly BoughtForAll $bought_for_all, private readonly KeptValues $kept_values, private readonly ShareMoney $share_money ) {
	}

	/**
	 * Notes which gifts of a registry are bought, by its claims.
	 *
	 * @param array<string, mixed>[] $claims
	 */
	public function note_bought( int $registry_id, array $claims ): void {
		$this->bought_for_all->note( $registry_id, array_keys( array_filter( self::buyers( $claims ), $this->is_bought( ... ) ) ) );
	}

	/** Whether a claim is a share that its giver has confirmed and not taken back. */
	public static function is_confirmed( array $claim ): bool {
		return GiftAmount::is_share( $claim ) && ClaimState::is_given( $claim );
	}

	/** @return array<string, mixed>[] The confirmed shares of a gift. */
	public static function shares( array $claims, int $item_id ): array {
		return array_values( array_filter( $claims, static fn( array $claim ): bool => (int) $claim['item_id'] === $item_id && self::is_confirmed( $claim ) ) );
	}

	/** @return array<string, mixed>|null The share of the one who buys the gift. */
	public static function buyer( array $claims, int $item_id ): ?array {
		return self::buyers( $claims )[ $item_id ] ?? null;
	}

	/** @return array<int, array<string, mixed>> The shares of those who buy gifts, by the numbers of the gifts. */
	public static function buyers( array $claims ): array {
		return array_column( array_filter( $claims, static fn( array $claim ): bool => ! empty( $claim['buys'] ) && self::is_confirmed( $claim ) ), null, 'item_id' );
	}

	/** Whether two shares are of one giver. */
	public static function is_same_giver( array $share, array $other ): bool {
		$giver = $share['giver'];
		return $share['id'] === $other['id']
			|| ( $giver['user_id'] && $giver['user_id'] === $other['giver']['user_id'] )
			|| ( (string) $giver['email'] !== '' && strcasecmp( (string) $giver['email'], (string) $other['giver']['email'] ) === 0 );
	}

	/** @return array<string, mixed>[] The confirmed shares of a gift's other givers. */
	public static function shares_of_others( array $claims, array $share ): array {
		return array_values( array_filter( self::shares( $claims, (int) $share['item_id'] ), static fn( array $claim ): bool => ! self::is_same_giver( $claim, $share ) ) );
	}

	/** Whether a gift may have missed its goal: the registry's day has come, where the site is, and some of the money is missing. */
	public static function may_be_short( array $item, int $post_id ): bool {
		$day = Meta::event_date( $post_id );
		return Item::is_money( $item ) && ! Item::has_no_goal( $item ) && $day !== '' && $day <= wp_date( 'Y-m-d' ) && Item::remaining( $item ) > 0;
	}

	/** Whether its givers are asked about their shares; a gift that somebody has bought needs no more money. */
	public function is_short( array $item, int $post_id, array $claims ): bool {
		return self::may_be_short( $item, $post_id ) && ! $this->is_bought( self::buyer( $claims, (int) $item['id'] ) );
	}

	/** Whether somebody buys the gift, and has bought it: they may have sent a share before they became the one. */
	public function is_bought( ?array $buyer ): bool {
		return $buyer && $buyer['state'] === 'purchased' && $this->share_money->is_spent( $buyer );
	}

	/**
	 * The places of the one to whom shares belong: the owners, or the one who buys, whose shares may have ended and begun anew.
	 *
	 * @return string[]
	 */
	public static function places( array $claims, ?array $buyer ): array {
		$theirs = $buyer ? array_filter( $claims, static fn( array $claim ): bool => (int) $claim['item_id'] === (int) $buyer['item_id'] && self::is_same_giver( $claim, $buyer ) ) : array( null );
		return array_map( array( ShareMoney::class, 'place' ), array_values( $theirs ) );
	}

	/** @return array<string, mixed>[] The shares of others of which a giver has the money, as the one who buys or once did. */
	public function held_by( array $claims, array $share ): array {
		$places = self::places( $claims, $share );
		$others = self::shares_of_others( $claims, $share );
		$this->share_money->read_ahead( $others );
		return array_values( array_filter( $others, fn( array $other ): bool => in_array( $this->share_money->lies( $other ), $places, true ) ) );
	}

	/** @return array<string, mixed>[] The shares of others that are marked as sent to the one who buys. */
	public function sent_to( array $claims, array $buyer ): array {
		$places = self::places( $claims, $buyer );
		return array_values( array_filter( self::shares_of_others( $claims, $buyer ), fn( array $share ): bool => $this->share_money->has_come( $share, $places ) ) );
	}

	/** Returns what such shares come to, in words; nothing where there are none. */
	public static function sum_of( array $shares ): string {
		return $shares ? GiftAmount::of( array_sum( array_column( $shares, 'quantity' ) ), GiftAmount::currency_of_claim( $shares[0] ) ) : '';
	}

	/**
	 * The name of the guest with whom the money of a share lies, who no longer buys or has agreed to be named; nothing where it is the
	 * owners, or somebody who is forgotten.
	 */
	public function holder( array $claims, array $share ): string {
		$place = $this->share_money->lies( $share );
		$found = array_values( array_filter( $claims, static fn( array $claim ): bool => ShareMoney::place( $claim ) === $place ) )[0] ?? null;
		$buyer = $found ? self::buyer( $claims, (int) $found['item_id'] ) : null;
		return $buyer && self::is_same_giver( $buyer, $found ) ? $this->name_of( $buyer ) : (string) ( $found['giver']['name'] ?? '' );
	}

	/** Whether all of the money is promised, and nobody still has to confirm. */
	public static function is_reached( array $item, array $claims ): bool {
		$waits = array_filter( $claims, static fn( array $claim ): bool => $claim['item_id'] === $item['id'] && $claim['state'] === 'pending' );
		return Item::is_money( $item ) && Item::remaining( $item ) === 0 && ! $waits && self::shares( $claims, (int) $item['id'] );
	}

	/** The answer of a share's giver; nothing where there is none. */
	public function answer( array $claim ): string {
		return (string) $this->kept_values->get( ShareMoney::note( $claim ) );
	}

	/** The stage of a share, with the answer of its giver where that concerns others. */
	public function with_answer( array $claim, string $stage ): string {
		/* translators: %s: state of a share, such as “sent” */
		return $this->answer( $claim ) === self::OTHER ? sprintf( __( '%s, may be used for something else', 'trousseau' ), $stage ) : $stage;
	}

	/** The name of the one who buys, as the others may read it: empty where they don't say it. */
	public function name_of( array $buyer ): string {
		return $this->kept_values->get( ShareMoney::note( $buyer, self::NAMED ) ) ? (string) $buyer['giver']['name'] : '';
	}

	public function set_named( array $buyer, bool $is_named ): void {
		$name = ShareMoney::note( $buyer, self::NAMED );
		$is_named ? $this->kept_values->set( $name, 1 ) : $this->kept_values->delete( $name );
	}

	public function read_ahead( array $claims ): void {
		$this->kept_values->read_ahead( array_map( array( ShareMoney::class, 'note' ), $claims ) );
		$this->share_money->read_ahead( $claims );
	}

	public function set_answer( array $claim, string $answer ): void {
		$this->kept_values->set( ShareMoney::note( $claim ), $answer );
	}

	/** Forgets the answer and the name of a share that ends, and that its money came back, on `trousseau_claim_changed`. */
	public function changed( array $before, array $after ): void {
		if ( self::is_confirmed( $before ) && ! self::is_confirmed( $after ) ) {
			$this->kept_values->delete( ShareMoney::note( $before ) );
			$this->set_named( $before, false );
			$this->share_money->came_back( $before ) && $this->share_money->spent( $before );
		}
	}

	/** Forgets what is noted of the shares of a registry that is deleted. */
	public function forget( int $registry_id ): void {
		foreach ( $this->kept_values->all( ShareMoney::notes_of( $registry_id ) ) as $name => $note ) {
			$this->kept_values->delete( $name );
		}
	}
}
