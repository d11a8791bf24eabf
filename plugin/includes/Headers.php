<?php

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

use WP_HTTP_Response;

/** What an answer tells caches, search engines and other sites. */
final class Headers {

	private static bool $is_secret = false;

	/** It is for this visitor: no cache keeps it. */
	public static function keep_out_of_caches(): void {
		nocache_headers();
		header( 'Cache-Control: no-store, private' );
	}

	/** Nor is it anything for search engines, and other sites don't learn of its address. */
	public static function keep_secret( string $referrer = 'same-origin' ): void {
		self::keep_out_of_caches();
		header( 'X-Robots-Tag: noindex, nofollow' );
		header( "Referrer-Policy: $referrer" );
		self::$is_secret = true;
	}

	/** The same for the REST API, which thinks of nobody but who has signed in. */
	public static function keep_answer_out_of_caches( mixed $answer ): mixed {
		if ( $answer instanceof WP_HTTP_Response && Cookie::is_known_device() ) {
			$answer->header( 'Cache-Control', 'no-store, private' );
		}
		return $answer;
	}

	/**
	 * What is secret says so in the page itself, too.
	 *
	 * @param array<string, mixed> $robots
	 * @return array<string, mixed>
	 */
	public static function robots( array $robots ): array {
		return self::$is_secret ? wp_robots_no_robots( $robots ) : $robots;
	}
}
