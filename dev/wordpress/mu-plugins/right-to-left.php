<?php
/**
 * The option `test_rtl` switches the site to a right-to-left language.
 */

add_action(
	'init',
	static function (): void {
		if ( get_option( 'test_rtl' ) ) {
			$GLOBALS['wp_locale']->text_direction = 'rtl';
		}
	}
);
