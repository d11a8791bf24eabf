<?php

declare(strict_types=1);

namespace Trousseau;

use WP_Block;
use WP_Post;

/** Where the view appears: blocks, shortcodes, and by itself on a registry's page that has neither. */
final class Pages {

	public static function register(): void {
		wp_register_style( 'trousseau', plugins_url( 'assets/trousseau.css', PLUGIN_FILE ), array(), VERSION );
		wp_register_script( 'trousseau-giving', plugins_url( 'assets/giving.js', PLUGIN_FILE ), array(), VERSION, true );

		$registry = array(
			'title'           => __( 'Gift Registry', 'trousseau' ),
			'description'     => __( 'The gifts of a registry, with what is still needed.', 'trousseau' ),
			'icon'            => 'heart',
			'attributes'      => array( 'registry' => array( 'type' => 'string' ) ),
			'uses_context'    => array( 'postId' ),
			'render_callback' => static fn( array $attributes, string $content, WP_Block $block ): string
				=> self::wrap( View::registry( self::subject( $attributes, $block ) ) ),
		);
		$event    = array(
			'title'           => __( 'Registry Occasion', 'trousseau' ),
			'description'     => __( 'The occasion of a registry and its date.', 'trousseau' ),
			'icon'            => 'calendar',
			'render_callback' => static fn( array $attributes, string $content, WP_Block $block ): string
				=> self::wrap( View::event( self::subject( $attributes, $block ) ) ),
		) + $registry;
		$list     = array(
			'title'           => __( 'Public Registries', 'trousseau' ),
			'description'     => __( 'Links to the public registries, newest first.', 'trousseau' ),
			'icon'            => 'list-view',
			'attributes'      => array(
				'count' => array(
					'type'    => 'integer',
					'default' => 20,
				),
			),
			'render_callback' => static fn( array $attributes ): string => self::wrap( View::registries( (int) $attributes['count'] ) ),
		);

		$common = array(
			'api_version'   => 2,
			'category'      => 'widgets',
			'supports'      => array(
				'html'    => false,
				'align'   => array( 'wide', 'full' ),
				'spacing' => array(
					'margin'  => true,
					'padding' => true,
				),
			),
			'style_handles' => array( 'trousseau' ),
		);
		register_block_type( 'trousseau/registry', $registry + $common );
		register_block_type( 'trousseau/event', $event + $common );
		register_block_type( 'trousseau/registries', $list + $common );

		add_shortcode( 'trousseau_registry', static fn( $attributes ): string => View::registry( self::subject( array( 'registry' => ( (array) $attributes )['id'] ?? '' ) ) ) );
		add_shortcode( 'trousseau_registries', static fn( $attributes ): string => View::registries( (int) ( ( (array) $attributes )['count'] ?? 20 ) ) );
	}

	/** The registry that a block or shortcode is about: the one it names, the post around it, or the page's `?registry=`. */
	private static function subject( array $attributes, ?WP_Block $block = null ): ?WP_Post {
		$named = trim( (string) ( $attributes['registry'] ?? '' ) );
		if ( $named !== '' ) {
			return Registry::find( $named );
		}
		$around = get_post( $block->context['postId'] ?? null );
		if ( $around instanceof WP_Post && $around->post_type === PostType::NAME ) {
			return $around;
		}
		$asked = get_query_var( 'registry' );
		return is_scalar( $asked ) && (string) $asked !== '' ? Registry::find( (string) $asked ) : null;
	}

	private static function wrap( string $html ): string {
		return $html === '' ? '' : sprintf( '<div %s>%s</div>', get_block_wrapper_attributes(), $html );
	}

	/** Adds occasion and gifts to a registry's own page, unless its content or the theme's template shows them. */
	public static function complete( string $content ): string {
		$post = get_post();
		if ( ! $post || ! is_singular( PostType::NAME ) || $post->ID !== get_queried_object_id() || ! in_the_loop()
			|| is_feed() || is_embed() || doing_filter( 'get_the_excerpt' ) ) {
			return $content;
		}
		$template = $post->post_content . ( $GLOBALS['_wp_current_template_content'] ?? '' );
		if ( ! has_block( 'trousseau/event', $template ) ) {
			$content = View::event( $post ) . $content;
		}
		if ( ! has_block( 'trousseau/registry', $template ) && ! has_shortcode( $template, 'trousseau_registry' ) ) {
			$content .= View::registry( $post );
		}
		return $content;
	}

	/** On pages, guests who were let in need no "Private: " before the names of the couple. */
	public static function plain_title( string $format, WP_Post $post ): string {
		return $post->post_type === PostType::NAME ? '%s' : $format;
	}

	public static function enqueue_editor(): void {
		wp_enqueue_script( 'trousseau-editor', plugins_url( 'assets/editor.js', PLUGIN_FILE ), array( 'wp-blocks', 'wp-block-editor', 'wp-components', 'wp-data', 'wp-element', 'wp-server-side-render', 'wp-i18n' ), VERSION, true );
		wp_set_script_translations( 'trousseau-editor', 'trousseau' );
	}

	public static function enqueue(): void {
		$post = is_singular( PostType::NAME ) ? get_queried_object() : null;
		if ( ! $post instanceof WP_Post ) {
			return;
		}
		wp_enqueue_style( 'trousseau' );
		$settings = self::browser_settings( $post );
		if ( $settings ) {
			wp_enqueue_script( 'trousseau', plugins_url( 'assets/trousseau.js', PLUGIN_FILE ), array(), VERSION, true );
			wp_add_inline_script( 'trousseau', 'window.trousseau = ' . wp_json_encode( $settings, JSON_HEX_TAG | JSON_HEX_AMP ) . ';', 'before' );
		}
	}

	/**
	 * What the browser script needs to ask the service itself, where the site switched it on and has credentials of the
	 * visitor's own to hand out. Never those of the settings.
	 *
	 * @return array<string, mixed>
	 */
	private static function browser_settings( WP_Post $post ): array {
		if ( ! Settings::is_on( Settings::BROWSER_CLIENT ) || ! is_user_logged_in() || ! Access::belongs_to( $post, get_current_user_id() ) ) {
			return array();
		}
		/** Filters the current visitor's own credentials for the service: `username` and `password`, an application password. */
		$credentials = apply_filters( 'trousseau_browser_credentials', null, wp_get_current_user(), $post );
		if ( ! is_array( $credentials ) || empty( $credentials['username'] ) || empty( $credentials['password'] ) ) {
			return array();
		}
		return array(
			'registry' => $post->ID,
			'baseUrl'  => rtrim( Settings::value( Settings::BASE_URL ), '/' ),
			'apiKey'   => Settings::value( Settings::API_KEY ),
			'username' => (string) $credentials['username'],
			'password' => (string) $credentials['password'],
			/* translators: 1: number still needed, 2: number wished for */
			'needed'   => __( '%1$s of %2$s still needed', 'trousseau' ),
			'given'    => __( 'Already given', 'trousseau' ),
		);
	}
}
