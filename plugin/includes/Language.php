<?php

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

/** How a reader's language says things: its words, its days, and what somebody wrote in another one. */
final class Language {

	/** Hebrew, Arabic and their kin. */
	private const FROM_THE_RIGHT = '/[\x{590}-\x{8ff}\x{fb1d}-\x{fdff}\x{fe70}-\x{fefc}]/u';

	/** Early on `init`: the names of registries are needed there. */
	public static function load(): void {
		load_plugin_textdomain( 'trousseau', false, dirname( plugin_basename( PLUGIN_FILE ) ) . '/languages' );
	}

	/** German as it is spoken in Austria has no words of its own here: they are those of Germany. */
	public static function nearest( string $file, string $domain ): string {
		if ( $domain !== 'trousseau' || is_readable( $file ) ) {
			return $file;
		}
		$near = glob( (string) preg_replace( '/([a-z]{2,3})(_\w+)?\.mo$/', '$1*.mo', $file ) );
		return $near[0] ?? $file;
	}

	/** The language in which somebody reads their mails: that of their account, or else the site's. */
	public static function of_reader( string $address ): string {
		$user = get_user_by( 'email', $address );
		return $user ? get_user_locale( $user ) : get_locale();
	}

	/** A day. One that is no moment but the same all over the world comes in UTC. */
	public static function day( int $time, ?\DateTimeZone $zone = null ): string {
		return (string) wp_date( self::format( 'date_format' ), $time, $zone );
	}

	public static function moment( int $time ): string {
		/* translators: 1: day, 2: time of day */
		return sprintf( __( '%1$s, %2$s', 'trousseau' ), self::day( $time ), wp_date( self::format( 'time_format' ), $time ) );
	}

	/**
	 * Text of somebody's own within a sentence. Where one runs from the left and the other from the right, marks that nobody
	 * sees keep its signs and numbers with it; its own ones could turn the sentence round.
	 */
	public static function isolate( string $text ): string {
		$text = preg_replace( '/[\x{202a}-\x{202e}\x{2066}-\x{2069}]/u', '', $text ) ?? $text;
		return $text !== '' && ( is_rtl() || preg_match( self::FROM_THE_RIGHT, $text ) ) ? "\u{2068}$text\u{2069}" : $text;
	}

	/**
	 * Texts of somebody's own, one after the other.
	 *
	 * @param string[] $texts
	 */
	public static function list( array $texts ): string {
		return implode( wp_get_list_item_separator(), array_map( array( self::class, 'isolate' ), $texts ) );
	}

	/** How often somebody gives or wishes for a thing, where that is more than once. */
	public static function times( int $count, string $name ): string {
		return $count > 1 ? number_format_i18n( $count ) . ' × ' . self::isolate( $name ) : self::isolate( $name );
	}

	/**
	 * The site's own choice, in the site's language. In another language, or where nobody chose, it is that language's usual
	 * one: “June 12, 2027” is English.
	 */
	private static function format( string $option ): string {
		$usual  = array(
			'date_format' => 'F j, Y',
			'time_format' => 'g:i a',
		)[ $option ];
		$chosen = (string) get_option( $option );
		return $chosen === $usual || is_locale_switched() ? translate( $usual ) : $chosen;
	}
}
