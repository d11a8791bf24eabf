<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Busy;
use Trousseau\Platform\Cookie;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\InterruptedForm;
use Trousseau\Platform\Lock;
use Trousseau\Platform\MetaList;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\PlainText;
use Trousseau\Platform\Request;
use Trousseau\Platform\ResponseHeaders;
use Trousseau\Platform\Slugs;
use Trousseau\Platform\Unreadable;
use Trousseau\Plugin;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use WP;
use WP_Post;
use WP_Query;
use const Trousseau\PLUGIN_FILE;

/** The plugin's own pages in any theme: each is a WordPress page without a row in the database. */
final class Router {

	private ?Page $page = null;
	private ?Form $form = null;

	/** Why the visitor may not see the page. */
	private string $obstacle = '';

	public function __construct(
		private readonly Cookie $cookie,
		private readonly FlashMessage $flash_message,
		private readonly InterruptedForm $interrupted_form,
		private readonly Lock $lock,
		private readonly MetaList $meta_list,
		private readonly Request $request,
		private readonly ResponseHeaders $response_headers,
		private readonly SharedPages $shared_pages,
	) {
	}

	/** @param callable $renew_rules, $embedded Hooks of the methods of these names. */
	public static function register( callable $renew_rules, callable $embedded ): void {
		$pages = Slugs::pattern( Slugs::PAGES );
		add_rewrite_rule( "^$pages/(" . implode( '|', array_keys( Plugin::parts( Page::class ) ) ) . ')/?$', 'index.php?' . PageAddress::PARAMETER . '=$matches[1]', 'top' );
		add_rewrite_rule( "^$pages/(\\d+)/(" . implode( '|', array_keys( Plugin::parts( ListPage::class ) ) ) . ')/?$', 'index.php?' . PageAddress::PARAMETER . '=$matches[2]&registry=$matches[1]', 'top' );
		$own = array_filter( $GLOBALS['wp_rewrite']->extra_rules_top, static fn( string $query ): bool => $query === 'index.php?post_type=' . PostType::NAME || str_contains( $query, PageAddress::PARAMETER ) );
		// As the database has them: to read hundreds of rules takes longer than to find a few.
		$rules = (string) ( wp_load_alloptions()['rewrite_rules'] ?? maybe_serialize( get_option( 'rewrite_rules' ) ) );
		// A request may have written the rules without these during an update, or before a word changed.
		if ( $rules !== '' && array_filter( array_keys( $own ), static fn( string $rule ): bool => ! str_contains( $rules, "\"$rule\"" ) ) ) {
			$renew_rules();
		}
		register_block_type(
			dirname( PLUGIN_FILE ) . '/blocks/page',
			array( 'render_callback' => static fn( array $attributes ): string => $embedded( (string) $attributes['page'], (string) ( $attributes['registry'] ?? '' ) ) )
		);
		add_shortcode( 'trousseau_page', static fn( $attributes ): string => $embedded( (string) ( ( (array) $attributes )['name'] ?? 'new' ), (string) ( ( (array) $attributes )['registry'] ?? '' ) ) );
	}

	public function renew_rules(): void {
		$this->lock->take( 'page-rules', MINUTE_IN_SECONDS ) && delete_option( 'rewrite_rules' );
	}

	/** Whether the page that WordPress shows is one of ours, has one in it, or might be: an address that isn't there may open for guests. */
	public static function shows_ours(): bool {
		return is_404() || PageAddress::is_open() || is_singular( PostType::NAME ) || is_post_type_archive( PostType::NAME ) || ( is_singular() && ! get_queried_object() ) || self::is_embedded();
	}

	/** WordPress draws emoji that a browser lacks with pictures from s.w.org. The browsers of guests ask no other site. */
	public static function ask_no_other_site(): void {
		if ( self::shows_ours() ) {
			remove_action( 'wp_head', 'print_emoji_detection_script', 7 );
			remove_action( 'wp_print_styles', 'print_emoji_styles' );
		}
	}

	/** Chooses the page, before WordPress looks for posts. */
	public function choose( WP $wp ): void {
		$name = $wp->query_vars[ PageAddress::PARAMETER ] ?? '';
		if ( $this->page || ! is_string( $name ) || $name === '' ) {
			return;
		}
		$plain       = Plugin::parts( Page::class )[ $name ] ?? null;
		$of_registry = Plugin::parts( ListPage::class )[ $name ] ?? null;
		if ( $plain ) {
			$this->page = Plugin::get( $plain );
		} elseif ( $of_registry ) {
			$registry   = $wp->query_vars['registry'] ?? '';
			$post       = is_scalar( $registry ) && ctype_digit( (string) $registry ) ? PostType::find( (int) $registry ) : null;
			$this->page = $post && Access::opens( $post ) ? Plugin::get( $of_registry )->about( $post ) : new ErrorPage( is_interrupted: $this->request->is_form_of_stranger() );
		} else {
			$wp->query_vars = array( 'error' => '404' );
			return;
		}
		// The site's own address of the page, not the one that the request names.
		$parameters = array_diff_key( wp_unslash( $_GET ), array( PageAddress::PARAMETER => '', 'registry' => '' ) );
		$this->page->opened_at( PageAddress::of( $name, is_numeric( $registry ?? null ) ? (int) $registry : 0, array_filter( $parameters, 'is_string' ) ) );
		$wp->query_vars = array( PageAddress::PARAMETER => $name );
	}

	/** Shows a page that has no address of its own in the place of the requested one. */
	public function show( WP $wp, Page $page ): void {
		$this->page     = $page;
		$wp->query_vars = array( PageAddress::PARAMETER => 'none' );
	}

	/** The registry that chats describe for the address of the page that is open. */
	public function preview(): ?WP_Post {
		return $this->page?->preview();
	}

	/** The one post of the main query. */
	public function posts( ?array $posts, WP_Query $query ): ?array {
		if ( ! $this->page || ! $query->is_main_query() ) {
			return $posts;
		}
		$post                     = new WP_Post(
			(object) array(
				'ID'             => 0,
				'post_type'      => 'page',
				'post_status'    => 'publish',
				'post_title'     => $this->page->title(),
				'post_content'   => ' ',
				'post_name'      => 'registries',
				'comment_status' => 'closed',
				'ping_status'    => 'closed',
				'post_date'      => current_time( 'mysql' ),
				'post_date_gmt'  => current_time( 'mysql', true ),
				'filter'         => 'raw',
			)
		);
		$query->is_home           = false;
		$query->is_page           = true;
		$query->is_singular       = true;
		$query->found_posts       = 1;
		$query->max_num_pages     = 1;
		$query->queried_object    = $post;
		$query->queried_object_id = 0;
		return array( $post );
	}

	/** Handles a form, or prepares the page. Nothing has been sent yet. */
	public function run(): void {
		if ( ! $this->shared_pages->is_this_one() ) {
			$this->flash_message->take();
		}
		if ( $this->page ) {
			remove_action( 'template_redirect', 'redirect_canonical' );
			$this->prepare( $this->page );
		} else {
			$this->guard_registry();
		}
	}

	/**
	 * Shows the way on where a list doesn't open for this visitor, or doesn't exist, in any theme. WordPress and other plugins
	 * have had their chance by now to lead on to another address.
	 */
	public function replace_not_found( WP_Query $query, WP $wp ): void {
		$is_list = ( $query->get( 'post_type' ) === PostType::NAME && ( $query->get( 'name' ) !== '' || $query->get( 'p' ) ) ) || is_string( $_GET['registry'] ?? null );
		if ( $this->page || ! $is_list || ! is_404() || is_feed() || is_embed() || is_trackback() ) {
			return;
		}
		$names      = array_filter( wp_unslash( array_intersect_key( $_GET, array_flip( array( 'post_type', 'p', 'registry' ) ) ) ), 'is_string' );
		$this->page = new ErrorPage( is_interrupted: $this->request->is_form_of_stranger() );
		$this->page->opened_at( add_query_arg( array_map( 'rawurlencode', $names ), home_url( user_trailingslashit( $wp->request ) ) ) );

		$query->set( PageAddress::PARAMETER, 'none' );
		$query->posts      = $this->posts( null, $query );
		$query->post_count = 1;
		$query->is_404     = false;
		$query->rewind_posts();
		$GLOBALS['post'] = $query->post;
		$this->prepare( $this->page );
	}

	private function prepare( Page $page ): void {
		$this->response_headers->keep_secret();
		$this->response_headers->keep_out_of_frames();
		wp_enqueue_style( 'trousseau' );
		wp_enqueue_script( 'trousseau-pages' );
		$this->form     = $this->form_of( $page );
		$is_sent        = ( $_SERVER['REQUEST_METHOD'] ?? '' ) === 'POST';
		$this->obstacle = $page->obstacle();
		if ( $page instanceof ErrorPage || $this->obstacle !== '' ) {
			$status = $page instanceof ErrorPage ? $page->status : 403;
			status_header( $this->meta_list->was_unreadable() ? 503 : $status );
			if ( $this->request->is_form_of_stranger() ) {
				$this->interrupted_form->keep( array_diff_key( $this->request->form()->typed(), array( 'password' => '' ) ) );
			} elseif ( $is_sent && $this->request->is_from_here() ) {
				$unsaved        = ErrorPage::unsaved( $this->request->form() );
				$this->obstacle = $unsaved === '' ? $this->obstacle : $unsaved . ( $this->obstacle ?: $page->html( $this->form ) );
			}
		} elseif ( $is_sent ) {
			$this->take( $page );
		} else {
			$page->send_file();
			$typed = $this->interrupted_form->resume();
			if ( $typed !== null ) {
				$this->form = Form::with( $typed );
				$this->flash_message->say( __( 'Here’s what you typed. Nothing is saved yet: press the button again.', 'trousseau' ) );
			}
		}
	}

	/** Keeps a registry's page for its people out of caches; and every 404, since the same address may open for guests. */
	private function guard_registry(): void {
		$post = is_singular( PostType::NAME ) ? get_queried_object() : null;
		// A public list without anything to press may stand in a page of the couple's own.
		if ( self::is_embedded() || ( $post instanceof WP_Post && ( $post->post_status !== 'publish' || $post->post_password !== '' || is_user_logged_in() || $this->cookie->is_known_device() ) ) ) {
			$this->response_headers->keep_out_of_frames();
		}
		if ( $post instanceof WP_Post && $post->post_status !== 'publish' ) {
			$this->response_headers->keep_secret();
		} elseif ( $this->request->number( GiftFilter::PARAMETER ) > 0 ) {
			$this->response_headers->keep_out_of_search();
		} elseif ( is_404() || ( is_singular() && ! get_queried_object() ) || $this->cookie->is_known_device() || ( $post && ( is_user_logged_in() || $post->post_password !== '' ) ) || self::is_embedded() ) {
			$this->response_headers->keep_out_of_caches();
		} else {
			$this->shared_pages->send_headers();
		}
	}

	private function take( Page $page ): void {
		$this->form = $this->request->form();
		if ( ! $this->request->is_from_here() && ! $page->takes_from_elsewhere( $this->form ) ) {
			$this->form->fault( '', __( 'This came from another site, so we didn’t do anything. If it was you, press the button again.', 'trousseau' ) );
			status_header( 403 );
			return;
		}
		// PHP drops a form that is larger than its `post_max_size`.
		if ( ! $this->form->typed() && (int) ( $_SERVER['CONTENT_LENGTH'] ?? 0 ) > 0 ) {
			// Shows the stored values again: otherwise the next press would store empty fields.
			$this->form = $this->form_of( $page );
			$this->form->fault( '', PictureUpload::too_large() );
			status_header( 413 );
			return;
		}
		$next = $page->submit( $this->form );
		if ( $next !== null ) {
			wp_safe_redirect( $next, 303, 'Trousseau' );
			exit;
		}
		if ( ! $this->form->is_sound() ) {
			status_header( 422 );
		}
	}

	/** The page's HTML, inserted after all filters of a page's text, so that none changes people's typed text. */
	public function content( string $content ): string {
		if ( ! $this->page || ! in_the_loop() || ! is_main_query() || get_the_ID() !== 0 ) {
			return $content;
		}
		return $this->html( $this->page, $this->form ?? new Form(), $this->obstacle );
	}

	/** Themes that ask for comments on pages are told that there are none: WordPress counts the whole site's here. */
	public function without_comments( string $html ): string {
		return $this->page ? '' : $html;
	}

	/** The form before anything was sent; an empty one where the service doesn't answer, which the page says itself. */
	private function form_of( Page $page ): Form {
		try {
			return $page->form();
		} catch ( ServiceError | Unreadable | Busy ) {
			return new Form();
		}
	}

	private function html( Page $page, Form $form, string $obstacle ): string {
		$shown   = $obstacle !== '' ? $obstacle : $this->shown( $page, $form );
		$content = $obstacle !== '' ? $shown : $form->summary() . $shown;
		if ( $this->meta_list->was_unreadable() && ( $obstacle !== '' || ! in_array( Unreadable::words(), $form->faults(), true ) ) ) {
			// What such a page refuses may be in what can't be read.
			$content = FlashMessage::note( Unreadable::words(), 'is-problem' ) . ( $obstacle === '' ? $content : '' );
		}
		return '<div data-not-just-now="' . esc_attr( Page::not_just_now() ) . '" class="trousseau-page">' . $this->flash_message->html() . $content . '</div>';
	}

	private function shown( Page $page, Form $form ): string {
		try {
			return $page->html( $form );
		} catch ( ServiceError $error ) {
			// The form's errors are said above.
			$said = array_map( static fn( string $why ): string => FlashMessage::note( $why, 'is-problem' ), $form->faults() );
			return str_replace( $said, '', $page->trouble( $error ) ) . ( $error instanceof NotFound ? '' : $this->again( $page, $form ) ) . $page->despite_trouble();
		} catch ( Unreadable ) {
			return ''; // `html` says so.
		} catch ( Busy ) {
			return FlashMessage::note( __( 'This can’t be shown right now. Please come back in a minute.', 'trousseau' ), 'is-problem' );
		}
	}

	/** The way on where the page with the form can't be shown: the same press, with everything that was typed. */
	private function again( Page $page, Form $form ): string {
		return $form->action !== '' && $this->request->is_from_here()
			? $form->again( $page->address(), __( 'Try again', 'trousseau' ) )
			: '<p class="trousseau-ways"><a href="' . esc_url( $page->address() ) . '">' . esc_html__( 'Try again', 'trousseau' ) . '</a></p>';
	}

	/** @return array<string, string> Pages that the site may put into one of its own: name → title. */
	public function titles(): array {
		$pages = array_filter( Plugin::parts( Page::class ) + Plugin::parts( ListPage::class ), static fn( string $class ): bool => $class::TOKEN === '' );
		return array_map( static fn( string $class ): string => Plugin::get( $class )->title(), $pages );
	}

	/** One of our pages inside a page of the site’s own (a block or a shortcode), never in a story. A list is named by number or slug. */
	public function embedded( string $name, string $registry ): string {
		$post  = $registry === '' ? null : Registries::find( $registry );
		$class = Plugin::parts( $post ? ListPage::class : Page::class )[ $name ] ?? null;
		if ( ! $class || $class::TOKEN !== '' || $this->page || Story::current() ) {
			return '';
		}
		wp_enqueue_style( 'trousseau' );
		wp_enqueue_script( 'trousseau-pages' );
		$page = Plugin::get( $class )->about( $post );
		return PlainText::without_shortcodes( $this->html( $page, $this->form_of( $page ), $page->obstacle() ) );
	}

	private static function is_embedded(): bool {
		$post = is_singular() ? get_post() : null;
		return $post && ( has_block( 'trousseau/page', $post ) || has_shortcode( $post->post_content, 'trousseau_page' ) );
	}
}
