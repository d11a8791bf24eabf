<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Lists\GiftFilter;
use Trousseau\Service\Item;

/** An owner's gifts in parts that a phone can show, or those that a search finds. */
final class GiftParts {

	/** Gifts on a page. */
	public const SIZE = 100;

	/** Lists of more gifts than this have a search, and links to the headings. */
	public const LONG = 20;

	/**
	 * @param array<int, Item>   $shown The gifts of this part by their places from 0.
	 * @param array<string, int> $first Heading → the number of its first gift; the empty one comes last, and not alone.
	 */
	private function __construct(
		public readonly array $shown,
		public readonly int $total,
		public readonly int $part,
		public readonly int $parts,
		public readonly string $find,
		public readonly array $first,
	) {
	}

	/**
	 * @param Item[]             $items All gifts in the owner's order.
	 * @param array<int, string> $under Headings, by the numbers of the gifts.
	 */
	public static function of( array $items, array $under, int $part, string $find ): self {
		$first = array();
		foreach ( $items as $item ) {
			$first += array( $under[ $item->id ] ?? '' => $item->id );
		}
		// Guests see gifts without a category last.
		$rest = array_intersect_key( $first, array( '' => 0 ) );
		unset( $first[''] );
		$first = $first ? $first + $rest : array();
		$parts = max( 1, (int) ceil( count( $items ) / self::SIZE ) );
		$part  = max( 1, min( $parts, $part ) );
		$fits  = static fn( Item $item ): bool => GiftFilter::has( implode( ' ', array( $item->name, $item->description, ...array_values( $item->own_facts() ), $under[ $item->id ] ?? '' ) ), $find );
		$shown = $find === ''
			? array_slice( $items, ( $part - 1 ) * self::SIZE, self::SIZE, true )
			: array_filter( $items, $fits );
		return new self( $shown, count( $items ), $part, $parts, $find, $first );
	}

	/** The number of the page that shows a gift. */
	public static function part_of( array $items, int $item_id ): int {
		return intdiv( (int) array_search( $item_id, array_column( $items, 'id' ), true ), self::SIZE ) + 1;
	}
}
