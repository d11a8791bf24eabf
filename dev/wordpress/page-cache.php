<?php
/**
 * A page cache for development and tests: the drop-in `advanced-cache.php`. It imitates the source of three plugins: Cache
 * Enabler 1.8.16, WP Super Cache of October 2024, and Surge 1.1.0. A file `manner` in its folder names the plugin that it
 * currently imitates; without that file it caches nothing.
 */

final class Trousseau_Dev_Page_Cache {

	/** Cookies with which the first two plugins neither cache nor serve a page. Surge caches a page for each set of cookies. */
	private const ASIDE = '/^(wp-postpass|wordpress_logged_in|comment_author)_/';

	/** The statuses of answers that each plugin caches. */
	private const STATUSES = array(
		'cache-enabler'  => array( 200 ),
		'wp-super-cache' => array( 200 ),
		'surge'          => array( 200, 301, 302, 404 ),
	);

	/** @var array<string, true> Tags of the page: clearing one of them removes the page. */
	private array $tags = array();

	/** @var array<string, true> Tags that Surge clears at the end of the request. */
	private array $cleared = array();

	private function __construct( private readonly string $folder, private readonly string $manner ) {
	}

	public static function start( string $folder ): void {
		$manner = is_file( "$folder/manner" ) ? trim( (string) file_get_contents( "$folder/manner" ) ) : '';
		if ( ! isset( self::STATUSES[ $manner ] ) ) {
			return;
		}
		$cache = new self( "$folder/$manner", $manner );
		is_dir( $cache->folder ) || mkdir( $cache->folder, 0700, true );
		$cache->listen();
		if ( PHP_SAPI !== 'cli' && ! $cache->is_left_alone() ) {
			$cache->show();
			header( 'X-Page-Cache: miss' );
			ob_start( array( $cache, 'keep' ) );
		}
	}

	private function is_left_alone(): bool {
		return ( $_SERVER['REQUEST_METHOD'] ?? '' ) !== 'GET'
			|| ( $this->manner === 'cache-enabler' && str_contains( $_SERVER['REQUEST_URI'], '?' ) )
			|| ( $this->manner === 'cache-enabler' && ! str_contains( $_SERVER['HTTP_ACCEPT'] ?? 'text/html', 'text/html' ) )
			|| ( $this->manner !== 'surge' && preg_grep( self::ASIDE, array_keys( $_COOKIE ) ) );
	}

	private function file(): string {
		$cookies = $this->manner === 'surge' ? array_filter( $_COOKIE, static fn( string $name ): bool => $name[0] !== '_' && $name !== 'wordpress_test_cookie', ARRAY_FILTER_USE_KEY ) : array();
		return $this->folder . '/' . md5( $_SERVER['REQUEST_URI'] . "\n" . json_encode( $cookies ) );
	}

	private function show(): void {
		$kept = self::read( $this->file() );
		if ( ! is_array( $kept ) ) {
			return;
		}
		http_response_code( $kept['status'] );
		array_map( 'header', $kept['headers'] );
		header( 'X-Page-Cache: hit' );
		echo base64_decode( $kept['body'] );
		exit;
	}

	public function keep( string $body ): string {
		$status  = http_response_code();
		$headers = array_values( preg_grep( '/^(X-Page-Cache|X-Powered-By):/i', headers_list(), PREG_GREP_INVERT ) );
		$is_feed = function_exists( 'is_feed' ) && did_action( 'wp' ) && is_feed();
		$is_rest = defined( 'REST_REQUEST' ) && REST_REQUEST;
		if ( ( defined( 'DONOTCACHEPAGE' ) && DONOTCACHEPAGE ) || ! in_array( $status, self::STATUSES[ $this->manner ], true ) ) {
			return $body;
		}
		if ( $this->manner === 'surge' ) {
			// Surge knows only these two directives of `Cache-Control`.
			if ( ! empty( $_SERVER['HTTP_AUTHORIZATION'] ) || preg_grep( '/^(Set-Cookie:|Cache-Control:.*(no-cache|max-age=0))/i', $headers ) ) {
				return $body;
			}
		} elseif ( $is_rest || ( $this->manner === 'cache-enabler' && ( $is_feed || ! stripos( $body, '<html' ) ) ) ) {
			return $body;
		}
		$this->tags[ 'path ' . self::path( $_SERVER['REQUEST_URI'] ) ] = true;
		if ( $is_feed ) {
			$this->tags['feeds'] = true;
		}
		$kept = array(
			'status'  => $status,
			'headers' => $headers,
			'tags'    => array_keys( $this->tags ),
			'at'      => time(),
			'body'    => base64_encode( $body ),
		);
		file_put_contents( $this->file() . '.new', json_encode( $kept ) ) && rename( $this->file() . '.new', $this->file() );
		return $body;
	}

	/** Adds the actions of WordPress and the plugins that clear pages. */
	private function listen(): void {
		$clear_url  = fn( string $url ) => $this->clear( 'path ' . self::path( $url ) );
		$clear_post = fn( int $id ) => get_post_status( $id ) === 'publish' && $clear_url( (string) get_permalink( $id ) );
		$clear_all  = function ( int $id ) use ( $clear_url ): void {
			if ( in_array( get_post_status( $id ), array( 'publish', 'private' ), true ) ) {
				$urls = array( get_permalink( $id ), home_url( '/' ), get_post_type_archive_link( (string) get_post_type( $id ) ) );
				array_map( $clear_url, array_filter( $urls ) );
				$this->clear( 'feeds' );
			}
		};
		if ( $this->manner === 'cache-enabler' ) {
			add_action( 'cache_enabler_clear_page_cache_by_post', $clear_post );
			add_action( 'cache_enabler_clear_page_cache_by_url', $clear_url );
			foreach ( array( 'save_post', 'pre_post_update' ) as $action ) {
				add_action( $action, $clear_post );
			}
		} elseif ( $this->manner === 'wp-super-cache' ) {
			foreach ( array( 'clean_post_cache', 'edit_post', 'publish_post', 'wp_trash_post', 'delete_post' ) as $action ) {
				add_action( $action, $clear_all );
			}
			add_action( 'transition_post_status', static fn( $to, $from, $post ) => $from === 'publish' && $to !== 'publish' && $clear_url( str_replace( '%postname%', $post->post_name, (string) get_permalink( $post ) ) ), 10, 3 );
		} else {
			define( 'Surge\CACHE_DIR', $this->folder );
			add_action( 'clean_post_cache', fn( int $id ) => $this->cleared[ "post $id" ] = true );
			add_action( 'transition_post_status', fn( $to, $from, $post ) => $to !== $from && in_array( 'publish', array( $to, $from ), true ) && $this->cleared[ "type $post->post_type" ] = true, 10, 3 );
			add_action( 'shutdown', fn() => array_map( array( $this, 'clear' ), array_keys( $this->cleared ) ) );
			add_filter( 'the_posts', array( $this, 'tag' ), 10, 2 );
		}
	}

	/** Surge tags a page with every post that was queried. */
	public function tag( array $posts, WP_Query $query ): array {
		foreach ( $posts as $post ) {
			$this->tags[ "post $post->ID" ] = true;
		}
		foreach ( $query->is_singular ? array() : (array) ( $query->get( 'post_type' ) ?: 'post' ) as $type ) {
			$this->tags[ "type $type" ] = true;
		}
		return $posts;
	}

	private function clear( string $tag ): void {
		foreach ( glob( $this->folder . '/*' ) ?: array() as $file ) {
			$kept = self::read( $file );
			// Surge stores whole seconds, so a page of the same second stays.
			if ( $kept && in_array( $tag, $kept['tags'], true ) && ( $this->manner !== 'surge' || $kept['at'] < time() ) ) {
				self::quietly( static fn() => unlink( $file ) );
			}
		}
	}

	/** Reads a cached page, which another request may be clearing. */
	private static function read( string $file ): ?array {
		return json_decode( (string) self::quietly( static fn() => file_get_contents( $file ) ), true );
	}

	private static function quietly( callable $action ): mixed {
		set_error_handler( static fn(): bool => true );
		try {
			return $action();
		} finally {
			restore_error_handler();
		}
	}

	private static function path( string $url ): string {
		return (string) preg_replace( '#^https?://[^/]+#', '', $url );
	}
}

Trousseau_Dev_Page_Cache::start( TROUSSEAU_DEV_PAGE_CACHE );
