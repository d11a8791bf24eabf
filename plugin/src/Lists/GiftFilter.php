<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Request;
use WP_Post;

/**
 * The gifts of a list that a visitor looks for by the form above it: at once by `looking.ts`, or without a script by asking for the page again.
 * No cache keeps that page, since nobody would clear it, and no search engine lists it.
 */
final class GiftFilter {

	/** The parameter that names the list: a page may show several. */
	public const PARAMETER = 'gifts-of';

	private function __construct(
		public readonly bool $is_on,
		public readonly string $words = '',
		public readonly float $up_to = 0,
		public readonly ?string $heading = null,
		public readonly string $show = '',
	) {
	}

	public static function of( WP_Post $post, Request $request ): self {
		if ( $request->number( self::PARAMETER ) !== $post->ID ) {
			return new self( false );
		}
		$heading = $request->words( 'heading', '*' );
		return new self( true, $request->words( 'words' ), max( 0, (float) strtr( $request->words( 'up-to' ), ',', '.' ) ), $heading === '*' ? null : $heading, $request->words( 'show' ) );
	}

	/** Whether a gift, as `item.php` takes it, is one that the visitor looks for. One without a price fits any price. */
	public function fits( array $gift, bool $is_given ): bool {
		return self::has( implode( ' ', array( $gift['name'], $gift['description'], ...array_values( $gift['facts'] ) ) ), $this->words )
			&& ( $this->up_to <= 0 || $gift['amount'] <= $this->up_to )
			&& ( $this->heading === null || $this->heading === $gift['section'] )
			&& match ( $this->show ) {
				'needed' => ! $is_given,
				'group'  => $gift['is_money'],
				default  => true,
			};
	}

	/** Whether all words of a search stand in a text. */
	public static function has( string $text, string $find ): bool {
		$text = self::folded( $text );
		return ! array_filter( explode( ' ', self::folded( $find ) ), static fn( string $word ): bool => ! str_contains( $text, $word ) );
	}

	/** A text without differences of case and accents. */
	private static function folded( string $text ): string {
		return mb_strtolower( remove_accents( $text ) );
	}
}
