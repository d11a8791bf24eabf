<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftAmount;
use Trousseau\Lists\Meta;
use Trousseau\Platform\Encryption;
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
 * | `TO_SEND` | it is reserved, or its money came back | send it, change it, cancel it; buy the gift while no share is sent |
 * | `SENT`    | its giver says so | say that the money came back |
 * | `SPENT`   | its giver buys the gift, with this share or another | buy it; stop buying while no share is sent |
 * | `ENDED`   | it is cancelled, or its time ran out | nothing |
 *
 * Once the gift is bought its shares are final: those `TO_SEND` can only be sent. The site holds this; programs and the clock may free a
 * buyer's role all the same: then the others are emailed who has their money.
 */
final class GroupGift {

	public const TO_SEND = 'to-send';
	public const SENT    = 'sent';
	public const SPENT   = 'spent';
	public const ENDED   = 'ended';

	/** @var array<string, bool> Whether the money of a share came back, by the ids of the confirmed ones. */
	private readonly array $came_back;

	/**
	 * @param array<string, mixed>|null $item   Null: it is no longer on the list.
	 * @param array<string, mixed>[]    $shares The confirmed ones.
	 * @param array<string, mixed>|null $buyer  The share of the buyer; null for a fund, whatever programs say.
	 * @param string[]                  $back   The ids of shares whose money came back.
	 * @param bool                      $waits  Whether someone still has to confirm a share.
	 */
	public function __construct(
		public readonly WP_Post $post,
		public readonly ?array $item,
		public readonly bool $is_fund,
		public readonly array $shares,
		public readonly ?array $buyer,
		array $back,
		private readonly bool $waits,
	) {
		$this->came_back = array_fill_keys( $back, true ) + array_fill_keys( array_column( $shares, 'id' ), false );
	}

	public function stage( array $share ): string {
		return match ( true ) {
			! isset( $this->came_back[ $share['id'] ] )                   => self::ENDED,
			$this->buyer && self::is_same_giver( $share, $this->buyer )           => self::SPENT,
			$this->is_sent( $share )                                              => self::SENT,
			default                                                               => self::TO_SEND,
		};
	}

	/** Whether a share is marked as sent. The buyer's own share is sent once it's spent. */
	private function is_sent( array $share ): bool {
		return $share['state'] === 'purchased' && ! ( $this->came_back[ $share['id'] ] ?? false );
	}

	/** @return array<string, mixed>[] The shares at a stage. */
	public function at( string $stage ): array {
		return array_values( array_filter( $this->shares, fn( array $share ): bool => $this->stage( $share ) === $stage ) );
	}

	/** Whether the gift is bought. */
	public function is_bought(): bool {
		return $this->buyer && $this->is_sent( $this->buyer );
	}

	/** Whether someone has sent a share, so that the receiver can no longer change. */
	public function is_settled(): bool {
		return (bool) $this->at( self::SENT );
	}

	/** The receiver of the shares, as forms send it. */
	public function receiver(): string {
		return $this->buyer ? Encryption::hex( 'share', $this->buyer['id'] ) : 'owners';
	}

	/** Whether a share is the buyer's. */
	public function is_buyer( array $share ): bool {
		return $share['id'] === ( $this->buyer['id'] ?? null );
	}

	/** Where to send a share, in the receiver's words. Empty if they haven't said. */
	public function place( array $share ): string {
		return $this->buyer ? (string) $share['pay_to'] : Meta::pay_to( $this->post->ID );
	}

	/** @return array<string, mixed>[] The shares of other givers. */
	public function others( array $share ): array {
		return array_values( array_filter( $this->shares, static fn( array $other ): bool => ! self::is_same_giver( $other, $share ) ) );
	}

	/** Whether all of the money is promised, and nobody still has to confirm. */
	public function is_reached(): bool {
		return $this->item && Item::remaining( $this->item ) === 0 && ! $this->waits && $this->shares;
	}

	/** Whether givers are asked about their shares: the list's day has come, money is missing, and nobody has bought it anyway. */
	public function is_short(): bool {
		return $this->item && self::may_be_short( $this->item, $this->post->ID ) && ! $this->is_bought();
	}

	/** Whether a gift may have missed its goal on the list's day, in the site's time zone. */
	public static function may_be_short( array $item, int $post_id ): bool {
		$day = Meta::event_date( $post_id );
		return Item::is_money( $item ) && ! Item::has_no_goal( $item ) && $day !== '' && $day <= wp_date( 'Y-m-d' ) && Item::remaining( $item ) > 0;
	}

	/** The sum of shares, as an amount of money. Empty without shares. */
	public static function sum( array $shares ): string {
		return $shares ? GiftAmount::of( array_sum( array_column( $shares, 'quantity' ) ), GiftAmount::currency_of_claim( current( $shares ) ) ) : '';
	}

	/** Whether two shares are of one giver. */
	public static function is_same_giver( array $share, array $other ): bool {
		$giver = $share['giver'];
		return $share['id'] === $other['id']
			|| ( $giver['user_id'] && $giver['user_id'] === $other['giver']['user_id'] )
			|| ( (string) $giver['email'] !== '' && strcasecmp( (string) $giver['email'], (string) $other['giver']['email'] ) === 0 );
	}
}
