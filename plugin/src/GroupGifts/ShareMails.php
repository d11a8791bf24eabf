<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Giving\Claims;
use Trousseau\Giving\Givers;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\MailFacts;
use Trousseau\Lists\Registries;
use Trousseau\Lists\Surprise;
use Trousseau\Service\Claim;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;

/** Emails to those who pay for a gift together: when someone buys it, has bought it or steps back, and when its goal is reached or missed. */
final class ShareMails implements MailFacts {

	public function __construct( private readonly ItemService $item_service ) {
	}

	public function facts( string $about, array $mail ): ?array {
		if ( $about === 'shares' ) {
			return $this->values( $mail['template'], $mail['to'], $mail['only']['shares'][1] );
		}
		$facts = $this->about( $mail['to'], ...$mail['only']['share'] );
		return $facts === null ? null : $facts + $mail['values'];
	}

	/** The values of such an email, or null if it is no longer true. */
	private function values( string $template, string $to, int $item_id ): ?array {
		try {
			$item   = $this->item_service->get_item( $item_id );
			$post   = get_post( $item->registry_id );
			$claims = $post ? $this->item_service->claims_at( $post ) : array();
		} catch ( NotFound ) {
			return null;
		}
		if ( ! $post ) {
			return null;
		}
		$group   = GroupGift::of( $post, $item_id, $item, $claims );
		$is_true = match ( $template ) {
			'no-buyer'      => ! $group->buyer,
			'buyer-found'   => $group->buyer && ! $group->is_bought(),
			'shared-bought' => $group->is_bought(),
			// A bought gift has its own email.
			'goal-reached'  => $group->is_reached() && ! $group->is_bought(),
			default         => $group->is_short(),
		};
		$shares = Surprise::without_spoilers( self::of_address( $group->shares, $item_id, $to ) );
		$buys   = (bool) array_filter( $shares, $group->is_buyer( ... ) );
		// The new buyer already knows.
		$is_news = ! $buys || in_array( $template, array( 'goal-missed', 'goal-reached' ), true );
		return ! $is_true || ! $shares || ! $is_news ? null : array(
			'registry' => Registries::title( $post ),
			'gift'     => $item->name,
			'buys'     => $buys,
			'is_fund'  => $group->is_fund,
			'buyer'    => $group->buyer_name(),
			'may_buy'  => ! $group->buyer && ! $group->is_settled() && array_filter( $shares, static fn( Claim $share ): bool => Givers::is_invited( $post, $share ) ),
			'unsent'   => (bool) array_filter( $shares, static fn( Claim $share ): bool => $group->stage( $share ) === GroupGift::TO_SEND ),
			'shares'   => array_map(
				static fn( Claim $share ): array => array(
					'quantity' => $share->quantity,
					'currency' => GiftAmount::currency_of_claim( $share ),
					'link'     => Claims::link( $share->id ),
				),
				$shares
			),
		);
	}

	/** The same for an email about one share. Null: its reader is an owner who is to be surprised by now. */
	private function about( string $to, int $registry_id, int $item_id ): ?array {
		// It may have moved since the email was planned.
		$post = get_post( $this->item_service->find_item( $item_id )->registry_id ?? $registry_id );
		try {
			$claims = $post ? $this->item_service->claims_at( $post ) : array();
		} catch ( NotFound ) {
			$claims = array();
		}
		$group = $post ? GroupGift::of( $post, $item_id, null, $claims ) : null;
		$buys  = $group?->buyer && strcasecmp( $group->buyer->email, $to ) === 0;
		return array_filter( self::of_address( $claims, $item_id, $to ), array( Surprise::class, 'is_spoiled_by' ) ) ? null : array(
			'buys'      => $buys,
			'is_bought' => (bool) $group?->is_bought(),
			'holds'     => $buys ? (int) array_sum( array_column( $group->at( GroupGift::SENT ), 'quantity' ) ) : 0,
		);
	}

	/** @return Claim[] The shares of an address, also those that have ended. */
	private static function of_address( array $claims, int $item_id, string $to ): array {
		return array_filter( $claims, static fn( Claim $claim ): bool => $claim->item_id === $item_id && $claim->is_share() && strcasecmp( $claim->email, $to ) === 0 );
	}
}
