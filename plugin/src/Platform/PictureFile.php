<?php

declare(strict_types=1);

namespace Trousseau\Platform;

use Imagick;
use ImagickException;
use WP_Image_Editor_Imagick;

/** Checks whether someone's file is a picture, and makes a small one of it. */
final class PictureFile {

	public const MAX_BYTES = 8 * MB_IN_BYTES;

	/**
	 * The pixels of telephones' largest photographs, which PHP can decode within WordPress's 256 MB; and of the largest other pictures,
	 * which no camera makes. A picture of a single colour has only kilobytes, but takes as long to decode as any other.
	 */
	private const MAX_PIXELS       = 51_000_000;
	private const MAX_PIXELS_OTHER = 26_000_000;

	/** The most pieces of a file: no program writes more into one of that size, except to keep its readers busy. */
	private const MAX_PIECES = 100_000;

	private const QUALITY = 82;

	private const KINDS = array(
		'image/jpeg' => 'jpg',
		'image/png'  => 'png',
		'image/webp' => 'webp',
		'image/gif'  => 'gif',
	);

	/** The extension for the file's name. */
	public static function ending( string $file ): string {
		return self::KINDS[ (string) wp_get_image_mime( $file ) ];
	}

	public static function is_picture( string $file ): bool {
		return self::pixels( $file ) > 0;
	}

	/** The number of pixels to decode, from the file's header; 0 where it is no picture, or too large. */
	public static function pixels( string $file ): int {
		$size = wp_getimagesize( $file );
		if ( ! $size || ! isset( self::KINDS[ $size['mime'] ] ) ) {
			return 0;
		}
		$most   = $size['mime'] === 'image/jpeg' ? self::MAX_PIXELS : self::MAX_PIXELS_OTHER;
		$pixels = $size[0] * $size[1];
		// Some programs decode all frames of an animation to use the first.
		if ( $pixels <= $most && in_array( $size['mime'], array( 'image/gif', 'image/webp' ), true ) ) {
			$bytes   = (string) file_get_contents( $file, false, null, 0, self::MAX_BYTES );
			$frames  = $size['mime'] === 'image/gif' ? self::frames_of_gif( $bytes ) : substr_count( $bytes, 'ANMF' );
			$pixels *= $frames < self::MAX_PIECES ? max( 1, $frames ) : self::MAX_PIXELS;
		}
		return $pixels <= $most ? $pixels : 0;
	}

	private static function frames_of_gif( string $bytes ): int {
		$end    = strlen( $bytes );
		$byte   = static fn( int $at ): int => $at < $end ? ord( $bytes[ $at ] ) : 0;
		$table  = static fn( int $flags ): int => $flags & 0x80 ? 3 << ( ( $flags & 7 ) + 1 ) : 0;
		$at     = 13 + $table( $byte( 10 ) );
		$frames = 0;
		$pieces = 0;
		while ( $at < $end && in_array( $byte( $at ), array( 0x21, 0x2c ), true ) ) {
			if ( $byte( $at ) === 0x2c ) {
				++$frames;
				$at += 11 + $table( $byte( $at + 9 ) );
			} else {
				$at += 2;
			}
			while ( $byte( $at ) > 0 && ++$pieces < self::MAX_PIECES ) {
				$at += 1 + $byte( $at );
			}
			++$at;
		}
		return $pieces < self::MAX_PIECES ? $frames : $pieces;
	}

	/** Writes the picture anew as a small one, without the file's other data; elsewhere as a JPEG. Returns whether that succeeded. */
	public function shrink( string $from, string $to, int $width ): bool {
		$editor = self::is_picture( $from ) ? wp_get_image_editor( $from ) : null;
		if ( ! $editor || is_wp_error( $editor ) ) {
			return false;
		}
		$editor->resize( $width, $width );
		// The picture is turned after it was made small: two large ones at once don't fit into memory.
		$editor->maybe_exif_rotate();
		require_once ABSPATH . 'wp-admin/includes/file.php';
		wp_mkdir_p( dirname( $to ) );
		$is_imagick = $editor instanceof WP_Image_Editor_Imagick;
		$sent       = (string) wp_get_image_mime( $from );
		$kind       = $to === $from ? $sent : 'image/jpeg';
		$is_final   = ! $is_imagick && $kind === $sent;
		// WordPress writes its copy next to the temporary file, under the same name with the picture's own extension.
		$temporary = wp_tempnam();
		$saved     = $editor->save( $temporary, $is_final ? $kind : 'image/png' );
		if ( is_wp_error( $saved ) || $saved['path'] !== $temporary ) {
			wp_delete_file( $temporary );
		}
		if ( is_wp_error( $saved ) ) {
			return false;
		}
		$is_done = self::is_whole( $saved['path'] ) && ( $is_final || ( $is_imagick ? self::strip( $saved['path'], $kind ) : self::whiten( $saved['path'] ) ) ) && self::put( $saved['path'], $to );
		wp_delete_file( $saved['path'] );
		return $is_done;
	}

	/** Whether a picture has its end: GD doesn't say that the disk was full. */
	private static function is_whole( string $file ): bool {
		$bytes = (string) file_get_contents( $file );
		return match ( wp_get_image_mime( $file ) ) {
			'image/jpeg' => str_ends_with( $bytes, "\xff\xd9" ),
			'image/png'  => str_ends_with( $bytes, "IEND\xae\x42\x60\x82" ),
			'image/gif'  => str_ends_with( $bytes, ';' ),
			'image/webp' => unpack( 'V', $bytes, 4 )[1] <= strlen( $bytes ) - 8,
			'image/avif' => true,
			default      => false,
		};
	}

	/** Puts a copy of a picture where the web server reads it, whole or not at all. */
	public static function put( string $file, string $to ): bool {
		$is_whole = self::is_whole( $file ) && copy( $file, $to ) && hash_file( 'md5', $to ) === hash_file( 'md5', $file );
		$is_whole ? chmod( $to, fileperms( dirname( $to ) ) & 0666 ) : wp_delete_file( $to );
		return $is_whole;
	}

	/** Removes what Imagick keeps of a photo, such as the place where it was taken; its colours stay. */
	private static function strip( string $file, string $kind ): bool {
		try {
			$picture = new Imagick( $file );
			$colours = $picture->getImageProfiles( 'icc' );
			$picture->stripImage();
			foreach ( $colours as $name => $profile ) {
				$picture->profileImage( $name, $profile );
			}
			if ( $kind === 'image/jpeg' ) {
				$picture->setImageBackgroundColor( 'white' );
				$picture->setImageAlphaChannel( Imagick::ALPHACHANNEL_REMOVE );
			}
			$picture->setImageCompressionQuality( self::QUALITY );
			return $picture->writeImageFile( fopen( $file, 'wb' ), substr( $kind, strlen( 'image/' ) ) );
		} catch ( ImagickException ) {
			return false;
		}
	}

	/** Makes a JPEG of a picture. What is transparent in it would be black, and shops' pictures are made for white pages. */
	private static function whiten( string $file ): bool {
		$picture = imagecreatefromstring( (string) file_get_contents( $file ) );
		$white   = $picture ? imagecreatetruecolor( imagesx( $picture ), imagesy( $picture ) ) : false;
		return $white && imagefill( $white, 0, 0, 0xffffff ) && imagecopy( $white, $picture, 0, 0, 0, 0, imagesx( $picture ), imagesy( $picture ) ) && imagejpeg( $white, $file, self::QUALITY );
	}
}
