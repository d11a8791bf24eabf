<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Lists\RegistryExport;
use Trousseau\Lists\RegistryImport;

final class RegistryImportTest extends UnitTestCase {

	private const GIFT = array( 'name' => 'Pan', 'url' => 'https://shop.example/pan' );

	private static function file( array $changes = array() ): string {
		return json_encode( $changes + array( 'format' => RegistryExport::FORMAT, 'title' => 'Ann & Bob', 'items' => array( self::GIFT ) ) );
	}

	public function test_a_whole_file_is_read_as_it_is(): void {
		$all  = self::GIFT + array( 'description' => 'Red', 'retailer' => '', 'image_url' => null, 'price' => 12.5, 'quantity_needed' => 2, 'section' => 'Kitchen' );
		$file = self::file( array( 'story' => 'We met.', 'items' => array( self::GIFT, $all ) ) );
		self::assertSame( json_decode( $file, true ), RegistryImport::read( $file ) );
		self::assertCount( 1000, RegistryImport::read( self::file( array( 'items' => array_fill( 0, 1000, self::GIFT ) ) ) )['items'] );
	}

	public function test_other_files_and_stories_that_are_too_long_are_refused(): void {
		$files = array(
			'',
			'[]',
			'"text"',
			'{"format":"trousseau-registry-1"',
			self::file( array( 'format' => 'trousseau-registry-2' ) ),
			self::file( array( 'title' => " \n" ) ),
			self::file( array( 'title' => 5 ) ),
			self::file( array( 'items' => null ) ),
			self::file( array( 'items' => array( 'first' => self::GIFT ) ) ),
			self::file( array( 'items' => array_fill( 0, 1001, self::GIFT ) ) ),
		);
		foreach ( $files as $file ) {
			self::assertSame( 'This file isn’t a list saved by a site like this one.', RegistryImport::read( $file )->get_error_message(), substr( $file, 0, 100 ) );
		}
		self::assertIsArray( RegistryImport::read( self::file( array( 'story' => str_repeat( 'a', 125_000 ) ) ) ) );
		self::assertStringStartsWith( 'This story is too long', RegistryImport::read( self::file( array( 'story' => str_repeat( 'a', 125_001 ) ) ) )->get_error_message() );
	}

	public function test_a_file_with_an_incomplete_gift_is_refused_and_the_gift_is_named(): void {
		$gifts = array(
			'Pan',
			array( 'name' => 'Pan' ),
			array( 'name' => '' ) + self::GIFT,
			array( 'name' => str_repeat( 'a', 256 ) ) + self::GIFT,
			array( 'url' => 'short' ) + self::GIFT,
			self::GIFT + array( 'description' => str_repeat( 'ä', 501 ) ),
			self::GIFT + array( 'image_url' => 5 ),
			self::GIFT + array( 'price' => '12.50' ),
			self::GIFT + array( 'price' => 0 ),
			self::GIFT + array( 'quantity_needed' => 0 ),
			self::GIFT + array( 'quantity_needed' => 1.5 ),
		);
		foreach ( $gifts as $gift ) {
			$file = self::file( array( 'items' => array( self::GIFT, $gift ) ) );
			self::assertSame( 'Gift 2 in the file is incomplete, so nothing was imported.', RegistryImport::read( $file )->get_error_message(), $file );
		}
	}
}
