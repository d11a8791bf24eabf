<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\PostType;
use Trousseau\Lists\Router;
use Trousseau\Platform\AdminAction;
use Trousseau\Platform\AdminForm;
use Trousseau\Platform\Form;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Settings;
use Trousseau\Platform\Template;
use WP_Error;
use WP_Post;

/** The plugin's pages, as the settings list them: their addresses, and whether the site's menu links to them. */
final class MenuPages implements AdminAction {

	public const ACTION = 'trousseau_add_to_menu';

	/** The option that says whether the site's administrator has seen the list since the service was connected. */
	private const SEEN = 'trousseau_pages_seen';

	/** Pages that a new menu begins with: a theme without a menu often lists the site's pages in its place. */
	private const MOST_PAGES = 10;

	public function __construct( private readonly AdminForm $admin_form, private readonly Router $router ) {
	}

	/** @return array<string, array{title: string, address: string, about: string}> */
	public function all(): array {
		$titles = $this->router->titles();
		$pages  = array(
			'new'        => array( $titles['new'], PageAddress::of( 'new' ), __( 'People create their lists here: the best first link in your menu.', 'trousseau' ) ),
			'mine'       => array( $titles['mine'], PageAddress::of( 'mine' ), __( 'Owners find their lists here.', 'trousseau' ) ),
			'my-gifts'   => array( $titles['my-gifts'], PageAddress::of( 'my-gifts' ), __( 'Guests find the gifts they’re giving here, and can change them.', 'trousseau' ) ),
			'find'       => array( $titles['find'], PageAddress::of( 'find' ), __( 'Guests find public lists by name here, and get lost invitations resent.', 'trousseau' ) ),
			'registries' => array( __( 'Gift lists', 'trousseau' ), PostType::archive(), __( 'All public lists, newest first.', 'trousseau' ) ),
		);
		return array_map( static fn( array $page ): array => array_combine( array( 'title', 'address', 'about' ), $page ), $pages );
	}

	public function show(): void {
		ConnectionState::is_connected() && update_option( self::SEEN, '1', false );
		$menu = self::menu();
		echo Template::html(
			'pages',
			array(
				'pages'     => array_map( static fn( array $page ): array => $page + array( 'is_linked' => self::is_linked( $menu, $page['address'] ) ), $this->all() ),
				'has_menu'  => $menu !== null || self::locations() || wp_is_block_theme(),
				'may_add'   => current_user_can( 'edit_theme_options' ),
				'is_usable' => ConnectionState::is_connected(),
				'action'    => self::ACTION,
			)
		);
	}

	public static function are_seen(): bool {
		return (bool) get_option( self::SEEN );
	}

	public function handle(): void {
		$this->admin_form->check( self::ACTION, Settings::url(), array( 'manage_options', 'edit_theme_options' ) );
		$page = $this->all()[ Form::with( wp_unslash( $_POST ) )->text( 'page' ) ] ?? null;
		if ( $page ) {
			$added = match ( true ) {
				self::is_linked( self::menu(), $page['address'] ) => true,
				wp_is_block_theme()                               => $this->add_to_navigation( $page ),
				default                                           => $this->add_to_menu( $page ),
			};
			list( $words, $kind ) = is_wp_error( $added ) ? array( $added->get_error_message(), 'error' ) : $this->outcome( $page );
			add_settings_error( Settings::PAGE, self::ACTION, esc_html( $words ), $kind );
		}
		$this->admin_form->lead_on( Settings::url() );
	}

	/** Fetches the front page as a visitor after adding a page: a theme may show another menu than the changed one. */
	private function outcome( array $page ): array {
		$answer = wp_remote_get(
			add_query_arg( 'trousseau-menu', time(), home_url( '/' ) ),
			array( 'timeout' => 5, 'sslverify' => apply_filters( 'https_local_ssl_verify', false ) )
		);
		preg_match_all( '#<nav\b.*?</nav>#s', wp_remote_retrieve_body( $answer ), $menus );
		$shown = implode( $menus[0] );
		/* translators: %s: title of a page */
		$added = sprintf( __( '“%s” is in your menu.', 'trousseau' ), $page['title'] );
		if ( $shown === '' || str_contains( $shown, esc_url( $page['address'] ) ) ) {
			return array( $added, 'success' );
		}
		$where = wp_is_block_theme()
			? __( 'Your front page doesn’t show that menu. Open Appearance → Editor, choose your header’s navigation and select the menu there, or add the link to it.', 'trousseau' )
			: __( 'Your front page doesn’t show that menu. Open Appearance → Menus and choose where to show it.', 'trousseau' );
		return array( "$added $where", 'warning' );
	}

	/** The menu that the theme shows: a post with blocks in a block theme, else the number of a menu. */
	private static function menu(): WP_Post|int|null {
		if ( wp_is_block_theme() ) {
			// WordPress makes the same choice for a navigation that names no menu.
			return get_posts( array( 'post_type' => 'wp_navigation', 'post_status' => 'publish', 'numberposts' => 1 ) )[0] ?? null;
		}
		$assigned = array_filter( array_intersect_key( get_nav_menu_locations(), array_flip( self::locations() ) ), 'is_nav_menu' );
		return $assigned ? (int) reset( $assigned ) : null;
	}

	/** @return string[] The theme's places for menus, the main one first. */
	private static function locations(): array {
		$places = array_map( 'strval', array_keys( get_registered_nav_menus() ) );
		$main   = preg_grep( '/primary|main|header|menu-1/i', $places ) ?: array();
		return array_values( array_unique( array( ...$main, ...$places ) ) );
	}

	private static function is_linked( WP_Post|int|null $menu, string $address ): bool {
		if ( $menu instanceof WP_Post ) {
			return in_array( $address, array_column( array_column( parse_blocks( $menu->post_content ), 'attrs' ), 'url' ), true );
		}
		return $menu && in_array( $address, array_column( wp_get_nav_menu_items( $menu ) ?: array(), 'url' ), true );
	}

	private function add_to_navigation( array $page ): int|WP_Error {
		$attributes = array( 'label' => $page['title'], 'url' => $page['address'], 'kind' => 'custom', 'isTopLevelLink' => true );
		$link       = get_comment_delimited_block_content( 'core/navigation-link', $attributes, '' );
		$menu       = self::menu();
		return $menu
			? wp_update_post( wp_slash( array( 'ID' => $menu->ID, 'post_content' => $menu->post_content . $link ) ), true )
			: wp_insert_post( wp_slash( array( 'post_type' => 'wp_navigation', 'post_status' => 'publish', 'post_title' => __( 'Menu', 'trousseau' ), 'post_content' => "<!-- wp:page-list /-->$link" ) ), true );
	}

	private function add_to_menu( array $page ): int|WP_Error {
		$place = self::locations()[0] ?? '';
		$menu  = self::menu() ?? ( $place === '' ? 0 : $this->make_menu( $place ) );
		if ( ! $menu ) {
			return new WP_Error( 'no_menu', __( 'Your theme has no menu. Put the link wherever you like.', 'trousseau' ) );
		}
		$item = array( 'menu-item-title' => $page['title'], 'menu-item-url' => $page['address'], 'menu-item-status' => 'publish' );
		return is_wp_error( $menu ) ? $menu : wp_update_nav_menu_item( $menu, 0, wp_slash( $item ) );
	}

	private function make_menu( string $place ): int|WP_Error {
		$name = __( 'Menu', 'trousseau' );
		$menu = wp_create_nav_menu( wp_get_nav_menu_object( $name ) ? "$name Trousseau" : $name );
		if ( is_wp_error( $menu ) ) {
			return $menu;
		}
		foreach ( get_pages( array( 'parent' => 0, 'number' => self::MOST_PAGES, 'sort_column' => 'menu_order,post_title' ) ) as $page ) {
			$item = array( 'menu-item-object-id' => $page->ID, 'menu-item-object' => 'page', 'menu-item-type' => 'post_type', 'menu-item-status' => 'publish' );
			wp_update_nav_menu_item( $menu, 0, $item );
		}
		set_theme_mod( 'nav_menu_locations', array( $place => $menu ) + get_nav_menu_locations() );
		return $menu;
	}
}
