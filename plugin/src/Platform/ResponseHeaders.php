<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** The headers that tell caches, search engines and other sites how to treat an answer. */
final class ResponseHeaders {

	/** Headers for caches in browsers, networks and servers. Some plugins look only for `no-cache` and `max-age=0`. */
	private const FOR_THIS_VISITOR = array(
		'Cache-Control'     => 'private, no-store, no-cache, max-age=0',
		'CDN-Cache-Control' => 'no-store',
		'Surrogate-Control' => 'no-store',
	);

	/**
	 * Constants for plugins that ignore all headers. `DONOTCACHEOBJECT` is missing: it takes the object cache away from the request, and with
	 * it the counters that requests share.
	 */
	private const CONSTANTS = array( 'DONOTCACHEPAGE', 'DONOTCACHEDB', 'DONOTMINIFY', 'DONOTROCKETOPTIMIZE' );

	private bool $is_for_this_visitor = false;
	private bool $is_unlisted         = false;

	/** Keeps an answer for this visitor out of all caches. */
	public function keep_out_of_caches(): void {
		foreach ( self::CONSTANTS as $name ) {
			defined( $name ) || define( $name, true );
		}
		do_action( 'litespeed_control_set_nocache', 'a page for one visitor' );
		do_action( 'wpfc_exclude_current_page' );
		$this->is_for_this_visitor = true;
		if ( headers_sent() ) {
			return;
		}
		nocache_headers();
		header_remove( 'Surrogate-Key' );
		header_remove( 'Cache-Tag' );
		// An nginx that ignores `Cache-Control` reads this one.
		header( 'X-Accel-Expires: 0' );
		if ( ! preg_grep( '/^Vary:.*\bCookie\b/i', headers_list() ) ) {
			header( 'Vary: Cookie', false );
		}
	}

	public function is_for_this_visitor(): bool {
		return $this->is_for_this_visitor;
	}

	/** Adds words to a header that other plugins may have sent, too. */
	public function add( string $name, array $words, string $between ): void {
		foreach ( headers_list() as $sent ) {
			if ( stripos( $sent, "$name:" ) === 0 ) {
				$words = array( ...array_map( 'trim', explode( $between, substr( $sent, strlen( "$name:" ) ) ) ), ...$words );
			}
		}
		header( "$name: " . implode( $between, array_unique( array_filter( $words ) ) ) );
	}

	/** Replaces WordPress's own headers against caches, which it sends for a signed-in user’s REST answer after ours. */
	public function against_caches( array $headers ): array {
		return $this->is_for_this_visitor ? self::FOR_THIS_VISITOR + $headers : $headers;
	}

	/** Keeps the page out of search engines, and its address from other sites. */
	public function keep_secret( string $referrer = 'same-origin' ): void {
		$this->keep_out_of_search();
		header( 'X-Robots-Tag: noindex, nofollow' );
		header( "Referrer-Policy: $referrer" );
	}

	/**
	 * Forbids other sites to show this page in a frame: people could be led to press buttons unseen. The site's own editor and
	 * customizer may show it, also at another address.
	 */
	public function keep_out_of_frames(): void {
		if ( headers_sent() ) {
			return;
		}
		$origin = static fn( string $url ): string => (string) preg_replace( '#^(https?://[^/]+).*$#Ds', '$1', $url );
		$others = array_diff( array_unique( array_map( $origin, array( home_url(), admin_url() ) ) ), array( $origin( home_url() ) ) );
		// The header adds to the policies of others, all of which apply.
		header( 'Content-Security-Policy: frame-ancestors ' . implode( ' ', array( "'self'", ...$others ) ), false );
		if ( ! $others && ! preg_grep( '/^X-Frame-Options:/i', headers_list() ) ) {
			header( 'X-Frame-Options: SAMEORIGIN' );
		}
	}

	/** Keeps a page out of caches and search engines that shows a part of another one. */
	public function keep_out_of_search(): void {
		$this->keep_out_of_caches();
		$this->is_unlisted = true;
	}

	/** Keeps such a page, and a secret one, out of search engines by the page's own robots tag. */
	public function robots( array $robots ): array {
		return $this->is_unlisted ? wp_robots_no_robots( $robots ) : $robots;
	}
}
