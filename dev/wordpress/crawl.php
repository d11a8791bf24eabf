<?php
/**
 * Calls every route and method that a WordPress lists, as one user. Prints a line for each request whose answer contains the
 * secret that this user must not see, and finally the number of answered requests.
 */

// phpcs:disable Squiz.Functions.GlobalFunction

/** @param array{user: int, secret: string, sought: string, ids: array<string, int>, slugs: string[], author: int, changes: bool} $about `changes`: also sends requests that change something. */
function crawl_rest( array $about ): void {
	define( 'REST_REQUEST', true );
	$_SERVER['REQUEST_METHOD'] = 'GET';
	wp_set_current_user( $about['user'] );
	$ids      = array_values( $about['ids'] );
	$link     = home_url( "/registry/{$about['slugs'][0]}/" );
	$values   = array(
		'context'             => array( 'edit', 'embed' ),
		'search'              => array( $about['sought'] ),
		'status'              => array( 'any', 'private', 'draft,private', 'inherit' ),
		'author'              => array( $about['author'] ),
		'author_exclude'      => array( 99 ),
		'parent_exclude'      => array( 99 ),
		'post'                => $ids,
		'post_id'             => $ids,
		'parent'              => $ids,
		'include'             => array( $ids ),
		'url'                 => array( $link ),
		'slug'                => $about['slugs'],
		'type'                => array( 'note', 'post' ),
		'subtype'             => array( 'any', 'registry', 'attachment' ),
		'search_columns'      => array( 'post_title' ),
		'has_published_posts' => array( 'registry' ),
		'media_type'          => array( 'image' ),
		'kind'                => array( 'postType' ),
		'name'                => array( 'registry' ),
	);
	$changes  = array(
		'title'          => 'Spoilt',
		'content'        => 'Spoilt',
		'caption'        => 'Spoilt',
		'password'       => 'Spoilt',
		'slug'           => 'spoilt',
		'status'         => 'publish',
		'type'           => 'note',
		'author'         => $about['user'],
		'post'           => $ids[0],
		'parent'         => $ids[0],
		'post_id'        => $ids[0],
		'featured_media' => end( $ids ),
		'src'            => $link,
		'meta'           => array( 'registry_invitees' => '[]' ),
	);
	$answered = 0;
	$ask      = static function ( string $method, string $path, array $query = array(), array $body = array() ) use ( $about, &$answered ): mixed {
		$request = new WP_REST_Request( $method, $path );
		$request->set_query_params( $query );
		$request->set_body_params( $body );
		$GLOBALS['post'] = null; // Removes a leftover of the previous request.
		try {
			$response = rest_do_request( $request );
			$data     = $response->get_data();
			$data     = rest_get_server()->response_to_data( $response, true );
		} catch ( Error ) {
			// This route doesn't expect the argument, or its answer cannot embed anything.
			if ( ! isset( $data ) ) {
				return null;
			}
		}
		$answered += ! $response->is_error();
		crawl_look( "$method $path " . wp_json_encode( $query + $body ), (string) wp_json_encode( array( $data, $response->get_headers() ) ), $about );
		return $response->get_headers()['X-WP-Total'] ?? null;
	};
	foreach ( rest_get_server()->get_routes() as $route => $endpoints ) {
		$paths = crawl_paths( $route, $ids, $about['slugs'][0] );
		foreach ( $endpoints as $endpoint ) {
			foreach ( array_keys( array_filter( $endpoint['methods'] ) ) as $method ) {
				foreach ( $paths as $path ) {
					// The account that makes the requests must not change.
					if ( $method !== 'GET' && str_contains( $route, '/users/' ) ) {
						continue;
					}
					if ( $method !== 'GET' ) {
						foreach ( $about['changes'] ? array( array_intersect_key( $changes, $endpoint['args'] ), array( 'force' => true, 'post' => $ids[0] ) ) : array() as $body ) {
							$ask( $method, $path, array(), $body );
						}
						continue;
					}
					$ask( 'OPTIONS', $path );
					$ask( 'HEAD', $path );
					$ask( 'GET', $path, array( '_embed' => '1' ) );
					foreach ( array_intersect_key( $values, $endpoint['args'] ) as $name => $each ) {
						foreach ( $each as $value ) {
							foreach ( array( array(), array( 'context' => 'edit', 'status' => 'any' ), array( 'context' => 'edit', 'status' => 'private', 'author_exclude' => array( 99 ) ) ) as $also ) {
								$ask( 'GET', $path, array( $name => $value ) + $also );
							}
						}
					}
					// The number of search results reveals as much as their text.
					foreach ( isset( $endpoint['args']['search'] ) ? array( array(), array( 'status' => 'private' ), array( 'status' => 'any', 'context' => 'edit' ), array( 'subtype' => 'any' ), array( 'parent' => array( $ids[0] ) ) ) : array() as $also ) {
						$totals = array_map( static fn( string $word ) => $ask( 'GET', $path, array( 'search' => $word ) + $also ), array( $about['sought'], 'nobodywritesthis' ) );
						if ( $totals[0] !== $totals[1] ) {
							echo "GET $path ", wp_json_encode( $also ), ' counts ', wp_json_encode( $totals ), "\n";
						}
					}
				}
			}
		}
	}
	echo $answered;
}

/** @return string[] A route with a value in the place of each of its groups. */
function crawl_paths( string $route, array $ids, string $slug ): array {
	$paths = array( $route );
	while ( preg_match( '/\(\?P<(\w+)>((?:[^()]++|\((?2)\))*)\)[?+*]?/', $paths[0], $group ) ) {
		$fill = match ( true ) {
			str_contains( $group[2], '\d' ) => $ids,
			$group[1] === 'status'          => array( 'private' ),
			$group[1] === 'taxonomy'        => array( 'category' ),
			$group[1] === 'name'            => array( 'registry', 'trousseau/registry', 'core/post-title', 'core/post-content' ),
			default                         => array( $slug, 'registry' ),
		};
		$filled = array();
		foreach ( $paths as $path ) {
			foreach ( $fill as $value ) {
				$filled[] = substr_replace( $path, (string) $value, (int) strpos( $path, $group[0] ), strlen( $group[0] ) );
			}
		}
		$paths = $filled;
	}
	return $paths;
}

/** @param array{user: int, secret: string, sought: string, ids: array<string, int>, slugs: string[], author: int, changes: bool} $about `changes`: also sends requests that change something. */
function crawl_xmlrpc( array $about ): void {
	define( 'XMLRPC_REQUEST', true );
	$_SERVER['REQUEST_METHOD'] = 'POST';
	require_once ABSPATH . WPINC . '/class-IXR.php';
	require_once ABSPATH . WPINC . '/class-wp-xmlrpc-server.php';
	require_once ABSPATH . 'wp-admin/includes/admin.php';
	$server = new class() extends wp_xmlrpc_server {
		public function serve_request() {}
		public function login( $username, $password ) {
			return $username === 'somebody' ? wp_get_current_user() : false;
		}
	};
	wp_set_current_user( $about['user'] );
	$changes  = array( 'post_title' => 'Spoilt', 'post_content' => 'Spoilt', 'title' => 'Spoilt', 'description' => 'Spoilt' );
	$who      = array( 'somebody', 'password' );
	$answered = 0;
	foreach ( $server->methods as $method => $callback ) {
		if ( ! $about['changes'] && ! str_contains( $method, '.get' ) ) {
			continue;
		}
		$shapes = array();
		foreach ( $about['ids'] as $id ) {
			array_push( $shapes, array( 1, ...$who, $id ), array( 1, ...$who, $id, $changes ), array( $id, ...$who ), array( $id, ...$who, $changes, 1 ), array( '', $id, ...$who, 'Spoilt', 1 ) );
			array_push( $shapes, array( home_url( "/?p=$id" ) ), array( 'http://elsewhere.example/', home_url( "/?p=$id" ) ) );
		}
		foreach ( array( 'registry', 'attachment', 'any', 'revision' ) as $type ) {
			$shapes[] = array( 1, ...$who, array( 'post_type' => $type, 'post_status' => 'any', 's' => $about['sought'], 'parent_id' => $about['ids']['closed'], 'number' => 100 ) );
		}
		foreach ( $shapes as $arguments ) {
			try {
				$answer = is_string( $callback ) && str_starts_with( $callback, 'this:' ) ? $server->{substr( $callback, 5 )}( count( $arguments ) === 1 ? $arguments[0] : $arguments ) : null;
			} catch ( Throwable ) {
				continue; // This method doesn't expect the argument.
			}
			$answered += ! $answer instanceof IXR_Error;
			crawl_look( "$method " . wp_json_encode( $arguments ), print_r( $answer, true ), $about );
		}
	}
	echo $answered;
}

function crawl_look( string $question, string $answer, array $about ): void {
	// An answer may repeat slugs from the request, which reveals nothing new.
	$asked  = array_filter( $about['slugs'], static fn( string $slug ): bool => str_contains( $question, $slug ) );
	$answer = str_replace( $asked, '', $answer );
	if ( preg_match( "/{$about['secret']}/i", $answer, $found, PREG_OFFSET_CAPTURE ) ) {
		echo $question, ': …', str_replace( "\n", ' ', substr( $answer, max( 0, $found[0][1] - 150 ), 300 ) ), "…\n";
	}
}
