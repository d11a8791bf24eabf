<?php

declare(strict_types=1);

namespace Trousseau\Affiliate;

/**
 * A rule that makes the links to one shop. The shop is a host, with its subdomains, and may name a folder: `shop.example/de`.
 * The template is an address with `{url}` where the shop's own address goes, or begins with `?` and holds parameters
 * for that address.
 */
final class AffiliateRule {

	/** The place of the shop's own address in a template. */
	public const PLACE = '{url}';

	public function __construct( public readonly string $shop, public readonly string $template ) {
	}

	/** The name of the rule for a typed shop, or for an address in it. Empty if it is no shop. */
	public static function shop_named( string $typed ): string {
		$typed = trim( $typed );
		$url   = preg_match( '#^https?://#i', $typed ) ? $typed : "http://$typed";
		$host  = self::host( $url );
		if ( ! str_contains( $host, '.' ) || preg_match( '/[^\pL\pN.:-]/u', $host ) ) {
			return '';
		}
		return $host . rtrim( (string) wp_parse_url( $url, PHP_URL_PATH ), '/' );
	}

	/** The shop of an address, with its port where that is unusual; the same with and without “www.”. */
	public static function host( string $url ): string {
		$parts = wp_parse_url( trim( $url ) );
		$host  = is_array( $parts ) ? mb_strtolower( rtrim( $parts['host'] ?? '', '.' ) ) : '';
		// The service and some browsers write a host with letters beyond ASCII as xn--…
		if ( preg_match( '/[^ -~]/', $host ) && function_exists( 'idn_to_ascii' ) ) {
			$host = idn_to_ascii( $host ) ?: $host;
		}
		return $host === '' ? '' : preg_replace( '/^www\./', '', $host ) . ( isset( $parts['port'] ) ? ':' . $parts['port'] : '' );
	}

	/** What is wrong with a template, in words. Empty if links can be made from it. */
	public static function fault( string $template ): string {
		if ( str_starts_with( $template, '?' ) ) {
			return preg_match( '/^\?[^=&?#\s{}]+=[^?#\s{}]+$/D', $template ) ? '' : __( 'What’s added to the shop’s link must look like ?partner=you.', 'trousseau' );
		}
		if ( ! str_contains( $template, self::PLACE ) ) {
			/* translators: %s: the placeholder {url} */
			return sprintf( __( 'The link needs %s in place of the gift’s address.', 'trousseau' ), self::PLACE );
		}
		// The shop's address never decides to which host a link leads.
		$is_address = preg_match( '#^https?://[^/?\#{}\s@]+[/?][^{}\s]*\{url\}[^{}\s]*$#iD', $template );
		return $is_address ? '' : __( 'The link must start with https:// or http://.', 'trousseau' );
	}

	/** The exactness with which the rule fits an address: more is better, 0 is not at all. */
	public function fit( string $url ): int {
		list( $host, $folder ) = explode( '/', $this->shop, 2 ) + array( 1 => '' );
		$host                  = self::host( "http://$host" );
		$other                 = self::host( $url );
		if ( $other !== $host && ! str_ends_with( $other, ".$host" ) ) {
			return 0;
		}
		$path = trim( (string) wp_parse_url( $url, PHP_URL_PATH ), '/' ) . '/';
		return $folder === '' || str_starts_with( $path, "$folder/" ) ? strlen( $this->shop ) : 0;
	}

	public function link( string $url ): string {
		return str_starts_with( $this->template, '?' ) ? self::added( $url, substr( $this->template, 1 ) ) : str_replace( self::PLACE, rawurlencode( $url ), $this->template );
	}

	/** Whether this rule has made a link, for any address. */
	public function has_made( string $link ): bool {
		if ( str_starts_with( $this->template, '?' ) ) {
			return $this->fit( $link ) > 0 && self::added( $link, substr( $this->template, 1 ) ) === $link;
		}
		list( $before, $after ) = explode( self::PLACE, $this->template, 2 );
		return str_starts_with( $link, $before ) && str_ends_with( $link, $after ) && strlen( $link ) > strlen( $before . $after );
	}

	/** Adds parameters to an address, and replaces those of the same names; the rest stays as the shop wrote it. */
	private static function added( string $url, string $parameters ): string {
		list( $page, $mark )  = explode( '#', $url, 2 ) + array( 1 => null );
		list( $page, $query ) = explode( '?', $page, 2 ) + array( 1 => '' );
		$name                 = static fn( string $pair ): string => explode( '=', $pair, 2 )[0];
		$names                = array_map( $name, explode( '&', $parameters ) );
		$kept                 = array_filter( explode( '&', $query ), static fn( string $pair ): bool => $pair !== '' && ! in_array( $name( $pair ), $names, true ) );
		return $page . '?' . implode( '&', array( ...$kept, $parameters ) ) . ( $mark === null ? '' : "#$mark" );
	}
}
