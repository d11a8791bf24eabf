<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Display\ThemeFonts;

final class ThemeFontsTest extends UnitTestCase {

	public function test_the_upright_faces_of_text_and_headings_are_loaded_first_and_no_other_file(): void {
		$face     = static fn( string $src, string $weight, array $more = array() ): array => array( 'src' => array( "file:./$src" ), 'fontWeight' => $weight ) + $more;
		$families = array(
			array( 'slug' => 'plain', 'fontFace' => array( $face( 'plain.woff2', '200 800' ), $face( 'oblique.woff2', '200 800', array( 'fontStyle' => 'italic' ) ) ) ),
			array( 'slug' => 'grand', 'fontFace' => array( $face( 'grand-400.woff2', '400' ), $face( 'grand-700.woff2', '700' ), $face( 'grand.ttf', '700' ) ) ),
			array( 'slug' => 'pieces', 'fontFace' => array( $face( 'latin.woff2', '400', array( 'unicodeRange' => 'U+0-FF' ) ) ) ),
			array( 'slug' => 'device' ),
		);
		$files    = static fn( string ...$named ): array => ThemeFonts::files( $families, array_map( static fn( string $family ): array => array( 'typography' => array( 'fontFamily' => $family, 'fontWeight' => str_contains( $family, 'grand' ) ? '700' : '' ) ), $named ) );
		self::assertSame( array( 'file:./plain.woff2', 'file:./grand-700.woff2' ), $files( 'var(--wp--preset--font-family--plain)', 'var:preset|font-family|grand' ) );
		self::assertSame( array( 'file:./plain.woff2' ), $files( 'var(--wp--preset--font-family--plain)', 'var(--wp--preset--font-family--plain)' ) );
		self::assertSame( array(), $files( 'var(--wp--preset--font-family--pieces)', 'var(--wp--preset--font-family--device)', 'Georgia, serif', '' ) );
		self::assertSame( array(), ThemeFonts::files( $families, array( array() ) ) );
	}
}
