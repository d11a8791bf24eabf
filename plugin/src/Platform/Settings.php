<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** The options that the administrator sets on the page Settings → Trousseau. */
final class Settings {

	/** The page's name in its address. */
	public const PAGE = 'trousseau';

	public const BASE_URL         = 'trousseau_base_url';
	public const API_KEY          = 'trousseau_api_key';
	public const USERNAME         = 'trousseau_username';
	public const APP_PASSWORD     = 'trousseau_app_password';
	public const ANONYMOUS_GIVING = 'trousseau_anonymous_giving';
	public const LIST_ROLES       = 'trousseau_list_roles';
	public const APPROVAL         = 'trousseau_approval';
	public const BROWSER_CLIENT   = 'trousseau_browser_client';
	public const KEEP_GIVERS      = 'trousseau_keep_givers';
	public const REMOVE_DATA      = 'trousseau_remove_data';

	public const ALL = array(
		...self::CONNECTION,
		self::LIST_ROLES,
		self::APPROVAL,
		self::ANONYMOUS_GIVING,
		self::BROWSER_CLIENT,
		self::KEEP_GIVERS,
		self::REMOVE_DATA,
	);

	/** The connection's settings, in the order of the HTTP client’s arguments. */
	public const CONNECTION = array( self::BASE_URL, self::API_KEY, self::USERNAME, self::APP_PASSWORD );

	public static function url(): string {
		return admin_url( 'options-general.php?page=' . self::PAGE );
	}

	/** The service that an administrator has set by a constant, or a hosting company by a filter. If it is '', people enter an address. */
	public static function chosen_service(): string {
		/** Filters the address of the service that this site connects to. */
		return rtrim( (string) apply_filters( 'trousseau_service', defined( 'TROUSSEAU_SERVICE' ) ? (string) TROUSSEAU_SERVICE : '' ), '/' );
	}

	/** A setting of the connection: the site's option, or else the environment variable of the same name in capitals. */
	public static function value( string $name ): string {
		$option = get_option( $name );
		return is_string( $option ) && $option !== '' ? $option : self::environment( $name );
	}

	/** A setting from the environment, for a network's first site only: a service belongs to one site. */
	public static function environment( string $name ): string {
		return Network::mark() === '' ? (string) getenv( strtoupper( $name ) ) : '';
	}

	/** As a filter of the option's value. */
	public static function open_password( mixed $stored ): mixed {
		$password = Encryption::open( $stored );
		return is_string( $password ) ? $password : ( Encryption::is_unreadable( $stored ) ? '' : $stored );
	}

	/** As a filter of what is stored: who reads a copy of the database doesn't get the password from it. */
	public static function seal_password( mixed $password ): mixed {
		return ! is_string( $password ) || $password === '' || Encryption::open( $password ) !== null ? $password : Encryption::seal( $password );
	}

	/** @return string[] The settings of the connection: address, key, user name, application password. */
	public static function connection(): array {
		return array_map( array( self::class, 'value' ), self::CONNECTION );
	}

	public static function is_on( string $name ): bool {
		$default = match ( $name ) {
			self::ANONYMOUS_GIVING => true,
			// Where anyone can register, anyone could publish.
			self::APPROVAL         => get_option( 'users_can_register' ),
			default                => false,
		};
		return (bool) get_option( $name, $default );
	}

	public static function is_base_url( string $url ): bool {
		return $url === '' || ( preg_match( '#^https?://[^/@?\#\s]+(/[^?\#\s]*)?$#i', $url ) && esc_url_raw( $url ) === $url );
	}
}
