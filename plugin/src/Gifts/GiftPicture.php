<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Encryption;
use Trousseau\Platform\PictureFile;
use Trousseau\Service\Item;

/**
 * A gift's picture: one that an owner uploaded, or a small copy of a shop's (`PictureFetch` fetches it), since a guest's browser never
 * loads it from the shop. Each list has files of its own, in a folder under names that nobody can guess. They go a day after the last
 * gift that has them, and with the list.
 */
final class GiftPicture {

	private const FOLDER = 'trousseau';
	private const WIDTH  = 900;

	public function __construct( private readonly PictureFile $picture_file ) {
	}

	/** The URL of a gift's picture on this site. Empty until it is here. */
	public static function address( mixed $url, int $registry ): string {
		$url = Item::web_address( $url );
		return match ( true ) {
			$url === ''                      => '',
			self::is_kept( $url, $registry ) => self::root() . '/' . self::name( $url, $registry ),
			self::is_own( $url )             => $url,
			default                          => '',
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
		$this->add( $file, self::name( $url, $registry ) );
	}

	/** Stores a small copy of a file that an owner has uploaded. Returns its address; nothing if it is no picture. */
	public function upload( string $file, int $registry ): string {
		$name = self::list_name( $registry ) . '/' . bin2hex( random_bytes( 16 ) ) . '.jpg';
		return $this->add( $file, $name ) ? self::root() . "/$name" : '';
	}

	private function add( string $file, string $name ): bool {
		// Some servers list a folder's files where it has no page.
		return $this->picture_file->shrink( $file, self::folder() . "/$name", self::WIDTH ) && touch( self::folder() . '/index.html' );
	}

	/** Copies the file of a gift that has come from another list, whose own may go. */
	public function share( mixed $url, int $registry, int $from = 0 ): void {
		$url  = Item::web_address( $url );
		$file = self::is_kept( $url, $from ) ? self::folder() . '/' . self::name( $url, $from ) : self::uploaded( $url );
		$copy = self::folder() . '/' . self::name( $url, $registry );
		if ( is_file( $file ) && dirname( $file ) !== dirname( $copy ) && ! is_file( $copy ) ) {
			wp_mkdir_p( dirname( $copy ) );
			copy( $file, $copy );
		}
	}

	/** Whether a list has any. */
	public function has( int $registry ): bool {
		return is_dir( self::folder() . '/' . self::list_name( $registry ) );
	}

	/**
	 * Deletes a list's files except those from these addresses and those of the last day: their form may still be open. Returns whether
	 * none of those was left.
	 *
	 * @param string[] $urls
	 */
	public function keep_only( int $registry, array $urls ): bool {
		$urls   = array_map( Item::web_address( ... ), $urls );
		$copies = array_map( static fn( string $url ): string => self::folder() . '/' . self::name( $url, $registry ), $urls );
		$unused = array_diff( self::files( $registry ), $copies, array_map( self::uploaded( ... ), $urls ) );
		$old    = array_filter( $unused, static fn( string $file ): bool => (int) filemtime( $file ) <= time() - DAY_IN_SECONDS );
		array_map( 'wp_delete_file', $old );
		return count( $old ) === count( $unused );
	}

	/** Deletes all files of a list. */
	public function forget( int $registry ): void {
		array_map( 'wp_delete_file', self::files( $registry ) );
		$this->has( $registry ) && rmdir( self::folder() . '/' . self::list_name( $registry ) );
	}

	/** @return string[] */
	private static function files( int $registry ): array {
		return glob( self::folder() . '/' . self::list_name( $registry ) . '/*' ) ?: array();
	}

	/** The name of the copy, in the folder of all. */
	public static function name( string $url, int $registry ): string {
		return self::list_name( $registry ) . '/' . Encryption::hash( 'picture', "$registry $url" ) . '.jpg';
	}

	/** The file of an uploaded picture with this address, which may be another list's. Empty if it is none. */
	private static function uploaded( string $url ): string {
		$root = self::root() . '/';
		return self::is_own( $url ) && str_starts_with( $url, $root ) ? self::folder() . '/' . substr( $url, strlen( $root ) ) : '';
	}

	public static function folder(): string {
		return wp_upload_dir( null, false )['basedir'] . '/' . self::FOLDER;
	}

	private static function root(): string {
		return wp_upload_dir( null, false )['baseurl'] . '/' . self::FOLDER;
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
