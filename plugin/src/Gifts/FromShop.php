<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Platform\PageAddress;
use const Trousseau\PLUGIN_FILE;

/**
 * The ways from a shop's page to the page that adds a gift: a bookmark that reads the shop's page in the browser, and
 * for phones the site's entry in the menu "Share", which its manifest asks for.
 */
final class FromShop {

	public const MANIFEST = 'manifest.webmanifest';

	/** The page with the bookmark. Empty if its script wasn't built. */
	public static function page(): string {
		return is_readable( self::script() ) ? PageAddress::of( 'add', 0, array( 'bookmark' => 1 ) ) : '';
	}

	/** The bookmark's address: its entire script, which knows the page that adds a gift (its fields are behind a "#", see gift-address.ts). Empty if it wasn't built. */
	public static function bookmarklet(): string {
		$script = is_readable( self::script() ) ? trim( (string) file_get_contents( self::script() ) ) : '';
		if ( $script === '' ) {
			return '';
		}
		$code = '(()=>{const TROUSSEAU_ADD=' . wp_json_encode( PageAddress::of( 'add' ) ) . ';' . $script . '})()';
		// An address would lose these characters or end at them; it takes all others as they are.
		return 'javascript:' . strtr(
			$code,
			array( '%' => '%25', '#' => '%23', "\n" => '%0A', "\t" => '%09' )
		);
	}

	private static function script(): string {
		return dirname( PLUGIN_FILE ) . '/assets/bookmarklet.js';
	}

	/** Links the manifest on the plugin's own pages, where it is for people with an account. A site may have a manifest of its own. */
	public static function link_manifest(): void {
		if ( PageAddress::is_open() && is_user_logged_in() ) {
			printf( '<link rel="manifest" href="%s">' . "\n", esc_url( home_url( '/' . self::MANIFEST ) ) );
		}
		// The browser extension finds the site's endpoint here.
		printf( '<link rel="trousseau-add" href="%s">' . "\n", esc_url( PageAddress::of( 'add' ) ) );
	}

	public function serve_manifest(): never {
		status_header( 200 );
		header( 'Content-Type: application/manifest+json; charset=utf-8' );
		header( 'Cache-Control: public, max-age=3600' );
		echo wp_json_encode( $this->manifest(), JSON_UNESCAPED_SLASHES );
		exit;
	}

	private function manifest(): array {
		$name = html_entity_decode( get_bloginfo( 'name' ), ENT_QUOTES, 'UTF-8' );
		return array(
			'id'           => home_url( '/' ),
			'name'         => $name,
			'short_name'   => $name,
			'lang'         => get_bloginfo( 'language' ),
			'start_url'    => home_url( '/' ),
			'scope'        => home_url( '/' ),
			'display'      => 'minimal-ui',
			'icons'        => $this->icons(),
			'share_target' => array(
				'action'  => PageAddress::of( 'add' ),
				'method'  => 'GET',
				'enctype' => 'application/x-www-form-urlencoded',
				'params'  => array( 'title' => 'title', 'text' => 'text', 'url' => 'url' ),
			),
		);
	}

	/** The site's own icon, if it has one. @return list<array<string, string>> */
	private function icons(): array {
		if ( ! has_site_icon() ) {
			return array( array( 'src' => plugins_url( 'assets/gift.svg', PLUGIN_FILE ), 'type' => 'image/svg+xml', 'sizes' => 'any' ) );
		}
		return array_map( static fn( int $size ): array => array( 'src' => get_site_icon_url( $size ), 'sizes' => "{$size}x{$size}" ), array( 192, 512 ) );
	}
}
