<?php

declare(strict_types=1);

namespace Trousseau\Registry;

defined( 'ABSPATH' ) || exit;

use Trousseau\Service\Item;
use Trousseau\Support\Encryption;

/**
 * A shop's picture of a gift. A guest's browser never loads it from the shop: the site has a small copy
 * under a name that nobody can guess (`PictureFetch` fetches it).
 */
final class ShopPicture {

	private const FOLDER = 'trousseau';
	private const WIDTH  = 900;

	public function __construct( private readonly PictureFile $picture_file ) {
	}

	/** The address of a gift's picture on this site; nothing while it isn't there. */
	public static function address( mixed $url ): string {
		$url = Item::web_address( $url );
		return $url === '' || self::is_own( $url ) ? $url : self::kept( $url );
	}

	/** The address of a shop's picture that isn't on this site yet; nothing where there is none, or it is here. */
	public static function missing( mixed $url ): string {
		$url = Item::web_address( $url );
		return $url === '' || self::is_own( $url ) || self::is_kept( $url ) ? '' : $url;
	}

	public static function is_kept( string $url ): bool {
		return self::kept( $url ) !== '';
	}

	/** Stores a small copy of a file that was fetched from this address, if it is a picture. */
	public function store( string $url, string $file ): void {
		$this->picture_file->shrink( $file, self::folder() . '/' . self::name( $url ), self::WIDTH );
	}

	/** The name of the copy. */
	public static function name( string $url ): string {
		return Encryption::hash( 'picture', $url ) . '.jpg';
	}

	public static function folder(): string {
		return wp_upload_dir( null, false )['basedir'] . '/' . self::FOLDER;
	}

	private static function is_own( string $url ): bool {
		// A browser would follow “..” to anywhere on this site.
		return str_starts_with( $url, (string) wp_upload_dir( null, false )['baseurl'] . '/' ) && ! preg_match( '/(\.|%2e){2}|[?\\\\]/i', $url );
	}

	private static function kept( string $url ): string {
		$name = self::name( $url );
		return is_file( self::folder() . "/$name" ) ? wp_upload_dir( null, false )['baseurl'] . '/' . self::FOLDER . "/$name" : '';
	}
}
