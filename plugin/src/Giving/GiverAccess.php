<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Access;
use Trousseau\Lists\ListLink;
use Trousseau\Lists\Meta;
use WP_Post;

/** Which givers a list is still open to. */
final class GiverAccess {

	/**
	 * Whether a giver may still see the list.
	 *
	 * @param array{user_id: int|null, email: string|null} $giver
	 */
	public static function is_let_in( WP_Post $post, array $giver ): bool {
		return $post->post_status === 'publish' || ListLink::is_on( $post ) || self::is_invited( $post, $giver );
	}

	/**
	 * Whether the owners have invited a giver.
	 *
	 * @param array{user_id: int|null, email: string|null} $giver
	 */
	public static function is_invited( WP_Post $post, array $giver ): bool {
		return Meta::invitee( $post->ID, (string) $giver['email'] ) !== '' || ( $giver['user_id'] && Access::belongs_to( $post, $giver['user_id'] ) );
	}
}
