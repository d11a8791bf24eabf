<?php
/**
 * A shortcode and a block of another plugin, and the option `asked_for` with every address that the site asks for.
 */

add_action(
	'init',
	static function (): void {
		add_shortcode( 'loud', static fn() => 'SHORTCODE-RAN' );
		register_block_type( 'other/loud', array( 'render_callback' => static fn() => 'BLOCK-RAN' ) );
	}
);
add_filter(
	'pre_http_request',
	static function ( $answer, $arguments, $url ) {
		update_option( 'asked_for', array( ...get_option( 'asked_for', array() ), $url ), false );
		return new WP_Error( 'away' );
	},
	10,
	3
);
