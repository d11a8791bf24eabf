<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

/** The gifts in a pasted text: all its links, and in a plain list also the lines that name a gift. */
final class PastedGifts {

	/** The most characters of a line that names a gift. */
	private const LONGEST = 80;

	/**
	 * @param string[] $gifts    Links and names, in the order of the text, each once.
	 * @param string[] $left_out The lines without a link that are no gifts.
	 */
	private function __construct( public readonly array $gifts, public readonly array $left_out ) {
	}

	/**
	 * A text is a list if each of its lines has either nothing but links, or a name. Of a message, only the links are gifts, and so of a page
	 * that a phone shares as its link with one or two lines about it.
	 */
	public static function in( string $text ): self {
		$lines   = array_map( self::without_bullet( ... ), preg_split( '/\s*\n\s*/u', trim( $text ) ) ?: array() );
		$lines   = array_values( array_filter( $lines, static fn( string $line ): bool => $line !== '' ) );
		$others  = array_filter( $lines, static fn( string $line ): bool => ! self::has_only_links( $line ) );
		$names   = array_filter( $others, self::is_name( ... ) );
		$is_page = count( ShopLookup::addresses_in( ...$lines ) ) === 1 && count( $others ) < 3;
		$is_list = count( $names ) === count( $others ) && ! $is_page;
		$gifts   = array();
		$rest    = array();
		foreach ( $lines as $line ) {
			$links = ShopLookup::addresses_in( $line );
			if ( $links || $is_list ) {
				array_push( $gifts, ...( $links ?: array( $line ) ) );
			} else {
				$rest[] = $line;
			}
		}
		return new self( array_values( array_unique( $gifts ) ), $rest );
	}

	/** Whether one of the gifts is a link. The others are names. */
	public static function is_link( string $gift ): bool {
		return preg_match( '#^https?://#i', $gift ) === 1;
	}

	private static function has_only_links( string $line ): bool {
		$words = preg_split( '/\s+/u', $line, -1, PREG_SPLIT_NO_EMPTY ) ?: array();
		return ! array_filter( $words, static fn( string $word ): bool => ShopLookup::addresses_in( $word ) === array() );
	}

	/** Sentences, times, addresses of web pages and people, and the long lines of a message are no names. */
	private static function is_name( string $line ): bool {
		return mb_strlen( $line ) <= self::LONGEST && preg_match( '/\p{L}/u', $line ) && ! preg_match( '#[.!?…:,;؟،]$|[!?؟]\s|\d:\d\d|://|@|^\S+\.\S+$#u', $line );
	}

	/** The line without the sign or the number with which a list begins it. */
	private static function without_bullet( string $line ): string {
		return (string) preg_replace( '/^\s*(([-–—*•·▪☐✓]|\[[ x]?\]|\d{1,2}[.)])\s+)+/u', '', $line );
	}
}
