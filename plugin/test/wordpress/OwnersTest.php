<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Connections\CalendarLink;
use Trousseau\Lists\Meta;
use Trousseau\Platform\Encryption;

/** Several owners of one registry: rights, the list of owners, lists that hold co-owned registries; adding, leaving and handing over by the page, and a surprise for all of them. */
final class OwnersTest extends ListTestCase {

	private static function owners( string ...$names ): array {
		return array( 'registry_owners' => wp_json_encode( $names ) );
	}

	private function list_with( array $meta, string $status = 'private' ): object {
		return $this->registry( 'alice', array( 'title' => 'Us' ) + compact( 'status', 'meta' ) );
	}

	private static function is_open( string $address ): bool {
		parse_str( (string) wp_parse_url( $address, PHP_URL_QUERY ), $query );
		return CalendarLink::behind( $query['for'] ?? '' ) !== null;
	}

	private function calendar( string $login, int $id ): string {
		self::assertSame( 303, $this->page( $login, "/registries/$id/details/", form: array( 'do' => 'calendar' ) )->status );
		return $this->in_request( $login, static fn(): string => CalendarLink::address( get_post( $id ) ) );
	}

	private static function owners_of( int $id ): array {
		return json_decode( get_post_meta( $id, 'registry_owners', true ), true );
	}

	public function test_an_owner_who_gave_no_name_is_known_to_the_others_by_their_address_and_nobody_takes_over_the_name_or_the_address_of_an_entry(): void {
		self::user( 'owner4711', 'subscriber', array( 'user_email' => 'amira@example.test' ) );
		$list = $this->registry( 'owner4711', array( 'title' => 'Us', 'meta' => self::owners( 'bob' ) ) );
		self::assertStringContainsString( '<strong>amira@example.test</strong> <small>Can delete the list', $this->page( 'bob', "/registries/$list->id/people/" )->text );
		self::assertStringContainsString( '<strong>amira@example.test</strong> <small>You · Can delete the list', $this->page( 'owner4711', "/registries/$list->id/people/" )->text );
		$this->page( 'owner4711', "/registries/$list->id/people/", form: array( 'do' => 'offer', 'person' => 'bob' ) );
		list( $mail ) = $this->sent();
		self::assertSame( 'amira@example.test wants to hand over the list “Us” to you', str_replace( "\u{200B}", '', $mail['subject'] ) );
		self::assertDoesNotMatchRegularExpression( '/^From:.*amira/m', $mail['headers'] );
		$bobs = $this->registry( 'bob', array( 'title' => 'Ours', 'meta' => self::owners( 'owner4711' ) ) );
		self::assertStringContainsString( '<strong>amira@example.test</strong>', $this->page( 'bob', "/registries/$bobs->id/people/" )->text );
		wp_update_user( array( 'ID' => self::user( 'owner4711' ), 'display_name' => 'Amira' ) );
		self::assertStringContainsString( '<strong>Amira</strong>', $this->page( 'bob', "/registries/$list->id/people/" )->text );
		$id = $this->list_with( self::owners( 'erna@example.test' ) )->id;
		update_post_meta( $id, 'registry_owners', '["erna","erna@example.test"]' );
		self::user( 'thief' );
		self::assertSame( 403, $this->rest( 'thief', 'POST', '/wp/v2/users/me', array( 'email' => 'erna@example.test' ) )->status );
		self::user( 'erna' );
		self::assertSame( array( 'erna@example.test' ), self::owners_of( $id ), 'the name was nobody’s' );
		self::assertSame( 200, $this->rest( 'erna', 'POST', "/wp/v2/registry/$id", array( 'title' => 'Ours' ) )->status );
	}

	public function test_a_co_owner_reads_and_edits_a_registry_that_is_not_a_draft_and_neither_deletes_it_nor_takes_it_over(): void {
		foreach ( array( 'private' => 200, 'publish' => 200, 'draft' => 403 ) as $status => $expected ) {
			foreach ( array( 'BOB', 'BOB@EXAMPLE.TEST' ) as $entry ) {
				$path = '/wp/v2/registry/' . $this->list_with( self::owners( $entry ), $status )->id;
				$got  = array(
					$this->rest( 'bob', 'GET', $path )->status,
					$this->rest( 'bob', 'GET', "$path?context=edit" )->status,
					$this->rest( 'bob', 'POST', $path, array( 'title' => 'Changed' ) )->status,
					$this->rest( 'bob', 'DELETE', "$path?force=true" )->status,
				);
				self::assertSame( array( $expected, $expected, $expected, 403 ), $got, "$status, as $entry" );
			}
		}
		$id = $this->list_with( self::owners( 'bob' ) )->id;
		foreach ( array( 'bob', 'carol' ) as $login ) {
			self::assertSame( 'rest_cannot_edit_others', $this->rest( 'bob', 'POST', "/wp/v2/registry/$id", array( 'author' => self::user( $login ) ) )->code() );
		}
		self::assertSame( self::user( 'alice' ), (int) get_post( $id )->post_author );
		self::assertSame( 403, $this->rest( 'bob', 'DELETE', "/wp/v2/registry/$id" )->status );
	}

	public function test_a_new_owners_link_ends_with_its_entry_however_it_is_taken_off_and_holds_for_no_other_list(): void {
		$id    = $this->list_with( array() )->id;
		$press = fn( int $list, string $button ): int => $this->page( 'alice', "/registries/$list/people/", form: array( 'do' => $button, 'person' => 'sam@example.org' ) )->status;
		$add   = function ( int $list ) use ( $press ): string {
			self::assertSame( 303, $press( $list, 'add' ) );
			$mails = $this->sent();
			return self::found( '#/registries/owner/\S*#', end( $mails )['text'] );
		};
		$opens = function ( string $link ): bool {
			$page = $this->page( 'bob', $link );
			self::assertSame( $page->status === 403, str_contains( $page->text, 'This link has expired or isn’t complete' ) );
			return $page->status === 200;
		};
		$first = $add( $id );
		self::assertTrue( $opens( $first ) );
		self::assertSame( 303, $press( $id, 'remove' ) );
		self::assertSame( array( false, 403 ), array( $opens( $first ), $this->page( 'bob', $first, form: array( 'do' => 'take' ) )->status ) );
		self::assertTrue( $opens( $add( $id ) ) );
		// The email may have been lost: another press sends it again.
		$next = $add( $id );
		self::assertSame( array( true, false ), array( $opens( $next ), $opens( $first ) ) );
		self::assertStringNotContainsString( 'sam@', wp_json_encode( get_post_meta( $id, '_trousseau_owner_links' ) ), 'encrypted' );
		self::assertSame( 200, $this->rest( 'alice', 'POST', "/wp/v2/registry/$id", array( 'meta' => self::owners() ) )->status );
		self::assertFalse( $opens( $next ) );
		$last = $add( $id );
		foreach ( array( 'draft' => false, 'private' => true ) as $post_status => $is_open ) {
			wp_update_post( array( 'ID' => $id ) + compact( 'post_status' ) );
			self::assertSame( $is_open, $opens( $last ), $post_status );
		}

		$token                     = static fn( string $link ): string => explode( 'for=', $link )[1];
		list( $about, $signature ) = explode( '.', $token( $last ) );
		list( , $foreign )         = explode( '.', $token( $add( $this->list_with( array() )->id ) ) );
		foreach ( array( '=', '=x', "=$about", "=$about.", "=$about.$foreign", "=$about.{$signature}x", "[]=$about.$signature" ) as $wrong ) {
			self::assertFalse( $opens( "/registries/owner/?for$wrong" ), $wrong );
		}
		self::assertSame( 403, $this->page( null, $first, form: array( 'do' => 'make', 'person' => 'Uma', 'password' => 'ourselves <list>' ) )->status );
		$kept = array_filter( self::call( 'rows', 'trousseau_values' ), static fn( array $row ): bool => str_starts_with( $row['name'], 'typed_' ) );
		$kept = wp_json_encode( array_map( array( Encryption::class, 'open' ), array_column( $kept, 'value' ) ) );
		self::assertStringContainsString( 'Uma', $kept );
		self::assertStringNotContainsString( 'ourselves', $kept, 'no password is kept' );
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

	public function test_no_owner_is_lost_where_the_query_for_the_others_fails(): void {
		$id     = $this->list_with( self::owners( 'bob', 'carol', 'dora@example.org' ) )->id;
		$before = get_post_meta( $id, 'registry_owners', true );
		$locked = false;
		$break  = static function ( string $query ) use ( &$locked ): string {
			$locked = $locked || ( str_contains( $query, 'lock_owners-' ) && str_starts_with( trim( $query ), 'INSERT' ) );
			if ( ! $locked || ! str_starts_with( trim( $query ), 'SELECT post_id, meta_key, meta_value' ) ) {
				return $query;
			}
			$locked = false;
			return 'SELECT nothing FROM nowhere';
		};
		add_filter( 'query', $break );
		$GLOBALS['wpdb']->suppress_errors( true );
		$status = $this->page( 'alice', "/registries/$id/people/", form: array( 'do' => 'remove', 'person' => 'carol' ) )->status;
		remove_filter( 'query', $break );
		$GLOBALS['wpdb']->suppress_errors( false );
		self::assertStringContainsString( 'nowhere', implode( Complaints::take() ), 'the query has failed' );
		self::assertNotSame( 303, $status );
		self::assertSame( $before, get_post_meta( $id, 'registry_owners', true ) );
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
		self::assert_shows( array_map( static fn( int $id ): string => "/registries/$id/home/", $ids ), $mine );
		$show = static function (): array {
			set_current_screen( 'edit-registry' );
			$list = _get_list_table( 'WP_Posts_List_Table', array( 'screen' => 'edit-registry' ) );
			$list->prepare_items();
			return wp_list_pluck( $GLOBALS['wp_query']->posts, 'ID' );
		};
		self::assertEqualsCanonicalizing( $ids, $this->in_request( 'dora', $show, 'GET', '/wp-admin/edit.php?post_type=registry&all_posts=1' ) );
	}

	/** @return array<string, array{0: callable(self, int): void}> Ways in which bob stops owning a list of his and alice's, and owns it again. */
	public function ways_out(): array {
		$form = static fn( string $login, string $do, array $fields = array() ): callable => static fn( self $test, int $id ): mixed => $test->page( $login, "/registries/$id/people/", form: array( 'do' => $do ) + $fields );
		$rest = static fn( array $fields ): callable => static fn( self $test, int $id ): mixed => $test->rest( 'admin', 'POST', "/wp/v2/registry/$id", $fields );
		$back = $rest( array( 'meta' => self::owners( 'bob' ) ) );
		$away = static fn( int|string $author ): callable => static fn( self $test, int $id ): mixed => $test->in_request( 'admin', static fn(): mixed => wp_update_post( array( 'ID' => $id, 'post_author' => self::user( $author ) ) ) );
		return array(
			'removed under People'        => array( $form( 'alice', 'remove', array( 'person' => 'bob' ) ), $form( 'alice', 'add', array( 'person' => 'bob' ) ) ),
			'leaves under People'         => array( $form( 'bob', 'leave' ), $back ),
			'the REST API'                => array( $rest( array( 'meta' => self::owners() ) ), $back ),
			'a program deletes the meta'  => array( static fn( self $test, int $id ): mixed => $test->in_request( null, static fn(): bool => delete_post_meta( $id, 'registry_owners' ) ), $back ),
			'another author, as an admin' => array( $away( 'carol' ), $away( 'bob' ), 'bob' ),
			'a deleted account'           => array(
				static function ( self $test, int $id ): void {
					$row = $GLOBALS['wpdb']->get_row( "SELECT * FROM {$GLOBALS['wpdb']->users} WHERE user_login = 'bob'", ARRAY_A );
					$test->in_request( 'admin', static fn(): bool => wp_delete_user( self::user( 'bob' ), self::user( 'carol' ) ) );
					$GLOBALS['wpdb']->insert( $GLOBALS['wpdb']->users, $row );
					( new \WP_User( (int) $row['ID'] ) )->set_role( 'subscriber' );
				},
				$away( 'bob' ),
				'bob',
			),
		);
	}

	/** @dataProvider ways_out */
	public function test_a_calendars_address_ends_with_the_ownership_and_stays_dead_when_its_owner_comes_back( callable $leave, callable $come_back, string $author = 'alice' ): void {
		$id   = $this->registry( $author, array( 'title' => 'Us', 'status' => 'private', 'meta' => self::owners( $author === 'bob' ? 'alice' : 'bob' ) ) )->id;
		$his  = $this->calendar( 'bob', $id );
		$hers = $this->calendar( 'alice', $id );
		self::assertSame( array( true, true ), array( self::is_open( $his ), self::is_open( $hers ) ) );
		$leave( $this, $id );
		self::assertFalse( self::is_open( $his ), 'gone' );
		$come_back( $this, $id );
		self::assertTrue( $this->in_request( 'bob', static fn(): bool => current_user_can( 'edit_post', $id ) ), 'he owns it again' );
		self::assertSame( array( false, true ), array( self::is_open( $his ), self::is_open( $hers ) ), 'back' );
		self::assertTrue( self::is_open( $this->calendar( 'bob', $id ) ) );
	}

	public function test_who_takes_a_list_over_keeps_their_calendar_and_so_does_its_former_author_and_a_co_owner_takes_only_themselves_off(): void {
		$id    = $this->list_with( self::owners( 'bob' ) )->id;
		$links = array( $this->calendar( 'alice', $id ), $this->calendar( 'bob', $id ) );
		$this->page( 'alice', "/registries/$id/people/", form: array( 'do' => 'offer', 'person' => 'bob' ) );
		$this->page( 'bob', "/registries/$id/people/", form: array( 'do' => 'take' ) );
		self::assertSame( self::user( 'bob' ), (int) get_post( $id )->post_author );
		self::assertSame( array( true, true ), array_map( array( self::class, 'is_open' ), $links ) );
		$carol = 'carol@example.test';
		$id    = $this->list_with( self::owners( 'bob', $carol ) )->id;
		$set   = fn( array $meta, string $login = 'bob' ): Answer => $this->rest( $login, 'POST', "/wp/v2/registry/$id", compact( 'meta' ) );
		foreach ( array( array(), array( 'bob' ), array( $carol, 'bob' ), array( 'bob', $carol, 'admin' ) ) as $names ) {
			self::assertSame( 'trousseau_cannot_change_owners', $set( self::owners( ...$names ) )->code(), implode( ', ', $names ) );
		}
		self::assertSame( 403, $set( array( 'registry_owners' => null ) )->status );
		$this->xmlrpc( 'bob', 'wp.editPost', $id, array( 'post_status' => 'trash', 'custom_fields' => array( array( 'key' => 'registry_owners', 'value' => '["carol"]' ) ) ) );
		self::assertSame( array( 'private', array( 'bob', $carol ) ), array( get_post_status( $id ), self::owners_of( $id ) ) );
		self::assertSame( array( 200, 200 ), array( $set( self::owners( 'bob' ), 'admin' )->status, $set( self::owners(), 'alice' )->status ) );
	}

	private const CAROL = 'carol@example.test';

	private function send( string $login, array $form, string $page = 'people' ): string {
		$answer = $this->page( $login, $this->path( $page ), form: $form );
		self::assertSame( 303, $answer->status, $answer->text );
		return html_entity_decode( $this->page( $login, strtok( $answer->location(), '#' ), $answer->cookies )->text, ENT_QUOTES );
	}

	private function author(): string {
		return get_userdata( (int) get_post( $this->list->id )->post_author )->user_login;
	}

	public function test_wordpresss_quick_edit_lets_a_co_owner_edit_and_keeps_the_author_and_only_the_first_owner_deletes(): void {
		$this->begin( self::owners( 'bob' ) );
		$id    = $this->list->id;
		$nonce = $this->nonce_for( 'bob', 'inlineeditnonce' );
		foreach ( array( array(), array( 'post_author' => (string) self::user( 'alice' ) ), array( 'post_author' => (string) self::user( 'bob' ) ), array( 'post_author_override' => (string) self::user( 'bob' ) ) ) as $also ) {
			$title  = 'Renamed with ' . ( wp_json_encode( $also ) );
			$answer = $this->ajax( 'bob', 'inline-save', array( 'post_ID' => (string) $id, 'post_type' => 'registry', '_inline_edit' => $nonce, 'post_title' => $title, 'post_name' => 'us', '_status' => 'private', 'post_view' => 'list', 'screen' => 'edit-registry' ) + $also );
			self::assertSame( array( $title, 'alice' ), array( get_post( $id )->post_title, $this->author() ), $answer->text );
		}
		$details = $this->path( 'details' ) . '?part=after';
		$delete  = array( 'do' => 'delete', 'sure' => '1' );
		self::assertSame( array(), self::form_on( $this->page( 'bob', $details ), 'delete' ) );
		self::assertStringContainsString( 'Only the first owner can delete', $this->page( 'bob', $details, form: $delete )->text );
		self::assertSame( 'private', get_post_status( $id ) );
		self::assertNotSame( array(), self::form_on( $this->page( 'alice', $details ), 'delete' ) );
		self::assertSame( 303, $this->page( 'alice', $details, form: $delete )->status );
		self::assertFalse( get_post_status( $id ) );
	}

	public function test_a_co_owners_rights_end_at_once_when_they_are_taken_off(): void {
		$this->begin( self::owners( 'bob' ) );
		$id     = $this->list->id;
		$places = array( $this->list->link, ...array_map( $this->path( ... ), array( 'gifts', 'guests', 'given', 'details' ) ) );
		$seen   = fn(): array => array_unique( array_map( fn( string $place ): int => $this->page( 'bob', $place )->status, $places ) );
		self::assertSame( array( 200 ), $seen() );
		self::assertSame( 200, $this->rest( 'alice', 'POST', "/wp/v2/registry/$id", array( 'meta' => array( 'registry_owners' => '[]' ) ) )->status );
		self::assertSame( array( 404 ), $seen() );
		self::assertSame( 403, $this->rest( 'bob', 'GET', "/wp/v2/registry/$id?context=edit" )->status );
		self::assertStringNotContainsString( "/registries/$id/", $this->read( 'bob', '/registries/mine/' ) );
	}

	/** @dataProvider keeps */
	public function test_all_owners_see_the_same_of_a_surprise( string $keeps ): void {
		$this->begin( array( 'registry_owners' => '["bob"]', 'registry_surprise_until' => 'always', 'registry_surprise_keeps' => $keeps, 'registry_invitees' => '["carol"]' ), 'publish', array( 'Glasses', 5 ) );
		$places = array( $this->list->link, ...array_map( $this->path( ... ), array( 'gifts', 'guests', 'given', 'details' ) ), '/registries/mine/', '/registries/my-gifts/', $this->path( 'give' ) . '?item=1', $this->path( 'gifts' ) . '?item=1' );
		$seen   = function () use ( $places ): array {
			$pages = array();
			foreach ( array( 'alice', 'bob' ) as $who ) {
				foreach ( $places as $place ) {
					$answer                 = $this->page( $who, $place );
					$pages[ "$who $place" ] = $answer->status . preg_replace( array( '/(name="(key|since|sent)"|nonce"|"nonce":) ?(value=)?"[^"]*"/', '/(name="opened" value=")\d+ [0-9a-f]{12}/' ), '$1', $answer->text );
				}
			}
			return $pages;
		};
		$give   = function ( int $quantity, string $message, string $giver ): string {
			$this->service->give( 1, compact( 'quantity', 'message' ) + array( 'giver' => array( 'name' => ucfirst( $giver ), 'email' => "$giver@example.test", 'user_id' => self::user( $giver ) ) ) );
			$this->run_jobs( 'digest', 'mail' );
			return (string) array_key_first( $this->service->claims );
		};
		$before = $seen();
		$first  = $give( 2, 'Soup', 'bob' );
		$after  = $seen();
		if ( $keeps === 'all' ) {
			self::assertSame( $before, $after );
		} else {
			self::assertStringContainsString( '3 needed', $after[ "alice $places[0]" ] );
			self::assertStringContainsString( '3 needed', $after[ "bob $places[0]" ] );
		}
		self::assertStringNotContainsString( 'Soup', preg_replace( '#<(script|style).*?</\1>#s', '', implode( $after ) ) );
		$this->service->items[1]['quantity_purchased'] -= 2;
		unset( $this->service->claims[ $first ] );
		$give( 1, 'Other', 'carol' );
		$give( 1, 'Words', 'bob' );
		self::assertSame( $after, $seen(), 'others give the same number' );
		self::assertSame( array(), $this->mails() );
	}

	public function test_every_owner_gets_the_days_email_unless_they_have_unsubscribed(): void {
		foreach ( array( array( 'alice@example.test', 'bob@example.test' ), array( 'alice@example.test' ) ) as $owners ) {
			$this->begin( array( 'registry_owners' => '["bob","not-yet@example.test"]', 'registry_invitees' => '["carol"]' ), 'private', array( 'Glasses' ) );
			self::assertSame( 303, $this->send_form( 'carol', $this->way_to(), 'give' )->status );
			$this->mails();
			$this->run_jobs( 'digest', 'mail' );
			$told = array_filter( $this->mails(), static fn( array $mail ): bool => str_contains( $mail['subject'], 'was chosen' ) );
			$to   = array_merge( ...array_column( $told, 'to' ) );
			sort( $to );
			self::assertSame( $owners, $to );
			self::call( 'refuse_mail', 'bob@example.test' );
		}
	}

	public function test_a_partner_is_added_by_a_page_hears_of_it_by_email_changes_the_surprise_and_leaves(): void {
		$this->begin( array( 'registry_owners' => '[]', 'registry_event_date' => '2035-05-30' ) );
		$people = $this->path( 'people' );
		$faulty = $this->send_form( 'alice', $people, 'add', array( 'person' => 'nobody-here' ) );
		self::assertMatchesRegularExpression( '/Enter an email for \W?nobody-here\W?, who has no account here/u', self::refused( $faulty ) );
		self::assertMatchesRegularExpression( '#<strong>alice</strong> <small>You · Can delete the list#', $faulty->text );
		self::assertStringContainsString( 'bob</strong>', $this->send( 'alice', array( 'do' => 'add', 'person' => 'bob' ) ) );
		$this->send( 'alice', array( 'do' => 'add', 'person' => 'sam@example.org' ) );
		$mails = $this->sent();
		self::assertSame( array( 'bob@example.test: You’re now an owner of “Ann & Sam”', 'sam@example.org: You’re now an owner of “Ann & Sam”' ), self::about( $mails ) );
		self::assertStringContainsString( 'with this email, sam@example.org', implode( array_column( $mails, 'text' ) ) );
		$seen = $this->page( 'bob', $people );
		self::assertSame( array( array(), array() ), array( self::form_on( $seen, 'add' ), self::form_on( $seen, 'remove' ) ) );
		foreach ( array( array( 'do' => 'add', 'person' => 'carol' ), array( 'do' => 'remove', 'person' => 'sam@example.org' ) ) as $denied ) {
			$this->page( 'bob', $people, form: $denied );
			self::assertSame( array( 'bob', 'sam@example.org' ), self::owners_of( $this->list->id ) );
		}
		foreach ( array( array( 'after', 'names', '2035-05-31' ), array( 'after', 'all', '2035-05-31' ), array( 'no', 'all', '' ) ) as list( $surprise, $keeps, $until ) ) {
			$this->send( 'bob', array( 'do' => 'change', 'end_surprise' => $until ?: 'end' ) + compact( 'surprise', 'keeps' ), 'details' );
			self::assertSame( array( $until, $keeps === 'names' ), array( Meta::surprise_until( $this->list->id ), Meta::surprise_keeps_names_only( $this->list->id ) ) );
		}
		self::assertStringContainsString( 'You have left the list', $this->send( 'bob', array( 'do' => 'leave' ) ) );
		self::assertSame( array( 'sam@example.org' ), self::owners_of( $this->list->id ) );
		$this->send( 'alice', array( 'do' => 'remove', 'person' => 'sam@example.org' ) );
		self::assertSame( array(), self::owners_of( $this->list->id ) );
	}

	public function test_the_list_is_given_to_a_partner_who_takes_it(): void {
		$this->begin( array( 'registry_pay_to' => 'Alice, at home' ) + self::owners( 'bob', self::CAROL, 'sam@example.org' ) );
		$id    = $this->list->id;
		$offer = fn( string $person, string $by = 'alice' ): string => $this->send( $by, array( 'do' => 'offer' ) + compact( 'person' ) );
		$take  = fn( string $who ): string => $this->send( $who, array( 'do' => 'take' ) );
		$page  = fn( string $who, string $name = 'people' ): string => $this->read( $who, $this->path( $name ) );
		self::assertSame( 2, substr_count( $page( 'alice' ), 'name="do" value="offer"' ), 'not to somebody without an account' );
		$offer( 'sam@example.org' );
		$offer( 'admin' );
		self::assertDoesNotMatchRegularExpression( '/We’ve (asked|emailed)/', $page( 'alice' ) );
		$offer( 'bob', 'bob' );
		self::assertStringContainsString( 'no longer being asked', $take( 'bob' ), 'nobody has offered it' );

		self::assertStringContainsString( 'We’ve emailed bob', self::words( $offer( 'bob' ) ) );
		$asked = $this->sent();
		self::assertSame( array( 'bob@example.test: alice wants to hand over the list “Ann & Sam” to you' ), array_map( array( self::class, 'words' ), self::about( $asked ) ) );
		self::assertStringContainsString( $this->path( 'people' ), $asked[0]['text'] );
		self::assertStringContainsString( 'Someone wants to hand this list over to you', $page( 'bob', 'gifts' ) );
		self::assertStringNotContainsString( 'wants to hand this list over', $page( 'carol', 'gifts' ) );
		self::assertStringContainsString( 'no longer being asked', $take( 'carol' ) );
		$this->send( 'carol', array( 'do' => 'end-offer' ) );
		self::assertStringContainsString( 'alice wants to hand this list over to you', self::words( $page( 'bob' ) ) );

		self::assertStringContainsString( 'You declined', $this->send( 'bob', array( 'do' => 'end-offer' ) ) );
		self::assertStringContainsString( 'no longer being asked', $take( 'bob' ) );
		$offer( 'bob' );
		self::assertStringContainsString( 'The list stays yours', $this->send( 'alice', array( 'do' => 'end-offer' ) ) );
		self::assertStringContainsString( 'no longer being asked', $take( 'bob' ) );
		$offer( 'bob' );
		$this->send( 'alice', array( 'do' => 'remove', 'person' => 'bob' ) );
		self::assertSame( 404, $this->page( 'bob', $this->path( 'people' ), form: array( 'do' => 'take' ) )->status, 'no owner any more' );
		$this->send( 'alice', array( 'do' => 'add', 'person' => 'bob' ) );
		self::assertStringContainsString( 'no longer being asked', $take( 'bob' ), 'the former offer is over' );
		$offer( 'bob' );
		$offer( self::CAROL );
		self::assertStringContainsString( 'no longer being asked', $take( 'carol' ), 'one is asked at a time' );
		self::assertSame( 'alice', $this->author() );
		$this->sent();
		self::assertMatchesRegularExpression( '/The list is yours now\. Shares still go to “\S*Alice, at home/', $take( 'bob' ) );
		self::assertSame( array( 'bob', array( self::CAROL, 'sam@example.org', 'alice' ), 'private' ), array( $this->author(), self::owners_of( $this->list->id ), get_post_status( $id ) ) );
		self::assertSame( array( 'alice@example.test: bob has taken over the list “Ann & Sam”' ), array_map( array( self::class, 'words' ), self::about( $this->sent() ) ) );
		self::assertSame( array( false, true ), array_map( static fn( string $text ): bool => str_contains( $text, 'name="do" value="add"' ), array( $page( 'alice' ), $page( 'bob' ) ) ), 'only the new owner adds people' );
		self::assertSame( 403, $this->rest( 'alice', 'DELETE', "/wp/v2/registry/$id" )->status );
	}
}
