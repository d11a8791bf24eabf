<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Platform\PictureFile;

/** The pictures are headers without pixels: they say how large they are, and nothing has to be decoded. */
final class PictureFileTest extends UnitTestCase {

	private static function pixels( string $bytes ): int {
		$file = tempnam( sys_get_temp_dir(), 'picture' );
		file_put_contents( $file, $bytes );
		try {
			return PictureFile::pixels( $file );
		} finally {
			unlink( $file );
		}
	}

	private static function png( int $width, int $height ): string {
		$head = 'IHDR' . pack( 'NNCCCCC', $width, $height, 8, 2, 0, 0, 0 );
		return "\x89PNG\r\n\x1a\n" . pack( 'N', 13 ) . $head . pack( 'N', crc32( $head ) );
	}

	private static function gif( int $width, int $height, int $frames ): string {
		$frame = ',' . pack( 'vvvv', 0, 0, $width, $height ) . "\0\x02\x02\x44\x01\0";
		return 'GIF89a' . pack( 'vv', $width, $height ) . "\x80\0\0\0\0\0\xff\xff\xff" . str_repeat( $frame, $frames ) . ';';
	}

	private static function webp( int $width, int $height, int $frames ): string {
		$size = static fn( int $number ): string => substr( pack( 'V', $number - 1 ), 0, 3 );
		$body = 'WEBPVP8X' . pack( 'V', 10 ) . "\x02\0\0\0" . $size( $width ) . $size( $height ) . str_repeat( 'ANMF' . pack( 'V', 3 ) . "abc\0", $frames );
		return 'RIFF' . pack( 'V', strlen( $body ) ) . $body;
	}

	public function test_a_picture_that_would_take_long_to_decode_with_all_its_frames_is_refused_by_its_header(): void {
		self::assertSame( 0, self::pixels( self::png( 6000, 5000 ) ) );
		self::assertSame( 6_000_000, self::pixels( self::png( 3000, 2000 ) ) );
		self::assertSame( 24_000_000, self::pixels( self::gif( 2000, 2000, 6 ) ) );
		self::assertSame( 0, self::pixels( self::gif( 2000, 2000, 7 ) ) );
		self::assertSame( 24_000_000, self::pixels( self::webp( 2000, 2000, 6 ) ) );
		self::assertSame( 0, self::pixels( self::webp( 2000, 2000, 7 ) ) );
	}

	public function test_a_file_of_endless_pieces_of_another_kind_or_that_is_no_picture_is_refused(): void {
		self::assertSame( 0, self::pixels( substr( self::gif( 9, 9, 1 ), 0, -2 ) . str_repeat( "\x01a", 125_000 ) ) );
		self::assertSame( 0, self::pixels( self::webp( 9, 9, 100_001 ) ) );
		foreach ( array( 'text', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', 'BM' . pack( 'VVVVVVvv', 58, 0, 54, 40, 9, 9, 1, 24 ) . str_repeat( "\0", 24 ) ) as $bytes ) {
			self::assertSame( 0, self::pixels( $bytes ) );
		}
	}
}
