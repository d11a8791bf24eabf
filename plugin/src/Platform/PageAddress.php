<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** The addresses of the plugin's own pages, such as `/registries/12/gifts/`. */
final class PageAddress {

	public const PARAMETER = 'trousseau_page';

	/** What other addresses ask for: the way to a shop, and the visitor's part of a cached page. */
	public const SHOP    = 'trousseau_go';
	public const VISITOR = 'trousseau_visitor';

	/** Whether WordPress shows one of the plugin's own pages. */
	public static function is_open(): bool {
		return get_query_var( self::PARAMETER ) !== '';
	}

	public static function of( string $name, int $registry = 0, array $parameters = array() ): string {
		if ( get_option( 'permalink_structure' ) ) {
			$path = rawurlencode( Slugs::of( Slugs::PAGES ) ) . ( $registry ? "/$registry/$name/" : "/$name/" );
			return add_query_arg( array_map( 'rawurlencode', array_map( 'strval', $parameters ) ), home_url( user_trailingslashit( $path ) ) );
		}
		$own = array( self::PARAMETER => $name ) + ( $registry ? array( 'registry' => $registry ) : array() );
		return add_query_arg( array_map( 'rawurlencode', array_map( 'strval', $own + $parameters ) ), home_url( '/' ) );
	}
}
