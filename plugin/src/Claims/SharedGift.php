<?php

declare(strict_types=1);

namespace Trousseau\Claims;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\GiftAmount;
use Trousseau\Registry\Meta;
use Trousseau\Registry\Surprise;
use Trousseau\Service\Item;
use Trousseau\Support\Encryption;
use Trousseau\Support\KeptValues;
use WP_Post;

/** A gift that several pay for: its shares, its buyer, to whom shares were sent, whether its goal is missed on the day, and what givers want then. */
final class SharedGift {

	/** Answers of givers: the share stays for the gift, or may be used for something else. Taking it back releases it. */
	public const KEEP  = 'keep';
	public const OTHER = 'other';

	private const ANSWER = 'share_answer_';

	/** A note that the others may read a buyer's name. */
	private const NAMED = 'named';

	/** A note to whom a share was sent: to the owners, or to the one who bought then. */
	private const SENT      = 'sent';
	private const TO_OWNERS = 'owners';

	/** The numbers of a registry's gifts that one of the givers has bought for all. */
	private const BOUGHT = '_trousseau_bought_together';

	public function __construct( private readonly KeptValues $kept_values ) {
	}

	/** Whether one of the givers has bought a gift for all, so that it takes no more shares; never for an owner who is to be surprised. */
	public static function takes_no_more( WP_Post $post, int $item_id ): bool {
		return in_array( $item_id, self::bought( $post->ID ), true ) && ! Surprise::is_for_viewer( $post );
	}

	/**
	 * Notes which gifts of a registry are bought, by its claims.
	 *
	 * @param array<string, mixed>[] $claims
	 */
	public function note_bought( int $registry_id, array $claims ): void {
		$bought = array_filter( $claims, fn( array $claim ): bool => self::is_confirmed( $claim ) && $claim['buys'] && $this->is_bought( $claim ) );
		$ids    = array_map( 'intval', array_column( $bought, 'item_id' ) );
		sort( $ids );
		if ( $ids !== self::bought( $registry_id ) ) {
			$ids ? update_post_meta( $registry_id, self::BOUGHT, $ids ) : delete_post_meta( $registry_id, self::BOUGHT );
		}
	}

	/** @return int[] */
	private static function bought( int $registry_id ): array {
		return array_map( 'intval', array_filter( (array) get_post_meta( $registry_id, self::BOUGHT, true ) ) );
	}

	/** Whether a claim is a share that its giver has confirmed and not taken back. */
	public static function is_confirmed( array $claim ): bool {
		return GiftAmount::is_share( $claim ) && in_array( $claim['state'], array( 'reserved', 'purchased' ), true );
	}

	/** @return array<string, mixed>[] The confirmed shares of a gift. */
	public static function shares( array $claims, int $item_id ): array {
		return array_values( array_filter( $claims, static fn( array $claim ): bool => (int) $claim['item_id'] === $item_id && self::is_confirmed( $claim ) ) );
	}

	/** @return array<string, mixed>|null The share of the one who buys the gift. */
	public static function buyer( array $claims, int $item_id ): ?array {
		return array_values( array_filter( self::shares( $claims, $item_id ), static fn( array $claim ): bool => $claim['buys'] ) )[0] ?? null;
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
		return Item::is_money( $item ) && $day !== '' && $day <= wp_date( 'Y-m-d' ) && Item::remaining( $item ) > 0;
	}

	/** Whether its givers are asked about their shares; a gift that somebody has bought needs no more money. */
	public function is_short( array $item, int $post_id, array $claims ): bool {
		return self::may_be_short( $item, $post_id ) && ! $this->is_bought( self::buyer( $claims, (int) $item['id'] ) );
	}

	/** Whether somebody buys the gift, and has bought it: they may have sent a share before they became the one. */
	public function is_bought( ?array $buyer ): bool {
		return $buyer && $buyer['state'] === 'purchased' && $this->sent_to( $buyer ) === '';
	}

	/** A place to which a share is sent, as a note keeps it: the owners', or that of the one who buys. */
	public static function place( ?array $buyer ): string {
		return $buyer ? Encryption::hex( 'share', $buyer['id'] ) : self::TO_OWNERS;
	}

	/** The place to which a giver has sent a share; nothing where they haven't, or the site doesn't know it. */
	public function sent_to( array $share ): string {
		return (string) $this->kept_values->get( self::name( $share, self::SENT ) );
	}

	public function was_sent_to_owners( array $share ): bool {
		return $this->sent_to( $share ) === self::TO_OWNERS;
	}

	public function was_sent_to_guest( array $share ): bool {
		return ! in_array( $this->sent_to( $share ), array( '', self::TO_OWNERS ), true );
	}

	/** Notes to whom a giver has sent a share; nothing: the share isn't sent, but spent on the gift. */
	public function set_sent_to( array $share, string $place ): void {
		$name = self::name( $share, self::SENT );
		preg_match( '/^(' . self::TO_OWNERS . '|[0-9a-f]{16,64})$/', $place ) !== 1 ? $this->kept_values->delete( $name ) : $this->kept_values->set( $name, $place );
	}

	/** @return array<string, mixed>[] The shares of others that a giver has got as the one who buys. */
	public function shares_received( array $claims, array $share ): array {
		$others = self::shares_of_others( $claims, $share );
		$this->read_ahead( $others );
		return array_filter( $others, fn( array $other ): bool => $other['state'] === 'purchased' && $this->sent_to( $other ) === self::place( $share ) );
	}

	/** The name of the one to whom a giver has sent a share as the buyer, and who no longer is; nothing where nobody knows it. */
	public function former_buyer( array $claims, array $share ): string {
		$place = $this->sent_to( $share );
		$found = array_filter( $claims, static fn( array $claim ): bool => self::place( $claim ) === $place );
		return (string) ( array_values( $found )[0]['giver']['name'] ?? '' );
	}

	/** Whether a share was sent to somebody else than to whom it belongs now. */
	public function is_elsewhere( array $share, ?array $buyer ): bool {
		return $share['state'] === 'purchased' && ! in_array( $this->sent_to( $share ), array( '', self::place( $buyer ) ), true );
	}

	/** Whether all of the money is promised, and nobody still has to confirm. */
	public static function is_reached( array $item, array $claims ): bool {
		$waits = array_filter( $claims, static fn( array $claim ): bool => $claim['item_id'] === $item['id'] && $claim['state'] === 'pending' );
		return Item::is_money( $item ) && Item::remaining( $item ) === 0 && ! $waits && self::shares( $claims, (int) $item['id'] );
	}

	/** The answer of a share's giver; nothing where there is none. */
	public function answer( array $claim ): string {
		return (string) $this->kept_values->get( self::name( $claim ) );
	}

	/** The name of the one who buys, as the others may read it: empty where they don't say it. */
	public function name_of( array $buyer ): string {
		return $this->kept_values->get( self::name( $buyer, self::NAMED ) ) ? (string) $buyer['giver']['name'] : '';
	}

	public function set_named( array $buyer, bool $is_named ): void {
		$name = self::name( $buyer, self::NAMED );
		$is_named ? $this->kept_values->set( $name, 1 ) : $this->kept_values->delete( $name );
	}

	public function read_ahead( array $claims ): void {
		$sent = static fn( array $claim ): string => self::name( $claim, self::SENT );
		$this->kept_values->read_ahead( array( ...array_map( array( self::class, 'name' ), $claims ), ...array_map( $sent, $claims ) ) );
	}

	public function set_answer( array $claim, string $answer ): void {
		$this->kept_values->set( self::name( $claim ), $answer );
	}

	/** Forgets the answer and the name of a share that ends, on `trousseau_claim_changed`. */
	public function changed( array $before, array $after ): void {
		if ( self::is_confirmed( $before ) && ! self::is_confirmed( $after ) ) {
			$this->kept_values->delete( self::name( $before ) );
			$this->set_named( $before, false );
			$this->set_sent_to( $before, '' );
		}
	}

	/** Forgets the answers of a registry that is deleted. */
	public function forget( int $registry_id ): void {
		foreach ( $this->kept_values->all( self::ANSWER . "{$registry_id}_" ) as $name => $answer ) {
			$this->kept_values->delete( $name );
		}
	}

	private static function name( array $claim, string $what = '' ): string {
		return self::ANSWER . (int) $claim['registry_id'] . '_' . Encryption::hex( 'share', $claim['id'] ) . $what;
	}
}
