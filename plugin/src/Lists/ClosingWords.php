<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\Language;

/** The owners' words that guests read once the list is closed. */
final class ClosingWords extends ListField {

	public const PART      = 'after';
	public const HAS_LINES = true;
	public const IS_COPIED = true;

	private const META = '_trousseau_closing_words';

	public static function label(): string {
		return __( 'What should guests read then?', 'trousseau' );
	}

	public static function html( Form $form ): string {
		return $form->textarea( 'goodbye', self::label(), array( 'maxlength' => self::LONGEST, 'rows' => 3, 'placeholder' => self::usual() ), __( 'Your own thank-you, if you like.', 'trousseau' ) );
	}

	public static function value( int $post_id ): string {
		return (string) get_post_meta( $post_id, self::META, true );
	}

	/** The owners' words, or a default that every owner could have written. */
	public static function of( int $post_id ): string {
		$words = self::value( $post_id );
		return $words === '' ? self::usual() : Language::isolate( $words );
	}

	public static function personal(): string {
		return __( 'Words once the list is closed', 'trousseau' );
	}

	public function store( int $post_id, string $value ): void {
		update_post_meta( $post_id, self::META, wp_slash( $value ) );
	}

	private static function usual(): string {
		return __( 'Thank you for everything!', 'trousseau' );
	}
}
