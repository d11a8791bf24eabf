<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftAmount;
use Trousseau\Gifts\ShopLink;
use Trousseau\Service\ClaimState;
use WP_Post;

/** Group gifts, by the claims of their list and the site's notes. */
final class GroupGifts {

	public function __construct( private readonly ShareNotes $share_notes ) {
	}

	/** Whether a claim is a share that its giver has confirmed and not cancelled. */
	public static function is_confirmed( array $claim ): bool {
		return GiftAmount::is_share( $claim ) && ClaimState::is_given( $claim );
	}

	/**
	 * @param array<string, mixed>|null $item   Null: it is no longer on the list.
	 * @param array<string, mixed>[]    $claims All claims of the list.
	 */
	public function of( WP_Post $post, int $item_id, ?array $item, array $claims ): GroupGift {
		$claims  = array_filter( $claims, static fn( array $claim ): bool => (int) $claim['item_id'] === $item_id );
		$shares  = array_values( array_filter( $claims, array( self::class, 'is_confirmed' ) ) );
		$is_fund = $item && ShopLink::is_fund( $item, $post->ID );
		$buyers  = array_values( array_filter( $shares, static fn( array $share ): bool => $share['buys'] ) );
		$this->share_notes->read_ahead( $shares );
		return new GroupGift(
			$post,
			$item,
			$is_fund,
			$shares,
			$is_fund ? null : $buyers[0] ?? null,
			array_column( array_filter( $shares, fn( array $share ): bool => $this->share_notes->has( $share, ShareNotes::BACK ) ), 'id' ),
			in_array( 'pending', array_column( $claims, 'state' ), true )
		);
	}

	/**
	 * @param array<string, mixed>[] $items  The list's.
	 * @param array<string, mixed>[] $claims All claims of the list.
	 * @return array<int, GroupGift> Those with confirmed shares, by the numbers of the gifts.
	 */
	public function all( WP_Post $post, array $items, array $claims ): array {
		$items  = array_column( $items, null, 'id' );
		$groups = array();
		foreach ( array_filter( $claims, array( self::class, 'is_confirmed' ) ) as $share ) {
			$id              = (int) $share['item_id'];
			$groups[ $id ] ??= $this->of( $post, $id, $items[ $id ] ?? null, $claims );
		}
		return $groups;
	}
}
