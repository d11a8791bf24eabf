<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Platform\MetaList;
use Trousseau\Service\Item;
use WP_Post;

/** The gifts that a list's owners have marked as arrived. */
final class ReceivedGifts {

	private const META = '_trousseau_received';

	public function __construct( private readonly MetaList $meta_list ) {
	}

	/** @return array<string, int> The id of a claim → when it was ticked. */
	public static function of( WP_Post $post ): array {
		return MetaList::read( $post->ID, self::META );
	}

	public function tick( WP_Post $post, string $claim, bool $is_here ): void {
		$this->meta_list->change(
			$post->ID,
			self::META,
			static fn( array $here ): array => $is_here ? $here + array( $claim => time() ) : array_diff_key( $here, array( $claim => true ) )
		);
	}

	/** Moves the marks along with a gift, on `trousseau_gift_moved`. */
	public function move( WP_Post $from, WP_Post $to, Item $item, array $claims ): void {
		$marks = array_intersect_key( self::of( $from ), array_column( $claims, null, 'id' ) );
		if ( $marks ) {
			$this->meta_list->change( $to->ID, self::META, static fn( array $here ): array => $marks + $here );
			$this->meta_list->change( $from->ID, self::META, static fn( array $here ): array => array_diff_key( $here, $marks ) );
		}
	}
}
