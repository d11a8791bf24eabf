<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Language;

/**
 * The categories of an owner's gifts, such as “Kitchen”. Each gift has its category. Categories are in the order of their first gifts, so
 * that ordering the gifts orders them, too.
 */
final class Sections {

	public const MAX_NAME = 60;

	/** A heading as people read it. Gifts without a heading get one, too, where other gifts have one. */
	public static function words( string $name ): string {
		return $name === '' ? __( 'More gifts', 'trousseau' ) : Language::isolate( $name );
	}

	/**
	 * Gifts by their headings, which come in the order of their first gifts; those under none come last.
	 *
	 * @param array<string, mixed>[] $items With their `section`, and the `place` that orders them under it.
	 * @return array<int, array{name: string, items: array<string, mixed>[]}>
	 */
	public static function arranged( array $items ): array {
		$sections = array();
		foreach ( $items as $item ) {
			$sections[ ' ' . $item['section'] ][] = $item;
		}
		// Those under none come last.
		$sections = array_diff_key( $sections, array( ' ' => true ) ) + $sections;
		return array_map( static fn( string $name, array $items ): array => array( 'name' => trim( $name ), 'items' => wp_list_sort( $items, 'place' ) ), array_keys( $sections ), $sections );
	}
}
