<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Platform\Encryption;
use Trousseau\Platform\PictureFile;
use Trousseau\Service\Item;

/**
 * A gift's picture: one that an owner uploaded, or a small copy of a shop's (`PictureFetch` fetches it), since a guest's browser never
 * loads it from the shop. Each list has files of its own, in a folder under names that nobody can guess; an upload has the same name on
 * every list. Only uploads have such names: a shop's address may look like one.
 */
final class GiftPicture {

	private const FOLDER = 'trousseau';
	private const WIDTH  = 900;

	/** The address of an upload, also where the site had another address when it was made. */
	private const UPLOAD = '#/' . self::FOLDER . '/([\w-]{22})/([0-9a-f]{32}\.jpg)$#';

	public function __construct( private readonly PictureFile $picture_file ) {
	}

	/** The URL of a gift's picture on this site. Empty until it is here. */
	public static function address( mixed $url, int $registry ): string {
		$url  = Item::web_address( $url );
		$name = $url === '' ? '' : self::name( $url, $registry );
		return match ( true ) {
			$name === ''                                      => '',
			is_file( self::path( $name ) )                    => self::root() . "/$name",
			self::is_own( $url ) && ! self::is_upload( $url ) => $url,
			default                                           => '',
		};
	}

	/** The address of a picture that isn't among the list's files yet. Empty if there is none. */
	public static function missing( mixed $url, int $registry ): string {
		return self::address( $url, $registry ) === '' ? Item::web_address( $url ) : '';
	}

	public static function is_kept( string $url, int $registry ): bool {
		return $url !== '' && is_file( self::path( self::name( $url, $registry ) ) );
	}

	/**
	 * Stores a small copy of a file that an owner has uploaded. Returns its address, or '' if it can't be stored.
	 *
	 * @param string $key The form's, if it has one: the same form sent again has the same address, and so makes the same gift.
	 */
	public function upload( string $file, int $registry, string $key = '' ): string {
		$name = $key === '' ? bin2hex( random_bytes( 16 ) ) : Encryption::hex( 'upload', "$registry $key " . hash_file( 'sha256', $file ) );
		$name = self::list_name( $registry ) . "/$name.jpg";
		return is_file( self::path( $name ) ) || $this->add( $file, $name ) ? self::root() . "/$name" : '';
	}

	/** Stores a small copy of a file under this name in the folder of all, if it is a picture. Returns whether it did. */
	public function add( string $file, string $name ): bool {
		$is_stored = $this->picture_file->shrink( $file, self::path( $name ), self::WIDTH );
		$is_stored && self::open( dirname( $name ) );
		return $is_stored;
	}

	/**
	 * Gives a list a file of its own of an upload that another list has: the one that the address names, or the one from which its gift
	 * comes. Returns whether it has one.
	 */
	public function adopt( string $url, int $registry, int $from = 0 ): bool {
		return preg_match( self::UPLOAD, $url, $found ) && self::adopt_from( array( $found[1], self::list_name( $from ) ), $found[2], $registry );
	}

	/** Looks for such a file on all lists, which may be thousands: a gift may move on with an address that names its first list. */
	public function adopt_from_any( string $url, int $registry ): bool {
		return preg_match( self::UPLOAD, $url, $found ) && self::adopt_from( self::names_in( '' ), $found[2], $registry );
	}

	/** @param string[] $lists The names of their folders. */
	private static function adopt_from( array $lists, string $upload, int $registry ): bool {
		$own = self::path( self::list_name( $registry ) . "/$upload" );
		foreach ( $lists as $list ) {
			$file = self::path( "$list/$upload" );
			if ( is_file( $file ) ) {
				self::open( self::list_name( $registry ) );
				return is_file( $own ) || PictureFile::put( $file, $own );
			}
		}
		return false;
	}

	/** Makes a list's folder. Some servers list the files of one that has no page. */
	private static function open( string $list ): void {
		foreach ( array( self::folder(), self::path( $list ) ) as $folder ) {
			wp_mkdir_p( $folder ) && ! is_file( "$folder/index.html" ) && touch( "$folder/index.html" );
		}
	}

	/** Whether a list has any. */
	public function has( int $registry ): bool {
		return is_dir( self::path( self::list_name( $registry ) ) );
	}

	/** The names of a list's files that are none of these addresses. @return string[] */
	public function unused( int $registry, array $urls ): array {
		$used = array_map( static fn( string $url ): string => basename( self::name( Item::web_address( $url ), $registry ) ), $urls );
		return array_diff( preg_grep( '/\.jpg$/', self::names_in( self::list_name( $registry ) ) ), $used );
	}

	public function delete( int $registry, array $names ): void {
		array_map( static fn( string $name ) => wp_delete_file( self::path( self::list_name( $registry ) . "/$name" ) ), $names );
	}

	/** Deletes all files of a list. */
	public function forget( int $registry ): void {
		self::drop( self::list_name( $registry ) );
	}

	/** Deletes all files of all lists. */
	public static function forget_all(): void {
		array_map( static fn( string $list ) => self::drop( $list ), self::names_in( '' ) );
		self::drop( '' );
	}

	private static function drop( string $within ): void {
		$folder = self::path( $within );
		if ( is_dir( $folder ) ) {
			array_map( static fn( string $name ) => wp_delete_file( "$folder/$name" ), self::names_in( $within ) );
			rmdir( $folder );
		}
	}

	/** @return string[] */
	private static function names_in( string $folder ): array {
		$path = self::path( $folder );
		return is_dir( $path ) ? array_diff( scandir( $path ) ?: array(), array( '.', '..' ) ) : array();
	}

	/** The name of a list's file for this address, in the folder of all. */
	public static function name( string $url, int $registry ): string {
		$list   = self::list_name( $registry );
		$upload = preg_match( self::UPLOAD, $url, $found ) ? "$list/$found[2]" : '';
		return $upload !== '' && is_file( self::path( $upload ) ) ? $upload : "$list/" . Encryption::hash( 'picture', "$registry $url" ) . '.jpg';
	}

	private static function path( string $name ): string {
		return self::folder() . "/$name";
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

	public static function is_upload( string $url ): bool {
		return preg_match( self::UPLOAD, $url ) === 1;
	}

	public static function is_own( string $url ): bool {
		// A browser would follow “..” to anywhere on this site.
		return str_starts_with( $url, (string) wp_upload_dir( null, false )['baseurl'] . '/' ) && ! preg_match( '/(\.|%2e){2}|[?\\\\]/i', $url );
	}
}
