<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** Gifts that several pay for: the owners' forms, amounts as people type them, the giver's page, and what is told when money is missing on the day. shares.test.ts has the code for banking apps, and files; at-once.test.ts has several processes. */
final class SharesTest extends ListTestCase {

	private const IBAN = 'DE89 3704 0044 0532 0130 00';
	private const META = array( 'registry_currency' => 'EUR', 'registry_invitees' => '["bob","carol"]', 'registry_pay_to' => self::IBAN . ', Ann & Bob <3' );

	/** Makes a list with a pram of 520 €, and returns the path to give a share of it. */
	private function pram( array $meta = array() ): string {
		$this->begin( $meta + self::META );
		return $this->way_to( $this->add_money( 'Pram', 52_000 ) );
	}

	private function add_money( string $name, int $units ): int {
		return $this->service->add( $this->list->id, compact( 'name' ) + array( 'url' => "https://shop.example/$name", 'unit' => 'money', 'quantity_needed' => $units ) )->json['data']['id'];
	}

	private function given( ?string $login, string $path, array $fields, array $cookies = array() ): string {
		$answer = $this->send_form( $login, $path, 'give', $fields, cookies: $cookies );
		self::assertSame( 303, $answer->status, $answer->text );
		return $answer->location();
	}

	private function pressed( ?string $login, string $path, string $action, array $cookies = array() ): Answer {
		$answer = $this->send_form( $login, $path, $action, cookies: $cookies );
		self::assertSame( 303, $answer->status, $action );
		return $answer;
	}

	public function test_the_place_of_shares_is_for_owners_and_administrators_in_wordpresss_rest_api_too(): void {
		$this->begin( array( 'registry_owners' => '["carol"]', 'registry_invitees' => '["bob"]' ) + self::META );
		$path = "/wp/v2/registry/{$this->list->id}";
		foreach ( array( 'alice' => true, 'carol' => true, 'admin' => true, 'bob' => false ) as $name => $sees ) {
			$answer = $this->rest( $name, 'GET', "$path?context=edit" );
			self::assertSame( array( 200, $sees, $sees ), array( $answer->status, $answer->json['meta']['registry_pay_to'] !== '', str_contains( $answer->text, 'DE89' ) ), $name );
		}
		self::assertStringNotContainsString( 'DE89', $this->rest( 'bob', 'GET', '/wp/v2/registry?context=edit&per_page=100' )->text . $this->rest( 'bob', 'GET', $path )->text );
		$set = fn( string $place, string $who = 'carol' ): Answer => $this->rest( $who, 'POST', $path, array( 'meta' => array( 'registry_pay_to' => $place ) ) );
		self::assertSame( array( 400, 403 ), array( $set( str_repeat( 'x', 301 ) )->status, $set( 'Mine', 'bob' )->status ) );
		foreach ( array( str_repeat( 'x', 300 ) => str_repeat( 'x', 300 ), 'In an <b>envelope</b>' => 'In an envelope', " Ann\t Miller \r\n\nDE89 " => "Ann Miller\nDE89", '' => '' ) as $sent => $stored ) {
			self::assertSame( $stored, $set( (string) $sent )->json['meta']['registry_pay_to'] );
		}
	}

	public function test_a_currency_stays_while_several_pay_whichever_way_it_is_changed(): void {
		$this->pram();
		$id  = $this->list->id;
		$set = fn( ?string $registry_currency ): Answer => $this->rest( 'alice', 'POST', "/wp/v2/registry/$id", array( 'meta' => compact( 'registry_currency' ) ) );
		self::assertSame( array( 409, 'trousseau_currency_in_use' ), array( $set( 'CHF' )->status, $set( 'CHF' )->code() ) );
		self::assertSame( array( 409, 200 ), array( $set( null )->status, $set( 'EUR' )->status ) );
		$this->in_request( 'alice', static fn() => update_post_meta( $id, 'registry_currency', 'CHF' ) );
		$this->in_request( 'alice', static fn() => delete_post_meta( $id, 'registry_currency' ) );
		self::assertSame( 'EUR', get_post_meta( $id, 'registry_currency', true ) );
		self::assertStringContainsString( 'This list has group gifts', self::refused( $this->send_form( 'alice', $this->path( 'details' ), 'change', array( 'currency' => 'CHF' ) ) ) );
		$this->service->items = array();
		self::assertSame( 200, $set( 'CHF' )->status );
		self::assertSame( 'CHF', get_post_meta( $id, 'registry_currency', true ) );
	}

	public function test_an_owner_starts_a_fund_and_lets_several_pay_for_a_thing_from_50_euros_on(): void {
		$this->begin( array( 'registry_pay_to' => '' ) + self::META );
		$gifts = $this->path( 'gifts' );
		$send  = fn( array $fields, string $path = '' ): Answer => $this->page( 'alice', $path ?: $gifts, form: $fields );
		self::assertStringContainsString( 'Start a cash fund', $this->read( 'alice', $gifts ) );
		$fund  = $this->page( 'alice', "$gifts?fund=1" );
		self::assertMatchesRegularExpression( '/Guests see it once they’ve confirmed, and pay you directly.*can’t refund it/', self::words( $fund->text ) );
		self::assertMatchesRegularExpression( '/What guests will see.*Chip in/', self::words( $fund->text ), 'the card’s button, too' );
		$form = self::form_on( $fund, 'add' );
		self::assertSame( array( 'money', null, null ), array( $form['kind'], $form['address'] ?? null, $form['quantity'] ?? null ) );
		self::assertStringContainsString( 'Say how people should pay you', self::refused( $send( array( 'name' => 'Honeymoon', 'price' => '1.500 €' ) + $form ) ) );
		$account = self::IBAN . "\nAnn & Bob <3";
		foreach ( array( 'at first', 'the same form again, which is no other person’s' ) as $time ) {
			self::assertSame( 303, $send( array( 'name' => 'Honeymoon', 'price' => '1,500 €', 'pay_to' => strtr( $account, array( "\n" => " \r\n\r\n" ) ) ) + $form )->status, $time );
		}
		$edited = self::form_on( $this->page( 'alice', "$gifts?item=" . array_key_last( $this->service->items ) ), 'change' );
		self::assertSame( array( 'Honeymoon', '' ), array( $edited['name'], $edited['address'] ), 'the list’s own link is none' );
		$by_hand = self::form_on( $this->page( 'alice', "$gifts?by-hand=1" ), 'add' );
		self::assertSame( $account, $by_hand['pay_to'], 'asked once' );
		$bicycle = array( 'name' => 'Bicycle', 'several' => '1' ) + $by_hand;
		foreach ( array(
			'Enter the amount'        => array(),
			'start at €50'            => array( 'price' => '49.99' ),
			'This IBAN isn’t valid'   => array( 'price' => '400', 'pay_to' => strtr( $account, array( '0130 00' => '0130 01' ) ) ),
		) as $words => $fields ) {
			self::assertStringContainsString( $words, self::refused( $send( $fields + $bicycle ) ), $words );
		}
		$forgotten = $send( array( 'price' => '400', 'pay_to' => 'In an envelope' ) + array_diff_key( $bicycle, array( 'several' => 1 ) ) );
		self::assertStringContainsString( 'Tick this box to make it a group gift', self::refused( $forgotten ) );
		self::assertStringContainsString( '<details class="trousseau-more" open>', $forgotten->text );
		self::assertSame( 303, $send( array( 'price' => '400', 'address' => 'https://shop.example/bike' ) + $bicycle )->status );
		self::assertSame( array( array( 'Honeymoon', 'money', null, 150_000 ), array( 'Bicycle', 'money', null, 40_000 ) ), array_map( static fn( array $item ): array => array( $item['name'], $item['unit'], $item['price'], $item['quantity_needed'] ), array_values( $this->service->items ) ) );
		$list = $this->see( 'alice', $gifts );
		self::assertStringContainsString( '€0 of €1,500 promised', $list );
		self::assertDoesNotMatchRegularExpression( '/150,?000/', $list );
		$change = self::form_on( $this->page( 'alice', "$gifts?item=2" ), 'change' );
		self::assertSame( array( '400', null, 'money' ), array( $change['price'], $change['quantity'] ?? null, $change['kind'] ) );
		self::assertSame( 303, $send( array( 'price' => '450.50' ) + $change, "$gifts?item=2" )->status );
		self::assertSame( 45_050, $this->service->items[2]['quantity_needed'] );
		$this->service->give( 2, array( 'quantity' => 45_000, 'giver' => array() ) );
		$this->outside->answer( 'PUT /items/2', array( 'detail' => 'More is given already' ), 409 );
		self::assertStringContainsString( '€450 is already promised, so the goal can’t be lower', self::refused( $send( array( 'price' => '400' ) + $change, "$gifts?item=2" ) ) );
	}

	public function test_a_guest_gives_what_they_type_in_any_of_the_ways_that_people_write_it(): void {
		$path = $this->pram();
		self::assertMatchesRegularExpression( '/€520 needed.*Chip in/', $this->see( 'bob', $this->list->link ) );
		$page  = $this->page( 'bob', $path );
		$asked = self::words( $page->text );
		self::assertMatchesRegularExpression( '#<h1[^>]*>Chip in</h1>#', $page->text );
		self::assert_shows( array( 'This site never handles money and can’t refund it', '€25 €50 €100 €520 Other' ), $asked );
		self::assertDoesNotMatchRegularExpression( '/DE89|52000/', $asked );
		$form = array( 'key' => '' ) + self::form_on( $page, 'give' );
		$give = fn( array $fields ): Answer => $this->page( 'bob', $path, form: $fields + $form );
		$own  = static fn( string $amount ): Answer => $give( array( 'share' => 'own' ) + compact( 'amount' ) );
		foreach ( array( '€ 50' => 5000, '50,00' => 5000, '10.50 EUR' => 1050, '٢٥' => 2500 ) as $typed => $units ) {
			self::assertSame( 303, $own( (string) $typed )->status );
			self::assertSame( $units, $this->service->claims[ array_key_first( $this->service->claims ) ]['quantity'], (string) $typed );
		}
		self::assertSame( 303, $give( array( 'share' => '10000' ) )->status );
		self::assertStringContainsString( 'Choose how much', self::refused( $give( array() ) ) );
		foreach ( array( 'Enter an amount in EUR, such as 50' => array( '', 'a lot', '50 $', '1.500' ), 'above zero' => array( '0', '0,00', '-5', '−5', '٠' ), 'Only €284.50 is still needed' => array( '284.51' ) ) as $words => $amounts ) {
			foreach ( $amounts as $amount ) {
				$refused = $own( $amount );
				self::assertStringContainsString( $words, self::refused( $refused ), $amount );
				self::assertStringContainsString( 'id="trousseau-amount-fault"', $refused->text, $amount );
			}
		}
		self::assertMatchesRegularExpression( '/id="trousseau-share-fault"[^>]*>Only €284\.50 is still needed/', $give( array( 'share' => '52000' ) )->text );
		self::assertStringContainsString( '€284.50 needed', $this->see( 'carol', $this->list->link ) );
		$answer = $this->send_form( 'carol', $path, 'give', array( 'share' => '28450' ) );
		self::assertMatchesRegularExpression( '/Thank you! You’re giving €284\.50 towards Pram\. With your share, the goal is reached/', $this->see( 'carol', $answer->location(), $answer->cookies ) );
		self::assertStringContainsString( self::IBAN, $this->read( 'carol', $answer->location() ) );
		self::assertSame( 52_000, $this->service->items[1]['quantity_purchased'] );
	}

	public function test_the_giver_says_that_it_is_sent_gives_more_or_less_or_takes_it_back_and_emails_name_amounts(): void {
		$path = $this->given( 'bob', $this->pram( array( 'registry_pay_to' => 'In an envelope' ) ), array( 'share' => '5000' ) );
		$page = $this->page( 'bob', $path );
		self::assertMatchesRegularExpression( '/€50 towards Pram.*In an envelope/', self::words( $page->text ) );
		self::assertDoesNotMatchRegularExpression( '/data-code|id="trousseau-iban"/', $page->text );
		$change = self::form_on( $page, 'change' );
		self::assertSame( '50', $change['amount'] );
		self::assertStringContainsString( 'Only €520 is still needed', self::refused( $this->page( 'bob', $path, form: array( 'amount' => '520.01' ) + $change ) ) );
		self::assertSame( 303, $this->page( 'bob', $path, form: array( 'amount' => '60,5' ) + $change )->status );
		self::assertSame( 6050, $this->service->items[1]['quantity_purchased'] );
		self::assertStringContainsString( 'It’s marked as sent', $this->see( 'bob', $path, $this->pressed( 'bob', $path, 'bought' )->cookies ) );
		$mails = $this->sent();
		self::assertSame( array( 'bob@example.test: Thank you for “€60.50 towards Pram”', 'bob@example.test: Your share: €50 towards Pram' ), array_map( array( self::class, 'words' ), self::about( $mails ) ) );
		self::assertStringContainsString( '€459.50 is still needed', self::words( implode( ' ', array_column( $mails, 'text' ) ) ) );
		self::assertStringContainsString( '€60.50 towards Pram Sent', $this->see( 'alice', $this->path( 'given' ) ) );
		self::assertStringContainsString( '60.50', $this->exported( 'bob@example.test' ) );
		self::assertStringContainsString( 'In an envelope', $this->exported( 'alice@example.test' ) );
		self::assertMatchesRegularExpression( '/€60\.50 towards Pram .* Sent/', $this->see( 'bob', '/registries/my-gifts/' ) );
		$claim  = &$this->service->claims[ array_key_first( $this->service->claims ) ];
		$before = $claim;
		$claim  = array( 'state' => 'pending', 'expires_at' => gmdate( 'c', time() + HOUR_IN_SECONDS ) ) + $claim;
		self::assert_shows( 'Please confirm your share by', $this->see( 'bob', $path ), hides: 'reserved' );
		$claim = $before;
		unset( $claim );
		$this->pressed( 'bob', $path, 'got-back' );
		self::assertSame( 0, $this->service->items[1]['quantity_purchased'] );
		self::assertStringNotContainsString( 'In an envelope', $this->read( 'bob', $path ) );
	}

	public function test_the_one_who_buys_is_the_place_also_for_those_who_read_the_owners_words_before(): void {
		$pram = $this->pram();
		$path = $this->given( 'bob', $pram, array( 'share' => '5000' ) );
		$this->given( 'carol', $pram, array( 'share' => '5000' ) );
		$this->sent();
		$this->run_jobs( 'digest' );
		self::assertSame( array( 'alice@example.test: 1 gift from “Ann & Sam” was chosen' ), array_map( array( self::class, 'words' ), self::about( $this->sent() ) ), 'two shares are one gift in the daily email' );
		$theirs = &$this->service->claims[ array_key_first( $this->service->claims ) ];
		foreach ( array(
			array( array(), 'DE89', 'paypal' ),
			array( array( 'buys' => true, 'pay_to' => 'https://paypal.me/carol' ), 'href="https://paypal.me/carol/50.00EUR"', 'DE89' ),
			array( array( 'pay_to' => null ), 'They haven’t said how to send it yet', 'DE89' ),
			array( array( 'buys' => false ), 'DE89', 'haven’t said' ),
		) as list( $changes, $shown, $hidden ) ) {
			$theirs = $changes + $theirs;
			$there  = $this->read( 'bob', $path );
			self::assert_shows( $shown, $there, hides: $hidden );
		}
		update_post_meta( $this->list->id, 'registry_invitees', '["carol"]' );
		self::assertStringNotContainsString( 'DE89', $this->read( 'bob', $path ), 'no longer invited' );
	}

	public function test_a_gift_on_the_list_is_added_once_more_for_several_without_a_currency_the_form_asks_for_it_once(): void {
		$this->begin( self::META );
		$gifts = $this->path( 'gifts' );
		$this->service->add( $this->list->id, array( 'name' => 'Table', 'url' => 'https://shop.example/table', 'price' => 300, 'description' => 'Oak' ) );
		$opened = $this->page( 'alice', "$gifts?item=1" )->text;
		self::assertStringContainsString( 'Want guests to chip in together?', self::words( $opened ) );
		self::assertMatchesRegularExpression( '/href="[^"]*several=1"/', $opened );
		$again = $this->page( 'alice', "$gifts?several=1" );
		self::assertMatchesRegularExpression( '/<input(?=[^>]* name="several")(?=[^>]* checked)/', $again->text );
		$form = self::form_on( $again, 'add' );
		self::assertSame( array( 'Table', '300', 'Oak' ), array( $form['name'], $form['price'], $form['description'] ) );
		self::assertSame( 303, $this->page( 'alice', $gifts, form: array( 'several' => '1' ) + $form )->status );
		self::assertSame( array( null, 'money' ), array_map( static fn( array $item ): ?string => $item['unit'] ?? null, array_values( $this->service->items ) ) );
		$this->begin( array( 'registry_currency' => '' ) + self::META );
		$page  = $this->page( 'alice', $this->path( 'gifts' ) . '?by-hand=1' );
		$asked = $this->page( 'alice', $this->path( 'gifts' ), form: array( 'name' => 'Bench', 'price' => '$80', 'list_currency' => 'CHF' ) + self::form_on( $page, 'add' ) );
		self::assertMatchesRegularExpression( '/<input(?=[^>]* name="reading")(?=[^>]* value="80")/', $asked->text, 'a price in another currency than the chosen one' );
		self::assertSame( 303, $this->page( 'alice', $this->path( 'gifts' ), form: array( 'name' => 'Bench', 'price' => '80', 'several' => '1', 'list_currency' => 'CHF', 'pay_to' => 'In an envelope' ) + self::form_on( $page, 'add' ) )->status );
		self::assertSame( array( 'CHF', 8000 ), array( get_post_meta( $this->list->id, 'registry_currency', true ), end( $this->service->items )['quantity_needed'] ) );
		self::assertStringNotContainsString( 'list_currency', $this->see( 'alice', $this->path( 'gifts' ) . '?by-hand=1' ), 'asked once' );
	}

	public function test_a_share_of_a_gift_that_is_removed_keeps_its_currency_and_is_not_asked_for_and_a_surprised_owner_sees_the_goal_and_nothing_else(): void {
		$path = $this->given( 'bob', $this->pram(), array( 'share' => '10000' ) );
		self::assertStringContainsString( 'I’ve sent it', $this->read( 'bob', $path ) );
		$this->service->items = array();
		$this->page( 'bob', $this->list->link );
		$left = $this->see( 'bob', $path );
		self::assertStringContainsString( 'The owners have removed this gift from their list. Please don’t send anything for it', $left );
		self::assertDoesNotMatchRegularExpression( '/Please send it by|I’ve sent it|Give me until/', $left );
		$this->service->claims[ array_key_first( $this->service->claims ) ]['state'] = 'purchased';
		self::assertStringContainsString( 'They have your €100: please ask them to return it.', $this->see( 'bob', $path ) );
		self::assertStringContainsString( '€100 towards a gift Sent · No longer on your list · Please return the money', $this->see( 'alice', $this->path( 'given' ) ) );
		$this->service->claims[ array_key_first( $this->service->claims ) ]['state'] = 'reserved';
		self::assert_shows( 'No longer on your list', $this->see( 'alice', $this->path( 'given' ) ), hides: 'Please return' );
		self::assertSame( 200, $this->rest( 'alice', 'POST', "/wp/v2/registry/{$this->list->id}", array( 'meta' => array( 'registry_currency' => 'JPY' ) ) )->status );
		self::assertCount( 3, preg_grep( '/€100/', array( $this->see( 'bob', $path ), $this->see( 'alice', $this->path( 'given' ) ), $this->exported( 'bob@example.test' ) ) ) );
		$this->service->claims                                                            = array();
		$next                                                                             = $this->given( 'carol', $this->way_to( $this->add_money( 'Cot', 90_000 ) ), array( 'share' => '10000' ) );
		$this->service->claims[ array_key_first( $this->service->claims ) ]['created_at'] = gmdate( 'c', time() + 5 );
		self::assertStringContainsString( '¥10,000 towards Cot', $this->see( 'carol', $next ) );
		$pram   = $this->pram( array( 'registry_surprise_until' => 'always' ) );
		$seen   = fn(): array => array_map( fn( string $path ): string => $this->see( 'alice', $path ), array( $this->list->link, $this->path( 'gifts' ), $this->path( 'given' ), $this->path( 'details' ) ) );
		$before = $seen();
		self::assertStringContainsString( '€520 needed', $before[0] );
		$this->given( 'bob', $pram, array( 'share' => '52000' ) );
		self::assertSame( $before, $seen() );
		self::assertSame( array(), self::form_on( $this->page( 'alice', $pram ), 'give' ) );
		self::assertSame( 303, $this->send_form( 'alice', $this->path( 'gifts' ) . '?item=' . array_key_last( $this->service->items ), 'change', array( 'price' => '200' ) )->status, 'as if nobody had given anything' );
		self::assertSame( 20_000, end( $this->service->items )['quantity_needed'] );
	}

	public function test_a_guest_without_an_account_gives_a_share_by_the_link_of_their_invitation(): void {
		$pram  = $this->pram( array( 'registry_invitees' => wp_json_encode( array( self::GRAN ) ) ) );
		$guest = $this->guest();
		self::assertStringContainsString( 'Chip in', $this->see( null, $this->list->link, $guest ) );
		$given = $this->send_form( null, $pram, 'give', array( 'giver' => 'Gran', 'share' => '2500' ), cookies: $guest );
		$path  = $given->location();
		self::assertStringContainsString( 'DE89', $this->read( null, $path, $given->cookies ) );
		$other = $this->read( null, $this->list->link, $guest ) . $this->read( null, '/registries/my-gifts/', $guest );
		self::assertDoesNotMatchRegularExpression( '/€25 towards|You’re giving/', self::words( $other ), 'owners know their guests’ links' );
		parse_str( (string) wp_parse_url( $path, PHP_URL_QUERY ), $query );
		self::assertStringNotContainsString( $query['of'], $other );

		$device = $this->pressed( null, $path, 'bought', $given->cookies )->cookies;
		$device = $this->pressed( null, $path, 'got-back', $device )->cookies;
		self::assertDoesNotMatchRegularExpression( '/You’re giving|trousseau-mine/', $this->read( null, $this->list->link, $device ) );
		self::assertStringContainsString( 'You haven’t given anything from this device yet', $this->see( null, '/registries/my-gifts/', $device ) );
	}

	private const MISSED = 'the goal wasn’t reached';
	private const NOBODY = 'Nobody is buying';

	private static function day( string $zone = 'UTC', int $ago = 1 ): string {
		return ( new \DateTimeImmutable( "-$ago days", new \DateTimeZone( $zone ) ) )->format( 'Y-m-d' );
	}

	/** Makes a list with a pram of 520 €, to which these give shares. @return array<string, string> The numbers of their claims. */
	private function shared_pram( array $shares, array $meta = array(), array $also = array() ): array {
		$this->begin( $meta + array( 'registry_currency' => 'EUR', 'registry_invitees' => '["bob","carol"]', 'registry_pay_to' => 'In an envelope', 'registry_event_date' => self::day() ) );
		$item = $this->service->add( $this->list->id, $also + array( 'name' => 'Pram', 'url' => 'https://shop.example/pram', 'unit' => 'money', 'quantity_needed' => 52_000 ) )->json['data']['id'];
		return array_combine( array_keys( $shares ), array_map( fn( string $name ): string => $this->share( $item, $name, $shares[ $name ] ), array_keys( $shares ) ) );
	}

	private function share( int $item, string $name, int $quantity ): string {
		return $this->service->give( $item, compact( 'quantity' ) + array( 'giver' => array( 'user_id' => self::user( $name ), 'name' => $name, 'email' => "$name@example.test" ) ) )->json['id'];
	}

	private function set( string $id, array $changes ): void {
		$this->service->claims[ $id ] = $changes + $this->service->claims[ $id ];
	}

	private function round(): void {
		$this->in_request( null, fn() => self::call( 'add_job', 'buyer', null, 0, (string) $this->list->id ) );
		$this->run_jobs( 'buyer' );
	}

	/** The texts of the new emails with these words in their subjects, by their readers. @return array<string, string> */
	private function told( string $about ): array {
		$mails = array_filter( $this->sent( 0.01 ), static fn( array $mail ): bool => str_contains( $mail['subject'], $about ) );
		$told  = array_combine( array_map( static fn( array $mail ): string => strtok( $mail['to'][0], '@' ), $mails ), array_map( static fn( array $mail ): string => self::words( $mail['text'] ), $mails ) );
		self::assertCount( count( $mails ), $told, 'one for each' );
		ksort( $told );
		return $told;
	}

	private static function gift_in( string $text ): string {
		self::assertSame( 1, preg_match_all( '#https?://\S+/registries/gift/\S+#', $text, $found ) );
		return $found[0][0];
	}

	private function press( string $login, string $path, string $action ): string {
		$answer = $this->send_form( $login, $path, $action );
		self::assertSame( 303, $answer->status, $answer->text );
		return self::words( $this->page( $login, $answer->location(), $answer->cookies )->text );
	}

	private static function waiting( string $kind ): int {
		return count( array_filter( self::call( 'rows', 'trousseau_jobs' ), static fn( array $job ): bool => str_contains( $job['unique_key'], $kind ) ) );
	}

	public function test_each_giver_is_told_once_and_may_cancel_what_is_not_sent_and_the_one_who_buys_what_is_missing(): void {
		$claims = $this->shared_pram( array( 'bob' => 10_000, 'carol' => 5000 ) );
		$this->set( $claims['carol'], array( 'state' => 'purchased' ) );
		$this->round();
		$this->round();
		$asked = $this->told( self::MISSED );
		self::assertSame( array( 'bob', 'carol' ), array_keys( $asked ) );
		self::assertMatchesRegularExpression( '/cancel it on the page below.*View your share of €100/', $asked['bob'] );
		self::assertStringContainsString( 'ask the person you sent it to', $asked['carol'] );
		$this->round();
		self::assertSame( array(), $this->told( self::MISSED ), 'once' );

		self::assertStringContainsString( 'Only the person who has the money can return it', $this->see( 'carol', self::gift_in( $asked['carol'] ) ) );
		$this->press( 'carol', self::gift_in( $asked['carol'] ), 'got-back' );
		$this->press( 'bob', self::gift_in( $asked['bob'] ), 'release' );
		self::assertSame( array( 'released', 'released' ), array_column( $this->service->claims, 'state' ) );
		$claims = $this->shared_pram( array( 'bob' => 10_000, 'carol' => 5000 ) );
		$this->set( $claims['bob'], array( 'buys' => true, 'pay_to' => 'To Bob' ) );
		$this->round();
		$told = $this->told( self::MISSED );
		self::assertMatchesRegularExpression( '/You’re buying it: please pay the rest.*View your share of €100/', $told['bob'] );
		self::assertStringContainsString( 'cancel it on the page below', $told['carol'] );
		$page = $this->see( 'bob', self::gift_in( $told['bob'] ) );
		self::assertMatchesRegularExpression( '/€150 of €520 promised.*€370 is still missing\..*I’ve bought it.*Buy it anyway.*Let someone else buy it.*Cancel my share/', $page );
	}

	/** @return array<string, array> Shares, the list's and the gift's fields, and changes of carol's claim. */
	public function untroubled(): array {
		return array(
			'before the day' => array( array( 'bob' => 10_000 ), array( 'registry_event_date' => self::day( 'UTC', -3 ) ) ),
			'without a day'  => array( array( 'bob' => 10_000 ), array( 'registry_event_date' => '' ) ),
			'full'           => array( array( 'bob' => 52_000 ) ),
			'bought'         => array( array( 'bob' => 10_000, 'carol' => 5000 ), array(), array(), array( 'buys' => true, 'state' => 'purchased' ) ),
			'pieces'         => array( array( 'bob' => 1 ), array(), array( 'unit' => null, 'quantity_needed' => 4 ) ),
		);
	}

	/** @dataProvider untroubled */
	public function test_nobody_is_asked( array $shares, array $meta = array(), array $gift = array(), array $changes = array() ): void {
		$claims = $this->shared_pram( $shares, $meta, $gift );
		$changes && $this->set( $claims['carol'], $changes );
		$this->round();
		self::assertSame( array(), $this->told( self::MISSED ) );
	}

	public function test_the_day_begins_where_the_site_is_and_erasing_a_person_takes_the_marks_of_their_emails(): void {
		$there = 'Pacific/Kiritimati';
		$this->shared_pram( array( 'bob' => 10_000 ), array( 'registry_event_date' => self::day( $there, 0 ) ) );
		update_option( 'timezone_string', 'Etc/GMT+12' );
		$this->round();
		self::assertSame( array(), $this->told( self::MISSED ) );
		update_option( 'timezone_string', $there );
		$this->round();
		self::assertSame( array( 'bob' ), array_keys( $this->told( self::MISSED ) ) );
		$marks  = static fn(): int => count( array_filter( array_column( self::call( 'rows', 'trousseau_values' ), 'name' ), static fn( string $name ): bool => str_starts_with( $name, 'mailed_' ) ) );
		$before = $marks();
		$this->outside->answer( 'DELETE /claims?*', array( 'erased' => 0 ) );
		$this->in_request( 'admin', static fn() => self::call( 'personal_data', 'eraser', 'bob@example.test', 1 ) );
		self::assertLessThan( $before, $marks() );
	}

	public function test_the_look_waits_for_the_day_also_for_one_that_the_owners_change(): void {
		$this->shared_pram( array( 'bob' => 10_000 ), array( 'registry_event_date' => self::day( 'UTC', -3 ) ) );
		$this->round();
		self::assertCount( 1, self::jobs( 'buyer' ) );
		update_post_meta( $this->list->id, 'registry_event_date', self::day() );
		$this->run_jobs( 'buyer' );
		self::assertSame( array( 'bob' ), array_keys( $this->told( self::MISSED ) ) );
		self::assertCount( 0, self::jobs( 'buyer' ) );
	}

	public function test_an_email_that_waits_is_not_sent_once_the_gift_is_full(): void {
		$this->shared_pram( array( 'bob' => 10_000 ) );
		$this->round();
		self::assertSame( 1, self::waiting( 'goal-missed' ) );
		$this->share( 1, 'carol', 42_000 );
		self::assertSame( array(), $this->told( self::MISSED ) );
		self::assertSame( 0, self::waiting( 'goal-missed' ) );
	}

	/** @dataProvider keeps */
	public function test_owners_who_are_to_be_surprised_learn_nothing( string $keeps ): void {
		$this->shared_pram( array( 'bob' => 10_000 ), array( 'registry_surprise_until' => 'always', 'registry_surprise_keeps' => $keeps ) );
		$seen   = fn(): array => array_map( fn( string $page ): string => $this->see( 'alice', $this->path( $page ) ), array( 'given', 'gifts', 'details', 'people' ) );
		$before = $seen();
		$this->round();
		$asked = $this->told( self::MISSED );
		self::assertSame( array( 'bob' ), array_keys( $asked ) );
		$bobs = self::gift_in( $asked['bob'] );
		self::assertSame( $before, $seen() );
		self::assertStringNotContainsString( 'Pram', $this->page( 'alice', $bobs )->text );
	}

	public function test_others_hear_once_that_the_buyer_took_a_share_back_and_not_once_somebody_else_buys(): void {
		$look   = $this->round( ... );
		$claims = $this->shared_pram( array( 'bob' => 10_000, 'carol' => 5000 ), array( 'registry_event_date' => '' ) );
		$this->set( $claims['carol'], array( 'buys' => true ) );
		$look();
		$this->press( 'carol', self::page_of( $claims['carol'] ), 'release' );
		$look();
		self::assertSame( 1, self::waiting( 'no-buyer' ) );
		$this->set( $claims['bob'], array( 'buys' => true ) );
		self::assertSame( array(), $this->told( self::NOBODY ) );
		$look();
		$this->set( $claims['bob'], array( 'buys' => false ) );
		$look();
		self::assertSame( array(), $this->told( self::NOBODY ), 'nobody else gives' );
	}
}
