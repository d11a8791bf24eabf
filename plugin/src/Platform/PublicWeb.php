<?php

declare(strict_types=1);

namespace Trousseau\Platform;

use WP_Error;
use WP_HTTP_Proxy;
use WP_Http;

/**
 * Fetches addresses that owners have typed, from the public web and never from the inner network. WordPress looks a name up to judge
 * it and again to connect, and its older releases know few of the networks that aren't public; this class connects only to the
 * addresses that it has judged, and judges each redirect anew.
 */
final class PublicWeb {

	/** Networks that aren't public, besides those that PHP knows. */
	private const INSIDE = array( '100.64.0.0/10', '192.0.0.0/24', '192.88.99.0/24', '198.18.0.0/15', '224.0.0.0/4' );

	/** Marks a request of ours: the address that it goes to. */
	private const AT = 'trousseau_at';

	/** @param array<string, mixed> $request The arguments of `wp_remote_get`. */
	public function get( string $url, array $request, int $redirects ): array|WP_Error {
		do {
			$answer = $this->get_once( $url, $request );
			$next   = wp_remote_retrieve_header( $answer, 'location' );
			if ( intdiv( (int) wp_remote_retrieve_response_code( $answer ), 100 ) !== 3 || ! is_string( $next ) || $next === '' ) {
				return $answer;
			}
			$url                = WP_Http::make_absolute_url( $next, $url );
			$request['cookies'] = array_merge( $request['cookies'] ?? array(), $answer['cookies'] );
		} while ( $redirects-- > 0 );
		return $answer;
	}

	private function get_once( string $url, array $request ): array|WP_Error {
		$host  = (string) wp_parse_url( $url, PHP_URL_HOST );
		$found = gethostbynamel( $host ) ?: array();
		if ( ! $found || ( array_filter( $found, array( self::class, 'is_inside' ) ) && ! self::is_allowed( $host, $url ) ) ) {
			return new WP_Error( 'not_public', 'not a public address' );
		}
		return wp_safe_remote_get( $url, array( 'redirection' => 0, self::AT => $found[0] ) + $request );
	}

	/** Connects to the judged address, wherever the name leads by now. A proxy of the site looks names up itself. */
	public static function connect_there( mixed $handle, array $request ): void {
		if ( isset( $request[ self::AT ] ) && ! ( new WP_HTTP_Proxy() )->is_enabled() ) {
			curl_setopt( $handle, CURLOPT_CONNECT_TO, array( '::' . $request[ self::AT ] . ':' ) );
		}
	}

	private static function is_inside( string $ip ): bool {
		$is_in = static function ( string $network ) use ( $ip ): bool {
			list( $base, $bits ) = explode( '/', $network );
			return ( ip2long( $ip ) ^ ip2long( $base ) ) >> ( 32 - (int) $bits ) === 0;
		};
		return ! filter_var( $ip, FILTER_VALIDATE_IP, FILTER_FLAG_IPV4 | FILTER_FLAG_NO_PRIV_RANGE | FILTER_FLAG_NO_RES_RANGE )
			|| array_filter( self::INSIDE, $is_in );
	}

	/** Whether the address is this very site's, or allowed by the site's administrator through WordPress's own filter. */
	private static function is_allowed( string $host, string $url ): bool {
		$origin = static fn( string $of ): array => array( strtolower( (string) wp_parse_url( $of, PHP_URL_HOST ) ), wp_parse_url( $of, PHP_URL_PORT ) );
		return $origin( $url ) === $origin( home_url() ) || apply_filters( 'http_request_host_is_external', false, $host, $url );
	}
}
