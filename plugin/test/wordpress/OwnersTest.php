<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** Several owners of one registry: rights, the list of owners, and lists that hold co-owned registries. */
final class OwnersTest extends WordPressTestCase {

	private static function owners( string ...$names ): array {
		return array( 'registry_owners' => wp_json_encode( $names ) );
	}

	private function list_with( array $meta, string $status = 'private' ): object {
		return $this->registry( 'alice', array( 'title' => 'Us' ) + compact( 'status', 'meta' ) );
	}

	/** @return string[] */
	private static function owners_of( int $id ): array {
		return json_decode( get_post_meta( $id, 'registry_owners', true ), true );
	}

	/** @return array<string, array{0: string, 1: array<string, int[]>}> Status of the registry; the statuses of a view, of one to edit, of a change and of a deletion, by user. */
	public function rights(): array {
		return array(
			'private' => array(
				'private',
				array(
					'alice' => array( 200, 200, 200, 200 ),
					'bob'   => array( 200, 200, 200, 403 ),
					'carol' => array( 403, 403, 403, 403 ),
					'admin' => array( 200, 200, 200, 200 ),
					''      => array( 401, 401, 401, 401 ),
				),
			),
			'public'  => array(
				'publish',
				array(
					'alice' => array( 200, 200, 200, 200 ),
					'bob'   => array( 200, 200, 200, 403 ),
					'carol' => array( 200, 403, 403, 403 ),
					'admin' => array( 200, 200, 200, 200 ),
					''      => array( 200, 401, 401, 401 ),
				),
			),
			'draft'   => array(
				'draft',
				array(
					'alice' => array( 200, 200, 200, 200 ),
					'bob'   => array( 403, 403, 403, 403 ),
					'carol' => array( 403, 403, 403, 403 ),
					'admin' => array( 200, 200, 200, 200 ),
					''      => array( 401, 401, 401, 401 ),
				),
			),
		);
	}

	/** @dataProvider rights */
	public function test_a_co_owner_reads_and_edits_a_registry_that_is_not_a_draft_and_neither_deletes_it_nor_takes_it_over( string $status, array $expected ): void {
		foreach ( array( 'BOB', 'BOB@EXAMPLE.TEST' ) as $entry ) {
			foreach ( $entry === 'BOB' ? $expected : array( 'bob' => $expected['bob'] ) as $login => $statuses ) {
				$path = '/wp/v2/registry/' . $this->list_with( self::owners( $entry ), $status )->id;
				$got  = array(
					$this->rest( $login ?: null, 'GET', $path )->status,
					$this->rest( $login ?: null, 'GET', "$path?context=edit" )->status,
					$this->rest( $login ?: null, 'POST', $path, array( 'title' => 'Changed' ) )->status,
					$this->rest( $login ?: null, 'DELETE', "$path?force=true" )->status,
				);
				self::assertSame( $statuses, $got, "$login as $entry" );
			}
		}
	}

	public function test_a_co_owner_hands_it_to_nobody_and_puts_it_into_no_bin(): void {
		$id = $this->list_with( self::owners( 'bob' ) )->id;
		foreach ( array( 'bob', 'carol' ) as $login ) {
			self::assertSame( 'rest_cannot_edit_others', $this->rest( 'bob', 'POST', "/wp/v2/registry/$id", array( 'author' => self::user( $login ) ) )->code() );
		}
		self::assertSame( self::user( 'alice' ), (int) get_post( $id )->post_author );
		self::assertSame( 403, $this->rest( 'bob', 'DELETE', "/wp/v2/registry/$id" )->status );
	}

	public function test_the_list_of_owners_is_cleaned_limited_and_names_nobody_who_is_not_there(): void {
		$id    = $this->list_with( self::owners( ' Bob ', 'BOB', 'Carol@example.test' ) )->id;
		$store = fn( array $meta ): Answer => $this->rest( 'alice', 'POST', "/wp/v2/registry/$id", compact( 'meta' ) );
		self::assertSame( array( 'Bob', 'Carol@example.test' ), self::owners_of( $id ) );
		$mails = array( 'a@example.test', 'b@example.test', 'c@example.test', 'd@example.test', 'e@example.test' );
		self::assertSame( 200, $store( self::owners( ...$mails, ...array( 'A@example.test' ) ) )->status );
		foreach ( array( array( ...$mails, 'f@example.test' ), array( ' ' ), array( 'nobody-here' ), array( str_repeat( 'x', 255 ) ) ) as $bad ) {
			self::assertSame( 400, $store( self::owners( ...$bad ) )->status, implode( ', ', $bad ) );
		}
		self::assertSame( $mails, self::owners_of( $id ) );
		$shared = $this->list_with( self::owners( 'bob' ), 'publish' )->id;
		foreach ( array( 'names', 'all', '' ) as $keeps ) {
			$changed = $this->rest( 'bob', 'POST', "/wp/v2/registry/$shared", array( 'meta' => array( 'registry_surprise_keeps' => $keeps ) ) );
			self::assertSame( $keeps, $changed->json['meta']['registry_surprise_keeps'] );
		}
		self::assertSame( 'rest_invalid_param', $store( array( 'registry_surprise_keeps' => 'some' ) )->code() );
		self::assertDoesNotMatchRegularExpression( '/registry_owners|bob/', $this->rest( null, 'GET', "/wp/v2/registry/$shared" )->text );
	}

	public function test_a_list_holds_own_and_co_owned_registries_with_their_number_and_says_so(): void {
		$dora   = self::user( 'dora' );
		$alice  = self::user( 'alice' );
		$own    = $this->registry( 'dora', array( 'title' => 'Own', 'status' => 'private' ) )->id;
		$shared = $this->list_with( self::owners( 'Dora' ) )->id;
		$open   = $this->list_with( self::owners( 'dora@example.test' ), 'publish' )->id;
		$this->list_with( self::owners( 'dora' ), 'draft' );
		$this->list_with( self::owners( 'dora2@example.test', 'carol' ) );
		$query = '/wp/v2/registry?status=publish,private&context=edit&orderby=id&order=desc&_fields=id';
		$ids   = array( $open, $shared, $own );
		$cases = array(
			array( "&author=$dora&co_owned=1", $ids, '1', 3 ),
			array( '&co_owned=1', $ids, '1', 3 ),
			array( "&author=$dora&co_owned=1&per_page=1&offset=1", array( $shared ), '1', 3 ),
			array( "&author=$dora", array( $own ), null, 1 ),
			array( "&author=$alice&co_owned=1", array(), '1', 0 ),
		);
		foreach ( $cases as list( $also, $found, $header, $total ) ) {
			$list = $this->rest( 'dora', 'GET', $query . $also );
			self::assertSame( array( $found, $header, $total ), array( array_column( $list->json, 'id' ), $list->headers['x-trousseau-co-owned'] ?? null, $list->total() ), $also );
		}
		self::assertSame( $ids, array_column( $this->rest( 'admin', 'GET', "$query&author=$dora&co_owned=1" )->json, 'id' ) );
		$of_bob = $this->rest( 'bob', 'GET', "$query&author=$dora&co_owned=1" );
		self::assertSame( array( array(), 0 ), array( $of_bob->json, $of_bob->total() ) );
		self::assertSame( array(), $this->rest( null, 'GET', "/wp/v2/registry?author=$dora&co_owned=1&_fields=id" )->json );
		$mine = $this->page( 'dora', '/registries/mine/' )->text;
		foreach ( $ids as $id ) {
			self::assertStringContainsString( "/registries/$id/gifts/", $mine );
		}
		$show = static function (): array {
			set_current_screen( 'edit-registry' );
			$list = _get_list_table( 'WP_Posts_List_Table', array( 'screen' => 'edit-registry' ) );
			$list->prepare_items();
			return wp_list_pluck( $GLOBALS['wp_query']->posts, 'ID' );
		};
		self::assertEqualsCanonicalizing( $ids, $this->in_request( 'dora', $show, 'GET', '/wp-admin/edit.php?post_type=registry&all_posts=1' ) );
	}

	public function test_nobody_takes_over_the_name_or_the_address_of_an_entry(): void {
		$id = $this->list_with( self::owners( 'erna@example.test' ) )->id;
		update_post_meta( $id, 'registry_owners', '["erna","erna@example.test"]' );
		self::user( 'thief' );
		self::assertSame( 403, $this->rest( 'thief', 'POST', '/wp/v2/users/me', array( 'email' => 'erna@example.test' ) )->status );
		self::user( 'erna' );
		self::assertSame( array( 'erna@example.test' ), self::owners_of( $id ), 'the name was nobody’s' );
		self::assertSame( 200, $this->rest( 'erna', 'POST', "/wp/v2/registry/$id", array( 'title' => 'Ours' ) )->status );
	}
}
