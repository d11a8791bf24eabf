<?php
/**
 * The PHP that a theme needs. The design itself is in theme.json and assets/base.css.
 */

declare(strict_types=1);

namespace TrousseauTheme;

defined( 'ABSPATH' ) || exit;

const STYLESHEETS = array( 'assets/base.css', 'assets/registry.css' );
const FALLBACK    = 'assets/fallback-fonts.css';

add_action(
	'wp_enqueue_scripts',
	static function (): void {
		foreach ( STYLESHEETS as $file ) {
			wp_enqueue_style( 'trousseau-theme-' . basename( $file, '.css' ), get_parent_theme_file_uri( $file ), array(), wp_get_theme( get_template() )->get( 'Version' ) );
		}
		// Inline: rendering needs these styles, and a request would cost more than their text.
		wp_add_inline_style( 'trousseau-theme-base', (string) file_get_contents( get_parent_theme_file_path( FALLBACK ) ) );
	}
);
// Known before the stylesheets are: seldom is a line of the fallback seen, which may wrap elsewhere.
add_filter(
	'wp_preload_resources',
	static fn( array $resources ): array => array(
		...$resources,
		...array_map(
			static fn( string $font ): array => array(
				'href'        => get_parent_theme_file_uri( "assets/fonts/$font.woff2" ),
				'as'          => 'font',
				'type'        => 'font/woff2',
				'crossorigin' => 'anonymous',
			),
			// Other scripts have digits of this font, and names that may be Latin.
			is_rtl() && ! preg_match( '/[a-z]/i', wp_get_document_title() ) ? array( 'figtree-latin' ) : array( 'fraunces-basic', 'figtree-latin' )
		),
	)
);
add_action( 'after_setup_theme', static fn() => add_editor_style( array( FALLBACK, ...STYLESHEETS ) ) );

// The theme has no dark counterparts of a background or text colour that the site has chosen.
add_filter(
	'body_class',
	static function ( array $classes ): array {
		$own = \WP_Theme_JSON_Resolver::get_user_data()->get_raw_data();
		return isset( $own['styles']['color'] ) ? array( ...$classes, 'has-own-colours' ) : $classes;
	}
);

// The theme has its own catalogue, separate from the plugin's: WordPress loads one file for each name. A country without a
// translation gets that of its language.
add_action( 'after_setup_theme', static fn() => load_theme_textdomain( 'trousseau-theme', get_template_directory() . '/languages' ) );
add_filter(
	'load_textdomain_mofile',
	static function ( string $file, string $domain ): string {
		if ( $domain !== 'trousseau-theme' || is_readable( $file ) ) {
			return $file;
		}
		$near = glob( (string) preg_replace( '/([a-z]{2,3})(_\w+)?\.mo$/', '$1*.mo', $file ) );
		return $near[0] ?? $file;
	},
	10,
	2
);

add_action( 'init', static fn() => register_block_pattern_category( 'trousseau', array( 'label' => __( 'Gift list', 'trousseau-theme' ) ) ), 9 );

// A home page with words of its own shows those, not the theme's welcome.
add_filter(
	'frontpage_template_hierarchy',
	static function ( array $templates ): array {
		$has_words = is_page() && get_post_field( 'post_content', get_queried_object_id() ) !== '';
		$template  = $has_words ? get_block_template( get_stylesheet() . '//front-page' ) : null;
		$file      = 'templates/front-page.html';
		// A template that the site has changed, or that comes with a child theme, stays in use.
		$is_ours = $template && $template->source === 'theme' && locate_template( $templates ) === ''
			&& get_theme_file_path( $file ) === get_parent_theme_file_path( $file );
		return $is_ours ? array() : $templates;
	}
);

// The login block takes the page's address from the request, whose host may be forged.
add_filter(
	'render_block_core/loginout',
	static function ( string $html ): string {
		$asked = ( is_ssl() ? 'https://' : 'http://' ) . ( $_SERVER['HTTP_HOST'] ?? '' ) . '/';
		$own   = (string) preg_replace( '#^(https?://[^/]+).*$#Ds', '$1/', home_url() );
		return str_replace( array( rawurlencode( $asked ), esc_url( $asked ) ), array( rawurlencode( $own ), esc_url( $own ) ), $html );
	}
);
