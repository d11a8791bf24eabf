<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Claims\ClaimFilter;
use Trousseau\Claims\ShareMoney;
use Trousseau\Claims\SharedGift;
use Trousseau\Registry\GiftAmount;
use Trousseau\Registry\GiftLists;
use Trousseau\Registry\PostType;
use Trousseau\Registry\Registries;
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
		if ( $post?->post_type !== PostType::NAME || $post->post_status === 'trash' || $this->is_away || ! $this->item_service->is_configured() || did_action( 'application_password_did_authenticate' ) ) {
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
		$names = array_column( $this->gift_lists->of( $post )->items ?? array(), 'name', 'id' );
		$gifts = array();
		$this->shared_gift->read_ahead( array_filter( $claims, array( GiftAmount::class, 'is_share' ) ) );
		foreach ( ClaimFilter::without_surprises( $claims ) as $claim ) {
			$to   = strtolower( (string) $claim['giver']['email'] );
			$gift = array( 'name' => (string) ( $names[ $claim['item_id'] ] ?? '' ) ) + $this->gift( $claim, $claims );
			// Each share of a giver names the same money of others.
			if ( in_array( $claim['item_id'], array_column( $gifts[ $to ] ?? array(), 'item_id' ), true ) ) {
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
	 * A claim for the mail. Its reader may have another language, in which the template says it.
	 *
	 * @param array<string, mixed>[] $claims All claims of the list.
	 * @return array<string, mixed>
	 */
	private function gift( array $claim, array $claims ): array {
		$gift = array(
			'item_id'  => $claim['item_id'],
			'quantity' => (int) $claim['quantity'],
			'currency' => GiftAmount::currency_of_claim( $claim ),
			'is_given' => in_array( $claim['state'], array( 'reserved', 'purchased' ), true ),
			'money'    => 0,
			'owed'     => array(),
		);
		return ! GiftAmount::is_share( $claim ) ? $gift : array(
			'money'  => $this->share_money->lies( $claim ) === '' ? 0 : $this->share_money->units( $claim ),
			'owners' => $this->share_money->lies_with_owners( $claim ),
			'holder' => $this->shared_gift->holder( $claims, $claim ),
			'owed'   => array_map( fn( array $share ): array => array( (string) $share['giver']['name'], $this->share_money->units( $share ) ), $this->shared_gift->held_by( $claims, $claim ) ),
		) + $gift;
	}
}
