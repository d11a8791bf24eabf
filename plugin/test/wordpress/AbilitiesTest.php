<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/**
 * Gift lists in WordPress's Abilities API, over its REST API as programs use it.
 *
 * @requires function wp_register_ability
 */
final class AbilitiesTest extends ListTestCase {

	private const EVERYONE = array( 'list-invited-lists', 'list-my-lists', 'my-gifts' );

	private function ask( ?string $login, string $name, array $input = array(), bool $reads = false ): Answer {
		$path = "/wp-abilities/v1/abilities/trousseau/$name/run";
		return $reads ? $this->rest( $login, 'GET', $path . ( $input ? '?' . http_build_query( compact( 'input' ) ) : '' ) ) : $this->rest( $login, 'POST', $path, compact( 'input' ) );
	}

	private function done( string $login, string $name, array $input = array(), bool $reads = false ): array {
		$answer = $this->ask( $login, $name, $input, $reads );
		self::assertSame( 200, $answer->status, $answer->text );
		return $answer->json;
	}

	private function read_as( string $login, array $also = array() ): array {
		return $this->done( $login, 'read-list', array( 'list_id' => $this->list->id ) + $also, true )['gifts'];
	}

	private function on_list( array $input = array() ): array {
		return array( 'list_id' => $this->list->id ) + $input;
	}

	public function test_programs_find_each_ability_with_its_words_and_schemas(): void {
		$answer = $this->rest( 'bob', 'GET', '/wp-abilities/v1/abilities?per_page=100&category=trousseau' );
		$all    = array_combine( array_map( static fn( array $one ): string => substr( $one['name'], strlen( 'trousseau/' ) ), $answer->json ), $answer->json );
		self::assertSame( array( 'add-gifts', 'cancel', 'change-gift', 'invite', 'list-invited-lists', 'list-my-lists', 'move-gifts', 'my-gifts', 'read-list', 'remove-gift', 'reserve', 'see-gifts', 'thank' ), self::sorted( array_keys( $all ) ) );
		foreach ( $all as $name => $ability ) {
			self::assertSame( array( 'object', 'object', true ), array( $ability['input_schema']['type'], $ability['output_schema']['type'], $ability['meta']['mcp']['public'] ), $name );
		}
		$with = static fn( string $mark ): array => self::sorted( array_keys( array_filter( $all, static fn( array $ability ): bool => $ability['meta']['annotations'][ $mark ] ) ) );
		self::assertSame( array( 'list-invited-lists', 'list-my-lists', 'my-gifts', 'read-list', 'see-gifts' ), $with( 'readonly' ) );
		self::assertSame( array( 'cancel', 'remove-gift' ), $with( 'destructive' ) );
		self::assertSame( 'Gift lists', $this->rest( 'bob', 'GET', '/wp-abilities/v1/categories/trousseau' )->json['label'] );
	}

	private static function sorted( array $names ): array {
		sort( $names );
		return $names;
	}

	public function test_nobody_and_people_without_the_right_to_a_list_are_refused(): void {
		$this->begin( array( 'registry_invitees' => '["bob"]' ) );
		$gift  = $this->add( 'Pan' );
		$input = array(
			'read-list'   => array(),
			'see-gifts'   => array(),
			'add-gifts'   => array( 'gifts' => array( array( 'name' => 'Mine' ) ) ),
			'change-gift' => array( 'gift_id' => $gift, 'name' => 'Mine' ),
			'remove-gift' => array( 'gift_id' => $gift ),
			'move-gifts'  => array( 'gift_ids' => array( $gift ), 'to_list_id' => $this->list->id ),
			'invite'      => array( 'people' => array( 'carol' ) ),
			'thank'       => array( 'claim_ids' => array( 'x' ) ),
			'reserve'     => array( 'gift_id' => $gift ),
		);
		$reads = array( 'read-list', 'see-gifts' );
		foreach ( $input as $name => $also ) {
			$status    = fn( ?string $login ): int => $this->ask( $login, $name, $this->on_list( $also ), in_array( $name, $reads, true ) )->status;
			$is_guests = in_array( $name, array( 'read-list', 'reserve' ), true );
			self::assertSame( array( 401, 403, $is_guests ? 200 : 403 ), array( $status( null ), $status( 'carol' ), $status( 'bob' ) ), $name );
		}
		self::assert_each( 401, self::EVERYONE, fn( string $name ): int => $this->ask( null, $name, reads: true )->status );
		self::assertSame( 403, $this->ask( 'alice', 'read-list', array( 'list_id' => 1 ), true )->status );
		self::assertSame( array( 'Pan' ), $this->service->names( $this->list->id ) );
	}

	public function test_an_owner_adds_gifts_from_links_and_by_name_and_reads_what_is_left(): void {
		$this->begin( array( 'registry_currency' => 'EUR', 'registry_pay_to' => 'In an envelope' ) );
		self::assertContains( $this->list->id, array_column( $this->done( 'alice', 'list-my-lists', reads: true )['lists'], 'list_id' ) );
		self::assertSame( array(), $this->done( 'bob', 'list-my-lists', reads: true )['lists'] );
		$found = array( 'url' => 'https://shop.example/lamp', 'name' => 'Lamp', 'price' => 49.5, 'currency' => 'EUR', 'description' => 'Dim', 'retailer' => 'Shop', 'image_url' => null, 'problem' => null );
		$this->outside->answer( 'POST /lookups', fn( array $request ): array => str_contains( $request['body']['url'], 'lamp' ) ? $found : array( 'url' => $request['body']['url'], 'name' => null, 'price' => null, 'problem' => array( 'code' => 'refused', 'detail' => '' ) ) + $found );
		$gifts = array(
			array( 'url' => 'https://shop.example/lamp' ),
			array( 'url' => 'https://shop.example/lamp?from=news' ),
			array( 'url' => 'https://shop.example/12345' ),
			array( 'name' => 'Two weeks in Lisbon', 'price' => 1500, 'group_gift' => true ),
			array( 'name' => 'Wine glass', 'price' => 12.25, 'quantity' => 6, 'note' => 'Thin' ),
		);
		$added = $this->done( 'alice', 'add-gifts', $this->on_list( compact( 'gifts' ) ) )['gifts'];
		self::assertSame( array( 'Lamp', 49.5, 'Dim' ), array( $added[0]['name'], $added[0]['price'], $added[0]['note'] ) );
		self::assertSame( array( $added[0]['gift_id'], 'This link is already on the list.' ), array( $added[1]['gift_id'], $added[1]['message'] ) );
		self::assertSame( array( 'https://shop.example/12345', 'Enter a name for the gift.' ), array( $added[2]['asked'], $added[2]['problem'] ) );
		self::assertEquals( array( 1500, 1500 ), array( $added[3]['goal'], $added[3]['missing'] ) );
		self::assertSame( array( 6, 6, 'Thin' ), array( $added[4]['needed'], $added[4]['left'], $added[4]['note'] ) );
		self::assertSame( array( 'Lamp', 'Two weeks in Lisbon', 'Wine glass' ), $this->service->names( $this->list->id ) );

		$this->service->give( $added[4]['gift_id'], array( 'quantity' => 6, 'giver' => array( 'name' => 'Gran' ) ) );
		self::assertSame( array( 'Lamp', 'Two weeks in Lisbon' ), array_column( $this->read_as( 'alice', array( 'only_left' => 'true', 'max_price' => 50 ) ), 'name' ) );
		self::assertSame( array( 'Two weeks in Lisbon', 'Wine glass' ), array_column( $this->read_as( 'alice', array( 'only_left' => 'false', 'max_price' => 49 ) ), 'name' ) );
		self::assertSame( 422, $this->ask( 'alice', 'change-gift', $this->on_list( array( 'gift_id' => $added[3]['gift_id'], 'quantity' => 2 ) ) )->status, 'its goal would be twice as much' );
	}

	public function test_an_owner_changes_moves_and_removes_gifts(): void {
		$this->begin( array( 'registry_currency' => 'EUR' ) );
		$other = $this->registry( 'alice', array( 'title' => 'Another', 'status' => 'private' ) );
		$gift  = $this->add( 'Pan', 2 );
		$done  = $this->done( 'alice', 'change-gift', $this->on_list( array( 'gift_id' => $gift, 'price' => 30, 'note' => 'Red' ) ) );
		self::assertEquals( array( 'Pan', 30, 'Red', 2, '“Pan” is saved.' ), array( $done['gift']['name'], $done['gift']['price'], $done['gift']['note'], $done['gift']['needed'], $done['message'] ) );
		$cleared = $this->done( 'alice', 'change-gift', $this->on_list( array( 'gift_id' => $gift, 'price' => null, 'note' => null, 'name' => 'Pot' ) ) )['gift'];
		self::assertSame( array( 'Pot', null, '', 'https://shop.example/Pan' ), array( $cleared['name'], $cleared['price'], $cleared['note'], $cleared['url'] ) );
		self::assertSame( 400, $this->ask( 'alice', 'change-gift', $this->on_list( array( 'gift_id' => $gift, 'price' => -1 ) ) )->status );
		self::assertSame( 422, $this->ask( 'alice', 'change-gift', $this->on_list( array( 'gift_id' => 99, 'name' => 'X' ) ) )->status );
		$this->service->items[ $gift ]['quantity_needed'] = 2_147_483_647;
		self::assertNull( $this->read_as( 'alice' )[0]['needed'] );
		self::assertSame( 6, $this->done( 'alice', 'change-gift', $this->on_list( array( 'gift_id' => $gift, 'quantity' => 6 ) ) )['gift']['needed'] );

		$moved = $this->done( 'alice', 'move-gifts', $this->on_list( array( 'gift_ids' => array( $gift, 99 ), 'to_list_id' => $other->id ) ) )['gifts'];
		self::assertSame( array( array( 'gift_id' => $gift ), 'This gift is no longer on your list.' ), array( $moved[0], $moved[1]['problem'] ) );
		self::assertSame( array(), $this->read_as( 'alice' ) );
		self::assertSame( 403, $this->ask( 'alice', 'move-gifts', array( 'list_id' => $other->id, 'gift_ids' => array( $gift ), 'to_list_id' => $this->registry( 'bob', array( 'title' => 'Bob’s', 'status' => 'publish' ) )->id ) )->status );

		$this->list = $other;
		self::assertSame( '“Pot” has been removed from your list.', $this->done( 'alice', 'remove-gift', $this->on_list( array( 'gift_id' => $gift ) ) )['message'] );
		self::assertSame( array(), $this->service->items );
	}

	public function test_invited_guests_get_their_email_once_and_a_number_stands_for_no_other_list_whose_slug_it_is(): void {
		$this->begin();
		$invite = fn(): string => $this->done( 'alice', 'invite', $this->on_list( array( 'people' => array( 'tom@example.org', 'bob' ), 'note' => 'Come!' ) ) )['message'];
		self::assertSame( array( '2 guests are invited. The emails are on their way.', 'These guests are already invited.' ), array( $invite(), $invite() ) );
		self::assertCount( 2, $this->sent() );
		$unknown = $this->ask( 'alice', 'invite', $this->on_list( array( 'people' => array( 'nobody' ) ) ) );
		self::assertSame( 422, $unknown->status );
		self::assertStringContainsString( 'nobody', $unknown->json['message'] );
		$gone = $this->registry( 'alice', array( 'title' => 'Gone', 'status' => 'private' ) )->id;
		wp_delete_post( $gone, true );
		$page = wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'private', 'post_title' => 'Secret plans', 'post_author' => self::user( 'admin' ) ) );
		foreach ( array( $gone, $page ) as $number ) {
			$own = $this->registry( 'bob', array( 'title' => 'Mine', 'status' => 'publish', 'slug' => (string) $number ) );
			self::assertSame( (string) $number, get_post( $own->id )->post_name );
			foreach ( array( 'read-list', 'see-gifts' ) as $name ) {
				$answer = $this->ask( 'bob', $name, array( 'list_id' => $number ), true );
				self::assertSame( 403, $answer->status, "$name $answer->text" );
			}
		}
	}

	public function test_a_guest_reserves_and_cancels_and_the_owner_thanks(): void {
		$this->begin( array( 'registry_invitees' => '["bob"]' ) );
		$gift = $this->add( 'Pan' );
		self::assertSame( array( array( $this->list->id ), array() ), array_map( fn( string $login ): array => array_column( $this->done( $login, 'list-invited-lists', reads: true )['lists'], 'list_id' ), array( 'bob', 'alice' ) ) );
		$given = $this->done( 'bob', 'reserve', $this->on_list( array( 'gift_id' => $gift, 'message' => 'Enjoy!' ) ) );
		self::assertSame( array( 'Pan', 1, 'reserved', 'Enjoy!' ), array( $given['gift']['gift'], $given['gift']['quantity'], $given['gift']['state'], $given['gift']['message'] ) );
		self::assertStringContainsString( '“Pan” is reserved for you until', $given['message'] );
		$id    = $given['gift']['claim_id'];
		$again = $this->ask( 'bob', 'reserve', $this->on_list( array( 'gift_id' => $gift ) ) );
		self::assertSame( array( 422, 'Someone else got there first, so nothing is reserved for you.' ), array( $again->status, $again->json['message'] ) );
		self::assertSame( array( $id ), array_column( $this->done( 'bob', 'my-gifts', reads: true )['gifts'], 'claim_id' ) );

		$seen = $this->done( 'alice', 'see-gifts', $this->on_list(), true );
		self::assertSame( array( null, array( 'bob' ), array( 'Enjoy!' ) ), array( $seen['surprise_until'], array_column( $seen['gifts'], 'giver' ), array_column( $seen['gifts'], 'message' ) ) );
		$thanked = $this->done( 'alice', 'thank', $this->on_list( array( 'claim_ids' => array( $id, 'another' ) ) ) )['gifts'];
		self::assertSame( array( array( 'claim_id' => $id ), 'This gift no longer exists.' ), array( $thanked[0], $thanked[1]['problem'] ) );
		self::assertNotNull( $this->service->claims[ $id ]['thanked_at'] );

		self::assertSame( 422, $this->ask( 'carol', 'cancel', array( 'claim_id' => $id ) )->status );
		self::assertSame( 422, $this->ask( 'alice', 'cancel', array( 'claim_id' => $id ) )->status );
		self::assertNotSame( '', $this->done( 'bob', 'cancel', array( 'claim_id' => $id ) )['message'] );
		self::assertSame( 'released', $this->service->claims[ $id ]['state'] );
		self::assertSame( array( 1 ), array_column( $this->read_as( 'bob' ), 'left' ) );
	}

	public function test_a_reservation_that_cannot_be_read_again_counts_and_a_gift_that_cannot_be_read_is_not_told_as_gone(): void {
		$this->begin( array( 'registry_invitees' => '["bob"]', 'registry_surprise_until' => '' ) );
		delete_post_meta( $this->list->id, 'registry_surprise_until' );
		$gift = $this->add( 'Pan' );
		$this->outside->answer( 'GET /claims?*', fn(): Answer => $this->service->claims ? new Answer( 503, '', array(), array( 'detail' => 'Not today' ) ) : new Answer( 200, '', array(), array() ) );
		self::assertStringContainsString( '“Pan” is reserved for you until', $this->done( 'bob', 'reserve', $this->on_list( array( 'gift_id' => $gift ) ) )['message'] );
		$this->in_request( null, fn() => self::call( 'gift-list.forget_gifts', $this->list->id ) );
		$this->outside->answer( 'GET /registries/*/items', array( 'detail' => 'Not today' ), 503 );
		self::assertSame( 503, $this->ask( 'alice', 'see-gifts', $this->on_list(), true )->status );
	}

	public function test_a_guest_chips_in_for_a_group_gift_by_an_amount_only(): void {
		$this->begin( array( 'registry_currency' => 'EUR', 'registry_invitees' => '["bob"]' ) );
		$pram = $this->service->add( $this->list->id, array( 'name' => 'Pram', 'url' => 'https://shop.example/pram', 'unit' => 'money', 'quantity_needed' => 52_000 ) )->json['data']['id'];
		$pan  = $this->add( 'Pan' );
		self::assertSame( array( 422, 422, 422 ), array_map( fn( array $input ): int => $this->ask( 'bob', 'reserve', $this->on_list( $input ) )->status, array( array( 'gift_id' => $pram ), array( 'gift_id' => $pan, 'amount' => 5 ), array( 'gift_id' => $pram, 'amount' => 1000 ) ) ) );
		$share = $this->done( 'bob', 'reserve', $this->on_list( array( 'gift_id' => $pram, 'amount' => 20.5 ) ) )['gift'];
		self::assertSame( array( 20.5, 'EUR' ), array( $share['amount'], $share['currency'] ) );
		self::assertSame( 499.5, $this->read_as( 'bob' )[0]['missing'] );
	}

	public function test_a_surprise_tells_its_owners_nothing_and_its_guests_what_is_left(): void {
		foreach ( array( '' => array( null, null ), 'names' => array( 0, 2 ) ) as $keeps => $left ) {
			$this->begin( array( 'registry_owners' => '["carol"]', 'registry_invitees' => '["bob"]', 'registry_surprise_until' => 'always', 'registry_surprise_keeps' => $keeps ) );
			$pan = $this->add( 'Pan' );
			$this->add( 'Pot', 2 );
			$claim = $this->service->give( $pan, array( 'giver' => array( 'name' => 'Gran', 'email' => self::GRAN ) ) )->json['id'];
			self::assertSame( array( 0, 2 ), array_column( $this->read_as( 'bob' ), 'left' ) );
			foreach ( array( 'alice', 'carol' ) as $owner ) {
				self::assertSame( $left, array_column( $this->read_as( $owner ), 'left' ), "$owner $keeps" );
				self::assertSame( array( 'gifts' => array(), 'surprise_until' => 'always' ), $this->done( $owner, 'see-gifts', $this->on_list(), true ) );
				self::assertStringNotContainsString( 'Gran', (string) wp_json_encode( $this->done( $owner, 'thank', $this->on_list( array( 'claim_ids' => array( $claim ) ) ) ) ) );
				self::assertSame( 422, $this->ask( $owner, 'reserve', $this->on_list( array( 'gift_id' => $pan ) ) )->status );
			}
			self::assertNull( $this->service->claims[ $claim ]['thanked_at'] );
		}
	}
}
