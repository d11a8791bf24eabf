<?php

declare(strict_types=1);

namespace Trousseau\Platform;

use RuntimeException;

/**
 * The secrets behind the site's encryption and signatures. WordPress's salts are none of them, since sites change those, some on a
 * schedule: what older versions have made with them can still be read.
 */
final class Keys {

	public const OPTION = 'trousseau_key';

	/** The beginning of a secret that no other site has, wherever its site moves. */
	private const OF_ONE_SITE = 'site:';

	/** The shortest constant that counts. */
	private const LEAST = 32;

	/** @var array<int, string> Number of a site → its own secret. */
	private static array $own = array();

	/** The secret for everything that is written now. */
	public static function current(): string {
		return self::all()[0];
	}

	/** @return string[] The current secret, and then all with which older texts may have been made. */
	public static function all(): array {
		$former = defined( 'TROUSSEAU_FORMER_KEYS' ) ? array_filter( (array) TROUSSEAU_FORMER_KEYS, 'is_string' ) : array();
		return array_values( array_unique( array_filter( array( self::constant(), self::own(), ...$former, wp_salt( 'auth' ) ) ) ) );
	}

	/** Whether wp-config.php names a key that is too short to count. */
	public static function is_too_short(): bool {
		return defined( 'TROUSSEAU_KEY' ) && TROUSSEAU_KEY !== '' && self::constant() === '';
	}

	/** A prefix that tells what this site makes with a secret from what other sites of its network make with the same constant or salts. */
	public static function mark( string $secret ): string {
		return str_starts_with( $secret, self::OF_ONE_SITE ) ? '' : Network::mark();
	}

	private static function constant(): string {
		return defined( 'TROUSSEAU_KEY' ) && is_string( TROUSSEAU_KEY ) && strlen( TROUSSEAU_KEY ) >= self::LEAST ? TROUSSEAU_KEY : '';
	}

	/** The secret that the site has made when it first needed one. */
	public static function own(): string {
		return self::$own[ get_current_blog_id() ] ??= self::stored() ?? self::made();
	}

	/** An object cache may have the key of a database from before a copy was put back: what that key sealed would be lost with the cache. */
	private static function stored(): ?string {
		wp_cache_delete( self::OPTION, 'options' );
		$stored = get_option( self::OPTION, null );
		return is_string( $stored ) && strlen( $stored ) >= self::LEAST ? $stored : null;
	}

	/** Several first requests may come at once, and of options that WordPress adds the last one wins. A secret that is there is never replaced. */
	private static function made(): string {
		$wpdb = $GLOBALS['wpdb'];
		$wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO $wpdb->options ( option_name, option_value, autoload ) VALUES ( %s, %s, 'no' )", self::OPTION, self::OF_ONE_SITE . base64_encode( random_bytes( 32 ) ) ) );
		wp_cache_delete( 'notoptions', 'options' );
		return self::stored() ?? throw new RuntimeException( 'Trousseau can’t read its key in the option ' . self::OPTION );
	}
}
