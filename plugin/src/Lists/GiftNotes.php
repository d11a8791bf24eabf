<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Language;
use Trousseau\Platform\MetaList;
use WP_Post;

/**
 * What this site stores of a gift besides its item: its category, the pieces that counted as given before its owners got it elsewhere, and
 * whether it is one of up to a third that they would like most. Guests see a star on these, first in their category.
 */
final class GiftNotes {

	/** The notes that a gift's form leaves as they are. */
	private const OTHERS = array( 'got' => 0, 'got_at' => 0, 'changed' => array() );

	public function __construct( private readonly LastChanges $last_changes, private readonly MetaList $meta_list ) {
	}

	/** @return array<int, string> Number of a gift → its category; none for a gift without one. */
	public static function sections( WP_Post $post ): array {
		return array_map( static fn( array $note ): string => $note['section'], array_filter( self::of( $post ), static fn( array $note ): bool => isset( $note['section'] ) ) );
	}

	/** @return int[] Numbers of gifts; those of removed gifts stay until the next mark, so that one that is put back has its mark. */
	public static function most_wanted( WP_Post $post ): array {
		return array_keys( array_filter( self::of( $post ), array( self::class, 'is_marked' ) ) );
	}

	/** @return array<int, int> The pieces that counted as given before, by the numbers of gifts that the owners have got elsewhere. */
	public static function got_elsewhere( int $post_id ): array {
		return array_filter( array_map( static fn( array $note ): ?int => $note['got'] ?? null, MetaList::read( $post_id, LastChanges::OF_GIFTS ) ), 'is_int' );
	}

	/** When they said so; 0: they didn't, or to an older version. */
	public static function got_at( int $post_id, int $item_id ): float {
		return (float) ( MetaList::read( $post_id, LastChanges::OF_GIFTS )[ $item_id ]['got_at'] ?? 0 );
	}

	/** Stores that the owner has got a gift elsewhere, or hasn't (null), and who says so when, by one write. Of two presses at once the first one counts. */
	public function note_got( int $post_id, int $item_id, ?int $before, ?float $at = null ): void {
		$change = static function ( array $notes ) use ( $item_id, $before, $at ): array {
			$note = $notes[ $item_id ] ?? array();
			$note = $before === null ? array_diff_key( $note, array( 'got' => 0, 'got_at' => 0 ) ) : $note + array( 'got' => $before, 'got_at' => $at ?? microtime( true ) );
			return LastChanges::newest( array( $item_id => LastChanges::mark( '', $note ) ) + $notes );
		};
		$this->meta_list->change( $post_id, LastChanges::OF_GIFTS, $change, false );
	}

	/** The most gifts that may be marked on a list of this size. */
	private static function limit( int $gifts ): int {
		return max( 1, intdiv( $gifts + 2, 3 ) );
	}

	/** Why no more gifts can be marked besides these others on the list. Empty if another one can. */
	public static function obstacle( WP_Post $post, array $others ): string {
		$all    = count( $others ) + 1;
		$marked = array_intersect_key( array_column( $others, 'name', 'id' ), array_flip( self::most_wanted( $post ) ) );
		/* translators: 1: number of gifts, 2: number of gifts, 3: names of gifts */
		$why = __( 'Up to a third of your gifts can be “Most wanted”. You have %1$s gifts, so that’s %2$s, and these are already marked: %3$s. Unmark one of them first.', 'trousseau' );
		return count( $marked ) < self::limit( $all ) ? '' : sprintf( $why, number_format_i18n( $all ), number_format_i18n( self::limit( $all ) ), Language::list( array_values( $marked ) ) );
	}

	/**
	 * Stores the notes of a gift, and who changed it, by one write. A new mark above the limit is left out.
	 *
	 * @param int[]       $others The other gifts on the list: with a new mark, those that are gone lose theirs.
	 * @param string|null $form   The form that changes the gift, as `LastChanges` names forms; null: no person does.
	 * @param int         $all    How many gifts the list is to have, where they aren't all on it yet.
	 */
	public function put( WP_Post $post, int $item_id, string $section, bool $is_marked = false, array $others = array(), ?string $form = null, int $all = 0 ): void {
		$section = self::known_section( $post, $item_id, $section );
		$note    = ( $section === '' ? array() : array( 'section' => $section ) ) + ( $is_marked ? array( 'most_wanted' => true ) : array() );
		if ( $note === array_diff_key( self::of( $post )[ $item_id ] ?? array(), self::OTHERS ) ) {
			$form === null || $this->last_changes->note( $post, $item_id, $form );
			return;
		}
		$limit  = self::limit( $all ?: count( $others ) + 1 );
		$change = static function ( array $notes ) use ( $item_id, $note, $limit, $others, $form, $section ): array {
			if ( self::is_marked( $note ) && ! self::is_marked( $notes[ $item_id ] ?? array() ) ) {
				$marked = array_filter( $notes, array( self::class, 'is_marked' ) );
				$gone   = array_diff_key( $marked, array_flip( $others ) );
				$notes  = array_map( static fn( array $other ): array => array_diff_key( $other, array( 'most_wanted' => true ) ), $gone ) + $notes;
				$note   = count( $marked ) - count( $gone ) < $limit ? $note : array_diff_key( $note, array( 'most_wanted' => true ) );
			}
			$note += array_intersect_key( $notes[ $item_id ] ?? array(), self::OTHERS );
			$notes = array_map( static fn( array $other ): array => self::are_same( $other['section'] ?? '', $section ) ? compact( 'section' ) + $other : $other, $notes );
			return LastChanges::newest( array( $item_id => $form === null ? $note : LastChanges::mark( $form, $note ) ) + $notes );
		};
		$this->meta_list->change( $post->ID, LastChanges::OF_GIFTS, $change, false );
	}

	/** The category in the spelling that the list already has, “Kitchen” for “kitchen”. The spelling changes for all its gifts when one of them is saved. */
	private static function known_section( WP_Post $post, int $item_id, string $section ): string {
		$same = array_filter( self::sections( $post ), static fn( string $name ): bool => self::are_same( $name, $section ) );
		return isset( $same[ $item_id ] ) ? trim( $section ) : array_values( $same )[0] ?? trim( $section );
	}

	private static function are_same( string $one, string $other ): bool {
		return $one !== '' && mb_strtolower( trim( $one ) ) === mb_strtolower( trim( $other ) );
	}

	private static function is_marked( array $note ): bool {
		return ! empty( $note['most_wanted'] );
	}

	/** @return array<int, array{section?: string, most_wanted?: true, got?: int, got_at?: float, changed?: array{0: int, 1: int, 2: string}}> By the numbers of gifts. */
	private static function of( WP_Post $post ): array {
		return MetaList::read( $post->ID, LastChanges::OF_GIFTS );
	}
}
