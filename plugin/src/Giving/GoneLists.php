<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftAmount;
use Trousseau\GroupGifts\ShareMoney;
use Trousseau\GroupGifts\SharedGift;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\PostType;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Mail;
use Trousseau\Platform\Request;
use Trousseau\Service\ClaimState;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;
use Trousseau\Service\Unavailable;
use WP_Post;

/** Mails those who give from a list that is deleted: they may have bought something or sent money, and their pages no longer say it. */
final class GoneLists {

	/** The mail's template. */
	private const MAIL = 'list-gone';

	/** Seconds for which a list may be put back before its givers hear that it was deleted. */
	private const SECOND_THOUGHTS = 15 * MINUTE_IN_SECONDS;

	/** Whether the service was away in this request, which may delete many lists. */
	private bool $is_away = false;

	public function __construct(
		private readonly GiftLists $gift_lists,
		private readonly ItemService $item_service,
		private readonly Mail $mail,
		private readonly SharedGift $shared_gift,
		private readonly ShareMoney $share_money,
	) {
	}

	/** Plans the mails before a list goes to the trash or for good: afterwards the service names nobody. */
	public function goes( int $id ): void {
		$post = get_post( $id );
		// Those who give from a list in the trash know. A program with a password of its own may be the service, which waits for this answer.
		if ( $post?->post_type !== PostType::NAME || $post->post_status === 'trash' || $this->is_away || ! $this->item_service->is_configured() || Request::is_by_program() ) {
			return;
		}
		try {
			$this->plan( $post, $this->item_service->registry_claims( $id, (int) $post->post_author )['claims'] );
		} catch ( Unavailable ) {
			$this->is_away = true;
		} catch ( ServiceError ) {
			// The service knows no such list: nobody gives from it.
			return;
		}
	}

	/** Whether a list is in the trash or deleted for good. */
	public static function is_gone( int $id ): bool {
		return in_array( get_post_status( $id ), array( false, 'trash' ), true );
	}

	/** @param array<string, mixed>[] $claims */
	private function plan( WP_Post $post, array $claims ): void {
		$names   = array_column( $this->gift_lists->of( $post )->items ?? array(), 'name', 'id' );
		$holders = $this->holders( $claims );
		$gifts   = array();
		foreach ( ClaimFilter::without_surprises( $claims ) as $claim ) {
			$to   = strtolower( (string) $claim['giver']['email'] );
			$gift = array( 'name' => (string) ( $names[ $claim['item_id'] ] ?? '' ) ) + $this->gift( $claim, $claims, $holders );
			// Each share of a giver names the same money of others.
			if ( array_filter( $gifts[ $to ] ?? array(), static fn( array $other ): bool => $other['owed'] && $other['item_id'] === $gift['item_id'] ) ) {
				$gift['owed'] = array();
			}
			if ( $to !== '' && ( $gift['is_given'] || $gift['money'] || $gift['owed'] ) ) {
				$gifts[ $to ][] = $gift;
			}
		}
		foreach ( $gifts as $to => $theirs ) {
			$values = array(
				'registry' => Registries::title( $post ),
				'gifts'    => $theirs,
			);
			$this->mail->send( (string) $to, self::MAIL, $values, time() + self::SECOND_THOUGHTS, array( 'gone' => $post->ID ) );
		}
	}

	/**
	 * The names at the places where money lies. A list may have thousands of shares, whose money lies at a few places.
	 *
	 * @return array<string, string>
	 */
	private function holders( array $claims ): array {
		$shares  = array_filter( $claims, array( GiftAmount::class, 'is_share' ) );
		$holders = array();
		$this->shared_gift->read_ahead( $shares );
		foreach ( $shares as $share ) {
			$place = $this->share_money->lies( $share );
			if ( $place !== '' ) {
				$holders[ $place ] ??= $this->shared_gift->holder( $claims, $share );
			}
		}
		return $holders;
	}

	/**
	 * A claim for the mail. Its reader may have another language, in which the template says it.
	 *
	 * @param array<string, mixed>[] $claims  All claims of the list.
	 * @param array<string, string>  $holders The names at the places where money lies.
	 * @return array<string, mixed>
	 */
	private function gift( array $claim, array $claims, array $holders ): array {
		$is_share = GiftAmount::is_share( $claim );
		$place    = $is_share ? $this->share_money->lies( $claim ) : '';
		$owed     = $is_share && isset( $holders[ ShareMoney::place( $claim ) ] ) ? $this->shared_gift->held_by( $claims, $claim ) : array();
		return array(
			'item_id'  => $claim['item_id'],
			'quantity' => (int) $claim['quantity'],
			'currency' => GiftAmount::currency_of_claim( $claim ),
			'is_given' => ClaimState::is_given( $claim ),
			'money'    => $place === '' ? 0 : (int) $claim['quantity'],
			'owners'   => $is_share && $this->share_money->lies_with_owners( $claim ),
			'holder'   => $holders[ $place ] ?? '',
			'owed'     => array_map( static fn( array $share ): array => array( (string) $share['giver']['name'], (int) $share['quantity'] ), $owed ),
		);
	}
}
