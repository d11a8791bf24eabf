<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** A message on the same visitor's next page: the result of a form. It is shown once, to this visitor only, and may name guests. */
final class FlashMessage {

	/** The kind of a sentence that says that an email was sent. */
	public const SENT = 'is-answer is-sent';

	/** The kind of a message that thanks a guest. */
	public const THANKS = 'is-answer is-thanks';

	private const COOKIE  = 'message';
	private const SECONDS = 60;

	/** Characters of a message in its cookie: browsers drop large cookies, and servers refuse their headers. */
	private const MOST = 2000;

	/** The beginning of a longer message's name, which its cookie holds instead. */
	private const LONG = 'message_';

	private ?array $read = null;

	public function __construct( private readonly Cookie $cookie, private readonly KeptValues $kept_values ) {
	}

	/**
	 * @param int     $item   The gift beside which the page shows it.
	 * @param mixed[] $button A form of one button beside it, such as “Undo”: the arguments of `Form::button`.
	 * @param string[] $link   A link beside it: its address and its words.
	 */
	public function keep( string $text, string $kind = 'is-answer', int $item = 0, array $button = array(), array $link = array() ): void {
		$sealed = Encryption::seal( compact( 'text', 'kind', 'item' ) + array_filter( compact( 'button', 'link' ) ) + array( 'for' => get_current_user_id() ) );
		if ( strlen( $sealed ) > self::MOST ) {
			$name = self::LONG . bin2hex( random_bytes( 16 ) );
			$this->kept_values->set( $name, $sealed, self::SECONDS );
			$sealed = $name;
		}
		$this->cookie->set( self::COOKIE, $sealed, self::SECONDS );
	}

	/** Drops the message waiting for the next page, in favour of another answer to the press. */
	public function take_back(): string {
		$text = $this->waiting()['text'] ?? '';
		if ( $text !== '' ) {
			$this->cookie->clear( self::COOKIE );
		}
		return $text;
	}

	/** Shows a sentence on this very page. */
	public function say( string $text, array $link = array() ): void {
		$this->read = array(
			'text' => $text,
			'kind' => 'is-answer',
			'item' => 0,
		) + array_filter( compact( 'link' ) );
	}

	/** Reads and deletes the sentence, before any output. */
	public function take(): void {
		if ( $this->cookie->is_there( self::COOKIE ) ) {
			$this->read = $this->waiting() ?? $this->read;
			$this->cookie->clear( self::COOKIE );
		}
	}

	/** The message as a page shows it. Empty if there is none, or it was shown already. */
	public function html( int $item = 0 ): string {
		if ( ! $this->read || $this->read['item'] !== $item ) {
			return '';
		}
		list( 'text' => $text, 'kind' => $kind ) = $this->read;
		$onward                                  = isset( $this->read['button'] ) ? Form::button( ...$this->read['button'] ) : '';
		$onward                                 .= isset( $this->read['link'] ) ? sprintf( '<a href="%s">%s</a>', esc_url( $this->read['link'][0] ), esc_html( $this->read['link'][1] ) ) : '';
		$this->read                              = null;
		return $onward === '' ? self::note( $text, $kind, true ) : sprintf( '<div class="trousseau-note has-button %s" role="status" tabindex="-1"><p>%s</p>%s</div>', esc_attr( $kind ), esc_html( $text ), $onward );
	}

	/** Whether the message that this page shows is of this kind: `SENT` or `THANKS`. */
	public function has_kind( string $kind ): bool {
		return ( $this->read['kind'] ?? '' ) === $kind;
	}

	/** The gift that the waiting message is about. 0 if it's about none, null if there is no message. */
	public function item(): ?int {
		return $this->read['item'] ?? null;
	}

	/** @return array{text: string, kind: string, item: int, button?: mixed[], link?: string[]}|null The sentence that waits for the visitor's next page. */
	public function waiting(): ?array {
		$sealed = $this->cookie->read( self::COOKIE );
		$kept   = Encryption::open( str_starts_with( $sealed, self::LONG ) ? (string) $this->kept_values->get( $sealed ) : $sealed );
		// Another user may be signed in by now.
		return is_array( $kept ) && isset( $kept['text'], $kept['kind'], $kept['item'] ) && ( $kept['for'] ?? null ) === get_current_user_id() ? $kept : null;
	}

	/** The message for browsers without scripts, on a page whose script would ask for it. */
	public function without_script(): string {
		$waiting = $this->waiting();
		return $waiting ? '<noscript>' . self::note( $waiting['text'], $waiting['kind'] ) . '</noscript>' : '';
	}

	/** @param bool $focus Whether it answers a press: the focus then goes there. */
	public static function note( string $text, string $kind = '', bool $focus = false ): string {
		return sprintf( '<p class="trousseau-note %s"%s%s>%s</p>', esc_attr( $kind ), $kind === '' ? '' : ' role="status"', $focus ? ' tabindex="-1"' : '', esc_html( $text ) );
	}
}
