<?php

declare(strict_types=1);

namespace Trousseau\Lists;

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

	/** The most blocks and pictures of a story. */
	public const MAX_BLOCKS = 400;
	public const MAX_IMAGES = 200;

	/** The most brackets that are stored as they are: each may be a shortcode, whose end WordPress looks for. */
	private const MAX_BRACKETS = 100;

	/** Allowed blocks: those that show only their own content, and the plugin's. Any other becomes its inner HTML. */
	private const BLOCKS = array(
		'core/button', 'core/buttons', 'core/code', 'core/column', 'core/columns', 'core/cover', 'core/details',
		'core/gallery', 'core/group', 'core/heading', 'core/image', 'core/list', 'core/list-item',
		'core/media-text', 'core/paragraph', 'core/preformatted', 'core/pullquote', 'core/quote', 'core/separator',
		'core/spacer', 'core/table', 'core/verse', 'trousseau/event', 'trousseau/registry',
	);

	private const EMPTY_BLOCK = array( 'blockName' => null, 'attrs' => array(), 'innerBlocks' => array(), 'innerHTML' => '', 'innerContent' => array() );

	/** Whether a post or a revision holds a story of which not all owners may use any block. */
	private static function is_limited( ?WP_Post $post ): bool {
		$registry = self::registry( $post );
		return $registry && array_filter( CoOwners::all_of( $registry ), static fn( int $id ): bool => ! user_can( $id, 'edit_posts' ) );
	}

	private static function registry( ?WP_Post $post ): ?WP_Post {
		$post = $post?->post_type === 'revision' ? get_post( $post->post_parent ) : $post;
		return $post?->post_type === PostType::NAME ? $post : null;
	}

	/** The registry whose story is being rendered, and not a page that lists registries. */
	public static function current(): ?WP_Post {
		return doing_filter( 'the_content' ) && ( ! is_singular() || is_singular( PostType::NAME ) ) ? self::registry( get_post() ) : null;
	}

	/** Offers the owners of a story only the blocks that it may hold. */
	public static function offer_blocks( bool|array $allowed, WP_Block_Editor_Context $context ): bool|array {
		if ( ! self::is_limited( $context->post ?? null ) ) {
			return $allowed;
		}
		return is_array( $allowed ) ? array_values( array_intersect( self::BLOCKS, $allowed ) ) : ( $allowed ? self::BLOCKS : false );
	}

	/** Whether a story holds more blocks or pictures than a page can be asked to show. */
	public static function is_too_large( string $content ): bool {
		// WordPress allows any white space there.
		return preg_match_all( '~<!--\s++/?wp:~', $content ) > 2 * self::MAX_BLOCKS || substr_count( strtolower( $content ), '<img' ) > self::MAX_IMAGES;
	}

	/**
	 * Stores a new story, or a new version of one, without the blocks that it may not hold, and as one page: thousands would make thousands
	 * of links. One that stays as it was isn't touched: somebody who may use any block may have written it.
	 */
	public static function clean( array $data, array $given ): array {
		$post    = new WP_Post( (object) ( array( 'ID' => (int) ( $given['ID'] ?? 0 ) ) + $data ) );
		$before  = $post->ID || $post->post_type === 'revision' ? get_post( $post->ID ?: (int) $post->post_parent ) : null;
		$content = wp_unslash( $data['post_content'] );
		if ( $content === $before?->post_content || ! self::is_limited( $post ) ) {
			return $data;
		}
		do {
			$content = str_replace( '<!--nextpage-->', "\n\n", $content );
			$blocks  = parse_blocks( $content );
			$allowed = array_map( array( self::class, 'made_allowed' ), $blocks );
			$content = $allowed === $blocks ? $content : serialize_blocks( $allowed );
			// What is left out may have kept the parts of another one apart.
		} while ( $allowed !== $blocks );
		return array( 'post_content' => wp_slash( substr_count( $content, '[' ) > self::MAX_BRACKETS ? self::without_shortcodes( $content ) : $content ) ) + $data;
	}

	/** Makes a story ready to be shown: no address is embedded and no shortcode runs, no matter who registered it or how the story was stored. */
	public static function before_blocks( string $content ): string {
		// WordPress embeds what an address on a line or in a paragraph of its own leads to.
		return self::is_limited( get_post() ) ? self::without_shortcodes( (string) preg_replace( '~((?:^|<p(?: [^>]*+)?>)\s*+https?):(?=//)~im', '$1&#58;', $content ) ) : $content;
	}

	/** Makes text of all shortcodes but those of the gifts and of pictures' whole captions. Blocks' attributes stand in comments. */
	private static function without_shortcodes( string $content ): string {
		$kept    = '(trousseau_registry|wp_caption|caption)(?=[\s/\]])';
		$content = (string) preg_replace( "~<!--[^<>]*+>(*SKIP)(*F)|\[(?!/?$kept)~", '&#91;', $content );
		// WordPress looks for the end of each one in the rest of the story.
		$content = (string) preg_replace( "~\[(?=$kept)(?!trousseau_registry[^][]*+\]|\w++[^][]*+\][^][]*+\[/\\1\])~", '&#91;', $content );
		return (string) preg_replace( '~(\[trousseau_registry[^][]*?)/?\]~', '$1/]', $content );
	}

	/** Makes one block of each, so that the others stay in their places. */
	private static function made_allowed( array $block ): array {
		if ( $block['blockName'] === 'core/shortcode' ) {
			return self::EMPTY_BLOCK;
		}
		if ( is_array( $block['attrs']['metadata'] ?? null ) ) {
			// They name sources that the site would have to query.
			unset( $block['attrs']['metadata']['bindings'] );
		}
		if ( ! in_array( $block['blockName'], self::BLOCKS, true ) ) {
			$block = self::embedded( $block ) ?? array( 'blockName' => null, 'attrs' => array() ) + $block;
		}
		$block['innerBlocks'] = array_map( array( self::class, 'made_allowed' ), $block['innerBlocks'] );
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
}
