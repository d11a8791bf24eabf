<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Gifts\PictureFetch;
use Trousseau\Gifts\ShopPicture;
use Trousseau\Plugin;
use Trousseau\Service\Item;

/** The copies of shops' pictures: each list has its own, which go with their last gift, and with the list. */
final class ShopPicturesTest extends WordPressTestCase {

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
		array_map( static fn( string $url ) => Plugin::get( ShopPicture::class )->store( Item::web_address( $url ), $list->id, $screenshot ), $pictures );
	}

	private static function there( object $list, string $picture ): bool {
		return is_file( ShopPicture::folder() . '/' . ShopPicture::name( $picture, $list->id ) );
	}

	public function test_a_picture_goes_a_day_after_its_last_gift(): void {
		$list  = $this->list_with( self::JUG, self::JUG, self::PAN );
		$other = $this->list_with( self::JUG );
		$this->put( $list, self::JUG );
		$this->run_jobs( 'unused-pictures' );
		self::assertTrue( self::there( $list, self::PAN ), 'a gift that was removed may be put back' );
		$this->run_later( 'unused-pictures' );
		self::assertSame( array( true, false ), array( self::there( $list, self::JUG ), self::there( $list, self::PAN ) ) );
		$this->put( $list );
		$this->run_later( 'unused-pictures' );
		self::assertSame( array( false, true ), array( self::there( $list, self::JUG ), self::there( $other, self::JUG ) ) );
	}

	public function test_a_picture_stays_while_a_gift_has_it_however_its_address_is_written_and_leads_nowhere_else_on_the_site(): void {
		$list = $this->list_with( self::PAN, 'https://shop.example/a jug.png', ' https://shop.example/[1].png' );
		$this->put( $list, 'https://shop.example/a jug.png', ' https://shop.example/[1].png' );
		$this->run_later( 'unused-pictures' );
		self::assertSame( array( '', '', self::PAN ), array_map( fn( string $url ): string => ShopPicture::missing( $url, $list->id ), array( 'https://shop.example/a jug.png', ' https://shop.example/[1].png', self::PAN ) ) );
		$this->in_request( 'alice', static fn() => wp_delete_post( $list->id, true ) );
		$address = static fn( string $path ): string => ShopPicture::address( wp_upload_dir()['baseurl'] . $path, 1 );
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
		$this->run_later( 'unused-pictures' );
		self::assertFalse( self::there( $list, $jug ), 'the gift was removed before its picture came' );
		$this->in_request( 'alice', static fn() => wp_delete_post( $list->id, true ) );
	}

	public function test_pictures_go_with_their_list_and_stay_where_the_service_is_away(): void {
		$list  = $this->list_with( self::JUG );
		$other = $this->list_with( self::JUG, self::PAN );
		$this->in_request( 'alice', static fn() => wp_delete_post( $list->id, true ) );
		self::assertSame( array( false, true ), array( self::there( $list, self::JUG ), self::there( $other, self::JUG ) ) );
		self::assertDirectoryDoesNotExist( dirname( ShopPicture::folder() . '/' . ShopPicture::name( self::JUG, $list->id ) ) );

		$this->put( $other, self::JUG );
		self::call( 'gift-list.forget_gifts', $other->id );
		$this->outside->answer( 'GET /registries/*/items', new \WP_Error( 'http_request_failed', 'away' ) );
		$this->run_later( 'unused-pictures' );
		self::assertTrue( self::there( $other, self::PAN ) );
		$this->in_request( 'alice', static fn() => wp_delete_post( $other->id, true ) );
	}
}
