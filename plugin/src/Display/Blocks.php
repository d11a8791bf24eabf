<?php

declare(strict_types=1);

namespace Trousseau\Display;

use Trousseau\Gifts\BoughtForAll;
use Trousseau\Gifts\GotElsewhere;
use Trousseau\Lists\Access;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\ListCards;
use Trousseau\Lists\ListLink;
use Trousseau\Lists\ListPage;
use Trousseau\Lists\ListTrouble;
use Trousseau\Lists\Meta;
use Trousseau\Lists\PostType;
use Trousseau\Lists\Registries;
use Trousseau\Lists\Router;
use Trousseau\Lists\Story;
use Trousseau\Platform\Currency;
use Trousseau\Platform\PlainText;
use Trousseau\Platform\Settings;
use Trousseau\Plugin;
use WP_Block;
use WP_Post;
use const Trousseau\PLUGIN_FILE;
use const Trousseau\VERSION;

/** Where gifts appear: in blocks and shortcodes, or else at the end of a registry's page. */
final class Blocks {

	/** @var array<int, int> Registries whose gifts stand on this page, each with the post in whose content, or 0. */
	private array $shown = array();

	public function __construct( private readonly ListTrouble $list_trouble, private readonly RegistryView $registry_view, private readonly Router $router ) {
	}

	/** @param callable $hook Makes a hook of one of these methods. */
	public static function register( callable $hook ): void {
		wp_register_style( 'trousseau', plugins_url( 'assets/trousseau.css', PLUGIN_FILE ), array(), VERSION );
		wp_register_script( 'trousseau-pages', plugins_url( 'assets/pages.js', PLUGIN_FILE ), array(), VERSION, true );

		foreach ( array( 'registry', 'event', 'registries' ) as $name ) {
			register_block_type( dirname( PLUGIN_FILE ) . "/blocks/$name", array( 'render_callback' => static fn( array $attributes, string $content, WP_Block $block ): string => self::wrap( $hook( 'html' )( $name, $attributes, $block ) ) ) );
		}
		add_shortcode( 'trousseau_registry', static fn( $attributes ): string => $hook( 'html' )( 'registry', array( 'registry' => ( (array) $attributes )['id'] ?? '' ) ) );
		add_shortcode( 'trousseau_registries', static fn( $attributes ): string => $hook( 'html' )( 'registries', (array) $attributes ) );
	}

	/** Renders a block, or the shortcode that means the same. */
	public function html( string $name, array $attributes, ?WP_Block $block = null ): string {
		return PlainText::without_shortcodes( match ( $name ) {
			'registry' => $this->gifts( $this->subject( $attributes, $block ) ),
			'event'    => $this->event( $this->subject( $attributes, $block ) ),
			default    => $this->registry_view->registries( (int) ( $attributes['count'] ?? 20 ) ),
		} );
	}

	/** The registry of a block or shortcode: the story's own, the one it names, the post around it, or the page's `?registry=`. */
	private function subject( array $attributes, ?WP_Block $block = null ): ?WP_Post {
		$named  = trim( (string) ( $attributes['registry'] ?? '' ) );
		$around = Story::current() ?? get_post( $block->context['postId'] ?? null );
		// A story shows its own list, whichever it names.
		if ( $around?->post_type === PostType::NAME && ( $named === '' || doing_filter( 'the_content' ) ) ) {
			return $around;
		}
		if ( $named !== '' ) {
			return Registries::find( $named );
		}
		$asked = get_query_var( 'registry' );
		return is_scalar( $asked ) && (string) $asked !== '' ? Registries::find( (string) $asked ) : null;
	}

	/** Renders the gifts of a registry, only once on a page: at the first place. Each list costs a request, so a story has its own, and only on the registry's own page. */
	private function gifts( ?WP_Post $post ): string {
		if ( ! $post || is_feed() || isset( $this->shown[ $post->ID ] ) ) {
			return '';
		}
		$is_own = is_singular( PostType::NAME ) && get_queried_object_id() === $post->ID && ! is_embed();
		$html   = $is_own || ! Story::current() ? $this->registry_view->registry( $post ) : '';
		// Plugins render content for the page's description, too.
		if ( $html !== '' && ! doing_action( 'wp_head' ) ) {
			$this->shown[ $post->ID ] = doing_filter( 'the_content' ) ? (int) get_the_ID() : 0;
		}
		return $html;
	}

	/** Lets content that is rendered again, for an excerpt or a preview, show the same gifts again. */
	public function begin_content( string $content ): string {
		$id          = (int) get_the_ID();
		$this->shown = array_filter( $this->shown, static fn( int $in ): bool => $in === 0 || $in !== $id );
		return $content;
	}

	private function event( ?WP_Post $post ): string {
		// A registry's template already shows the occasion, so the story needn't.
		$is_said = $post && $post->ID === Story::current()?->ID && is_singular( PostType::NAME ) && $post->ID === get_queried_object_id()
			&& has_block( 'trousseau/event', (string) ( $GLOBALS['_wp_current_template_content'] ?? '' ) );
		$this->registry_view->guard( $post );
		return $is_said ? '' : ListCards::event( $post );
	}

	private static function wrap( string $html ): string {
		return $html === '' ? '' : sprintf( '<div %s>%s</div>', get_block_wrapper_attributes(), $html );
	}

	/** Adds occasion and gifts to a registry's own page, unless its content or the theme's template shows them. */
	public function complete( string $content ): string {
		$post = get_post();
		if ( $post?->ID !== get_queried_object_id() || ! in_the_loop() || is_feed() || is_embed() || doing_filter( 'get_the_excerpt' ) ) {
			return $content;
		}
		$source   = $post->post_content;
		$template = (string) ( $GLOBALS['_wp_current_template_content'] ?? '' );
		if ( ! has_block( 'trousseau/registry', $source ) && ! has_shortcode( $source, 'trousseau_registry' ) ) {
			$content = $this->list_trouble->html( $post ) . $content;
		}
		if ( ! has_block( 'trousseau/event', $source . $template ) ) {
			$content = $this->event( $post ) . $content;
		}
		if ( ! has_block( 'trousseau/registry', $source . $template ) && ! has_shortcode( $source . $template, 'trousseau_registry' ) ) {
			$content .= $this->gifts( $post );
		}
		return $content;
	}

	/**
	 * The words and picture that chats and other pages show for a public registry's address. For a private one it's only the name and
	 * picture, at its link.
	 */
	public function describe(): void {
		$linked = $this->router->preview();
		$post   = $linked ?? ( is_singular( PostType::NAME ) ? get_queried_object() : null );
		if ( ! $post instanceof WP_Post || ( ! $linked && ( $post->post_status !== 'publish' || $post->post_password !== '' ) ) ) {
			return;
		}
		$event = $linked ? '' : wp_strip_all_tags( ListCards::event( $post ) );
		$about = $linked ? '' : wp_html_excerpt( ( $event === '' ? '' : "$event. " ) .  (string) preg_replace( '/\s+/', ' ', wp_strip_all_tags( strip_shortcodes( excerpt_remove_blocks( $post->post_content ) ) ) ), 200, '…' );
		$facts = array(
			'og:type'        => 'website',
			'og:site_name'   => html_entity_decode( (string) get_bloginfo( 'name' ), ENT_QUOTES | ENT_HTML5, 'UTF-8' ),
			'og:title'       => Registries::title( $post ),
			'og:url'         => $linked ? ListLink::address( $post ) : (string) get_permalink( $post ),
			'og:description' => html_entity_decode( $about, ENT_QUOTES | ENT_HTML5, 'UTF-8' ),
			'og:image'       => (string) get_the_post_thumbnail_url( $post, 'large' ),
		);
		if ( $facts['og:image'] !== '' ) {
			$picture = (int) get_post_thumbnail_id( $post );
			// The file's own size: WordPress gives at most the width of the theme's column.
			$size   = image_get_intermediate_size( $picture, 'large' ) ?: wp_get_attachment_metadata( $picture );
			$facts += array(
				'og:image:width'  => (string) ( $size['width'] ?? '' ),
				'og:image:height' => (string) ( $size['height'] ?? '' ),
				'twitter:card'    => 'summary_large_image',
			);
		}
		foreach ( array_filter( $facts ) as $name => $value ) {
			printf( '<meta property="%s" content="%s">' . "\n", esc_attr( $name ), esc_attr( $value ) );
		}
		if ( $about !== '' ) {
			printf( '<meta name="description" content="%s">' . "\n", esc_attr( $facts['og:description'] ) );
		}
	}

	public function enqueue_editor(): void {
		wp_enqueue_script( 'trousseau-editor', plugins_url( 'assets/editor.js', PLUGIN_FILE ), array( 'wp-api-fetch', 'wp-blocks', 'wp-block-editor', 'wp-components', 'wp-data', 'wp-element', 'wp-html-entities', 'wp-server-side-render' ), VERSION, true );
		$this->tell( 'trousseau-editor', 'trousseauEditor', array(
			'registry'     => __( 'Gift list', 'trousseau' ),
			'registryHelp' => __( 'Leave it empty to show the list of the current page.', 'trousseau' ),
			'count'        => __( 'Maximum number', 'trousseau' ),
			'page'         => __( 'Page', 'trousseau' ),
			'pages'        => $this->router->titles(),
			'ofRegistry'   => array_keys( Plugin::parts( ListPage::class ) ),
			'examples'     => RegistryView::examples(),
		) );
		if ( get_post_type() === PostType::NAME ) {
			wp_enqueue_script( 'trousseau-registry-editor', plugins_url( 'assets/registry-editor.js', PLUGIN_FILE ), array( 'wp-api-fetch', 'wp-components', 'wp-data', 'wp-edit-post', 'wp-editor', 'wp-element', 'wp-plugins' ), VERSION, true );
			$this->tell( 'trousseau-registry-editor', 'trousseauRegistryEditor', array(
				'question' => __( 'Who can see this list', 'trousseau' ),
				'private'  => __( 'Only you and the guests you invite', 'trousseau' ),
				'public'   => __( 'Everyone', 'trousseau' ),
			) );
		}
	}

	public function enqueue(): void {
		wp_enqueue_style( 'trousseau' );
		$settings = self::browser_settings( get_queried_object() );
		if ( $settings ) {
			wp_enqueue_script( 'trousseau', plugins_url( 'assets/trousseau.js', PLUGIN_FILE ), array(), VERSION, true );
			$this->tell( 'trousseau', 'trousseau', $settings );
		}
	}

	/** Passes a script its values and its words, which come from the plugin's one catalogue. */
	private function tell( string $script, string $name, array $values ): void {
		wp_add_inline_script( $script, "window.$name = " . wp_json_encode( $values, JSON_HEX_TAG | JSON_HEX_AMP ) . ';', 'before' );
	}

	/**
	 * What the browser script needs to ask the service itself, if the site has turned it on and supplies the visitor's own credentials. The
	 * credentials of the settings are never included.
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
			'needed'   => array( GiftAmount::needed_words( false ), GiftAmount::needed_words( true ) ),
			'given'    => array( __( 'Given', 'trousseau' ), __( 'Fully funded', 'trousseau' ) ),
			'wanted'   => __( 'Available', 'trousseau' ),
			'currency' => Meta::currency( $post->ID ),
			'decimals' => Currency::digits( Meta::currency( $post->ID ) ),
			// Their words say more than a number.
			'settled'  => array_values( array_filter( Meta::item_ids( $post->ID ), static fn( int $id ): bool => GotElsewhere::has( $post->ID, $id ) || BoughtForAll::takes_no_more( $post, $id ) ) ),
		);
	}
}
