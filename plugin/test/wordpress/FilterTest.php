<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** What guests find: gifts on a list, without a script, and public lists by the names of their people. */
final class FilterTest extends ListTestCase {

	public function test_six_gifts_have_a_filter_that_works_without_a_script(): void {
		$this->begin( array( 'registry_currency' => 'EUR' ), 'publish', ...array_map( static fn( int $n ): array => array( "Bowl $n", 1 ), range( 1, 5 ) ) );
		self::assertStringNotContainsString( 'data-filter', $this->read( null, $this->list->link ) );
		$this->add( 'Crêpe pan', 1 );
		self::assertStringContainsString( 'data-filter', $this->read( null, $this->list->link ) );
		$this->service->items[2]['price']              = 80.0;
		$this->service->items[3]['quantity_purchased'] = 1;
		$this->service->items[4]                       = array( 'unit' => 'money', 'quantity_needed' => 20_000 ) + $this->service->items[4];
		$shown                                         = function ( string $query ): array {
			$page = $this->page( null, "{$this->list->link}?gifts-of={$this->list->id}&$query" );
			self::assertSame( 200, $page->status, $query );
			preg_match_all( '/id="trousseau-item-(\d+)"[^>]*(?<! hidden)>/', $page->text, $items );
			return array_map( 'intval', $items[1] );
		};
		$expected                                      = array(
			'words='                 => array( 1, 2, 3, 4, 5, 6 ),
			'words=CREPE'            => array( 6 ),
			'words=bowl%205'         => array( 5 ),
			'up-to=79,90'            => array( 1, 3, 4, 5, 6 ),
			'up-to=-1&heading=*'     => array( 1, 2, 3, 4, 5, 6 ),
			'heading=Kitchen'        => array(),
			'show=needed'            => array( 1, 2, 4, 5, 6 ),
			'show=group'             => array( 4 ),
			'words[]=x&show[]=group' => array( 1, 2, 3, 4, 5, 6 ),
		);
		foreach ( $expected as $query => $ids ) {
			$found = $shown( $query );
			sort( $found );
			self::assertSame( $ids, $found, $query );
		}
	}

	public function test_a_public_list_is_found_by_the_name_that_guests_know_its_owner_by_and_by_no_hidden_one(): void {
		$named = fn( string $words ): array => array_map( static fn( \WP_Post $post ): string => $post->post_title, \Trousseau\Plugin::get( \Trousseau\Lists\Registries::class )->named( $words, 50 ) );
		$bob   = self::user( 'bob' );
		$list  = $this->registry( 'bob', array( 'title' => 'Our day', 'status' => 'publish' ) );
		$this->registry( 'bob', array( 'title' => 'For guests', 'status' => 'private' ) );
		wp_update_user( array( 'ID' => $bob, 'display_name' => 'Robert Stone', 'first_name' => '' ) );
		self::assertSame( array( array( 'Our day' ), array( 'Our day' ), array(), array() ), array_map( $named, array( 'stone', 'Our Robert', 'bob', 'guests' ) ) );
		foreach ( array( 'bob', 'bob@stone.example' ) as $hidden ) {
			wp_update_user( array( 'ID' => $bob, 'display_name' => $hidden ) );
			self::assertSame( array( array(), array() ), array_map( $named, array( 'bob', 'stone' ) ), $hidden );
		}
		update_post_meta( $list->id, '_trousseau_owner_name', 'Granny' );
		self::assertSame( array( 'Our day' ), $named( 'granny' ) );
		update_post_meta( $list->id, '_trousseau_owner_name', '' );
		wp_update_user( array( 'ID' => $bob, 'display_name' => 'Robert Stone' ) );
		self::assertSame( array(), $named( 'stone' ), 'the owner has taken the name away' );
	}
}
