<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use WP_Block_Editor_Context;
use WP_Error;
use WP_Post;
use WP_REST_Block_Renderer_Controller;
use WP_REST_Request;

/** The story of a registry whose owner may not write posts: where WordPress shows it, and how gifts stand in it. */
final class Story {

	/** @var array<string, string> Finished HTML by its placeholder in the content that is being rendered. */
	private array $held = array();

	/** @var int[] The posts whose content is being rendered, innermost last; 0: none. */
	private array $contents = array();

	/** The number of stories that are being rendered within each other. */
	private int $depth = 0;

	private bool $is_without_gifts = false;

	public function __construct( private readonly StoryContent $story_content ) {
	}

	/** The registry whose story a post or a revision holds. Null if all of its owners may use any block. */
	public static function registry_of( ?WP_Post $post ): ?WP_Post {
		$registry = $post && $post->post_type === 'revision' ? get_post( $post->post_parent ) : $post;
		if ( ! $registry || $registry->post_type !== PostType::NAME ) {
			return null;
		}
		$may_not = static fn( int $id ): bool => ! user_can( $id, 'edit_posts' );
		return $may_not( (int) $registry->post_author ) || array_filter( CoOwners::all_of( $registry ), $may_not ) ? $registry : null;
	}

	/** Offers the owners of a story only the blocks that it may hold. */
	public static function offer_blocks( bool|array $allowed, WP_Block_Editor_Context $context ): bool|array {
		return self::registry_of( $context->post ?? null ) ? StoryContent::offered( $allowed ) : $allowed;
	}

	/** A story without the blocks that it may not hold: for excerpts, pages and everything else that reads it. */
	public function source( WP_Post $post ): string {
		return self::registry_of( $post ) ? $this->story_content->allowed( $post->post_content ) : $post->post_content;
	}

	/** Gives a story a single page: thousands of pages would make thousands of links. */
	public function pages( array $pages, WP_Post $post ): array {
		return self::registry_of( $post ) ? array( $this->story_content->allowed( implode( "\n\n", $pages ) ) ) : $pages;
	}

	/** Shortens an excerpt that someone wrote to a few lines. */
	public function excerpt( string $excerpt, mixed $post = null ): string {
		return $post instanceof WP_Post && strlen( $excerpt ) > StoryContent::FEW_LINES && self::registry_of( $post ) ? $this->story_content->text( $excerpt, StoryContent::FEW_LINES ) : $excerpt;
	}

	/** Renders the story, keeps its HTML, and returns a placeholder in which later filters find nothing to change. */
	public function begin( string $content, int $id ): string {
		$this->contents[] = $id;
		$post             = $id ? get_post( $id ) : null;
		if ( ! self::registry_of( $post ) ) {
			return $content;
		}
		++$this->depth;
		try {
			$html = $this->html( $content );
		} finally {
			--$this->depth;
		}
		// WordPress adds a line break at the end of a text, which would stand behind the placeholder.
		return $this->place( rtrim( $html ) );
	}

	/** Puts the HTML back that begin() has taken out. */
	public function end( string $content ): string {
		array_pop( $this->contents );
		return $this->put_back( $content );
	}

	/**
	 * The registry whose own story is being rendered, whatever loops and other texts are within. Everyone writes stories, and each
	 * list costs a request: a story shows its own registry's gifts, once, and no page with forms.
	 */
	public function current(): ?WP_Post {
		foreach ( array_filter( $this->contents ) as $id ) {
			$post = get_post( $id );
			$post = $post && $post->post_type === 'revision' ? get_post( $post->post_parent ) : $post;
			if ( $post && $post->post_type === PostType::NAME ) {
				return $post;
			}
		}
		return null;
	}

	/** The post whose content is being rendered; 0: none. */
	public function innermost(): int {
		return (int) end( $this->contents );
	}

	private function put_back( string $content ): string {
		$here       = array_filter( $this->held, static fn( string $place ): bool => str_contains( $content, $place ), ARRAY_FILTER_USE_KEY );
		$this->held = array_diff_key( $this->held, $here );
		return $here ? strtr( $content, $here ) : $content;
	}

	/** Keeps HTML of the plugin inside a story, so that no filter of the text changes it. */
	public function hold( string $html ): string {
		return $this->depth && $html !== '' ? $this->place( $html ) : $html;
	}

	/** Whether gifts may stand in a story: only on the registry's own page, not in archives and feeds. */
	public function takes_gifts( WP_Post $post ): bool {
		return ! $this->depth || ( is_singular( PostType::NAME ) && get_queried_object_id() === $post->ID && ! is_feed() && ! is_embed() );
	}

	/** Runs something during which no registry shows its gifts. */
	public function without_gifts( callable $action ): mixed {
		$before                 = $this->is_without_gifts;
		$this->is_without_gifts = true;
		try {
			return $action();
		} finally {
			$this->is_without_gifts = $before;
		}
	}

	public function is_without_gifts(): bool {
		return $this->is_without_gifts;
	}

	/** Refuses to render a single block that a story may not hold, which WordPress does on request. */
	public static function refuse_block( mixed $answer, array $handler, WP_REST_Request $request ): mixed {
		$asked = is_array( $handler['callback'] ?? null ) && $handler['callback'][0] instanceof WP_REST_Block_Renderer_Controller;
		if ( ! $asked || is_wp_error( $answer ) || current_user_can( 'edit_posts' ) || StoryContent::is_allowed( (string) $request['name'] ) || str_starts_with( (string) $request['name'], 'trousseau/' ) ) {
			return $answer;
		}
		return new WP_Error( 'block_cannot_read', __( 'Sorry, you are not allowed to do that.', 'trousseau' ), array( 'status' => rest_authorization_required_code() ) );
	}

	/** Refuses the previews of embeds and shortcodes that the classic editor asks the site for. */
	public function refuse_preview(): void {
		current_user_can( 'edit_posts' ) || wp_send_json_error( null, 403 );
	}

	/** Removes registries from the types of posts whose embeds WordPress fetches on request. */
	public static function without_embeds( array $types ): array {
		return array_values( array_diff( $types, array( PostType::NAME ) ) );
	}

	private function place( string $html ): string {
		$place                = '<div class="trousseau-' . bin2hex( random_bytes( 12 ) ) . '"></div>';
		$this->held[ $place ] = $html;
		return $place;
	}

	private function html( string $content ): string {
		$content = $this->story_content->within_bounds( $content );
		if ( has_blocks( $content ) ) {
			$html = wptexturize( implode( '', array_map( 'render_block', StoryContent::only_allowed( parse_blocks( $content ) ) ) ) );
		} else {
			$html = shortcode_unautop( wpautop( wptexturize( $content ) ) );
		}
		$html = wp_filter_content_tags( $html, 'the_content' );
		$html = (string) preg_replace_callback( '/\[trousseau_registry\b[^\[\]]*+\]/', static fn( array $found ): string => do_shortcode( $found[0] ), $html );
		return $this->put_back( $html );
	}
}
