<?php

declare(strict_types=1);

namespace Trousseau\Display;

use Trousseau\Platform\PageAddress;

/** Ready-made pages for the editor of any theme, and the templates of registries for block themes that have none. */
final class Patterns {

	private const CATEGORY = 'trousseau';

	/** For editors, which load them in the administration or by REST. */
	public static function register(): void {
		register_block_pattern_category( self::CATEGORY, array( 'label' => __( 'Gift list', 'trousseau' ) ) );
		$patterns = array(
			'start' => array( __( 'Start page for gift lists', 'trousseau' ), self::start() ),
			'lists' => array( __( 'Public gift lists', 'trousseau' ), self::heading( __( 'Gift lists', 'trousseau' ) ) . '<!-- wp:trousseau/registries /-->' ),
			'mine'  => array( __( 'A visitor’s lists and gifts', 'trousseau' ), '<!-- wp:trousseau/page {"page":"mine"} /-->' . self::heading( __( 'Gifts you’re giving', 'trousseau' ) ) . '<!-- wp:trousseau/page {"page":"my-gifts"} /-->' ),
		);
		foreach ( $patterns as $name => list( $title, $content ) ) {
			register_block_pattern( "trousseau-plugin/$name", array( 'title' => $title, 'content' => $content, 'categories' => array( self::CATEGORY ) ) );
		}
	}

	public static function register_templates(): void {
		// Older WordPresses take templates from themes alone, and these need the theme's header and footer.
		if ( function_exists( 'register_block_template' ) && wp_is_block_theme() && is_readable( get_theme_file_path( 'parts/header.html' ) ) && is_readable( get_theme_file_path( 'parts/footer.html' ) ) ) {
			register_block_template( 'trousseau-plugin//single-registry', array( 'title' => __( 'Gift list', 'trousseau' ), 'description' => __( 'A gift list with its occasion, story and gifts.', 'trousseau' ), 'content' => self::framed( self::registry() ), 'post_types' => array( 'registry' ) ) );
			register_block_template( 'trousseau-plugin//archive-registry', array( 'title' => __( 'Gift lists', 'trousseau' ), 'description' => __( 'The public gift lists.', 'trousseau' ), 'content' => self::framed( self::registries() ) ) );
		}
	}

	private static function framed( string $content ): string {
		return '<!-- wp:template-part {"slug":"header","tagName":"header"} /-->'
			. "<!-- wp:group {\"tagName\":\"main\",\"layout\":{\"type\":\"constrained\"}} -->\n<main class=\"wp-block-group\">$content</main>\n<!-- /wp:group -->"
			. '<!-- wp:template-part {"slug":"footer","tagName":"footer"} /-->';
	}

	private static function registry(): string {
		return '<!-- wp:post-title {"level":1} /--><!-- wp:trousseau/event /--><!-- wp:post-featured-image {"align":"wide"} /-->'
			. '<!-- wp:post-content {"layout":{"type":"constrained"}} /--><!-- wp:trousseau/registry {"align":"wide"} /-->';
	}

	private static function registries(): string {
		return '<!-- wp:query-title {"type":"archive","showPrefix":false,"align":"wide"} /-->'
			. "<!-- wp:query {\"align\":\"wide\",\"query\":{\"inherit\":true}} -->\n<div class=\"wp-block-query alignwide\">"
			. '<!-- wp:post-template {"layout":{"type":"grid","columnCount":3}} --><!-- wp:post-featured-image {"isLink":true} /--><!-- wp:post-title {"isLink":true,"fontSize":"large"} /--><!-- wp:trousseau/event /--><!-- /wp:post-template -->'
			. '<!-- wp:query-no-results -->' . self::paragraph( __( 'There are no public gift lists yet.', 'trousseau' ) ) . '<!-- /wp:query-no-results -->'
			. '<!-- wp:query-pagination --><!-- wp:query-pagination-previous /--><!-- wp:query-pagination-numbers /--><!-- wp:query-pagination-next /--><!-- /wp:query-pagination -->'
			. "</div>\n<!-- /wp:query -->";
	}

	private static function start(): string {
		return self::heading( __( 'Something to celebrate?', 'trousseau' ) )
			. self::paragraph( __( 'Make a list of gifts you’d love. It starts private: you choose who sees it.', 'trousseau' ) )
			. "<!-- wp:buttons -->\n<div class=\"wp-block-buttons\">" . self::button( 'new', __( 'Create your list', 'trousseau' ) ) . self::button( 'find', __( 'Find a list', 'trousseau' ) ) . "</div>\n<!-- /wp:buttons -->"
			. '<!-- wp:trousseau/registries {"count":6} /-->';
	}

	private static function button( string $page, string $words ): string {
		return sprintf( "<!-- wp:button -->\n<div class=\"wp-block-button\"><a class=\"wp-block-button__link wp-element-button\" href=\"%s\">%s</a></div>\n<!-- /wp:button -->", esc_url( PageAddress::of( $page ) ), esc_html( $words ) );
	}

	private static function heading( string $words ): string {
		return sprintf( "<!-- wp:heading -->\n<h2 class=\"wp-block-heading\">%s</h2>\n<!-- /wp:heading -->", esc_html( $words ) );
	}

	private static function paragraph( string $words ): string {
		return sprintf( "<!-- wp:paragraph -->\n<p>%s</p>\n<!-- /wp:paragraph -->", esc_html( $words ) );
	}
}
