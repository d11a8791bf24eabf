<?php

declare(strict_types=1);

namespace Trousseau\Registry;

defined( 'ABSPATH' ) || exit;

use Trousseau\Service\Item;
use WP_Error;
use WP_Post;
use WP_REST_Block_Renderer_Controller;
use WP_REST_Request;

/**
 * The story of a registry whose owner may not write posts. It is shown as a story: text, pictures, and the gifts of that
 * registry. Blocks and shortcodes that query, fetch or embed would let anybody with an account keep the site busy.
 */
final class Story {

	/** The largest story, in bytes; a larger one is shown as text, without its ends. */
	public const MAX_BYTES = 100_000;

	private const MAX_BLOCKS = 400;
	private const MAX_IMAGES = 200;
	private const MAX_TEXT   = 20_000;

	/** A page may show many stories: up to these bounds with their blocks and pictures, the rest as a few lines. */
	private const MAX_BYTES_OF_ALL  = 500_000;
	private const MAX_BLOCKS_OF_ALL = 1500;
	private const FEW_LINES         = 500;

	/** Blocks that show only their own content, and this registry's own. Any other becomes the HTML that stands in it. */
	private const BLOCKS = array(
		'core/button',
		'core/buttons',
		'core/code',
		'core/column',
		'core/columns',
		'core/cover',
		'core/details',
		'core/gallery',
		'core/group',
		'core/heading',
		'core/image',
		'core/list',
		'core/list-item',
		'core/media-text',
		'core/paragraph',
		'core/preformatted',
		'core/pullquote',
		'core/quote',
		'core/separator',
		'core/spacer',
		'core/table',
		'core/verse',
		'trousseau/event',
		'trousseau/registry',
	);

	/** The one shortcode that a story has, and how often. */
	private const SHORTCODE  = 'trousseau_registry';
	private const SHORTCODES = 20;

	private const EMPTY_BLOCK = array(
		'blockName'    => null,
		'attrs'        => array(),
		'innerBlocks'  => array(),
		'innerHTML'    => '',
		'innerContent' => array(),
	);

	/** @var array<string, string> Finished HTML by its place in what is still being made. */
	private static array $held = array();

	/** @var int[] The posts whose content is being made, innermost last; 0: none. */
	private static array $contents = array();

	/** The number of stories that are being made, one in the other. */
	private static int $depth = 0;

	private static bool $is_without_gifts = false;

	/** @var array<string, string> Stories of this request within their bounds, by fingerprints of what they were and are. */
	private static array $bounded = array();
	private static int $bytes     = 0;
	private static int $blocks    = 0;

	/** The registry whose story a post or a revision holds; null where its owner may use any block. */
	public static function registry_of( ?WP_Post $post ): ?WP_Post {
		$registry = $post && $post->post_type === 'revision' ? get_post( $post->post_parent ) : $post;
		return $registry && $registry->post_type === PostType::NAME && ! user_can( (int) $registry->post_author, 'edit_posts' ) ? $registry : null;
	}

	/** A story without the blocks that it may not hold: for excerpts, pages and everything else that reads it. */
	public static function source( WP_Post $post ): string {
		return self::registry_of( $post ) ? self::allowed( $post->post_content ) : $post->post_content;
	}

	/**
	 * A story has one page: thousands of them would be thousands of links below it.
	 *
	 * @param string[] $pages
	 * @return string[]
	 */
	public static function pages( array $pages, WP_Post $post ): array {
		return self::registry_of( $post ) ? array( self::allowed( implode( "\n\n", $pages ) ) ) : $pages;
	}

	/** An excerpt that somebody wrote. */
	public static function excerpt( string $excerpt, mixed $post = null ): string {
		return $post instanceof WP_Post && strlen( $excerpt ) > self::FEW_LINES && self::registry_of( $post ) ? self::text( $excerpt, self::FEW_LINES ) : $excerpt;
	}

	/** Makes the story, holds its HTML, and answers a placeholder in which later filters find nothing to change. */
	public static function begin( string $content, int $id ): string {
		self::$contents[] = $id;
		$post             = $id ? get_post( $id ) : null;
		if ( ! self::registry_of( $post ) ) {
			return $content;
		}
		++self::$depth;
		try {
			$html = self::html( $content );
		} finally {
			--self::$depth;
		}
		// WordPress adds a line break at the end of a text: here behind the placeholder.
		return self::place( rtrim( $html ) );
	}

	/** Puts the HTML back that begin() has taken out. */
	public static function end( string $content ): string {
		array_pop( self::$contents );
		return self::put_back( $content );
	}

	/**
	 * The registry whose own story is being made, whatever loops and other texts are within. Everybody writes stories, and each
	 * list is asked for: a story shows that registry's, once, and no page on which people do something.
	 */
	public static function current(): ?WP_Post {
		foreach ( array_filter( self::$contents ) as $id ) {
			$post = get_post( $id );
			$post = $post && $post->post_type === 'revision' ? get_post( $post->post_parent ) : $post;
			if ( $post && $post->post_type === PostType::NAME ) {
				return $post;
			}
		}
		return null;
	}

	/** The post whose content is being made; 0: none. */
	public static function innermost(): int {
		return (int) end( self::$contents );
	}

	private static function put_back( string $content ): string {
		$here       = array_filter( self::$held, static fn( string $place ): bool => str_contains( $content, $place ), ARRAY_FILTER_USE_KEY );
		self::$held = array_diff_key( self::$held, $here );
		return $here ? strtr( $content, $here ) : $content;
	}

	/** Holds HTML of the plugin inside a story: nothing that is done to the text is done to it. */
	public static function hold( string $html ): string {
		return self::$depth && $html !== '' ? self::place( $html ) : $html;
	}

	/** Whether gifts may stand in a story: only on the registry's own page, not in archives and feeds. */
	public static function takes_gifts( WP_Post $post ): bool {
		return ! self::$depth || ( is_singular( PostType::NAME ) && get_queried_object_id() === $post->ID && ! is_feed() && ! is_embed() );
	}

	/** Runs something during which no registry shows its gifts. */
	public static function without_gifts( callable $action ): mixed {
		$before                 = self::$is_without_gifts;
		self::$is_without_gifts = true;
		try {
			return $action();
		} finally {
			self::$is_without_gifts = $before;
		}
	}

	public static function is_without_gifts(): bool {
		return self::$is_without_gifts;
	}

	/** WordPress renders any single block on request, also those that a story may not hold. */
	public static function refuse_block( mixed $answer, array $handler, WP_REST_Request $request ): mixed {
		$asked = is_array( $handler['callback'] ?? null ) && $handler['callback'][0] instanceof WP_REST_Block_Renderer_Controller;
		if ( ! $asked || is_wp_error( $answer ) || current_user_can( 'edit_posts' ) || in_array( $request['name'], self::BLOCKS, true ) || str_starts_with( (string) $request['name'], 'trousseau/' ) ) {
			return $answer;
		}
		return new WP_Error( 'block_cannot_read', __( 'Sorry, you are not allowed to do that.', 'trousseau' ), array( 'status' => rest_authorization_required_code() ) );
	}

	/** The classic editor has the site make previews of embeds and shortcodes. */
	public static function refuse_preview(): void {
		current_user_can( 'edit_posts' ) || wp_send_json_error( null, 403 );
	}

	/**
	 * Types of posts for which WordPress fetches all that is embedded when somebody asks it to.
	 *
	 * @param string[] $types
	 * @return string[]
	 */
	public static function without_embeds( array $types ): array {
		return array_values( array_diff( $types, array( PostType::NAME ) ) );
	}

	private static function place( string $html ): string {
		$place                = '<div class="trousseau-' . bin2hex( random_bytes( 12 ) ) . '"></div>';
		self::$held[ $place ] = $html;
		return $place;
	}

	/** A story with nothing in it but what a story may have, still with its blocks. */
	private static function allowed( string $content ): string {
		$content = self::within_bounds( $content );
		return has_blocks( $content ) ? self::known( serialize_blocks( self::only_allowed( parse_blocks( $content ) ) ) ) : $content;
	}

	private static function html( string $content ): string {
		$content = self::within_bounds( $content );
		if ( has_blocks( $content ) ) {
			$html = wptexturize( implode( '', array_map( 'render_block', self::only_allowed( parse_blocks( $content ) ) ) ) );
		} else {
			$html = shortcode_unautop( wpautop( wptexturize( $content ) ) );
		}
		$html = wp_filter_content_tags( $html, 'the_content' );
		$html = (string) preg_replace_callback( '/\[trousseau_registry\b[^\[\]]*+\]/', static fn( array $found ): string => do_shortcode( $found[0] ), $html );
		return self::put_back( $html );
	}

	/**
	 * @param array<string, mixed>[] $blocks
	 * @return array<string, mixed>[] As many, so that each stays in its place.
	 */
	private static function only_allowed( array $blocks ): array {
		return array_map( array( self::class, 'made_allowed' ), $blocks );
	}

	/**
	 * @param array<string, mixed> $block
	 * @return array<string, mixed>
	 */
	private static function made_allowed( array $block ): array {
		if ( $block['blockName'] === 'core/shortcode' ) {
			return self::EMPTY_BLOCK;
		}
		// It may name a source that the site is asked for.
		unset( $block['attrs']['metadata'] );
		if ( ! in_array( $block['blockName'], self::BLOCKS, true ) ) {
			$block = self::embedded( $block ) ?? array( 'blockName' => null, 'attrs' => array() ) + $block;
		}
		$block['innerBlocks'] = self::only_allowed( $block['innerBlocks'] );
		return $block;
	}

	/**
	 * An embed becomes a link.
	 *
	 * @param array<string, mixed> $block
	 * @return array<string, mixed>|null
	 */
	private static function embedded( array $block ): ?array {
		$address = Item::web_address( is_string( $block['attrs']['url'] ?? null ) ? $block['attrs']['url'] : '' );
		if ( $address === '' || ! preg_match( '#^core(-embed/|/embed$)#', (string) $block['blockName'] ) ) {
			return null;
		}
		$html = sprintf( '<p><a href="%s">%s</a></p>', esc_url( $address ), esc_html( $address ) );
		return array( 'innerHTML' => $html, 'innerContent' => array( $html ) ) + self::EMPTY_BLOCK;
	}

	/** A story without shortcodes; as plain text where it is more than a page is for. */
	private static function within_bounds( string $content ): string {
		$known = self::$bounded[ md5( $content ) ] ?? null;
		if ( $known !== null ) {
			return $known;
		}
		// WordPress takes any blanks there.
		$blocks = (int) preg_match_all( '/<!--\s++wp:/', $content );
		$most   = match ( true ) {
			self::$bytes > self::MAX_BYTES_OF_ALL || self::$blocks > self::MAX_BLOCKS_OF_ALL => self::FEW_LINES,
			strlen( $content ) > self::MAX_BYTES || $blocks > self::MAX_BLOCKS || substr_count( strtolower( $content ), '<img' ) > self::MAX_IMAGES => self::MAX_TEXT,
			default => 0,
		};
		if ( $most ) {
			$bounded = self::text( $content, $most );
		} else {
			$bounded       = self::without_shortcodes( $content );
			self::$blocks += $blocks;
		}
		self::$bytes                     += strlen( $bounded );
		self::$bounded[ md5( $content ) ] = $bounded;
		return self::known( $bounded );
	}

	/** Remembers a text within the bounds, so that it is counted once. */
	private static function known( string $bounded ): string {
		self::$bounded[ md5( $bounded ) ] = $bounded;
		return $bounded;
	}

	/** The text of a story, as HTML without tags. */
	private static function text( string $content, int $most ): string {
		$text = self::without_shortcodes( (string) preg_replace( '/<[^<>]*+>/', ' ', mb_strcut( $content, 0, self::MAX_BYTES ) ) );
		$text = str_replace( array( '<', '>' ), array( '&lt;', '&gt;' ), trim( (string) preg_replace( array( '/[ \t\r]++/', '/\n[\n ]++/' ), array( ' ', "\n\n" ), $text ) ) );
		return mb_strlen( $text ) > $most ? (string) preg_replace( '/&[^;\s]*+$|\S++$/D', '', mb_substr( $text, 0, $most ) ) . '…' : $text;
	}

	/** Takes out all shortcodes but the plugin's own. The text that they enclose stays, and so do names in double brackets. */
	private static function without_shortcodes( string $content ): string {
		if ( ! str_contains( $content, '[' ) ) {
			return $content;
		}
		// The words below a picture, as the classic editor keeps them.
		$content = (string) preg_replace_callback( '~\[((?:wp_)?caption)\b([^\[\]]*+)\]([^\[]*+)\[/\1\]~', static fn( array $found ): string => (string) img_caption_shortcode( (array) shortcode_parse_atts( $found[2] ), $found[3] ), $content, self::MAX_IMAGES );
		$left    = self::SHORTCODES;
		$kept    = static function ( array $found ) use ( &$left ): string {
			$is_text = ( $found[1] !== '' && $found[3] !== '' ) || ! shortcode_exists( $found[2] );
			return $is_text || ( $found[2] === self::SHORTCODE && $left-- > 0 ) ? $found[0] : $found[1] . $found[3];
		};
		return (string) preg_replace_callback( '~(\[?)\[/?([^<>&/\[\]\x00-\x20=]++)[^\[\]]*+\](\]?)~', $kept, $content );
	}
}
