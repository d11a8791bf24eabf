<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Access;
use Trousseau\Lists\ListLink;
use Trousseau\Lists\Meta;
use Trousseau\Service\Claim;
use WP_Post;

/** Which givers a list is still open to. */
final class GiverAccess {

	/** Whether a giver may still see the list. */
	public static function is_let_in( WP_Post $post, Claim $claim ): bool {
		return $post->post_status === 'publish' || ListLink::is_on( $post ) || self::is_invited( $post, $claim );
	}

	/** Whether the owners have invited a giver. */
	public static function is_invited( WP_Post $post, Claim $claim ): bool {
		return Meta::invitee( $post->ID, $claim->email ) !== '' || ( $claim->user_id && Access::belongs_to( $post, $claim->user_id ) );
	}
}
