<?php

declare(strict_types=1);

namespace Trousseau\Claims;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\Access;
use Trousseau\Registry\GiftAmount;
use Trousseau\Registry\ListLink;
use Trousseau\Registry\Meta;
use Trousseau\Service\ItemService;
use WP_Post;

/** The place to which the giver of a confirmed share sends it: to the one who buys the gift, or where the owners want it. */
final class SharePlace {

	public function __construct( private readonly ItemService $item_service ) {
	}

	/** Nothing where nobody has said it, and for givers who are no longer invited. */
	public function of( array $claim ): string {
		$post = get_post( (int) $claim['registry_id'] );
		if ( ! $post || ! GiftAmount::is_share( $claim ) || ! in_array( $claim['state'], array( 'reserved', 'purchased' ), true ) || $claim['buys'] || ! self::is_let_in( $post, $claim['giver'] ) ) {
			return '';
		}
		// The service knows the words of the one who buys, and this site those of the owners.
		return $claim['pay_to'] ?? ( $this->has_buyer( $post, $claim['item_id'] ) ? '' : Meta::pay_to( $post->ID ) );
	}

	private function has_buyer( WP_Post $post, int $item_id ): bool {
		$claims = $this->item_service->registry_claims( $post->ID, (int) $post->post_author )['claims'];
		return (bool) array_filter( $claims, static fn( array $claim ): bool => $claim['item_id'] === $item_id && ! empty( $claim['buys'] ) );
	}

	/**
	 * Whether a giver may still see the list.
	 *
	 * @param array{user_id: int|null, email: string|null} $giver
	 */
	public static function is_let_in( WP_Post $post, array $giver ): bool {
		return $post->post_status === 'publish' || ListLink::is_on( $post ) || self::is_invited( $post, $giver );
	}

	/**
	 * Whether the owners have invited a giver, who may buy the gift then: the others send their money to the one who buys, so it is nobody
	 * whom the owners don't know.
	 *
	 * @param array{user_id: int|null, email: string|null} $giver
	 */
	public static function is_invited( WP_Post $post, array $giver ): bool {
		return Meta::invitee( $post->ID, (string) $giver['email'] ) !== '' || ( $giver['user_id'] && Access::belongs_to( $post, $giver['user_id'] ) );
	}
}
