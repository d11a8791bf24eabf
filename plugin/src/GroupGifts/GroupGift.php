<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

use Trousseau\Gifts\ShopLink;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\Meta;
use Trousseau\Lists\PostType;
use Trousseau\Platform\Encryption;
use Trousseau\Service\Claim;
use Trousseau\Service\Item;
use WP_Post;

/**
 * A gift that several pay for, as it is now.
 *
 * Its shares go to one receiver: the guest who buys the gift, or the owners. The receiver stays the same as long as any share is sent, so
 * whoever receives the shares has the money of all that are sent, and nobody has to remember where money lies.
 *
 * | A share is | when | its giver may |
 * | --- | --- | --- |
 * | `TO_SEND` | it is reserved | send it, change it, cancel it; buy the gift while no share is sent |
 * | `SENT`    | its giver says so | cancel it once the money came back |
 * | `SPENT`   | its giver buys the gift, with this share or another | buy it; stop buying while no share is sent |
 * | `ENDED`   | it is cancelled, or its time ran out | nothing |
 *
 * Once the gift is bought its shares are final: those `TO_SEND` can only be sent, and one that nobody has confirmed can only be cancelled. The site holds this; programs and the clock may free a
 * buyer's role all the same: then the others are emailed.
 */
final class GroupGift {

	public const TO_SEND = 'to-send';
	public const SENT    = 'sent';
	public const SPENT   = 'spent';
	public const ENDED   = 'ended';

	/**
	 * @param Item|null  $item    Null: it is no longer on the list.
	 * @param Claim[]    $shares  The confirmed ones.
	 * @param Claim|null $buyer   The share of the buyer; null for a fund, whatever programs say.
	 * @param int        $pending The money of unconfirmed shares, in minor units.
	 */
	private function __construct(
		public readonly WP_Post $post,
		public readonly ?Item $item,
		public readonly bool $is_fund,
		public readonly array $shares,
		public readonly ?Claim $buyer,
		private readonly int $pending,
	) {
	}

	/** @param Claim[] $claims All claims of the list. */
	public static function of( WP_Post $post, int $item_id, ?Item $item, array $claims ): self {
		$claims  = array_filter( $claims, static fn( Claim $claim ): bool => $claim->item_id === $item_id );
		$shares  = array_values( array_filter( $claims, array( self::class, 'is_confirmed' ) ) );
		$is_fund = $item && ShopLink::is_fund( $item, $post->ID );
		$buyers  = array_values( array_filter( $shares, static fn( Claim $share ): bool => $share->buys ) );
		$waiting = array_filter( $claims, static fn( Claim $claim ): bool => $claim->state === 'pending' );
		$pending = (int) array_sum( array_column( $waiting, 'quantity' ) );
		return new self( $post, $item, $is_fund, $shares, $is_fund ? null : $buyers[0] ?? null, $pending );
	}

	/** @return array<int, self> Those with confirmed shares, by the numbers of the gifts, of all items and claims of the list. */
	public static function all( WP_Post $post, array $items, array $claims ): array {
		$items  = array_column( $items, null, 'id' );
		$groups = array();
		foreach ( array_filter( $claims, array( self::class, 'is_confirmed' ) ) as $share ) {
			$id              = $share->item_id;
			$groups[ $id ] ??= self::of( $post, $id, $items[ $id ] ?? null, $claims );
		}
		return $groups;
	}

	/** Whether a claim is a share that its giver has confirmed and not cancelled. */
	public static function is_confirmed( Claim $claim ): bool {
		return $claim->is_share() && $claim->is_given();
	}

	public function stage( Claim $share ): string {
		return match ( true ) {
			! in_array( $share->id, array_column( $this->shares, 'id' ), true ) => self::ENDED,
			$this->buyer && self::is_same_giver( $share, $this->buyer )           => self::SPENT,
			$share->state === 'purchased'                                       => self::SENT,
			default                                                               => self::TO_SEND,
		};
	}

	/** @return Claim[] The shares at a stage. */
	public function at( string $stage ): array {
		return array_values( array_filter( $this->shares, fn( Claim $share ): bool => $this->stage( $share ) === $stage ) );
	}

	public function is_bought(): bool {
		return $this->buyer?->state === 'purchased';
	}

	/** The part of the goal without a confirmed share, in minor units. */
	public function missing(): int {
		$has_goal = $this->item && ! $this->item->has_no_goal();
		return $has_goal ? max( 0, $this->item->needed() - (int) $this->item->given + $this->pending ) : 0;
	}

	/** Whether someone has sent a share, so that the receiver can no longer change. */
	public function is_settled(): bool {
		return (bool) $this->at( self::SENT );
	}

	/** The receiver of the shares, as forms send it. */
	public function receiver(): string {
		return $this->buyer ? Encryption::hex( 'share', $this->buyer->id ) : 'owners';
	}

	public function is_buyer( Claim $share ): bool {
		return $share->id === $this->buyer?->id;
	}

	public function buyer_name(): ?string {
		return $this->buyer ? self::name( $this->buyer ) : null;
	}

	/** The name of a share's giver, as others read it. */
	public static function name( Claim $share ): string {
		return $share->name !== '' ? $share->name : __( 'Someone', 'trousseau' );
	}

	/** @return Claim[] The shares of other givers. */
	public function others( Claim $share ): array {
		return array_values( array_filter( $this->shares, static fn( Claim $other ): bool => ! self::is_same_giver( $other, $share ) ) );
	}

	/** Whether all of the money is promised, and nobody still has to confirm. */
	public function is_reached(): bool {
		return $this->item && $this->item->remaining() === 0 && ! $this->pending && $this->shares;
	}

	/** Whether givers are asked about their shares: the list's day came in the last month, money is missing, and nobody has bought it anyway. */
	public function is_short(): bool {
		$day   = Meta::event_date( $this->post->ID );
		$is_on = $day <= wp_date( 'Y-m-d' ) && $day > wp_date( 'Y-m-d', time() - MONTH_IN_SECONDS );
		// Unconfirmed shares don't count as missing here: their givers have an hour to confirm.
		$is_missing = $this->missing() > $this->pending;
		return $is_on && $is_missing && PostType::is_live( $this->post ) && ! $this->is_bought();
	}

	/** The sum of shares, as an amount of money. Empty without shares. */
	public static function sum( array $shares ): string {
		return $shares ? GiftAmount::of( array_sum( array_column( $shares, 'quantity' ) ), GiftAmount::currency_of_claim( current( $shares ) ) ) : '';
	}

	public static function is_same_giver( Claim $share, Claim $other ): bool {
		return $share->id === $other->id
			|| ( $share->user_id && $share->user_id === $other->user_id )
			|| ( $share->email !== '' && strcasecmp( $share->email, $other->email ) === 0 );
	}
}
