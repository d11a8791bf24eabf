<?php
/**
 * A test can hold back the site's emails. Texts in German are marked.
 */

// Sends with Sendmail, as a configured mail server would: PHP's `mail()` breaks lines earlier.
add_action(
	'phpmailer_init',
	static function ( $mailer ): void {
		$mailer->Mailer   = 'sendmail';
		$mailer->Sendmail = ini_get( 'sendmail_path' );
	},
	1
);
add_filter( 'pre_wp_mail', static fn( $sent ) => get_option( 'test_no_mail' ) ? false : $sent );
add_filter( 'get_available_languages', static fn() => array( 'de_DE' ) );
// From 6.5 on, WordPress finds the plugin's own translations when it changes the language.
add_filter(
	'gettext_trousseau',
	static fn( string $translation, string $text ) => get_locale() === 'de_DE' ? 'Deutsch: ' . str_replace( 'please:', 'please :', $text ) : $translation,
	10,
	2
);
