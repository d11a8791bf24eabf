<?php

declare(strict_types=1);

namespace Trousseau\Support;

defined( 'ABSPATH' ) || exit;

/** One sentence for the same visitor's next page: what came of a form. It is said once, to nobody else, and may name guests. */
final class FlashMessage {

	private const COOKIE  = 'message';
	private const SECONDS = 60;

	/** @var array{text: string, kind: string, item: int, button?: mixed[]}|null */
	private static ?array $read = null;

	/**
	 * @param int     $item   The gift that it is about: the page shows it there.
	 * @param mixed[] $button A form of one button beside it, such as “Undo”: what `Form::button` takes.
	 */
	public static function keep( string $text, string $kind = 'is-answer', int $item = 0, array $button = array() ): void {
		Cookie::set( self::COOKIE, Encryption::seal( compact( 'text', 'kind', 'item' ) + array_filter( compact( 'button' ) ) + array( 'for' => get_current_user_id() ) ), self::SECONDS );
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
		if ( ! Cookie::is_there( self::COOKIE ) ) {
			return;
		}
		$waiting = self::waiting();
		if ( $waiting ) {
			self::$read = $waiting;
			ResponseHeaders::keep_out_of_caches();
		}
		Cookie::clear( self::COOKIE );
	}

	/** The sentence, as a page shows it; nothing when there is none or it was shown already. */
	public static function html( int $item = 0 ): string {
		if ( ! self::$read || self::$read['item'] !== $item ) {
			return '';
		}
		list( 'text' => $text, 'kind' => $kind ) = self::$read;
		$button                                  = self::$read['button'] ?? array();
		self::$read                              = null;
		return $button ? sprintf( '<div class="trousseau-note has-button %s" role="status" tabindex="-1"><p>%s</p>%s</div>', esc_attr( $kind ), esc_html( $text ), Form::button( ...$button ) ) : self::note( $text, $kind, true );
	}

	/** The gift that the waiting sentence is about; 0: none; null: there is no sentence. */
	public static function item(): ?int {
		return self::$read['item'] ?? null;
	}

	/**
	 * The sentence that waits for the visitor's next page.
	 *
	 * @return array{text: string, kind: string, item: int, button?: mixed[]}|null
	 */
	public static function waiting(): ?array {
		$kept = Encryption::open( Cookie::read( self::COOKIE ) );
		// Somebody else may be signed in by now.
		return is_array( $kept ) && isset( $kept['text'], $kept['kind'], $kept['item'] ) && ( $kept['for'] ?? null ) === get_current_user_id() ? $kept : null;
	}

	/** The sentence for browsers without scripts, on a page whose script would ask for it. */
	public static function without_script(): string {
		$waiting = self::waiting();
		return $waiting ? '<noscript>' . self::note( $waiting['text'], $waiting['kind'] ) . '</noscript>' : '';
	}

	/** @param bool $focus Whether it answers what somebody did: their focus goes there. */
	public static function note( string $text, string $kind = '', bool $focus = false ): string {
		return sprintf( '<p class="trousseau-note %s"%s%s>%s</p>', esc_attr( $kind ), $kind === '' ? '' : ' role="status"', $focus ? ' tabindex="-1"' : '', esc_html( $text ) );
	}
}
