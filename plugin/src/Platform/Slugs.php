<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** The words with which the plugin's addresses begin. The site's administrator may change them, and former ones lead on. */
final class Slugs {

	/** The words in the addresses of the plugin's own pages, and of registries. */
	public const PAGES = 'pages';
	public const LISTS = 'lists';

	public const USUAL = array( self::PAGES => 'registries', self::LISTS => 'registry' );

	/** The option with the words that someone has chosen: for pages and for lists, the newest first. */
	private const OPTION = 'trousseau_slugs';

	private bool $has_changed = false;

	/** The word as rewrite rules contain it. An address has it encoded. */
	public static function of( string $which ): string {
		return self::all( $which )[0];
	}

	/** A pattern of the current word and all former ones. */
	public static function pattern( string $which ): string {
		return '(?:' . implode( '|', array_map( 'preg_quote', self::all( $which ) ) ) . ')';
	}

	/** Whether someone has chosen words, so that addresses may have begun with others. */
	public static function are_chosen(): bool {
		return isset( wp_load_alloptions()[ self::OPTION ] );
	}

	/** Whether addresses began with this word, and don't any more. */
	public static function is_former( string $which, string $slug ): bool {
		return in_array( $slug, self::all( $which ), true ) && ! in_array( $slug, array( self::of( self::PAGES ), self::of( self::LISTS ) ), true );
	}

	public function set( string $which, string $slug ): void {
		if ( $slug !== self::of( $which ) ) {
			update_option( self::OPTION, array( $which => array_values( array_unique( array( $slug, ...self::all( $which ) ) ) ) ) + self::chosen() );
			$this->has_changed = true;
		}
	}

	/** Has the next request write the rewrite rules anew, after all that this one does with them. */
	public function renew_rules(): void {
		$this->has_changed && delete_option( 'rewrite_rules' );
	}

	private static function all( string $which ): array {
		return array_values( array_unique( array( ...( self::chosen()[ $which ] ?? array() ), self::USUAL[ $which ] ) ) );
	}

	private static function chosen(): array {
		// WordPress asks the database with each page for an option that isn't there.
		return (array) maybe_unserialize( wp_load_alloptions()[ self::OPTION ] ?? '' );
	}
}
