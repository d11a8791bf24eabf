<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** Converts between text that people read and the HTML in which WordPress stores it. */
final class PlainText {

	/** Plain text as WordPress stores it, for authors who may write HTML and for authors whose HTML is taken apart alike. */
	public static function to_html( string $text ): string {
		return htmlspecialchars( $text, ENT_NOQUOTES, 'UTF-8' );
	}

	/** The text of HTML. A “<” that begins no tag, as in “Tom <3 Ann”, is a character like others. */
	public static function of_html( string $html ): string {
		$text = preg_replace( array( '#<(script|style)\b[^>]*>.*?</\1\s*>#is', '#</?[a-z][^<>]*>|<!--.*?-->#is' ), '', $html );
		return html_entity_decode( (string) $text, ENT_QUOTES | ENT_HTML5, 'UTF-8' );
	}

	/** The same words, of which no email program makes a link. */
	public static function without_links( string $text ): string {
		return (string) preg_replace( '~(?<=\w)(?=://)|(?<=[\p{L}\p{N}])(?=\.\p{L}{2}|@)~u', "\u{200B}", $text );
	}

	/** HTML in which people's words run no shortcode when WordPress goes through the page around it. Scripts stay as they are. */
	public static function without_shortcodes( string $html ): string {
		return (string) preg_replace( '~<script\b.*?</script>(*SKIP)(*F)|\[~s', '&#91;', $html );
	}
}
