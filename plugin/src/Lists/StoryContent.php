<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Service\Item;

/**
 * The content that is allowed in a story whose owner may not write posts: text, pictures, and the gifts of that registry.
 * Blocks and shortcodes that query, fetch or embed would let anyone with an account keep the site busy.
 */
final class StoryContent {

	/** The largest story, in bytes; a larger one is shown as shortened text. */
	private const MAX_BYTES = 100_000;

	private const MAX_BLOCKS = 400;
	private const MAX_IMAGES = 200;
	private const MAX_TEXT   = 20_000;

	/** Bounds for all stories on a page; the stories beyond them are shown as a few lines. */
	private const MAX_BYTES_OF_ALL  = 500_000;
	private const MAX_BLOCKS_OF_ALL = 1500;

	/** Characters of those few lines. */
	public const FEW_LINES = 500;

	/** Allowed blocks: those that show only their own content, and the plugin's. Any other becomes its inner HTML. */
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

	/** The only shortcode that a story may have, and the most of it. */
	private const SHORTCODE  = 'trousseau_registry';
	private const SHORTCODES = 20;

	private const EMPTY_BLOCK = array(
		'blockName'    => null,
		'attrs'        => array(),
		'innerBlocks'  => array(),
		'innerHTML'    => '',
		'innerContent' => array(),
	);

	/** @var array<string, string> Stories of this request within their bounds, by fingerprints of their texts before and after. */
	private array $bounded = array();
	private int $bytes     = 0;
	private int $blocks    = 0;

	/** The blocks that the editor offers for such a story, among those that the site allows. */
	public static function offered( bool|array $allowed ): bool|array {
		return is_array( $allowed ) ? array_values( array_intersect( self::BLOCKS, $allowed ) ) : ( $allowed ? self::BLOCKS : false );
	}

	public static function is_allowed( string $block ): bool {
		return in_array( $block, self::BLOCKS, true );
	}

	/** A story reduced to its allowed blocks. */
	public function allowed( string $content ): string {
		$content = $this->within_bounds( $content );
		return has_blocks( $content ) ? $this->remember( serialize_blocks( self::only_allowed( parse_blocks( $content ) ) ) ) : $content;
	}

	/** @return array<string, mixed>[] The same number of blocks, so that each stays in its place. */
	public static function only_allowed( array $blocks ): array {
		return array_map( array( self::class, 'made_allowed' ), $blocks );
	}

	private static function made_allowed( array $block ): array {
		if ( $block['blockName'] === 'core/shortcode' ) {
			return self::EMPTY_BLOCK;
		}
		// The metadata may name a source that the site would have to query.
		unset( $block['attrs']['metadata'] );
		if ( ! self::is_allowed( (string) $block['blockName'] ) ) {
			$block = self::embedded( $block ) ?? array( 'blockName' => null, 'attrs' => array() ) + $block;
		}
		$block['innerBlocks'] = self::only_allowed( $block['innerBlocks'] );
		return $block;
	}

	/** Makes an embed a link. */
	private static function embedded( array $block ): ?array {
		$address = Item::web_address( is_string( $block['attrs']['url'] ?? null ) ? $block['attrs']['url'] : '' );
		if ( $address === '' || ! preg_match( '#^core(-embed/|/embed$)#', (string) $block['blockName'] ) ) {
			return null;
		}
		$html = sprintf( '<p><a href="%s">%s</a></p>', esc_url( $address ), esc_html( $address ) );
		return array( 'innerHTML' => $html, 'innerContent' => array( $html ) ) + self::EMPTY_BLOCK;
	}

	/** A story without shortcodes, or its plain text where it exceeds the bounds of a page. */
	public function within_bounds( string $content ): string {
		$known = $this->bounded[ md5( $content ) ] ?? null;
		if ( $known !== null ) {
			return $known;
		}
		// WordPress allows any white space there.
		$blocks = (int) preg_match_all( '/<!--\s++wp:/', $content );
		$most   = match ( true ) {
			$this->bytes > self::MAX_BYTES_OF_ALL || $this->blocks > self::MAX_BLOCKS_OF_ALL => self::FEW_LINES,
			strlen( $content ) > self::MAX_BYTES || $blocks > self::MAX_BLOCKS || substr_count( strtolower( $content ), '<img' ) > self::MAX_IMAGES => self::MAX_TEXT,
			default => 0,
		};
		if ( $most ) {
			$bounded = $this->text( $content, $most );
		} else {
			$bounded       = $this->without_shortcodes( $content );
			$this->blocks += $blocks;
		}
		$this->bytes                     += strlen( $bounded );
		$this->bounded[ md5( $content ) ] = $bounded;
		return $this->remember( $bounded );
	}

	/** Remembers a text within the bounds, so that it is counted once. */
	private function remember( string $bounded ): string {
		$this->bounded[ md5( $bounded ) ] = $bounded;
		return $bounded;
	}

	/** The text of a story, as HTML without tags. */
	public function text( string $content, int $most ): string {
		$text = $this->without_shortcodes( (string) preg_replace( '/<[^<>]*+>/', ' ', mb_strcut( $content, 0, self::MAX_BYTES ) ) );
		$text = str_replace( array( '<', '>' ), array( '&lt;', '&gt;' ), trim( (string) preg_replace( array( '/[ \t\r]++/', '/\n[\n ]++/' ), array( ' ', "\n\n" ), $text ) ) );
		return mb_strlen( $text ) > $most ? (string) preg_replace( '/&[^;\s]*+$|\S++$/D', '', mb_substr( $text, 0, $most ) ) . '…' : $text;
	}

	/** Takes out all shortcodes but the plugin's own. The text that they enclose stays, and so do names in double brackets. */
	private function without_shortcodes( string $content ): string {
		if ( ! str_contains( $content, '[' ) ) {
			return $content;
		}
		// The caption of a picture, as the classic editor stores it.
		$content = (string) preg_replace_callback( '~\[((?:wp_)?caption)\b([^\[\]]*+)\]([^\[]*+)\[/\1\]~', static fn( array $found ): string => (string) img_caption_shortcode( (array) shortcode_parse_atts( $found[2] ), $found[3] ), $content, self::MAX_IMAGES );
		$left    = self::SHORTCODES;
		$kept    = static function ( array $found ) use ( &$left ): string {
			$is_text = ( $found[1] !== '' && $found[3] !== '' ) || ! shortcode_exists( $found[2] );
			return $is_text || ( $found[2] === self::SHORTCODE && $left-- > 0 ) ? $found[0] : $found[1] . $found[3];
		};
		return (string) preg_replace_callback( '~(\[?)\[/?([^<>&/\[\]\x00-\x20=]++)[^\[\]]*+\](\]?)~', $kept, $content );
	}
}
