<?php

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

/** Cookies of this site that nobody else can have written. They hold numbers, of names at most the visitor’s own, and what is sealed. */
final class Cookie {

	/** @var array<string, string> What this request has set: it holds from now on. */
	private static array $set = array();

	public static function read( string $name ): string {
		$given = $_COOKIE[ self::name( $name ) ] ?? '';
		return self::$set[ $name ] ?? Link::read( "cookie $name", is_string( $given ) ? $given : '' );
	}

	/** Whether this device is known as somebody's: what its pages show is for nobody else. */
	public static function is_known_device(): bool {
		return (bool) array_filter( array_map( array( self::class, 'read' ), array( 'guest', 'gifts', 'giver', 'draft' ) ) );
	}

	/** @param int $seconds 0: until the browser is closed. */
	public static function set( string $name, string $value, int $seconds ): void {
		self::$set[ $name ] = $value;
		if ( headers_sent() ) {
			return;
		}
		setcookie(
			self::name( $name ),
			$value === '' ? '' : Link::sign( "cookie $name", $value ),
			array(
				'expires'  => $value === '' ? 1 : ( $seconds ? time() + $seconds : 0 ),
				'path'     => COOKIEPATH ?: '/',
				'domain'   => COOKIE_DOMAIN ?: '',
				'secure'   => is_ssl(),
				'httponly' => true,
				'samesite' => 'Lax',
			)
		);
	}

	public static function clear( string $name ): void {
		self::set( $name, '', 0 );
	}

	public static function is_there( string $name ): bool {
		return isset( $_COOKIE[ self::name( $name ) ] );
	}

	/** Sites of a network share a domain. */
	private static function name( string $name ): string {
		return 'trousseau_' . Network::mark() . $name;
	}
}
