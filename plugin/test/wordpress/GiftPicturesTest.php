<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Gifts\GiftPicture;
use Trousseau\Gifts\PictureFetch;
use Trousseau\Lists\GiftDrafts;
use Trousseau\Lists\LastChanges;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\PictureFile;
use Trousseau\Plugin;
use Trousseau\Service\Item;

/** Pictures of gifts: each list has files of its own, which go with their last gift, and with the list. */
final class GiftPicturesTest extends WordPressTestCase {

	private const JUG = 'https://shop.example/jug.png';
	private const PAN = 'https://shop.example/pan.png';

	private array $gifts = array();

	protected function setUp(): void {
		parent::setUp();
		$this->outside->answer( 'GET /registries/*/items', fn( array $request ): array => $this->gifts[ (int) explode( '/', $request['path'] )[2] ] ?? array() );
		$this->outside->answer( 'DELETE /registries/*', '', 204 );
	}

	private function list_with( string ...$pictures ): object {
		$list = $this->registry( 'alice', array( 'title' => 'Us', 'status' => 'publish' ) );
		$this->put( $list, ...$pictures );
		return $list;
	}

	private function put( object $list, string ...$pictures ): void {
		$this->gifts[ $list->id ] = array_map( static fn( string $url, int $n ): array => array( 'id' => $n + 1, 'registry_id' => $list->id, 'name' => 'Gift', 'url' => 'https://shop.example/', 'image_url' => $url, 'quantity_needed' => 1, 'quantity_purchased' => 0, 'price' => null ), $pictures, array_keys( $pictures ) );
		$this->page( null, $list->link );
		$screenshot = dirname( __DIR__, 3 ) . '/theme/screenshot.png';
		array_map( static fn( string $url ) => Plugin::get( GiftPicture::class )->add( $screenshot, GiftPicture::name( Item::web_address( $url ), $list->id ) ), $pictures );
	}

	/** Checks a list, and again when what was unused then is unused for a week. */
	private function check(): void {
		$this->run_later( 'unused-pictures' );
		$values = Plugin::get( KeptValues::class );
		foreach ( $values->all( 'unused_pictures_' ) as $name => $since ) {
			$values->set( $name, array_fill_keys( array_keys( $since ), time() - WEEK_IN_SECONDS ) );
		}
		$this->run_later( 'unused-pictures' );
	}

	private static function there( object $list, string $picture ): bool {
		return is_file( GiftPicture::folder() . '/' . GiftPicture::name( $picture, $list->id ) );
	}

	public function test_a_picture_goes_a_week_after_its_last_gift(): void {
		$list  = $this->list_with( self::JUG, self::JUG, self::PAN );
		$other = $this->list_with( self::JUG );
		$this->put( $list, self::JUG );
		$this->run_jobs( 'unused-pictures' );
		$this->run_later( 'unused-pictures' );
		self::assertTrue( self::there( $list, self::PAN ), 'the service may have said something wrong' );
		$this->check();
		self::assertSame( array( true, false ), array( self::there( $list, self::JUG ), self::there( $list, self::PAN ) ) );
		$this->put( $list );
		$this->check();
		self::assertSame( array( false, true ), array( self::there( $list, self::JUG ), self::there( $other, self::JUG ) ) );
	}

	public function test_a_picture_stays_while_a_gift_has_it_however_its_address_is_written_and_leads_nowhere_else_on_the_site(): void {
		$list = $this->list_with( self::PAN, 'https://shop.example/a jug.png', ' https://shop.example/[1].png' );
		$this->put( $list, 'https://shop.example/a jug.png', ' https://shop.example/[1].png' );
		$this->check();
		self::assertSame( array( '', '', self::PAN ), array_map( fn( string $url ): string => GiftPicture::missing( $url, $list->id ), array( 'https://shop.example/a jug.png', ' https://shop.example/[1].png', self::PAN ) ) );
		$this->in_request( 'alice', static fn() => wp_delete_post( $list->id, true ) );
		$address = static fn( string $path ): string => GiftPicture::address( wp_upload_dir()['baseurl'] . $path, 1 );
		self::assertStringEndsWith( 'uploads/2027/05/gift-1.jpg', $address( '/2027/05/gift-1.jpg' ) );
		self::assert_each( '', array( '/../../wp-login.php', '/x/%2e%2E/../wp-admin/', '/.%2e/.%2E/', '/a.jpg?x=1', '/\\..\\..' ), $address );
	}

	public function test_a_picture_that_comes_late_stays_with_its_gift_alone(): void {
		$jug = 'http://93.184.216.34/jug.png';
		$this->outside->answer( "GET $jug", fn(): string => (string) file_get_contents( dirname( __DIR__, 3 ) . '/theme/screenshot.png' ) );
		list( $gone, $list ) = array( $this->list_with(), $this->list_with() );
		foreach ( array( $gone, $list ) as $one ) {
			Plugin::get( PictureFetch::class )->expect( $one->id, array( new Item( array( 'image_url' => $jug ) ) ) );
		}
		$this->in_request( 'alice', static fn() => wp_delete_post( $gone->id, true ) );
		$this->run_jobs( 'picture' );
		self::assertSame( array( false, true ), array( self::there( $gone, $jug ), self::there( $list, $jug ) ), 'the list is gone' );
		$this->check();
		self::assertFalse( self::there( $list, $jug ), 'the gift was removed before its picture came' );
		$this->in_request( 'alice', static fn() => wp_delete_post( $list->id, true ) );
	}

	public function test_a_picture_goes_whose_list_was_deleted_while_it_was_fetched(): void {
		$jug  = 'http://93.184.216.34/jug.png';
		$list = $this->list_with();
		$this->outside->answer(
			"GET $jug",
			static function () use ( $list ): string {
				wp_delete_post( $list->id, true );
				return (string) file_get_contents( dirname( __DIR__, 3 ) . '/theme/screenshot.png' );
			}
		);
		Plugin::get( PictureFetch::class )->expect( $list->id, array( new Item( array( 'image_url' => $jug ) ) ) );
		$this->run_jobs( 'picture' );
		$this->run_later( 'unused-pictures' );
		self::assertFalse( self::there( $list, $jug ) );
	}

	public function test_a_list_that_cannot_be_read_keeps_its_pictures_and_no_other_lists(): void {
		list( $list, $other ) = array( $this->list_with(), $this->list_with() );
		list( $kept, $gone )  = array( $this->upload( $list ), $this->upload( $other ) );
		update_post_meta( $list->id, LastChanges::OF_DRAFTS, base64_encode( random_bytes( 100 ) ) );
		array_map( static fn( object $one ) => self::call( 'add_job', 'unused-pictures', null, 0, (string) $one->id ), array( $list, $other ) );
		$this->check();
		self::assertSame( array( true, false ), array( self::is_shown( $kept, $list ), self::is_shown( $gone, $other ) ) );

		delete_post_meta( $list->id, LastChanges::OF_DRAFTS );
		self::call( 'gift-list.forget_gifts', $list->id );
		$this->outside->is_away = true;
		for ( $i = 0; $i < 9; ++$i ) {
			$this->run_later( 'unused-pictures' );
		}
		$this->outside->is_away = false;
		self::assertSame( array( '0' ), array_column( self::jobs( 'unused-pictures' ), 'failed_at' ), 'it is looked at once the service is back' );
		foreach ( array( $list, $other ) as $one ) {
			$this->in_request( 'alice', static fn() => wp_delete_post( $one->id, true ) );
		}
	}

	public function test_no_shops_address_that_looks_like_an_uploads_gives_another_list_its_picture_or_keeps_a_page_busy(): void {
		$pictures = Plugin::get( GiftPicture::class );
		$expect   = static fn( object $list, string $url ) => Plugin::get( PictureFetch::class )->expect( $list->id, array( new Item( array( 'image_url' => $url ) ) ) );
		$this->outside->answer( 'GET http://93.184.216.34/*', static fn(): string => (string) file_get_contents( dirname( __DIR__, 3 ) . '/theme/screenshot.png' ) );
		$path     = '/trousseau/' . str_repeat( 'A', 22 ) . '/' . str_repeat( 'ab', 16 ) . '.jpg';

		list( $list, $other, $next ) = array( $this->list_with(), $this->list_with(), $this->list_with() );
		$expect( $list, "http://93.184.216.34$path" );
		$this->run_jobs( 'picture' );
		self::assertTrue( self::is_shown( "http://93.184.216.34$path", $list ), 'it is a shop’s' );
		self::assertFalse( $pictures->adopt_from_any( "https://other.example$path", $other->id ) );

		$pan   = $this->upload( $list );
		$moved = str_replace( basename( dirname( $pan ) ), str_repeat( 'A', 22 ), $pan );
		$expect( $next, $moved );
		self::assertFalse( self::is_shown( $moved, $next ), 'a page looks on no other lists' );
		$this->run_jobs( 'picture' );
		self::assertTrue( self::is_shown( $moved, $next ) );
		$form = fn( object $one, string $image ): array => array( 'name' => 'Pan', 'image' => $image ) + self::form_on( $this->page( 'alice', "/registries/$one->id/gifts/?by-hand=1" ), 'add' );
		$this->outside->answer( 'POST /registries/*/items', static fn( array $request ): array => array( 'data' => array( 'id' => 9 ) + $request['body'] ) );
		foreach ( array( "https://other.example$path" => "https://other.example$path", wp_upload_dir()['baseurl'] . $path => null ) as $image => $stored ) {
			self::assertSame( 303, $this->page( 'alice', "/registries/$other->id/gifts/", form: $form( $other, $image ) )->status );
			self::assertSame( $stored, array_column( array_filter( array_column( $this->outside->requests, 'body' ) ), 'image_url' )[ $stored ? 0 : 1 ] ?? null );
		}
		foreach ( array( $list, $other, $next ) as $one ) {
			$this->in_request( 'alice', static fn() => wp_delete_post( $one->id, true ) );
		}
	}

	public function test_pictures_go_with_their_list_and_stay_where_the_service_is_away(): void {
		$list  = $this->list_with( self::JUG );
		$other = $this->list_with( self::JUG, self::PAN );
		$this->in_request( 'alice', static fn() => wp_delete_post( $list->id, true ) );
		self::assertSame( array( false, true ), array( self::there( $list, self::JUG ), self::there( $other, self::JUG ) ) );
		self::assertDirectoryDoesNotExist( dirname( GiftPicture::folder() . '/' . GiftPicture::name( self::JUG, $list->id ) ) );

		$this->put( $other, self::JUG );
		self::call( 'gift-list.forget_gifts', $other->id );
		$this->outside->answer( 'GET /registries/*/items', new \WP_Error( 'http_request_failed', 'away' ) );
		$this->check();
		self::assertTrue( self::there( $other, self::PAN ) );
		$this->in_request( 'alice', static fn() => wp_delete_post( $other->id, true ) );
	}

	public function test_an_uploaded_picture_goes_along_to_other_lists_and_stays_with_a_removed_gift(): void {
		$list = $this->list_with();
		$pan  = $this->upload( $list );
		$this->put( $list, $pan );
		$copy = $this->list_with();

		$this->gifts[ $copy->id ] = array( array( 'registry_id' => $copy->id ) + $this->gifts[ $list->id ][0] );
		$this->page( null, $copy->link );
		self::assertNotSame( $pan, GiftPicture::address( $pan, $copy->id ) );
		self::assertSame( GiftPicture::address( $pan, $list->id ), GiftPicture::address( str_replace( home_url(), 'https://former.example', $pan ), $list->id ), 'the site had another address' );
		$third = $this->list_with();
		Plugin::get( GiftPicture::class )->adopt( 'https://former.example' . wp_parse_url( $pan, PHP_URL_PATH ), $third->id );

		$this->gifts[ $list->id ] = array();
		$this->page( null, $list->link );
		update_post_meta( $list->id, LastChanges::OF_REMOVED, wp_slash( wp_json_encode( array( 1 => array( 'name' => 'Pan', 'image_url' => $pan, 'place' => 0, 'after' => 0, 'at' => 1.0 ) ) ) ) );
		$this->check();
		self::assertTrue( self::is_shown( $pan, $list ) );
		delete_post_meta( $list->id, LastChanges::OF_REMOVED );
		self::call( 'add_job', 'unused-pictures', null, 0, (string) $list->id );
		$this->check();
		self::assertSame( array( false, true, true ), array( self::is_shown( $pan, $list ), self::is_shown( $pan, $copy ), self::is_shown( $pan, $third ) ) );
		foreach ( array( $list, $copy, $third ) as $one ) {
			$this->in_request( 'alice', static fn() => wp_delete_post( $one->id, true ) );
			self::assertFalse( self::is_shown( $pan, $one ) );
		}
	}

	public function test_what_is_transparent_is_white(): void {
		$list = $this->list_with();
		$file = wp_tempnam();
		foreach ( array( 'imagepng', 'imagewebp', 'imagegif' ) as $kind ) {
			$picture = imagecreate( 1200, 300 );
			imagecolortransparent( $picture, (int) imagecolorallocate( $picture, 0, 0, 0 ) );
			$kind === 'imagewebp' && imagepalettetotruecolor( $picture );
			$kind( $picture, $file );
			$small = imagecreatefromjpeg( self::file( Plugin::get( GiftPicture::class )->upload( $file, $list->id ) ) );
			self::assertSame( array( 900, 'ffffff' ), array( imagesx( $small ), dechex( (int) imagecolorat( $small, 9, 9 ) ) ), $kind );
		}
		$this->in_request( 'alice', static fn() => wp_delete_post( $list->id, true ) );
	}

	public function test_a_form_with_a_picture_that_is_sent_twice_adds_one_gift_or_draft(): void {
		$list = $this->list_with();
		$path = "/registries/$list->id/gifts/";
		$file = dirname( __DIR__, 3 ) . '/theme/screenshot.png';
		$this->outside->answer( 'POST /registries/*/items', static fn( array $request ): array => array( 'data' => array( 'id' => 9 ) + $request['body'] ) );
		foreach ( array( array(), array( 'draft' => '1' ) ) as $also ) {
			$form = $also + array( 'name' => 'Pan' ) + self::form_on( $this->page( 'alice', "$path?by-hand=1" ), 'add' );
			self::assert_each( 303, array( 'pressed', 'pressed again' ), fn(): int => $this->page( 'alice', $path, form: $form, files: array( 'upload' => $file ) )->status );
		}
		$sent = array_filter( $this->outside->requests, static fn( array $request ): bool => $request['method'] === 'POST' );
		self::assertCount( 2, $sent );
		self::assertCount( 1, array_unique( array_map( static fn( array $request ): string => wp_json_encode( array( $request['headers']['idempotency-key'], $request['body'] ) ), $sent ) ) );
		self::assertCount( 1, GiftDrafts::of( get_post( $list->id ) ) );
		$this->in_request( 'alice', static fn() => wp_delete_post( $list->id, true ) );
	}

	public function test_a_picture_that_a_full_disk_cuts_off_is_none(): void {
		$list  = $this->list_with();
		$file  = wp_tempnam();
		$photo = imagecreatetruecolor( 200, 200 );
		for ( $i = 0; $i < 40_000; ++$i ) {
			imagesetpixel( $photo, $i % 200, intdiv( $i, 200 ), random_int( 0, 0xffffff ) );
		}
		require_once ABSPATH . WPINC . '/class-wp-image-editor.php';
		require_once ABSPATH . WPINC . '/class-wp-image-editor-gd.php';
		$full_disk = new class( '' ) extends \WP_Image_Editor_GD {
			public function save( $filename = null, $mime_type = null ) {
				$saved = parent::save( $filename, $mime_type );
				file_put_contents( $saved['path'], substr( (string) file_get_contents( $saved['path'] ), 0, -2000 ) );
				return $saved;
			}
		};
		add_filter( 'wp_image_editors', static fn(): array => array( $full_disk::class ) );
		foreach ( array( 'imagejpeg', 'imagepng', 'imagewebp' ) as $kind ) {
			$kind( $photo, $file );
			self::assertSame( '', Plugin::get( GiftPicture::class )->upload( $file, $list->id ), $kind );
			self::assertFalse( Plugin::get( PictureFile::class )->shrink( $file, $file, 1600 ), $kind );
		}
		$this->in_request( 'alice', static fn() => wp_delete_post( $list->id, true ) );
	}

	private function upload( object $list ): string {
		return Plugin::get( GiftPicture::class )->upload( dirname( __DIR__, 3 ) . '/theme/screenshot.png', $list->id );
	}

	private static function file( string $address ): string {
		return str_replace( wp_upload_dir()['baseurl'], wp_upload_dir()['basedir'], $address );
	}

	private static function is_shown( string $url, object $list ): bool {
		return GiftPicture::is_kept( $url, $list->id );
	}
}
