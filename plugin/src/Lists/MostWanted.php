<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;
use Trousseau\Platform\MetaList;
use WP_Post;

/** The gifts an owner would like most, up to a third of the list. Guests see a star, and they come first in their category. */
final class MostWanted {

	private const META = '_trousseau_most_wanted';

	public function __construct( private readonly MetaList $meta_list ) {
	}

	/** @return int[] Numbers of gifts; those of removed gifts stay until the next mark, so that one that is put back has its mark. */
	public static function of( WP_Post $post ): array {
		return array_values( MetaList::read( $post->ID, self::META ) );
	}

	/** The most gifts that may be marked on a list of this size. */
	public static function limit( int $gifts ): int {
		return max( 1, intdiv( $gifts + 2, 3 ) );
	}

	/**
	 * Why no more gifts can be marked. Empty if another one can.
	 *
	 * @param array<string, mixed>[] $others The other gifts on the list.
	 */
	public static function obstacle( WP_Post $post, array $others ): string {
		$all    = count( $others ) + 1;
		$marked = array_filter( $others, static fn( array $item ): bool => in_array( (int) $item['id'], self::of( $post ), true ) );
		/* translators: 1: number of gifts, 2: number of gifts, 3: names of gifts */
		$why = __( 'Up to a third of your gifts can be “Most wanted”. You have %1$s gifts, so that’s %2$s, and these are already marked: %3$s. Unmark one of them first.', 'trousseau' );
		return count( $marked ) < self::limit( $all ) ? '' : sprintf( $why, number_format_i18n( $all ), number_format_i18n( self::limit( $all ) ), Language::list( array_column( $marked, 'name' ) ) );
	}

	/**
	 * Marks a gift, or takes its mark off. A mark above the limit is not stored.
	 *
	 * @param int   $limit The most marked gifts.
	 * @param int[] $gifts The gifts on the list: with a new mark, others lose theirs.
	 */
	public function put( WP_Post $post, int $item_id, bool $is_marked, int $limit, array $gifts ): void {
		if ( $is_marked === in_array( $item_id, self::of( $post ), true ) ) {
			return;
		}
		$this->meta_list->change(
			$post->ID,
			self::META,
			static function ( array $marked ) use ( $item_id, $is_marked, $limit, $gifts ): array {
				$others = array_diff( $marked, array( $item_id ) );
				if ( ! $is_marked ) {
					return array_values( $others );
				}
				$others = array_values( array_intersect( $others, $gifts ) );
				return count( $others ) < $limit ? array( ...$others, $item_id ) : $others;
			},
			false
		);
	}
}
