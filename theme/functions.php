<?php
/**
 * What WordPress asks of a theme in PHP; the design itself is theme.json and style.css.
 */

declare(strict_types=1);

namespace TrousseauTheme;

defined( 'ABSPATH' ) || exit;

const STYLESHEETS = array( 'style.css', 'assets/registry.css' );

add_action(
	'wp_enqueue_scripts',
	static function (): void {
		foreach ( STYLESHEETS as $file ) {
			wp_enqueue_style( 'trousseau-theme-' . basename( $file, '.css' ), get_parent_theme_file_uri( $file ), array(), wp_get_theme( get_template() )->get( 'Version' ) );
		}
	}
);
add_action( 'after_setup_theme', static fn() => add_editor_style( STYLESHEETS ) );
add_action( 'init', static fn() => register_block_pattern_category( 'trousseau', array( 'label' => __( 'Gift registry', 'trousseau' ) ) ), 9 );

// WordPress draws emoji that a browser lacks with pictures from s.w.org: a request that no guest asked for.
remove_action( 'wp_head', 'print_emoji_detection_script', 7 );
remove_action( 'wp_print_styles', 'print_emoji_styles' );
add_filter( 'emoji_svg_url', '__return_false' );
