<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** Pages and background work while the service refuses something or fails: words for people, and nothing lost. */
final class RefusalsTest extends ListTestCase {

	private function list(): object {
		return $this->registry( 'alice', array( 'title' => 'Ann & Bob', 'content' => 'The story stays', 'status' => 'publish' ) );
	}

	private function gift( int $registry, string $name = 'Pan' ): int {
		return $this->service->add( $registry, compact( 'name' ) + array( 'url' => "https://shop.example/$name", 'quantity_needed' => 3 ) )->json['data']['id'];
	}

	private function no( string $request, int $status ): void {
		$this->outside->answer( $request, array( 'detail' => 'secret-internals' ), $status );
	}

	private static function claim_of( string $letter, int $registry, int $item, ?string $email ): array {
		return self::claim_with( array( 'id' => str_repeat( $letter, 22 ), 'item_id' => $item, 'registry_id' => $registry, 'giver' => array( 'name' => 'Bob', 'email' => $email, 'user_id' => null ) ) );
	}

	private function assert_says( string $words, Answer $answer, int $status = 422 ): void {
		self::assertSame( $status, $answer->status, $answer->text );
		self::assertStringContainsString( $words, html_entity_decode( $answer->text, ENT_QUOTES ) );
		self::assertStringNotContainsString( 'secret-internals', $answer->text );
	}

	public function test_a_refused_list_leaves_all_others_as_they_are(): void {
		list( $refused, $other ) = array( $this->list(), $this->list() );
		$pan                     = $this->gift( $refused->id, 'Pan' );
		$this->gift( $other->id, 'Pot' );
		foreach ( array( 403, 404, 422 ) as $status ) {
			$this->no( "GET /registries/$refused->id/items", $status );
			$this->assert_says( 'can’t be shown right now', $this->page( null, $refused->link ), 200 );
			$this->assert_says( 'Pot', $this->page( null, $other->link ), 200 );
			self::assertStringNotContainsString( 'right now', $this->page( null, $other->link )->text, (string) $status );
		}
		$this->outside->answer( "GET /registries/$refused->id/items", array( $this->service->items[ $pan ] ) );
		$shown = $this->page( null, $refused->link );
		$this->assert_says( 'Pan', $shown, 200 );
		self::assertStringNotContainsString( 'right now', $shown->text );
		$this->no( "GET /registries/$refused->id/items", 403 );
		$kept = $this->page( null, $refused->link );
		$this->assert_says( 'Pan', $kept, 200 );
		$this->assert_says( 'This is the list as of', $kept, 200 );
		$away = $this->list();
		foreach ( array( 500, 401, 403, 404, '<html>secret-internals', array( 'message' => 'secret-internals' ), array( array( 1 ), 'secret-internals' ) ) as $answer ) {
			is_int( $answer ) ? $this->no( "GET /registries/$away->id/items", $answer ) : $this->outside->answer( "GET /registries/$away->id/items", $answer );
			$page = $this->page( null, $away->link );
			array_map( fn( string $words ) => $this->assert_says( $words, $page, 200 ), array( 'can’t be shown right now', 'The story stays', '<a href="">Try again</a>' ) );
			self::assertDoesNotMatchRegularExpression( '/items\.example|No gifts on this list/', $page->text );
		}
	}

	public function test_a_picture_that_came_with_a_refused_gift_stays_in_its_form(): void {
		$id   = $this->list()->id;
		$path = "/registries/$id/gifts/";
		foreach ( array( 'POST /registries/*/items' => array( $path . '?by-hand=1', 'add' ), 'PUT /items/*' => array( "$path?item={$this->gift( $id )}", 'change' ) ) as $request => list( $page, $action ) ) {
			$this->no( $request, 503 );
			$form    = self::form_on( $this->page( 'alice', $page ), $action );
			$refused = $this->page( 'alice', $path, form: array( 'name' => 'Pan' ) + $form, files: array( 'upload' => $this->uploaded() ) );
			$this->assert_says( 'couldn’t be saved right now', $refused );
			$again = self::form_on( $refused, $action );
			self::assertStringContainsString( '/uploads/', $again['image'], $action );
			$this->outside->answer( $request, static fn( array $request ): array => array( 'data' => array( 'id' => 701 ) + $request['body'] ) );
			self::assertSame( 303, $this->page( 'alice', $path, form: $again )->status );
			self::assertSame( array( $again['image'], $again['image'] ), array_slice( array_column( array_column( $this->outside->requests, 'body' ), 'image_url' ), -2 ), $action );
		}
	}

	public function test_a_form_that_has_added_a_gift_before_adds_another_one_at_the_second_press(): void {
		$path  = "/registries/{$this->list()->id}/gifts/";
		$press = fn( array $form, string $name ): Answer => $this->page( 'alice', $path, form: array( 'name' => $name ) + $form );
		$form  = self::form_on( $this->page( 'alice', "$path?by-hand=1" ), 'add' );
		self::assertSame( 303, $press( $form, 'Pan' )->status );
		$this->no( 'POST /registries/*/items', 503 );
		self::assertSame( $form['key'], self::form_on( $press( $form, 'Pot' ), 'add' )['key'], 'it may have been stored' );
		$this->no( 'POST /registries/*/items', 422 );
		$this->assert_says( 'something else has changed', $press( $form, 'Pot' ) );
		$this->outside->answer( 'POST /registries/*/items', array( 'detail' => 'Idempotency-Key: was used with another request' ), 422 );
		$refused = $press( $form, 'Pot' );
		$this->assert_says( 'An earlier try may have gone through', $refused );
		$this->outside->answer( 'POST /registries/*/items', static fn( array $request ): array => array( 'data' => array( 'id' => 701 ) + $request['body'] ) );
		self::assertSame( 303, $press( self::form_on( $refused, 'add' ), 'Pot' )->status );
		$keys = array_column( array_column( array_filter( $this->outside->requests, static fn( array $request ): bool => str_starts_with( $request['path'], '/registries/' ) && isset( $request['headers']['idempotency-key'] ) ), 'headers' ), 'idempotency-key' );
		self::assertSame( 2, count( array_unique( $keys ) ) );
	}

	public function test_a_removed_gift_whose_return_fails_stays_among_those_that_can_be_put_back(): void {
		$id    = $this->list()->id;
		$pot   = $this->gift( $id, 'Pot' );
		$path  = "/registries/$id/gifts/";
		$press = fn( string $action, int $item ): Answer => $this->page( 'alice', $path, form: array( 'do' => $action, 'item' => (string) $item ) );
		$pan   = $this->gift( $id );
		$this->outside->answer( "DELETE /registries/$id/items/$pot", '', 204 );
		self::assertSame( 303, $press( 'remove', $pot )->status );
		$removed = $this->service->items[ $pot ];
		unset( $this->service->items[ $pot ] );
		$assert_there = fn() => self::assertStringContainsString( 'name="do" value="restore"', $this->page( 'alice', $path )->text );
		$this->no( "PUT /items/$pot", 503 );
		$this->assert_says( 'couldn’t be saved right now', $press( 'restore', $pot ) );
		$assert_there();
		$this->service->items[ $pot ] = $removed;
		update_post_meta( $id, 'registry_item_ids', "[$pan,$pot]" );
		$this->outside->answer( "PUT /items/$pot", array( 'data' => array( 'id' => $pot, 'registry_id' => $id ) ) );
		$this->no( "PATCH /registries/$id", 503 );
		$this->assert_says( 'couldn’t be saved right now', $press( 'restore', $pot ) );
		$assert_there();
		$this->outside->answer( "PATCH /registries/$id", new \stdClass() );
		self::assertSame( 303, $press( 'restore', $pot )->status );
		$this->no( 'GET /items/987654', 404 );
		$this->assert_says( 'no longer on your list', $press( 'restore', 987_654 ) );
	}

	public function test_what_is_refused_is_told_by_its_meaning(): void {
		$id    = $this->list()->id;
		$item  = $this->gift( $id );
		$claim = self::claim_of( 'd', $id, $item, null );
		$other = 'This couldn’t be saved, because something else has changed';
		$later = 'couldn’t be saved right now';
		$link  = 'We can’t open this link. Is it a public page of a shop?';
		$asked = array(
			array( "PUT /items/$item", 'gifts', array( 'do' => 'change', 'item' => (string) $item, 'name' => 'Copper pan', 'quantity' => '3' ), array( 404 => 'This gift is no longer on your list', 409 => $other, 413 => $other, 429 => 'Too many attempts in a short time', 401 => 'This site can’t do that right now', 503 => $later ) ),
			array( 'POST /lookups', 'gifts', array( 'do' => 'look', 'address' => 'https://shop.example/pan' ), array( 400 => $link, 422 => $link, 429 => 'You’ve added many links in a short time', 503 => 'We can’t read the shop’s page right now' ) ),
			array( "POST /registries/$id/invitees", 'guests', array( 'do' => 'invite', 'guests' => 'aunt@example.org', 'note' => '' ), array( 404 => 'no longer exists', 422 => $other, 429 => 'Too many attempts in a short time', 500 => $later ) ),
			array( "PATCH /claims/$claim[id]", 'given', array( 'do' => 'thanked', 'claim' => $claim['id'] ), array( 404 => 'It no longer exists, so nothing was saved', 409 => $other, 503 => $later ) ),
		);
		$this->outside->answer( "GET /registries/$id/claims", array( 'claims' => array( $claim ), 'concealed_until' => null ) );
		foreach ( $asked as list( $request, $page, $form, $words ) ) {
			foreach ( $words as $status => $said ) {
				$this->no( $request, $status );
				$answer = $this->page( 'alice', "/registries/$id/$page/", form: $form );
				$this->assert_says( $said, $answer, $page === 'gifts' && $form['do'] === 'look' ? $answer->status : 422 );
				self::assertStringContainsString( $form['name'] ?? '', $answer->text, 'nothing typed is lost' );
			}
		}
		foreach ( array( 404 => 'This gift no longer exists', 503 => 'Your gift can’t be shown right now' ) as $status => $words ) {
			$this->no( 'GET /claims/' . str_repeat( 'c', 22 ), $status );
			$page = $this->page( 'bob', html_entity_decode( self::call( 'claim_link', str_repeat( 'c', 22 ) ) ) );
			$this->assert_says( $words, $page, $page->status );
		}
		$this->no( "GET /registries/$id/claims", 500 );
		self::assertSame( 200, $this->page( 'alice', "/registries/$id/guests/" )->status, 'guests are shown without the service, too' );
	}

	/** Removes a gift while the service doesn't name its givers. @return array{0: int, 1: int} The list and the gift. */
	private function remove_gift( int $status ): array {
		$id   = $this->list()->id;
		$item = $this->gift( $id );
		$this->outside->answer( "DELETE /registries/$id/items/$item", '', 204 );
		$this->no( "GET /registries/$id/claims", $status );
		self::assertSame( 303, $this->page( 'alice', "/registries/$id/gifts/", form: array( 'do' => 'remove', 'item' => (string) $item ) )->status );
		$this->service->items = array();
		return array( $id, $item );
	}

	public function test_no_email_about_a_removed_gift_is_lost_while_its_givers_are_not_known(): void {
		list( $id, $item ) = $this->remove_gift( 503 );
		$claim             = self::claim_of( 'e', $id, $item, 'ben@example.org' );
		$this->outside->answer( "GET /registries/$id/claims", array( 'claims' => array( $claim ), 'concealed_until' => null ) );
		$this->outside->answer( "GET /claims/$claim[id]", $claim );
		$this->no( "GET /items/$item", 404 );
		$this->run_later( 'gift-lost' );
		self::assertSame( array( 'ben@example.org: “Pan” was removed from the list' ), self::about( $this->sent() ) );
	}

	public function test_emails_about_a_removed_gift_have_failed_and_are_not_tried_for_ever_where_the_service_refuses_to_name_its_givers(): void {
		$this->remove_gift( 403 );
		$failed = function (): int {
			$this->run_later( 'gift-lost' );
			return count( array_filter( self::jobs( 'gift-lost' ), static fn( array $job ): bool => $job['failed_at'] !== '0' ) );
		};
		self::assertSame( array( 0, 0, 0, 0, 0, 1 ), array_map( $failed, range( 1, 6 ) ) );
	}

	public function test_during_an_outage_no_partial_list_is_exported_and_no_list_is_edited_as_if_it_were_gone(): void {
		$id   = $this->list()->id;
		$item = $this->gift( $id );
		$this->no( "GET /registries/$id/items", 503 );
		$page = $this->page( 'alice', "/registries/$id/gifts/?item=$item" );
		$this->assert_says( 'This can’t be shown right now', $page, $page->status );
		self::assertDoesNotMatchRegularExpression( '/name="do" value="(add|look)"/', $page->text );
		self::assertStringContainsString( 'this isn’t complete. Try again once the service answers', self::call( 'personal_data', 'exporter', 'alice@example.test', 1 )['error'] );
	}
}
