<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Encryption;
use Trousseau\Platform\PictureFile;
use Trousseau\Service\Item;

/**
 * A shop's picture of a gift. A guest's browser never loads it from the shop: the site has a small copy (`PictureFetch` fetches it), in a
 * folder of the list's own under names that nobody can guess. It goes with the last gift that has it, and with the list.
 */
final class ShopPicture {

	private const FOLDER = 'trousseau';
	private const WIDTH  = 900;

	public function __construct( private readonly PictureFile $picture_file ) {
	}

	/** The URL of a gift's picture on this site. Empty until it is here. */
	public static function address( mixed $url, int $registry ): string {
		$url = Item::web_address( $url );
		return match ( true ) {
			$url === '' || self::is_own( $url )  => $url,
			self::is_kept( $url, $registry )     => wp_upload_dir( null, false )['baseurl'] . '/' . self::FOLDER . '/' . self::name( $url, $registry ),
			default                              => '',
		};
	}

	/** The address of a shop's picture that still has to be fetched. Empty if there is none, or it is here already. */
	public static function missing( mixed $url, int $registry ): string {
		$url = Item::web_address( $url );
		return $url === '' || self::is_own( $url ) || self::is_kept( $url, $registry ) ? '' : $url;
	}

	public static function is_kept( string $url, int $registry ): bool {
		return is_file( self::folder() . '/' . self::name( $url, $registry ) );
	}

	/** Stores a small copy of a file that was fetched from this address, if it is a picture. */
	public function store( string $url, int $registry, string $file ): void {
		$this->picture_file->shrink( $file, self::folder() . '/' . self::name( $url, $registry ), self::WIDTH );
	}

	/** Whether a list has any. */
	public function has( int $registry ): bool {
		return is_dir( self::folder() . '/' . self::list_name( $registry ) );
	}

	/**
	 * Deletes a list's pictures except those from these addresses.
	 *
	 * @param string[] $urls
	 */
	public function keep_only( int $registry, array $urls ): void {
		$folder = self::folder() . '/' . self::list_name( $registry );
		$kept   = array_map( static fn( string $url ): string => self::folder() . '/' . self::name( Item::web_address( $url ), $registry ), $urls );
		array_map( 'wp_delete_file', array_diff( glob( "$folder/*" ) ?: array(), $kept ) );
		if ( ! $urls && is_dir( $folder ) ) {
			rmdir( $folder );
		}
	}

	/** The name of the copy, in the folder of all. */
	public static function name( string $url, int $registry ): string {
		return self::list_name( $registry ) . '/' . Encryption::hash( 'picture', "$registry $url" ) . '.jpg';
	}

	public static function folder(): string {
		return wp_upload_dir( null, false )['basedir'] . '/' . self::FOLDER;
	}

	private static function list_name( int $registry ): string {
		return Encryption::hash( 'pictures', (string) $registry );
	}

	/** Whether it is a picture of this site, and not a shop's. */
	public static function is_own( string $url ): bool {
		// A browser would follow “..” to anywhere on this site.
		return str_starts_with( $url, (string) wp_upload_dir( null, false )['baseurl'] . '/' ) && ! preg_match( '/(\.|%2e){2}|[?\\\\]/i', $url );
	}
}
