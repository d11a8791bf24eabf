<?php

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

/** One sentence for the same visitor's next page: what came of a form. It is said once, to nobody else, and may name guests. */
final class Message {

	private const COOKIE  = 'message';
	private const SECONDS = 60;

	/** @var array{text: string, kind: string, item: int}|null */
	private static ?array $read = null;

	/** @param int $item The gift that it is about: the page shows it there. */
	public static function keep( string $text, string $kind = 'is-answer', int $item = 0 ): void {
		Cookie::set( self::COOKIE, Sealed::seal( compact( 'text', 'kind', 'item' ) ), self::SECONDS );
	}

	/** One for the page that is being made. */
	public static function say( string $text ): void {
		self::$read = array(
			'text' => $text,
			'kind' => 'is-answer',
			'item' => 0,
		);
	}

	/** Before any output, so that it can be forgotten. */
	public static function take(): void {
		$kept = Cookie::is_there( self::COOKIE ) ? Sealed::open( Cookie::read( self::COOKIE ) ) : null;
		if ( is_array( $kept ) && isset( $kept['text'], $kept['kind'], $kept['item'] ) ) {
			self::$read = $kept;
			Headers::keep_out_of_caches();
		}
		if ( Cookie::is_there( self::COOKIE ) ) {
			Cookie::clear( self::COOKIE );
		}
	}

	/** The sentence, as a page shows it; nothing when there is none or it was shown already. */
	public static function html( int $item = 0 ): string {
		if ( ! self::$read || self::$read['item'] !== $item ) {
			return '';
		}
		list( 'text' => $text, 'kind' => $kind ) = self::$read;
		self::$read                              = null;
		return self::note( $text, $kind );
	}

	public static function note( string $text, string $kind = '' ): string {
		return sprintf( '<p class="trousseau-note %s"%s>%s</p>', esc_attr( $kind ), $kind === '' ? '' : ' role="status"', esc_html( $text ) );
	}
}
