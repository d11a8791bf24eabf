<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\PageAddress;

/** The address of the plugin's page that the visitor has open: the site's own address of it, not the one that the request names. */
final class CurrentAddress {

	private static string $name  = '';
	private static int $registry = 0;

	public static function set( string $name, int $registry ): void {
		self::$name     = $name;
		self::$registry = $registry;
	}

	/** The address; nothing where the visitor is on another page. */
	public static function get(): string {
		if ( self::$name === '' ) {
			return '';
		}
		$own = array( PageAddress::PARAMETER => '', 'registry' => '' );
		return PageAddress::of( self::$name, self::$registry, array_filter( array_diff_key( wp_unslash( $_GET ), $own ), 'is_string' ) );
	}
}
