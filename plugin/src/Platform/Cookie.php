<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/**
 * Cookies of this site, signed so that only the site can write them. They hold numbers, the visitor’s own name and encrypted text.
 * Their names begin like WordPress’s cookie for a post’s password: page caches, and the usual rules of nginx and Varnish,
 * neither show a kept page to a device with such a cookie nor keep one that was made for it.
 */
final class Cookie {

	private const REMEMBERED = array( 'guest', 'gifts', 'giver', 'draft' );

	/** @var array<string, string> Values that this request has set, which count from now on. */
	private array $set = array();

	public function __construct( private readonly ResponseHeaders $response_headers ) {
	}

	public function read( string $name ): string {
		return $this->set[ $name ] ?? SignedToken::read( "cookie $name", $_COOKIE[ self::name( $name ) ] ?? '' );
	}

	/** Whether there are any of the plugin's among a request's cookies. */
	public static function are_among( array $cookies ): bool {
		return (bool) preg_grep( '/trousseau_/', array_keys( $cookies ) );
	}

	/** Whether this device has a cookie of ours, or gets one. Its pages are then for it alone. */
	public function is_known_device(): bool {
		return $this->set || preg_grep( '/^(?:wp-postpass_.*_)?trousseau_' . Network::mark() . '[a-z]+$/D', array_keys( $_COOKIE ) );
	}

	/** @param int $seconds 0: until the browser is closed. */
	public function set( string $name, string $value, int $seconds ): void {
		$this->set[ $name ]             = $value;
		$_COOKIE[ self::name( $name ) ] = $value === '' ? '' : SignedToken::sign( "cookie $name", $value );
		/** Fires when this request has set a cookie, which it reads from now on. Passes the cookie's name. */
		do_action( 'trousseau_cookie_set', $name );
		$this->response_headers->keep_out_of_caches();
		if ( ! headers_sent() ) {
			$expires = $value === '' ? 1 : ( $seconds ? time() + $seconds : 0 );
			$this->send( self::name( $name ), $_COOKIE[ self::name( $name ) ], $expires );
		}
	}

	public function clear( string $name ): void {
		$this->set( $name, '', 0 );
	}

	public function is_there( string $name ): bool {
		return isset( $_COOKIE[ self::name( $name ) ] );
	}

	/** Adds the cookies' names for LiteSpeed, which looks for whole names: a device with one of them gets its own pages, which aren't kept. */
	public static function add_names( array $names ): array {
		return array( ...$names, ...array_map( array( self::class, 'name' ), self::REMEMBERED ) );
	}

	public static function header( string $name, string $value ): string {
		return self::name( $name ) . '=' . SignedToken::sign( "cookie $name", $value );
	}

	/** @param bool $is_readable Whether scripts may read it. */
	public function send( string $name, string $value, int $expires, bool $is_readable = false ): void {
		setcookie(
			$name,
			$value,
			array(
				'expires'  => $expires,
				'path'     => COOKIEPATH ?: '/',
				'domain'   => COOKIE_DOMAIN ?: '',
				'secure'   => is_ssl(),
				'httponly' => ! $is_readable,
				'samesite' => 'Lax',
			)
		);
	}

	/** The full name of a cookie. WP Super Cache looks for WordPress's hash of the site's address, which sites of a network share. */
	private static function name( string $name ): string {
		return 'wp-postpass_' . COOKIEHASH . '_trousseau_' . Network::mark() . $name;
	}
}
