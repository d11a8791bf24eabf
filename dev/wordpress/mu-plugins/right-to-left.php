<?php
/**
 * The option `test_rtl` switches the site to a language written from the right.
 */

add_action(
	'init',
	static function (): void {
		if ( get_option( 'test_rtl' ) ) {
			$GLOBALS['wp_locale']->text_direction = 'rtl';
		}
	}
);
