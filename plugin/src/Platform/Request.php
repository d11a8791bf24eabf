<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** The request that is being answered: who sent it, and from which page. */
final class Request {

	/** The beginning of the plugin's own addresses in the REST API. */
	public const ROUTES = 'trousseau/v1';

	/** Headers in which proxies name a visitor's address. */
	private const FORWARDED = array( 'CF-Connecting-IP', 'True-Client-IP', 'X-Real-IP', 'X-Forwarded-For', 'Forwarded' );

	/** Whether a program with an application password asks, which may be the item service. */
	public static function is_by_program(): bool {
		return (bool) did_action( 'application_password_did_authenticate' );
	}

	/** Answers requests at an address of the plugin's own in the REST API, of those who may. */
	public static function answer_at( string $path, callable $may, callable $answer, string $method = 'GET' ): void {
		register_rest_route( self::ROUTES, $path, array( 'methods' => $method, 'permission_callback' => $may, 'callback' => $answer ) );
	}

	/** The form that the browser has sent. */
	public function form(): Form {
		return Form::with( wp_unslash( $_POST ) );
	}

	public function has_file( string $field ): bool {
		return ( $_FILES[ $field ]['error'] ?? UPLOAD_ERR_NO_FILE ) !== UPLOAD_ERR_NO_FILE;
	}

	/** A number in the page's address; 0: none. */
	public function number( string $name ): int {
		return (int) filter_var( $_GET[ $name ] ?? null, FILTER_VALIDATE_INT );
	}

	/** The words that the page's search looks for. */
	public function search(): string {
		return $this->words( 'find' );
	}

	/** The words of a parameter in the page's address. */
	public function words( string $name, string $missing = '' ): string {
		$words = $_GET[ $name ] ?? $missing;
		return is_string( $words ) ? mb_substr( trim( wp_check_invalid_utf8( wp_unslash( $words ) ) ), 0, 100 ) : '';
	}

	/**
	 * Whether the form was sent from a page of this site. Browsers tell this in headers, so that pages need no nonce and may
	 * be kept in caches.
	 */
	public function is_from_here(): bool {
		$site = $_SERVER['HTTP_SEC_FETCH_SITE'] ?? null;
		if ( $site !== null ) {
			return $site === 'same-origin';
		}
		$from = $_SERVER['HTTP_ORIGIN'] ?? $_SERVER['HTTP_REFERER'] ?? '';
		$at   = static fn( string $url ): string => (string) wp_parse_url( $url, PHP_URL_SCHEME ) . '://' . (string) wp_parse_url( $url, PHP_URL_HOST ) . ':' . (string) wp_parse_url( $url, PHP_URL_PORT );
		return is_string( $from ) && in_array( $at( $from ), array( $at( home_url() ), $at( site_url() ) ), true );
	}

	/** Whether a page of another site has sent it: its origin is a site's, or is kept back. An extension's is neither. */
	public function is_from_elsewhere(): bool {
		$from = $_SERVER['HTTP_ORIGIN'] ?? '';
		return ( ! is_string( $from ) || preg_match( '#^(?:https?:|null$)#i', $from ) ) && ! $this->is_from_here();
	}

	/** Whether a page of this site has sent a form of someone who isn't signed in, or no longer is. */
	public function is_form_of_stranger(): bool {
		return ( $_SERVER['REQUEST_METHOD'] ?? '' ) === 'POST' && ! is_user_logged_in() && $this->is_from_here();
	}

	/** The name under which a visitor who isn't signed in is counted: their address, or the network that one household has. */
	public function visitor(): string {
		$address = $this->visitor_address();
		$bytes   = filter_var( $address, FILTER_VALIDATE_IP, FILTER_FLAG_IPV6 ) ? (string) inet_pton( $address ) : '';
		return $bytes === '' || str_starts_with( $bytes, str_repeat( "\0", 10 ) . "\xff\xff" ) ? $address : bin2hex( substr( $bytes, 0, 8 ) );
	}

	private function visitor_address(): string {
		/** Filters the address of a visitor, for sites behind a proxy that WordPress isn't told about. */
		return (string) apply_filters( 'trousseau_visitor_address', $_SERVER['REMOTE_ADDR'] ?? '' );
	}

	/** The header in which a proxy names an address other than the one that is counted. Empty if there is none. */
	public function unread_header(): string {
		foreach ( self::FORWARDED as $name ) {
			$value = $_SERVER[ 'HTTP_' . strtoupper( strtr( $name, '-', '_' ) ) ] ?? '';
			if ( is_string( $value ) && $value !== '' && ! str_contains( $value, $this->visitor_address() ) ) {
				return $name;
			}
		}
		return '';
	}
}
