<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Access;
use Trousseau\Lists\ListLink;
use Trousseau\Lists\Meta;
use WP_Post;

/** The place to which the giver of a confirmed share sends it: to the one who buys the gift, or where the owners want it. */
final class SharePlace {

	/**
	 * Nothing where nobody has said it, for givers who are no longer invited, and for the one who buys.
	 *
	 * @param array<string, mixed>|null $buyer The share of the one who buys.
	 */
	public static function of( array $claim, ?array $buyer ): string {
		$post = get_post( (int) $claim['registry_id'] );
		if ( ! $post || ! SharedGift::is_confirmed( $claim ) || ( $buyer && SharedGift::is_same_giver( $claim, $buyer ) ) || ! self::is_let_in( $post, $claim['giver'] ) ) {
			return '';
		}
		// The service knows the words of the one who buys, and this site those of the owners.
		return $claim['pay_to'] ?? ( $buyer ? '' : Meta::pay_to( $post->ID ) );
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
