<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Lists\Surprise;
use WP_Post;

/** Group gifts that a giver has bought for everyone. They take no more shares. */
final class BoughtForAll {

	private const META = '_trousseau_bought_together';

	/** Always false for an owner with a surprise. */
	public static function takes_no_more( WP_Post $post, int $item_id ): bool {
		return in_array( $item_id, self::of( $post->ID ), true ) && ! Surprise::is_for_viewer( $post );
	}

	/** @return int[] The numbers of a registry's gifts. */
	public static function of( int $registry_id ): array {
		return array_map( 'intval', array_filter( (array) get_post_meta( $registry_id, self::META, true ) ) );
	}

	public function note( int $registry_id, array $ids ): void {
		sort( $ids );
		$ids ? update_post_meta( $registry_id, self::META, $ids ) : delete_post_meta( $registry_id, self::META );
	}
}
