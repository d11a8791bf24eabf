<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use ReflectionClass;
use ReflectionProperty;
use WP;
use WP_Query;

/**
 * The state that PHP drops after each request, and that this process has to drop itself: superglobals, WordPress's variables, its
 * hooks and caches, and whatever the plugin's classes and objects remember.
 */
final class Process {

	private const OF_ANSWER = array(
		...array( 'post', 'id', 'authordata', 'currentday', 'currentmonth', 'page', 'pages', 'multipage', 'more', 'numpages' ),
		...array( 'comment', 'comment_alt', 'comment_depth', 'comment_thread_alt', 'withcomments' ),
		...array( 'current_screen', 'taxnow', 'typenow', 'hook_suffix', 'menu', 'submenu', 'wp_settings_errors', 'title', 'EZSQL_ERROR' ),
		...array( 'wp_rest_server', 'wp_rest_application_password_uuid', 'wp_sitemaps', 'wp_roles', 'query_string', 'posts', 'show_admin_bar' ),
	);

	/** Static properties in which WordPress collects something in a request, and their values at its start. */
	private const OF_CLASSES = array(
		array( 'WP_Privacy_Policy_Content', 'policy_content', array() ),
		array( 'WP_Style_Engine_CSS_Rules_Store', 'stores', array() ),
		array( 'WP_Abilities_Registry', 'instance', null ),
		array( 'WP_Ability_Categories_Registry', 'instance', null ),
	);

	private static array $server = array();

	/** @var array<string, string> The scripts and styles that are registered with the site, serialized. */
	private static array $assets = array();

	/** @var string[] Names of the parameters that WordPress reads from addresses. */
	private static array $parameters = array();

	/** @var array<class-string, array<string, mixed>> Static properties of the plugin's classes. */
	private static array $classes = array();

	/** @var array<int, array{0: object, 1: array<string, mixed>}> Objects that the plugin, or WordPress, has made while WordPress loaded, and their properties. */
	private static array $objects = array();

	/** @var array<string, string> Checksums of all tables. */
	private static array $tables = array();

	public static function prepare(): void {
		// This hook would end PHPUnit's own buffers.
		remove_action( 'shutdown', 'wp_ob_end_flush_all', 1 );
		// WordPress loads the file of a feed once in a request.
		foreach ( array( 'rdf', 'rss', 'rss2', 'atom' ) as $feed ) {
			remove_action( "do_feed_$feed", "do_feed_$feed" );
			add_action( "do_feed_$feed", static fn( $for_comments ) => require ABSPATH . WPINC . "/feed-$feed" . ( $for_comments ? '-comments' : '' ) . '.php' );
		}
		self::$server = $_SERVER;
		foreach ( array( 'wp_scripts', 'wp_styles' ) as $name ) {
			isset( $GLOBALS[ $name ] ) && self::$assets[ $name ] = serialize( $GLOBALS[ $name ] );
		}
		// Hooks have these objects, which newer versions of WordPress make.
		foreach ( array( 'wp_script_modules', 'wp_interactivity' ) as $name ) {
			isset( $GLOBALS[ $name ] ) && self::remember_object( $GLOBALS[ $name ] );
		}
		self::$parameters = $GLOBALS['wp']->public_query_vars;
		self::remember_plugin();
		self::$tables = self::checksums();
	}

	public static function begin_request( string $method = 'GET', string $path = '/' ): void {
		$query    = (string) wp_parse_url( $path, PHP_URL_QUERY );
		$_GET     = array();
		$_POST    = array();
		$_REQUEST = array();
		$_COOKIE  = array();
		$_FILES   = array();
		$_SERVER  = array(
			'REQUEST_METHOD' => $method,
			'REQUEST_URI'    => $path,
			'QUERY_STRING'   => $query,
			'REQUEST_TIME'   => time(),
			'PHP_SELF'       => str_starts_with( $path, '/wp-' ) ? (string) strtok( $path, '?' ) : '/index.php',
		) + self::$server;
		parse_str( $query, $_GET );
		$_GET     = wp_slash( $_GET );
		$_REQUEST = $_GET;
		while ( is_locale_switched() ) {
			restore_previous_locale();
		}
		wp_cache_flush();
		foreach ( self::OF_ANSWER as $name ) {
			$GLOBALS[ $name ] = null;
		}
		foreach ( self::OF_CLASSES as list( $class, $name, $value ) ) {
			class_exists( $class ) && ( new ReflectionProperty( $class, $name ) )->setValue( null, $value );
		}
		foreach ( self::$assets as $name => $value ) {
			$GLOBALS[ $name ] = unserialize( $value );
		}
		$GLOBALS['pagenow']      = 'index.php';
		$GLOBALS['wp_the_query'] = new WP_Query();
		$GLOBALS['wp_query']     = $GLOBALS['wp_the_query'];
		$GLOBALS['wp']           = new WP();
		array_map( array( $GLOBALS['wp'], 'add_query_var' ), self::$parameters );
		self::restore_plugin();
		wp_set_current_user( 0 );
	}

	public static function hooks(): array {
		$hooks = array();
		foreach ( array( 'wp_actions', 'wp_filters', 'wp_current_filter' ) as $name ) {
			$hooks[ $name ] = $GLOBALS[ $name ] ?? array();
		}
		$hooks['wp_filter'] = array_map( static fn( object $hook ): object => clone $hook, $GLOBALS['wp_filter'] );
		return $hooks;
	}

	/** @param array<string, mixed> $hooks As `hooks()` has returned them. */
	public static function restore_hooks( array $hooks ): void {
		$hooks['wp_filter'] = array_map( static fn( object $hook ): object => clone $hook, $hooks['wp_filter'] );
		foreach ( $hooks as $name => $value ) {
			$GLOBALS[ $name ] = $value;
		}
	}

	/** @return string[] The tables that aren't as they were before the first test. */
	public static function changed_tables(): array {
		return array_keys( array_diff_assoc( self::checksums(), self::$tables ) );
	}

	private static function checksums(): array {
		$wpdb   = $GLOBALS['wpdb'];
		$tables = implode( ', ', $wpdb->get_col( 'SHOW TABLES' ) );
		return array_column( $wpdb->get_results( "CHECKSUM TABLE $tables", ARRAY_A ), 'Checksum', 'Table' );
	}

	/** Loads all classes of the plugin: one that a test loads would have no state to go back to. */
	private static function remember_plugin(): void {
		$folder = dirname( __DIR__, 2 ) . '/src/';
		foreach ( array( ...glob( "{$folder}[A-Z]*.php" ), ...glob( "{$folder}*/[A-Z]*.php" ) ) as $file ) {
			$class = 'Trousseau\\' . strtr( substr( $file, strlen( $folder ), -strlen( '.php' ) ), '/', '\\' );
			if ( class_exists( $class ) ) {
				$values                  = ( new ReflectionClass( $class ) )->getStaticProperties();
				self::$classes[ $class ] = $values;
				array_walk_recursive( $values, static fn( mixed $value ) => is_object( $value ) && str_starts_with( $value::class, 'Trousseau\\' ) && self::remember_object( $value ) );
			}
		}
	}

	private static function remember_object( object $one ): bool {
		self::$objects[ spl_object_id( $one ) ] = array( $one, self::values_of( $one ) );
		return true;
	}

	private static function restore_plugin(): void {
		foreach ( self::$classes as $class => $values ) {
			foreach ( $values as $name => $value ) {
				( new ReflectionProperty( $class, $name ) )->setValue( null, $value );
			}
		}
		foreach ( self::$objects as list( $one, $values ) ) {
			foreach ( $values as $name => $value ) {
				( new ReflectionProperty( $one, $name ) )->setValue( $one, $value );
			}
		}
	}

	/** @return array<string, mixed> The values of properties that can change. */
	private static function values_of( object $one ): array {
		$values = array();
		foreach ( ( new ReflectionClass( $one ) )->getProperties() as $property ) {
			if ( ! $property->isStatic() && ! $property->isReadOnly() && $property->isInitialized( $one ) ) {
				$values[ $property->getName() ] = $property->getValue( $one );
			}
		}
		return $values;
	}
}
