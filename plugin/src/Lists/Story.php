<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Service\Item;
use WP_Block_Editor_Context;
use WP_Error;
use WP_Post;
use WP_REST_Block_Renderer_Controller;
use WP_REST_Request;

/**
 * The story of a registry. If not all of its owners may write posts, it holds text, pictures and the registry's own gifts: blocks and
 * shortcodes that query, fetch or embed would let anyone with an account keep the site busy.
 */
final class Story {

	/** The largest story, in bytes; of a larger one only some text is shown. */
	private const MAX_BYTES  = 100_000;
	private const MAX_BLOCKS = 400;
	private const MAX_IMAGES = 200;
	private const MAX_TEXT   = 20_000;

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

	private const EMPTY_BLOCK = array(
		'blockName'    => null,
		'attrs'        => array(),
		'innerBlocks'  => array(),
		'innerHTML'    => '',
		'innerContent' => array(),
	);

	/** The registry whose story a post or a revision holds. Null if all of its owners may use any block. */
	public static function registry_of( ?WP_Post $post ): ?WP_Post {
		$registry = self::registry( $post );
		$may_not  = static fn( int $id ): bool => ! user_can( $id, 'edit_posts' );
		return $registry && ( $may_not( (int) $registry->post_author ) || array_filter( CoOwners::all_of( $registry ), $may_not ) ) ? $registry : null;
	}

	private static function registry( ?WP_Post $post ): ?WP_Post {
		$post = $post?->post_type === 'revision' ? get_post( $post->post_parent ) : $post;
		return $post?->post_type === PostType::NAME ? $post : null;
	}

	/** The registry whose story is being rendered, and not a page that lists registries. */
	public static function current(): ?WP_Post {
		return doing_filter( 'the_content' ) && ( ! is_singular() || is_singular( PostType::NAME ) ) ? self::registry( get_post() ) : null;
	}

	/** Whether gifts may appear here: each list costs a request, so a story has its own, and only on the registry's own page. */
	public static function takes_gifts( WP_Post $post ): bool {
		return ! self::current() || ( is_singular( PostType::NAME ) && get_queried_object_id() === $post->ID && ! is_feed() && ! is_embed() );
	}

	/** Offers the owners of a story only the blocks that it may hold. */
	public static function offer_blocks( bool|array $allowed, WP_Block_Editor_Context $context ): bool|array {
		if ( ! self::registry_of( $context->post ?? null ) ) {
			return $allowed;
		}
		return is_array( $allowed ) ? array_values( array_intersect( self::BLOCKS, $allowed ) ) : ( $allowed ? self::BLOCKS : false );
	}

	/** A story without the blocks that it may not hold: for excerpts, pages and everything else that reads it. */
	public static function source( WP_Post $post ): string {
		return self::registry_of( $post ) ? self::cleaned( $post->post_content ) : $post->post_content;
	}

	/** Gives a story a single page: thousands of pages would make thousands of links. */
	public static function pages( array $pages, WP_Post $post ): array {
		return self::registry_of( $post ) ? array( self::cleaned( implode( "\n\n", $pages ) ) ) : $pages;
	}

	/** Cleans a story before WordPress renders it: no address is embedded, and no shortcode runs. */
	public static function before_blocks( string $content ): string {
		// WordPress embeds what an address on a line or in a paragraph of its own leads to.
		return self::registry_of( get_post() ) ? self::without_shortcodes( (string) preg_replace( '~((?:^|<p(?: [^>]*+)?>)\s*+https?):(?=//)~im', '$1&#58;', self::cleaned( $content ) ) ) : $content;
	}

	/** Leaves no shortcode in what blocks have made of a story either, such as names of gifts. */
	public static function before_shortcodes( string $content ): string {
		return self::registry_of( get_post() ) ? self::without_shortcodes( $content ) : $content;
	}

	/** Makes text of all shortcodes but those of pictures' captions and of the gifts. Blocks' attributes stand in comments. */
	private static function without_shortcodes( string $content ): string {
		return (string) preg_replace( '~<!--[^<>]*+>(*SKIP)(*F)|\[(?!/?(?:trousseau_registry|wp_caption|caption)\b)~', '&#91;', $content );
	}

	private static function cleaned( string $content ): string {
		// WordPress allows any white space there.
		$count = (int) preg_match_all( '~<!--\s++/?wp:([a-z0-9_/-]++)~', $content, $found );
		if ( strlen( $content ) > self::MAX_BYTES || $count > 2 * self::MAX_BLOCKS || substr_count( strtolower( $content ), '<img' ) > self::MAX_IMAGES ) {
			return self::text( $content );
		}
		$names = array_map( static fn( string $name ): string => str_contains( $name, '/' ) ? $name : "core/$name", array_unique( $found[1] ) );
		// Attributes may be escaped.
		return array_diff( $names, self::BLOCKS ) || preg_match( '~"metadata"|\\\\u~', $content ) ? serialize_blocks( self::only_allowed( parse_blocks( $content ) ) ) : $content;
	}

	/** @return array<string, mixed>[] The same number of blocks, so that each stays in its place. */
	private static function only_allowed( array $blocks ): array {
		return array_map( array( self::class, 'made_allowed' ), $blocks );
	}

	private static function made_allowed( array $block ): array {
		if ( $block['blockName'] === 'core/shortcode' ) {
			return self::EMPTY_BLOCK;
		}
		// The metadata may name a source that the site would have to query.
		unset( $block['attrs']['metadata'] );
		if ( ! in_array( $block['blockName'], self::BLOCKS, true ) ) {
			$block = self::embedded( $block ) ?? array( 'blockName' => null, 'attrs' => array() ) + $block;
		}
		$block['innerBlocks'] = self::only_allowed( $block['innerBlocks'] );
		return $block;
	}

	/** Makes an embed a link. */
	private static function embedded( array $block ): ?array {
		$address = Item::web_address( $block['attrs']['url'] ?? '' );
		if ( $address === '' || ! preg_match( '#^core(-embed/|/embed$)#', (string) $block['blockName'] ) ) {
			return null;
		}
		$html = sprintf( '<p><a href="%s">%s</a></p>', esc_url( $address ), esc_html( $address ) );
		return array( 'innerHTML' => $html, 'innerContent' => array( $html ) ) + self::EMPTY_BLOCK;
	}

	/** Some text of a story, as HTML without tags. */
	private static function text( string $content ): string {
		$text = (string) preg_replace( '/<[^<>]*+>/', ' ', mb_strcut( $content, 0, self::MAX_BYTES ) );
		$text = str_replace( array( '<', '>' ), array( '&lt;', '&gt;' ), trim( (string) preg_replace( array( '/[ \t\r]++/', '/\n[\n ]++/' ), array( ' ', "\n\n" ), $text ) ) );
		return mb_strlen( $text ) > self::MAX_TEXT ? (string) preg_replace( '/&[^;\s]*+$|\S++$/D', '', mb_substr( $text, 0, self::MAX_TEXT ) ) . '…' : $text;
	}

	/** Refuses to render a single block that a story may not hold, which WordPress does on request. */
	public static function refuse_block( mixed $answer, array $handler, WP_REST_Request $request ): mixed {
		$asked = is_array( $handler['callback'] ?? null ) && $handler['callback'][0] instanceof WP_REST_Block_Renderer_Controller;
		if ( ! $asked || is_wp_error( $answer ) || current_user_can( 'edit_posts' ) || in_array( $request['name'], self::BLOCKS, true ) || str_starts_with( (string) $request['name'], 'trousseau/' ) ) {
			return $answer;
		}
		return new WP_Error( 'block_cannot_read', __( 'Sorry, you are not allowed to do that.', 'trousseau' ), array( 'status' => rest_authorization_required_code() ) );
	}

	/** Refuses the previews of embeds and shortcodes that the classic editor asks the site for. */
	public static function refuse_preview(): void {
		current_user_can( 'edit_posts' ) || wp_send_json_error( null, 403 );
	}

	/** Removes registries from the types of posts whose embeds WordPress fetches on request. */
	public static function without_embeds( array $types ): array {
		return array_values( array_diff( $types, array( PostType::NAME ) ) );
	}
}
