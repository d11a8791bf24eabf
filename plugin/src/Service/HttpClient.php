<?php

declare(strict_types=1);

namespace Trousseau\Service;

use Closure;

/** Sends requests to the item service with the site's credentials, and reads its answers: a value, or a `ServiceError`. */
final class HttpClient {

	private const TIMEOUT = 10;

	/** Seconds that a page waits for the service to learn our account. */
	private const SIGN_IN = 3;

	/** Marks a request of ours with a time-out of less than a second. */
	private const WITHIN = 'trousseau_within';

	/** @var array<string, float> Until when addresses that gave no answer in time aren't asked: a page waits that long only once. Each background task tries by itself. */
	private static array $silent = array();

	private readonly string $base_url;

	private readonly Closure $transport;

	/** @param callable|null $transport Sends a request, as `send_by_wordpress()` does. */
	public function __construct(
		string $base_url,
		private readonly string $api_key = '',
		private readonly string $username = '',
		private readonly string $app_password = '',
		?callable $transport = null,
	) {
		$this->base_url  = rtrim( $base_url, '/' );
		$this->transport = Closure::fromCallable( $transport ?? array( $this, 'send_by_wordpress' ) );
	}

	public function is_configured(): bool {
		return $this->base_url !== '';
	}

	/**
	 * The decoded JSON body of the answer, or `true` for 204.
	 *
	 * @throws ServiceError For every other answer, and where there is none.
	 */
	public function ask( string $method, string $path, ?array $body = null, array $headers = array(), bool $signed = true, int $timeout = self::TIMEOUT ): mixed {
		return self::decode( $this->send( $method, $path, $body, $headers, $signed, timeout: $timeout ) );
	}

	/**
	 * The same for a page that waits: the service answers without asking this site, since with every PHP worker in such a page
	 * none would be left to answer it. A service that doesn't know our account yet asks this site after its answer, and
	 * this client then repeats the request.
	 *
	 * @param float|null $seconds The time for everything; the usual time-out for each answer when absent.
	 */
	public function ask_in_haste( string $method, string $path, ?array $body = null, array $headers = array(), ?float $seconds = null ): mixed {
		return self::decode( $this->send_in_haste( $method, $path, $body, $headers, $seconds, true ) );
	}

	/**
	 * The same for a caller who has kept an earlier answer.
	 *
	 * @param string $etag  The ETag of that answer; '' for none.
	 * @param bool   $again Whether to ask a service again that doesn't know our account yet.
	 * @return array{body: mixed, etag: string}|null Null where the kept answer still holds.
	 */
	public function ask_unless_known( string $path, string $etag, float $seconds, bool $again ): ?array {
		$answer = $this->send_in_haste( 'GET', $path, null, $etag === '' ? array() : array( 'If-None-Match' => $etag ), $seconds, $again );
		return $etag !== '' && $answer['status'] === 304 ? null : array( 'body' => self::decode( $answer ), 'etag' => $answer['headers']['etag'] ?? '' );
	}

	private function send_in_haste( string $method, string $path, ?array $body, array $headers, ?float $seconds, bool $again ): array {
		$until = microtime( true ) + self::patience( $seconds ?? self::SIGN_IN );
		// 0: the registry's owner is someone other than our account, unless the caller names them.
		$headers += array( 'Trousseau-Owner' => '0' );
		for ( $pause = 0.03; ; $pause *= 2 ) {
			$within = $seconds === null ? self::patience( self::TIMEOUT ) : max( 0.1, $until - microtime( true ) );
			$answer = $this->send( $method, $path, $body, $headers, true, $within );
			if ( ! $again || ! self::is_soon( $answer ) || microtime( true ) + $pause > $until ) {
				return $answer;
			}
			usleep( (int) ( $pause * 1e6 ) );
		}
	}

	/** @param float|null $within Seconds in which the answer is useful; the service then waits for no other server. */
	private function send( string $method, string $path, ?array $body, array $headers, bool $signed, ?float $within = null, int $timeout = self::TIMEOUT ): array {
		if ( ! $this->is_configured() ) {
			throw new Unavailable( __( 'The address of the item service is not set.', 'trousseau' ) );
		}
		if ( microtime( true ) < ( self::$silent[ $this->base_url ] ?? 0 ) ) {
			throw new Unavailable( __( 'The item service doesn’t answer.', 'trousseau' ) );
		}
		$headers += array(
			'Accept'          => 'application/json',
			// The service passes the language on to the shops that it looks up.
			'Accept-Language' => get_bloginfo( 'language' ),
		);
		if ( $signed && $this->username !== '' && $this->app_password !== '' ) {
			$headers['Authorization'] = 'Basic ' . base64_encode( $this->username . ':' . $this->app_password );
		}
		if ( $signed && $this->api_key !== '' ) {
			$headers['x-api-key'] = $this->api_key;
		}
		if ( $body !== null ) {
			$headers['Content-Type'] = 'application/json';
		}
		// After its own write this site renews the list itself, where the path or the answer names the registry: no notice is needed.
		$renews_itself = $method !== 'GET' && ( $method !== 'DELETE' || preg_match( '#^/registries/\d+/#', $path ) );
		if ( $within !== null || $renews_itself ) {
			$headers['Prefer'] = implode( ', ', array_filter( array( $headers['Prefer'] ?? '', $within === null ? '' : 'wait=0', $renews_itself ? 'notice=none' : '' ) ) );
		}
		$request = array(
			'method'      => $method,
			'headers'     => $headers,
			'body'        => $body === null ? null : wp_json_encode( (object) $body ),
			'timeout'     => $within ?? $timeout,
			'redirection' => 0, // A redirect would carry the credentials along.
			self::WITHIN  => $within,
		);
		try {
			return ( $this->transport )( $this->base_url . $path, $request );
		} catch ( Unavailable $error ) {
			// A page that gave it only a moment may still ask for something else. A lookup waits for a shop, whose silence is not the service's.
			$patience = self::patience( self::TIMEOUT );
			if ( ( $within ?? $patience ) >= $patience && $path !== '/lookups' && ! wp_doing_cron() ) {
				self::$silent[ $this->base_url ] = microtime( true ) + $patience;
			}
			throw $error;
		}
	}

	/** @return array{status: int, headers: array<string, string>, body: string} Names of headers in small letters. */
	private function send_by_wordpress( string $url, array $arguments ): array {
		$response = wp_remote_request( $url, $arguments );
		if ( is_wp_error( $response ) ) {
			throw new Unavailable( $response->get_error_message() );
		}
		$names = array( 'etag', 'retry-after', 'preference-applied' );
		return array(
			'status'  => (int) wp_remote_retrieve_response_code( $response ),
			'headers' => array_combine( $names, array_map( static fn( string $name ): string => (string) wp_remote_retrieve_header( $response, $name ), $names ) ),
			'body'    => wp_remote_retrieve_body( $response ),
		);
	}

	/** Returns how long a page may wait, given how long it usually does. */
	public static function patience( float $seconds ): float {
		/** Filters for how many seconds a page waits for the item service; for sites whose service is slow to reach. */
		return (float) apply_filters( 'trousseau_patience', $seconds );
	}

	/** Sets a time-out of less than a second, which WordPress would round up. */
	public static function keep_to_the_time( mixed $handle, array $request ): void {
		$milliseconds = (int) ( 1000 * ( $request[ self::WITHIN ] ?? 0 ) );
		if ( $milliseconds > 0 ) {
			curl_setopt( $handle, CURLOPT_NOSIGNAL, true );
			curl_setopt( $handle, CURLOPT_CONNECTTIMEOUT_MS, $milliseconds );
			curl_setopt( $handle, CURLOPT_TIMEOUT_MS, $milliseconds );
		}
	}

	private static function is_soon( array $answer ): bool {
		return ( $answer['headers']['preference-applied'] ?? '' ) === 'wait=0';
	}

	private static function decode( array $answer ): mixed {
		if ( $answer['status'] === 204 ) {
			return true;
		}
		$body = json_decode( $answer['body'], true );
		if ( $answer['status'] < 300 && json_last_error() === JSON_ERROR_NONE ) {
			return $body;
		}
		$detail = is_array( $body ) ? $body['detail'] ?? '' : '';
		$again  = $answer['headers']['retry-after'] ?? '';
		throw ServiceError::of( $answer['status'], is_scalar( $detail ) ? (string) $detail : '', ctype_digit( $again ) ? (int) $again : 0, self::is_soon( $answer ) );
	}
}
