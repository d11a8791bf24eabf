<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\FlashMessage;
use WP_Post;

/** WordPress's form on a list with a password, which comes again after a wrong one. */
final class PasswordForm {

	/** Says why the form is there again, as WordPress itself does from 6.8 on. */
	public function explain( string $form, WP_Post $post ): string {
		// The password in the cookie may be meant for another page: this list has to be the one that sent it.
		$is_wrong = $post->post_type === PostType::NAME && isset( $_COOKIE[ 'wp-postpass_' . COOKIEHASH ] ) && wp_get_raw_referer() === get_permalink( $post );
		return $is_wrong && ! str_contains( $form, 'post-password-form-invalid-password' ) ? FlashMessage::note( self::wrong(), 'is-problem' ) . $form : $form;
	}

	/** WordPress's own words for a wrong password, on a list in ours. */
	public static function words( string $words, WP_Post $post ): string {
		return $post->post_type === PostType::NAME ? esc_html( self::wrong() ) : $words;
	}

	private static function wrong(): string {
		return __( 'That’s not the password. Please try again.', 'trousseau' );
	}
}
