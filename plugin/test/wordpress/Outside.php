<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Closure;
use WP_Error;

/**
 * Everything that the site asks others for over HTTP, above all the item service. A test says the answers beforehand; no request
 * leaves this process, and one that no answer was said for makes the test fail.
 */
final class Outside {

	public const SERVICE = 'https://items.example';

	/** @var array{method: string, url: string, path: string, headers: array<string, string>, body: mixed}[] All requests, with decoded bodies. */
	public array $requests = array();

	/** @var string[] Requests without an answer. */
	public array $unexpected = array();

	public bool $is_away = false;

	/** @var string[] Methods whose answers are lost. */
	public array $losing = array();

	/** @var array{0: string, 1: mixed, 2: int, 3: array<string, string>}[] Pattern, body, status and headers; the last that fits counts. */
	private array $answers = array();

	/**
	 * @param string $request The method and the path on the service, or a whole address: `GET /registries/5/items`. A star stands for any text.
	 * @param mixed  $body    A value, sent as JSON; a function of the request that returns one, or an Answer with its status; or a WP_Error where nobody answers.
	 */
	public function answer( string $request, mixed $body = array(), int $status = 200, array $headers = array() ): void {
		list( $method, $address ) = explode( ' ', $request, 2 );
		$address                  = str_starts_with( $address, '/' ) ? self::SERVICE . $address : $address;
		$this->answers[]          = array( '#^' . strtr( preg_quote( "$method $address", '#' ), array( '\*' => '.*' ) ) . '$#D', $body, $status, $headers );
	}

	/** As a filter of `pre_http_request`. */
	public function send( mixed $before, array $arguments, string $url ): mixed {
		if ( $before !== false ) {
			return $before;
		}
		// WordPress looks for updates on its own.
		if ( wp_parse_url( $url, PHP_URL_HOST ) === 'api.wordpress.org' ) {
			return new WP_Error( 'http_request_not_executed' );
		}
		$sent    = is_string( $arguments['body'] ) ? json_decode( $arguments['body'], true ) ?? $arguments['body'] : $arguments['body'];
		$request = array(
			'method'      => $arguments['method'],
			'url'         => $url,
			'path'        => str_starts_with( $url, self::SERVICE ) ? substr( $url, strlen( self::SERVICE ) ) : $url,
			'headers'     => array_change_key_case( (array) $arguments['headers'] ),
			'body'        => $sent,
			'timeout'     => $arguments['timeout'],
			'redirection' => $arguments['redirection'],
		);

		$this->requests[] = $request;
		if ( $this->is_away ) {
			return new WP_Error( 'http_request_failed', 'Nobody answers' );
		}
		foreach ( array_reverse( $this->answers ) as list( $pattern, $body, $status, $headers ) ) {
			if ( preg_match( $pattern, "$request[method] $url" ) ) {
				$body = $body instanceof Closure ? $body( $request ) : $body;
				$body = in_array( $request['method'], $this->losing, true ) ? new WP_Error( 'http_request_failed', 'The answer is lost' ) : $body;
				if ( $body instanceof Answer ) {
					list( $status, $headers, $body ) = array( $body->status, $body->headers, $body->json ?? $body->text );
				}
				return is_wp_error( $body ) ? $body : self::response( $body, $status, $headers, $arguments );
			}
		}
		$this->unexpected[] = "$request[method] $url";
		return new WP_Error( 'http_request_failed', "The test says no answer to $request[method] $url" );
	}

	/** @return string[] The requests so far, each as its method and path. */
	public function asked( string $method = '' ): array {
		$asked = array_map( static fn( array $request ): string => "$request[method] $request[path]", $this->requests );
		return array_values( array_filter( $asked, static fn( string $one ): bool => $method === '' || str_starts_with( $one, "$method " ) ) );
	}

	/** @return array<string, mixed> As WordPress's HTTP functions return it. */
	private static function response( mixed $body, int $status, array $headers, array $arguments ): array {
		$bytes = is_string( $body ) ? $body : ( $status === 204 ? '' : wp_json_encode( $body ) );
		if ( ! empty( $arguments['filename'] ) ) {
			file_put_contents( $arguments['filename'], $bytes );
		}
		return array(
			'headers'  => $headers + array( 'content-type' => 'application/json' ),
			'body'     => empty( $arguments['filename'] ) ? $bytes : '',
			'response' => array(
				'code'    => $status,
				'message' => '',
			),
			'cookies'  => array(),
			'filename' => $arguments['filename'] ?? null,
		);
	}
}
