<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** A form: the typed values, their errors, and its fields as HTML. A form with errors is shown again with everything that was typed. */
final class Form {

	/** A field that people don't see and machines fill in. */
	private const TRAP = 'website';

	/** The most characters of a field, and of an error, that a page shows again: WordPress fails on a very long text. */
	private const LONGEST       = 100_000;
	private const LONGEST_FAULT = 1_000;

	/** Seconds that a stranger needs at least to fill in a form. */
	private const SHORTEST = 2;

	private array $faults = array();

	/** @var array<string, string> Field → the text that someone else has stored in the meantime. */
	private array $disputed = array();

	/** @var array<string, true> The fields that have been shown with their fault. */
	private array $shown = array();

	public function __construct( private array $typed = array(), public readonly string $action = '' ) {
	}

	/** @param array<string, mixed> $typed As a browser has sent it. */
	public static function with( array $typed ): self {
		return new self( $typed, is_string( $typed['do'] ?? null ) ? $typed['do'] : '' );
	}

	/** The text of a field, as one line. */
	public function text( string $field ): string {
		return trim( (string) preg_replace( '/[\p{Cc}\s]+/u', ' ', $this->lines( $field ) ) );
	}

	/** The text of a field, of any lines; invalid bytes are left out. */
	public function lines( string $field ): string {
		$value = $this->typed[ $field ] ?? '';
		$text  = is_scalar( $value ) ? wp_check_invalid_utf8( (string) $value ) : '';
		return trim( str_replace( array( "\r\n", "\r", "\0" ), array( "\n", "\n", '' ), $text ) );
	}

	public function number( string $field ): int {
		return (int) filter_var( $this->text( $field ), FILTER_VALIDATE_INT );
	}

	public function typed(): array {
		return $this->typed;
	}

	public function is_checked( string $field ): bool {
		return ! empty( $this->typed[ $field ] );
	}

	public function list( string $field ): array {
		$values = $this->typed[ $field ] ?? array();
		return is_array( $values ) ? array_values( array_filter( $values, 'is_string' ) ) : array();
	}

	public function set( string $field, mixed $value ): void {
		$this->typed[ $field ] = $value;
	}

	public function fault( string $field, string $why ): void {
		$this->faults += array( $field => mb_strlen( $why ) > self::LONGEST_FAULT ? mb_substr( $why, 0, self::LONGEST_FAULT ) . '…' : $why );
	}

	/** Shows the text that someone else has stored in the meantime next to the one in the field. */
	public function dispute( string $field, string $label, string $now ): void {
		/* translators: %s: name of a field, such as “Price” */
		$this->fault( $field, sprintf( __( '“%s”: someone else changed this, too.', 'trousseau' ), $label ) );
		$this->disputed[ $field ] = $now;
	}

	/** @return array<string, string> Field → why it can't be stored. */
	public function faults(): array {
		return $this->faults;
	}

	public function is_sound(): bool {
		return ! $this->faults;
	}

	/** Returns the text of a field. One that is missing or too long gets an error. */
	public function needs( string $field, int $most, string $missing = '' ): string {
		$text = $this->lines( $field );
		if ( $text === '' && $missing !== '' ) {
			$this->fault( $field, $missing );
		}
		if ( mb_strlen( $text ) > $most ) {
			/* translators: %s: number of characters */
			$this->fault( $field, sprintf( __( 'Use %s characters at most.', 'trousseau' ), number_format_i18n( $most ) ) );
		}
		return $text;
	}

	/**
	 * Whether a machine filled the form in: with text in a field that nobody sees, or too fast. Browsers fill in forms for
	 * people, so an early form waits for the rest of that time: on its page, or here where no script runs. Only one form waits here
	 * at a time, so that early forms hold one PHP worker at the most.
	 */
	public function is_by_a_machine( Lock $lock ): bool {
		$since = (int) SignedToken::read( 'form', $this->text( 'since' ) );
		if ( $since === 0 || $this->text( self::TRAP ) !== '' ) {
			return true;
		}
		$early = min( self::SHORTEST, $since + self::SHORTEST - microtime( true ) );
		if ( $early > 0 && ! $lock->take( 'early-form', self::SHORTEST ) ) {
			return true;
		}
		usleep( (int) ( 1e6 * max( 0, $early ) ) );
		return false;
	}

	public static function open( string $address, string $action, array $hidden = array(), string $class = '', bool $files = false, string $id = '' ): string {
		return sprintf( '<form class="trousseau-form %s" method="post" action="%s"%s%s>', esc_attr( $class ), esc_url( $address ), $files ? ' enctype="multipart/form-data"' : '', $id === '' ? '' : ' id="' . esc_attr( $id ) . '"' )
			. self::hidden( array( 'do' => $action ) + $hidden );
	}

	/** The query of an address as fields: browsers leave it out of a form that is sent by GET. */
	public static function query( string $address ): string {
		wp_parse_str( (string) wp_parse_url( $address, PHP_URL_QUERY ), $query );
		return self::hidden( $query );
	}

	/** @param array<string, mixed> $fields Texts and numbers. */
	public static function hidden( array $fields ): string {
		$field = static fn( int|string $name, mixed $value ): string => sprintf( '<input type="hidden" name="%s" value="%s">', esc_attr( (string) $name ), esc_attr( (string) $value ) );
		return implode( '', array_map( $field, array_keys( $fields ), $fields ) );
	}

	public static function button( string $address, string $action, string $label, array $hidden = array(), string $about = '', string $class = '' ): string {
		return self::open( $address, $action, $hidden, "is-button $class" ) . self::submit( $label, $about ) . '</form>';
	}

	/** A button that sends this form again, with what was typed. */
	public function again( string $address, string $label ): string {
		$hidden = array();
		foreach ( array_diff_key( $this->typed, array_flip( array( 'do', 'password' ) ) ) as $name => $value ) {
			foreach ( is_array( $value ) ? array_filter( $value, 'is_scalar' ) : array( '' => $value ) as $key => $text ) {
				$hidden[ is_array( $value ) ? $name . "[$key]" : $name ] = mb_substr( (string) $text, 0, self::LONGEST );
			}
		}
		return self::button( $address, $this->action, $label, $hidden );
	}

	public static function submit( string $label, string $about = '' ): string {
		return sprintf( '<button type="submit" class="wp-element-button">%s</button>', Template::label( $label, $about ) );
	}

	/** The fields that keep machines of strangers out. */
	public static function guard(): string {
		return sprintf(
			'<p class="trousseau-trap" aria-hidden="true"><label>%s <input type="text" name="%s" tabindex="-1" autocomplete="off"></label></p><input type="hidden" name="since" value="%s" data-not-before="%d">',
			esc_html__( 'Leave this empty', 'trousseau' ),
			self::TRAP,
			esc_attr( SignedToken::sign( 'form', (string) time() ) ),
			1000 * self::SHORTEST
		);
	}

	/** Shows all errors at the top, each with a link to its field. A single error that its field already shows isn't repeated. */
	public function summary(): string {
		if ( ! $this->faults || ( count( $this->faults ) === 1 && $this->shown ) ) {
			return '';
		}
		$rows = '';
		foreach ( $this->faults as $field => $why ) {
			$rows .= $field === '' ? '<li>' . esc_html( $why ) . '</li>' : sprintf( '<li><a href="#trousseau-%s">%s</a></li>', esc_attr( $field ), esc_html( $why ) );
		}
		return '<div class="trousseau-note is-problem" role="alert" tabindex="-1"><ul>' . $rows . '</ul></div>';
	}

	public function input( string $field, string $label, array $attributes = array(), string $hint = '' ): string {
		$attributes += array(
			'type'  => 'text',
			'value' => mb_substr( $this->lines( $field ), 0, self::LONGEST ),
		);
		return $this->labelled( $field, $label, $hint, sprintf( '<input%s>', $this->attributes( $field, $attributes, $hint ) ) );
	}

	public function textarea( string $field, string $label, array $attributes = array(), string $hint = '' ): string {
		$text = mb_substr( $this->lines( $field ), 0, self::LONGEST );
		return $this->labelled( $field, $label, $hint, sprintf( '<textarea%s>%s</textarea>', $this->attributes( $field, $attributes + array( 'rows' => 4 ), $hint ), esc_textarea( $text ) ) );
	}

	/**
	 * A field for a picture. Its label is its button, and the script shows the picture in a frame.
	 *
	 * @param float $ratio The width of the frame by its height.
	 */
	public function picture( string $field, float $ratio, string $present = '' ): string {
		$attributes = array(
			'type'       => 'file',
			'accept'     => 'image/jpeg,image/png,image/webp,image/gif',
			'data-ratio' => (string) $ratio,
		);
		$frame      = sprintf(
			'<span class="trousseau-frame"%s><img src="%s" alt="" style="aspect-ratio: %s"><input type="range" aria-label="%s" hidden></span>',
			$present === '' ? ' hidden' : '',
			$present === '' ? 'data:,' : esc_url( $present ),
			esc_attr( (string) $ratio ),
			esc_attr__( 'Move the picture up or down', 'trousseau' )
		);
		$label      = sprintf( '<label class="wp-element-button trousseau-quiet" for="trousseau-%s">%s</label>', esc_attr( $field ), esc_html__( 'Choose a picture', 'trousseau' ) );
		return '<p class="trousseau-field is-picture">' . $this->why( $field ) . sprintf( '<input%s>', $this->attributes( $field, $attributes, '' ) ) . $label . $frame . '</p>';
	}

	/** @param array<string, string> $options Value → words. */
	public function select( string $field, string $label, array $options, string $hint = '' ): string {
		$html = '';
		foreach ( $options as $value => $words ) {
			$html .= sprintf( '<option value="%s"%s>%s</option>', esc_attr( (string) $value ), selected( $this->text( $field ), (string) $value, false ), esc_html( $words ) );
		}
		return $this->labelled( $field, $label, $hint, sprintf( '<select%s>%s</select>', $this->attributes( $field, array(), $hint ), $html ), $options );
	}

	/**
	 * @param array<string, array{0: string, 1?: string}> $options Value → words and an explanation.
	 * @param string                                      $last    A field of its own beside the options, as HTML.
	 */
	public function choice( string $field, string $legend, array $options, string $class = '', string $hint = '', string $last = '' ): string {
		$html = '';
		foreach ( $options as $value => $words ) {
			$html .= sprintf(
				'<label class="trousseau-choice"><input type="radio" name="%s" value="%s"%s> <span>%s%s</span></label>',
				esc_attr( $field ),
				esc_attr( (string) $value ),
				checked( $this->text( $field ), (string) $value, false ),
				esc_html( $words[0] ),
				isset( $words[1] ) ? '<small>' . esc_html( $words[1] ) . '</small>' : ''
			);
		}
		$both = $this->both( $field, array_map( static fn( array $words ): string => $words[0], $options ) );
		return sprintf( '<fieldset class="trousseau-field %s" id="trousseau-%s"><legend>%s</legend>%s</fieldset>', esc_attr( $class ), esc_attr( $field ), esc_html( $legend ), $this->why( $field ) . $both . $html . $last . ( $hint === '' ? '' : '<small>' . esc_html( $hint ) . '</small>' ) );
	}

	public function checkbox( string $field, string $label, string $hint = '' ): string {
		return '<div class="trousseau-field">'
			. $this->why( $field )
			. $this->both( $field, array( '1' => __( 'Yes', 'trousseau' ), '' => __( 'No', 'trousseau' ) ) )
			. sprintf(
				'<label class="trousseau-choice"><input%s> <span>%s%s</span></label></div>',
				$this->attributes( $field, array( 'type' => 'checkbox', 'value' => '1', 'checked' => $this->is_checked( $field ) ), $hint ),
				esc_html( $label ),
				$hint === '' ? '' : sprintf( '<small id="trousseau-%s-hint">%s</small>', esc_attr( $field ), esc_html( $hint ) )
			);
	}

	private function attributes( string $field, array $attributes, string $hint ): string {
		$described   = array_filter( array( isset( $this->faults[ $field ] ) ? "trousseau-$field-fault" : '', $hint === '' ? '' : "trousseau-$field-hint" ) );
		$attributes += array(
			'id'               => "trousseau-$field",
			'name'             => $field,
			'aria-invalid'     => isset( $this->faults[ $field ] ) ? 'true' : false,
			'aria-describedby' => $described ? implode( ' ', $described ) : false,
		);
		$html        = '';
		foreach ( $attributes as $name => $value ) {
			$html .= $value === false ? '' : ( $value === true ? " $name" : sprintf( ' %s="%s"', $name, esc_attr( (string) $value ) ) );
		}
		return $html;
	}

	/** @param array<string, string> $options The words for values; none where people type the text. */
	private function labelled( string $field, string $label, string $hint, string $control, array $options = array() ): string {
		return sprintf( '<p class="trousseau-field"><label for="trousseau-%s">%s</label>', esc_attr( $field ), esc_html( $label ) )
			. $this->why( $field )
			. $this->both( $field, $options )
			. $control
			. ( $hint === '' ? '' : sprintf( '<small id="trousseau-%s-hint">%s</small>', esc_attr( $field ), esc_html( $hint ) ) ) . '</p>';
	}

	/** The error of a field. If it is the form's only one it has the focus, which scrolls to it. */
	private function why( string $field ): string {
		if ( ! isset( $this->faults[ $field ] ) ) {
			return '';
		}
		$this->shown[ $field ] = true;
		return sprintf( '<span class="trousseau-fault" id="trousseau-%s-fault"%s>%s</span>', esc_attr( $field ), count( $this->faults ) === 1 ? ' role="alert" tabindex="-1" autofocus' : '', esc_html( $this->faults[ $field ] ) );
	}

	/** Shows both texts of a field that two people have changed. */
	private function both( string $field, array $options ): string {
		if ( ! isset( $this->disputed[ $field ] ) ) {
			return '';
		}
		$html = '';
		foreach ( array( __( 'Now:', 'trousseau' ) => $this->disputed[ $field ], __( 'Yours:', 'trousseau' ) => $this->lines( $field ) ) as $label => $text ) {
			$words = $options[ $text ] ?? $text;
			$html .= sprintf( '<span><b>%s</b> <bdi>%s</bdi></span>', esc_html( $label ), esc_html( $words === '' ? __( '(empty)', 'trousseau' ) : $words ) );
		}
		return '<span class="trousseau-both">' . $html . '</span>';
	}
}
