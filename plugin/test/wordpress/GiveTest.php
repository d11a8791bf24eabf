<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Giving\ClaimView;
use Trousseau\Giving\Claims;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\Cookie;
use Trousseau\Plugin;
use Trousseau\Service\Claim;

/** Giving: who may, what a form asks the service for, and what it says when it can't; giving.test.ts has presses at the same time. */
final class GiveTest extends ListTestCase {

	private const VERA = array( 'giver' => 'Vera', 'email' => 'vera@example.org' );

	private function wanting( int $needed, array $meta = array(), string $status = 'publish' ): string {
		$this->begin( $meta, $status, array( 'Glasses', $needed ) );
		return $this->way_to();
	}

	/** Sends the form on the page of a gift. A stranger's was opened some seconds ago. */
	private function press( ?string $login, string $path, array $fields = array(), array $cookies = array(), string $network = '192.0.2.1' ): Answer {
		$form = self::form_on( $this->page( $login, $path, $cookies ), 'give' );
		self::assertNotSame( array(), $form, "no form on $path" );
		$since = $login === null ? array( 'since' => self::call( 'sign', 'form', (string) ( time() - 10 ) ) ) : array();
		return $this->page( $login, $path, $cookies, array( 'REMOTE_ADDR' => $network ), $fields + $since + $form );
	}

	private function said( ?string $login, Answer $answer ): string {
		self::assertSame( 303, $answer->status, $answer->text );
		$next = $this->page( $login, strtok( $answer->location(), '#' ), $answer->cookies );
		preg_match( '/<p class="trousseau-note [^"]*" role="status"[^>]*>(.*?)<\/p>/', $next->text, $found );
		return html_entity_decode( strip_tags( $found[1] ?? '' ), ENT_QUOTES );
	}

	private function given(): int {
		return array_sum( array_column( $this->service->items, 'quantity_purchased' ) );
	}

	private function asked_to_give(): array {
		return array_values( array_filter( $this->outside->requests, static fn( array $request ): bool => $request['method'] === 'POST' && str_ends_with( $request['path'], '/claims' ) ) );
	}

	/** @return array<string, int> How many gifts of the list, or of an account, have which state. */
	private function states( ?string $login = null ): array {
		$claims = array_filter( $this->service->claims, fn( array $claim ): bool => $login === null ? $claim['registry_id'] === $this->list->id : $claim['giver']['user_id'] === self::user( $login ) );
		$states = array_count_values( array_column( $claims, 'state' ) );
		ksort( $states );
		return $states;
	}

	public function test_a_guest_gives_as_many_as_they_say_and_reads_what_came_of_it_once(): void {
		$path = $this->wanting( 6, array( 'registry_invitees' => '["bob"]' ), 'private' );
		self::assertStringContainsString( '?item=1"', $this->read( 'bob', $this->list->link ) );
		$asked = $this->page( 'bob', $path );
		self::assertSame( 'reserved', self::form_on( $asked, 'give' )['state'] );
		self::assertStringContainsString( 'Reserved for you until', $asked->text );
		self::assertSame( array(), $this->asked_to_give(), 'looking at the page does nothing' );

		$bought = $this->press( 'bob', $path, array( 'count' => '4', 'state' => 'purchased', 'message' => 'With love' ) );
		self::assertSame( self::page_of( (string) array_key_first( $this->service->claims ) ), $bought->location() );
		self::assertSame( 'Thank you! You’re giving “4 × Glasses”. 2 more are needed.', $this->said( 'bob', $bought ) );
		$body = $this->asked_to_give()[0]['body'];
		self::assertSame( array( 4, 'purchased', 'With love', self::user( 'bob' ) ), array( $body['quantity'], $body['state'], $body['message'], $body['giver']['user_id'] ) );
		$device = $this->page( 'bob', $this->list->link, $bought->cookies )->cookies;
		$after  = $this->read( 'bob', "{$this->list->link}?trousseau_given=thanks", $device );
		self::assertStringNotContainsString( 'role="status"', $after, 'it is said once, and by no address' );
		self::assertStringContainsString( '2 needed', $after );
		self::assertMatchesRegularExpression( '#class="trousseau-mine" href="[^"]*/gift/#', $after, 'on this device it is theirs to change' );
		self::assertMatchesRegularExpression( '#You’re already giving this\. What you choose now comes on top\..*href="[^"]*/gift/.*value="give"#s', $this->page( 'bob', $path, $device )->text );

		foreach ( array( '3' => 'Fewer than that are still needed', '1000' => 'Fewer than that are still needed', '0' => 'Enter at least 1', '-1' => 'Enter at least 1', 'x' => 'Enter at least 1', '1.5' => 'Enter at least 1' ) as $count => $words ) {
			$again = $this->press( 'bob', $path, array( 'count' => (string) $count, 'message' => 'Two "more" <3' ) );
			self::assertStringContainsString( $words, self::refused( $again ), (string) $count );
			self::assertStringContainsString( 'id="trousseau-count-fault"', $again->text, (string) $count );
			self::assertSame( 'Two "more" <3', self::form_on( $again, 'give' )['message'], 'what was typed is kept' );
		}
		self::assertSame( 4, $this->given() );
		$this->said( 'bob', $this->press( 'bob', $path, array( 'count' => '2' ), $device ) );
		self::assertMatchesRegularExpression( '#You’re giving this.*href="[^"]*/gift/#s', $this->page( 'bob', $path, $device )->text );
		$elsewhere = $this->page( 'bob', $path );
		self::assertStringContainsString( 'Someone is already giving this', $elsewhere->text );
		self::assertSame( array(), self::form_on( $elsewhere, 'give' ) );
		self::assertStringNotContainsString( 'Glasses', $this->read( 'carol', $this->list->link ) );
	}

	public function test_a_gift_that_was_removed_while_its_page_was_open_says_so_once(): void {
		$path = $this->wanting( 1, array( 'registry_invitees' => '["bob"]' ) );
		$form = self::form_on( $this->page( 'bob', $path ), 'give' );
		self::assertSame( 303, $this->page( 'alice', $this->path( 'gifts' ), form: array( 'do' => 'remove', 'item' => '1' ) )->status );
		$answer = $this->page( 'bob', $path, form: $form );
		self::assertSame( array( 422, 1 ), array( $answer->status, substr_count( $answer->text, 'no longer on the list' ) ) );
		self::assertStringContainsString( 'Back to the list', $answer->text );
	}

	public function test_a_key_that_this_site_did_not_make_for_this_gift_and_form_is_not_taken(): void {
		$foreign = self::form_on( $this->page( 'bob', $this->wanting( 9 ) ), 'give' )['key'];
		$this->add( 'Pan', 99 );
		$path = $this->way_to( 2 );
		$own  = self::form_on( $this->page( 'bob', $path ), 'give' );
		$key  = function ( string $login, string $key ) use ( $path, $own ): string {
			$this->page( $login, $path, form: compact( 'key' ) + $own );
			return array_reverse( $this->asked_to_give() )[0]['headers']['idempotency-key'];
		};
		foreach ( array( $foreign, '', 'import-1-0', str_repeat( '0', 32 ), "$own[key]x" ) as $one ) {
			$first = $key( 'bob', $one );
			self::assertStringStartsWith( "give-{$this->list->id}-2-" . self::user( 'bob' ) . '-', $first );
			self::assertNotSame( $first, $key( 'bob', $one ) );
		}
		self::assertSame( $key( 'bob', $own['key'] ), $key( 'bob', $own['key'] ) );
		self::assertNotSame( $key( 'bob', $own['key'] ), $key( 'carol', $own['key'] ), 'everybody has keys of their own' );
	}

	public function test_an_owner_reads_of_a_gift_of_one_piece_only_that_it_is_given_and_one_without_a_shop_has_no_link_to_one(): void {
		$path = $this->wanting( 1 );
		$seen = fn(): string => self::found( '~order__text.*?<small>(.*?)</small>~s', $this->page( 'alice', $this->path( 'gifts' ) )->text );

		$this->service->items[1]['url'] = $this->list->link;
		self::assertSame( '', $seen() );
		self::assertStringNotContainsString( 'View in shop', $this->read( 'bob', $path ) );
		$this->said( 'bob', $this->press( 'bob', $path ) );
		self::assertSame( 'Given', $seen() );
		list( $mail ) = $this->sent();
		self::assert_shows( 'You’re giving “Glasses”', $mail['text'], hides: 'View in shop' );
	}

	public function test_a_step_that_leads_to_a_shop_says_in_the_next_line_that_its_link_may_earn_something(): void {
		$path                    = $this->wanting( 1 );
		$this->service->items[1] = array( 'affiliate_url' => 'https://affiliate.example/', 'affiliate_status' => 'active' ) + $this->service->items[1];
		$made                    = $this->press( 'bob', $path );
		self::assertMatchesRegularExpression( '~<li>Please buy it [^<]*<br><a [^>]*>View in shop</a>\s*<br><small>If you buy something [^<]*</small></li>~', $this->page( 'bob', $made->location(), $made->cookies )->text );
	}

	public function test_a_gift_is_kept_longer_and_changed_as_long_as_the_list_lets_it(): void {
		$path = $this->wanting( 6 );
		$made = $this->press( 'bob', $path, array( 'count' => '2', 'message' => 'With love' ) );
		self::assertMatchesRegularExpression( '/^Thank you! “2 × Glasses” is reserved for you until .* 4 more are/', $this->said( 'bob', $made ) );
		$thanked = $this->page( 'bob', $made->location(), $made->cookies );
		self::assertMatchesRegularExpression( '/What happens next Please buy it by [^.]*\. View in shop Come back to this page and choose “I’ve bought it”.*I’ve bought it.*Cancel my gift/', self::words( $thanked->text ) );
		self::assertSame( array(), self::form_on( $thanked, 'keep' ), 'not at once' );
		self::assertMatchesRegularExpression( '/trousseau-subject.*View in shop.*<form class="trousseau-form is-give"(?!.*View in shop)/s', $this->page( 'bob', $path )->text );
		$id    = (string) array_key_first( $this->service->claims );
		$at    = self::page_of( $id );
		$claim = fn( string $field ): mixed => $this->service->claims[ $id ][ $field ];
		$send  = fn( array $form ): Answer => $this->page( 'bob', $at, form: $form );
		$press = fn( string $action ): Answer => $send( self::form_on( $this->page( 'bob', $at ), $action ) );
		$days  = static fn(): int => (int) round( ( strtotime( $claim( 'expires_at' ) ) - time() ) / DAY_IN_SECONDS );
		$page  = $this->page( 'bob', $at );
		$keep  = self::form_on( $page, 'keep' );
		self::assertStringNotContainsString( '⋯', $page->text, 'one way more is a link' );
		foreach ( array( 'once', 'once again' ) as $times ) {
			self::assertStringContainsString( 'reserved for you until', $this->said( 'bob', $send( $keep ) ) );
			self::assertSame( 28, $days(), $times );
		}
		$send( array( 'until' => '99999999999' ) + $keep );
		self::assertSame( 42, $days() );
		$this->service->claims[ $id ]['expires_at'] = gmdate( 'c', time() + 85 * DAY_IN_SECONDS );
		$press( 'keep' );
		self::assertSame( 90, $days() );
		self::assertSame( array(), self::form_on( $this->page( 'bob', $at ), 'keep' ) );

		$fields = self::form_on( $this->page( 'bob', $at ), 'change' );
		self::assertSame( array( '2', 'With love' ), array( $fields['count'], $fields['message'] ) );
		foreach ( array( array( '0', 'x', 'Enter at least 1' ), array( '7', 'Seven', 'Fewer are needed now' ), array( '3', str_repeat( 'x', 501 ), '500 characters at most' ) ) as list( $count, $message, $words ) ) {
			$answer = $send( compact( 'count', 'message' ) + $fields );
			self::assertStringContainsString( $words, self::refused( $answer ) );
			self::assertSame( $message, self::form_on( $answer, 'change' )['message'], 'what was typed is kept' );
		}
		foreach ( array( array( '6', 'For all of you', 6, 'For all of you' ), array( '1', '', 1, null ) ) as list( $count, $message, $is_count, $is_message ) ) {
			self::assertSame( 303, $send( compact( 'count', 'message' ) + $fields )->status );
			self::assertSame( array( $is_count, $is_message ), array( $claim( 'quantity' ), $claim( 'message' ) ) );
		}
		$send( array( 'do' => 'bought' ) );
		$bought = $this->page( 'bob', $at );
		self::assertSame( array( array(), '1' ), array( self::form_on( $bought, 'keep' ), self::form_on( $bought, 'change' )['count'] ) );
		self::assertMatchesRegularExpression( '/<p>The owners can see this as well\.<\/p>.*is-one">\s*<a class="button wp-element-button"[^>]*>Back to the list<(?!.*⋯).*>Cancel my gift<.*Change number or message/s', $bought->text );
		self::assertSame( 1, substr_count( $bought->text, '>Back to the list<' ) );
		$thanks = array_column( $this->sent(), 'text', 'subject' )['Thank you for “Glasses”'];
		self::assertStringContainsString( 'You’ve bought “Glasses” for “Ann & Sam”. 5 more are needed.', $thanks );
		self::assertSame( 1, substr_count( $this->read( 'bob', $at, $send( array( 'do' => 'release' ) )->cookies ), 'others can give it' ), 'it is said once' );
		$this->outside->answer( 'PATCH /claims/*', array( 'detail' => 'Released' ), 409 );
		self::assertStringContainsString( 'has changed this gift', self::refused( $send( array( 'count' => '2' ) + $fields ) ) );
		self::assertStringContainsString( 'can’t do this any more', self::refused( $send( $keep ) ) );
	}

	public function test_the_owner_says_how_long_gifts_are_reserved_until_the_day_for_instance(): void {
		$path    = $this->wanting( 9, array( 'registry_event_date' => gmdate( 'Y-m-d', time() + 40 * DAY_IN_SECONDS ) ) );
		$details = $this->path( 'details' ) . '?part=delivery';
		foreach ( array( 'day' => array( 39.9, 42 ), '28' => array( 27.9, 28 ), '' => array( 13.9, 14 ) ) as $reserved => list( $least, $most ) ) {
			self::assertSame( 303, $this->send_form( 'alice', $details, 'change', array( 'reserved' => (string) $reserved ) )->status );
			self::assertSame( (string) $reserved, self::form_on( $this->page( 'alice', $details ), 'change' )['reserved'] );
			$form = self::form_on( $this->page( 'bob', $path ), 'give' );
			// The same form twice is the same gift, although the event has come nearer meanwhile.
			self::assertSame( array( 303, 303 ), array_map( fn(): int => $this->page( 'bob', $path, form: $form )->status, range( 1, 2 ) ) );
			list( $one, $two ) = array_slice( $this->asked_to_give(), -2 );
			self::assertSame( array( $one['headers']['idempotency-key'], $one['body'] ), array( $two['headers']['idempotency-key'], $two['body'] ) );
			$days = ( $one['body']['expires_in'] ?? 14 * DAY_IN_SECONDS ) / DAY_IN_SECONDS;
			self::assertTrue( $days >= $least && $days <= $most, "$reserved: $days" );
		}
	}

	public function test_nobody_gives_from_a_list_that_they_may_not_see_or_anything_that_is_not_on_the_list(): void {
		$this->begin( array(), 'private', array( 'Murmur' ) );
		$closed = $this->path( 'give' );
		$path   = $this->wanting( 1 );
		$form   = self::form_on( $this->page( 'bob', $path ), 'give' );
		foreach ( array( 'bob', null ) as $who ) {
			foreach ( array( "$closed?item=1", "$closed?item=2", '/registries/99999/give/?item=2' ) as $hidden ) {
				foreach ( array( array(), $form ) as $sent ) {
					$answer = $this->page( $who, $hidden, form: $sent );
					self::assertSame( 404, $answer->status, $hidden );
					self::assertStringNotContainsString( 'Murmur', $answer->text );
				}
			}
		}
		foreach ( array( 1, 99_999, 'x', '' ) as $item ) {
			self::assertStringContainsString( 'no longer on the list', $this->read( 'bob', $this->way_to( $item ) ) );
			self::assertMatchesRegularExpression( '/couldn’t|no longer on the list/', self::refused( $this->page( 'bob', $this->way_to( $item ), form: $form ) ) );
		}
		unset( $this->service->items[2] );
		self::refused( $this->page( 'bob', $path, form: $form ) );
		self::assertSame( array(), $this->service->claims );
	}

	public function test_a_guests_device_gives_while_the_guest_is_invited_and_nobody_without_the_lists_password(): void {
		update_option( 'trousseau_anonymous_giving', '' );
		$path   = $this->wanting( 1, array(), 'private' );
		$device = $this->guest();
		$form   = self::form_on( $this->page( null, $path, $device ), 'give' );
		self::assertNotSame( array(), $form );
		update_post_meta( $this->list->id, 'registry_invitees', '["bob"]' );
		self::assertSame( 404, $this->page( null, $path, $device, form: $form )->status );
		self::assertNotSame( array(), self::form_on( $this->page( 'bob', $path ), 'give' ) );
		wp_update_post( array( 'ID' => $this->list->id, 'post_status' => 'publish', 'post_password' => 'knock' ) );
		self::assertSame( array(), self::form_on( $this->page( 'carol', $path ), 'give' ) );
	}

	public function test_an_owner_who_is_to_be_surprised_gives_nothing_from_their_own_list_and_learns_nothing_from_a_visitor_who_types_their_address(): void {
		$path = $this->wanting( 1, array( 'registry_surprise_until' => 'always' ) );
		self::assertStringNotContainsString( '?item=1"', $this->read( 'alice', $this->list->link ) );
		$form = self::form_on( $this->page( 'bob', $path ), 'give' );
		foreach ( array( array(), $form ) as $sent ) {
			$answer = $this->page( 'alice', $path, form: $sent );
			self::assertSame( 403, $answer->status );
			self::assertStringContainsString( 'This is your own list, and who gives what is a surprise', $answer->text );
		}
		self::assertSame( array(), $this->asked_to_give() );
		$given = $this->press( null, $path, array( 'email' => 'ALICE@example.test' ) + self::VERA );
		self::assertStringContainsString( 'reserved for you for an hour', $this->said( null, $given ) );
		self::assertSame( array(), $this->sent() );
		self::assertStringNotContainsString( 'Glasses', $this->read( 'alice', '/registries/my-gifts/' ) );
		$GLOBALS['wpdb']->update( $GLOBALS['wpdb']->posts, array( 'post_author' => 0 ), array( 'ID' => $this->list->id ) );
		clean_post_cache( $this->list->id );
		$claim = array( 'registry_id' => $this->list->id, 'giver' => array( 'user_id' => null, 'name' => 'Vera', 'email' => 'vera@example.org' ) );
		self::assertFalse( Surprise::is_spoiled_by( new Claim( self::claim_with( $claim ) ) ), 'without an owner' );
	}

	public function test_visitors_say_who_they_are_and_are_no_machines_and_only_forms_from_a_page_of_this_site_count(): void {
		$path = $this->wanting( 6 );
		foreach ( array( array( array( 'website' => 'x' ), 'Please try again' ), array( array( 'since' => '' ), 'Please try again' ), array( array( 'giver' => ' ' ), 'Enter your name' ), array( array( 'email' => '' ), 'Enter your email' ), array( array( 'email' => 'vera' ), 'Check your email' ) ) as list( $fault, $words ) ) {
			self::assertStringContainsString( $words, self::refused( $this->press( null, $path, $fault + self::VERA ) ) );
		}
		self::assertSame( array(), $this->asked_to_give() );
		$form = self::form_on( $this->page( 'bob', $path ), 'give' );
		self::assertSame( 403, $this->page( 'bob', $path, array(), array( 'HTTP_ORIGIN' => 'https://elsewhere.example', 'HTTP_SEC_FETCH_SITE' => '' ), $form )->status );
		self::assertSame( 0, $this->given() );
		self::assertSame( 303, $this->page( 'bob', $path, array(), array( 'HTTP_ORIGIN' => 'https://behind.a.proxy' ), $form )->status );
		self::assertSame( 1, $this->given() );
	}

	public function test_visitors_do_only_so_much_in_an_hour_by_address_and_by_network(): void {
		$path = $this->wanting( 90 );
		$give = function ( string $email, string $network ) use ( $path ): string {
			$answer = $this->press( null, $path, compact( 'email' ) + self::VERA, network: $network );
			return $answer->status === 303 ? 'given' : self::refused( $answer );
		};
		foreach ( array( '192.0.2.1', '192.0.2.2' ) as $network ) {
			self::assertSame( array_fill( 0, 5, 'given' ), array_map( static fn(): string => $give( 'one@example.org', $network ), range( 1, 5 ) ) );
			self::assertStringContainsString( 'A lot of gifts were chosen in a short time', $give( 'ONE@example.org', $network ) );
		}
		self::assertStringContainsString( 'A lot of gifts were chosen in a short time', $give( 'ONE@example.org', '192.0.2.9' ) );
		self::assert_each( 'given', range( 1, 20 ), static fn( int $count ): string => $give( "$count@example.org", '192.0.2.4' ) );
		self::assertStringContainsString( 'A lot of gifts were chosen in a short time', $give( '21@example.org', '192.0.2.4' ) );
		self::assertSame( 'given', $give( '21@example.org', '192.0.2.5' ) );
		self::assertSame( 31, $this->given() );
	}

	public function test_a_form_that_is_sent_again_because_the_service_was_away_counts_once(): void {
		$path = $this->wanting( 6 );
		$form = self::VERA + array( 'since' => self::call( 'sign', 'form', (string) ( time() - 10 ) ) ) + self::form_on( $this->page( null, $path ), 'give' );

		$this->outside->is_away = true;
		$press                  = fn(): Answer => $this->page( null, $path, form: $form );
		self::assert_each( false, range( 1, 7 ), static fn(): bool => str_contains( $press()->text, 'A lot of gifts were chosen' ) );
		$this->outside->is_away = false;
		self::assertSame( array( 303, 1 ), array( $press()->status, $this->given() ) );
	}

	public function test_visitors_take_only_so_many_pieces_of_a_list_in_a_day_however_many_addresses_they_have(): void {
		$path = $this->wanting( 200 );
		$give = fn( string $name, string $count, string $network = '192.0.2.1' ): Answer => $this->press( null, $path, compact( 'count' ) + array( 'email' => "$name@catch-all.example" ) + self::VERA, network: $network );
		self::assertSame( 303, $give( 'one', '50' )->status );
		$id   = array_key_first( $this->service->claims );
		self::assertStringContainsString( 'Ask the owners to invite you', self::refused( $give( 'two', '20' ) ) );
		self::assertSame( 303, $give( 'three', '5' )->status );
		$this->service->claims[ $id ]['state'] = 'reserved';
		$form                                  = self::form_on( $this->page( null, self::page_of( $id ) ), 'change' );
		$change                                = fn( string $count ): int => $this->page( null, self::page_of( $id ), array(), array( 'REMOTE_ADDR' => '192.0.2.1' ), compact( 'count' ) + $form )->status;
		self::assertSame( array( 422, 303 ), array( $change( '150' ), $change( '55' ) ) );
		self::assertSame( 60, $this->given() );
		self::assertSame( 303, $give( 'four', '20', '192.0.2.2' )->status );
	}

	public function test_an_address_that_was_only_typed_reads_a_lists_title_where_the_site_stands_by_it_and_no_other_words(): void {
		$path  = $this->wanting( 6 );
		$title = (string) get_post_field( 'post_title', $this->list->id );
		$reads = function () use ( $path, $title ): bool {
			$this->press( null, $path, self::VERA );
			$text = self::words( array_column( $this->sent(), 'text', 'subject' )['Please confirm your gift'] );
			self::assertStringNotContainsString( 'Glasses', $text );
			return str_contains( $text, html_entity_decode( $title ) );
		};
		update_option( 'users_can_register', '1' );
		self::assertTrue( $reads(), 'an administrator has approved it' );
		update_option( 'trousseau_approval', '' );
		self::assertFalse( $reads(), 'anyone may publish' );
		update_option( 'users_can_register', '' );
		self::assertTrue( $reads(), 'only members make lists' );
		foreach ( array( array( 'post_password' => 'knock' ), array( 'post_password' => '', 'post_status' => 'private' ) ) as $closed ) {
			wp_update_post( array( 'ID' => $this->list->id ) + $closed );
			self::assertFalse( \Trousseau\Lists\Approval::vouches_for( get_post( $this->list->id ) ) );
		}
	}

	/** Makes a public list of which somebody may take so many gifts at once and so many by mail, with these gifts. */
	private function limited( int $at_once, int $by_mail, int $gifts, string $what = 'gifts' ): void {
		add_filter( 'trousseau_uninvited_limits', static fn( array $limits, string $way ): array => array( $what => $way === 'at once' ? $at_once : $by_mail ) + $limits, 10, 2 );
		$this->begin( array(), 'publish', ...array_map( static fn( int $n ): array => array( "Glasses $n", 5 ), range( 1, $gifts ) ) );
	}

	public function test_people_whom_nobody_invited_mark_some_gifts_at_once_and_some_by_an_email_and_no_more(): void {
		$this->limited( 1, 2, 3 );
		$answers = array_map( fn( int $item ): Answer => $this->press( 'bob', $this->way_to( $item ), array( 'count' => '2', 'state' => 'purchased' ) ), range( 1, 3 ) );
		self::assertSame( array( 'pending' => 1, 'purchased' => 1 ), $this->states() );
		self::assertStringContainsString( 'Ask the owners to invite you', self::refused( $answers[2] ) );
		$mails = array_values( array_filter( $this->sent(), static fn( array $mail ): bool => str_contains( $mail['subject'], 'confirm' ) ) );
		self::assertCount( 1, $mails );
		self::assertStringStartsWith( 'You’ve chosen “2 × Glasses 2” from “Ann & Sam”. It’s reserved for you until', $mails[0]['text'] );
		self::assertStringContainsString( 'Please confirm', $this->read( 'bob', $this->list->link, $answers[1]->cookies ) );
		$pending = self::page_of( (string) array_key_first( $this->service->claims ) );
		self::assertSame( array(), self::form_on( $this->page( 'bob', $pending ), 'confirm' ) );
		foreach ( array( 'confirm', 'bought' ) as $action ) {
			$this->page( 'bob', $pending, form: array( 'do' => $action ) );
		}
		self::assertSame( array( 'pending' => 1, 'purchased' => 1 ), $this->states(), 'nobody confirms but by the mail' );
		self::assertSame( 303, $this->send_form( 'bob', self::found( '#https?://\S*/gift/\S*#', $mails[0]['text'] ), 'confirm' )->status );
		self::assertSame( array( 'purchased' => 2 ), $this->states(), 'they said that they have bought it' );
	}

	public function test_people_whom_nobody_invited_mark_twelve_pieces_at_once_and_thirty_in_all_unless_the_site_says_otherwise_and_share_a_limit_too(): void {
		$path  = $this->wanting( 99 );
		$press = fn( string $count ): int => $this->press( 'bob', $path, compact( 'count' ) )->status;
		self::assertSame( array( 303, 303, 303, 422 ), array( $press( '12' ), $press( '1' ), $press( '17' ), $press( '1' ) ) );
		self::assertSame( array( 'pending', 'pending', 'reserved' ), array_column( $this->service->claims, 'state' ) );
		$this->limited( 2, 3, 4, 'of_all' );
		foreach ( range( 2, 5 ) as $n ) {
			self::user( "one-of-many-$n" );
			$this->press( "one-of-many-$n", $this->way_to( $n ), array( 'state' => 'purchased' ) );
		}
		self::assertSame( array( 'pending' => 1, 'purchased' => 2 ), $this->states() );
		self::assert_each( 422, range( 1, 10 ), fn(): int => $this->press( 'one-of-many-5', $this->way_to( 5 ) )->status );
		add_filter( 'trousseau_uninvited_limits', static fn( array $limits ): array => array( 'of_all' => 99 ) + $limits, 11 );
		$this->press( 'one-of-many-5', $this->way_to( 5 ), array( 'state' => 'purchased' ) );
		self::assertSame( array( 'pending' => 1, 'purchased' => 3 ), $this->states(), 'what the list’s limit refused was not counted as theirs' );
	}

	public function test_a_form_of_somebody_uninvited_that_is_sent_again_is_decided_about_and_counted_once(): void {
		$this->limited( 7, 30, 3, 'pieces' );
		$form = self::form_on( $this->page( 'bob', $this->way_to( 1 ) ), 'give' );
		self::assert_each( 303, range( 1, 4 ), fn(): int => $this->page( 'bob', $this->way_to( 1 ), form: array( 'count' => '3' ) + $form )->status );
		$this->press( 'bob', $this->way_to( 2 ), array( 'count' => '4', 'state' => 'purchased' ) );
		self::assertSame( array( 'purchased' => 1, 'reserved' => 1 ), $this->states() );
		self::assertStringContainsString( 'we’ll email you a link to confirm this one', $this->read( 'bob', $this->way_to( 3 ) ), 'it is said before they press' );
		self::assertStringNotContainsString( 'we’ll email you a link to confirm this one', $this->read( 'carol', $this->way_to( 3 ) ) );
	}

	public function test_people_whom_nobody_invited_are_seen_by_the_sites_keeper_who_undoes_it_for_one_of_them(): void {
		$keeper = self::user( 'keeper', 'administrator' );
		$this->begin( array( 'registry_invitees' => '["bob"]' ), 'publish', array( 'Pan', 9 ) );
		$take = fn( string $login, int $item, string $count = '2' ): Answer => $this->press( $login, $this->way_to( $item ), compact( 'count' ) + array( 'state' => 'purchased' ) );
		self::assert_each( 303, range( 1, 4 ), static fn(): int => $take( 'bob', 1 )->status );
		$this->limited( 1, 9, 3 );
		$first = $this->list->id;
		array_map( static fn( int $item ): Answer => $take( 'bob', $item ), range( 2, 4 ) );
		$found = fn(): object => (object) $this->in_request( 'keeper', static fn(): array => self::call( 'finding', 'uninvited' ) );
		$seen  = fn(): string => preg_replace( '/_wpnonce" value="\w+"/', '', html_entity_decode( explode( 'id="trousseau-uninvited"', $this->admin_page( 'keeper', 'options-general.php', 'trousseau' ) )[1] ?? '' ) );
		self::assertSame( 'recommended', $found()->status );
		self::assertMatchesRegularExpression( '/bob: 3 gifts, 6 pieces, from .*Ann/', $found()->words );
		self::assertMatchesRegularExpression( '/bob.*3 gifts, 6 pieces/s', $seen() );

		$this->list = $this->registry( 'keeper', array( 'title' => 'Hush', 'status' => 'publish', 'meta' => array( 'registry_surprise_until' => 'always' ) ) );
		$hushed     = $this->add( 'Hushed', 40 );
		$before     = array( $found(), $seen() );
		array_map( static fn(): Answer => $take( 'carol', $hushed ), range( 1, 3 ) );
		$take( 'bob', $hushed );
		self::assertEquals( $before, array( $found(), $seen() ) );
		self::assertSame( array( 'pending' => 2, 'purchased' => 6 ), $this->states( 'bob' ) );

		$form = array( 'user' => (string) self::user( 'bob' ) );
		self::assertSame( 403, $this->admin_post( 'carol', 'trousseau_release', $form )->status );
		$this->sent();
		self::assertSame( 303, $this->admin_post( 'keeper', 'trousseau_release', $form )->status );
		self::assertDoesNotMatchRegularExpression( '/\bbob\b/', $seen() );
		self::assertSame( array( 'purchased' => 4, 'released' => 4 ), $this->states( 'bob' ), 'what they give as a guest stays, and a surprise goes along' );
		self::assertSame( array( 'bob@example.test: The gifts you chose are available again' ), self::about( $this->sent() ) );
	}

	public function test_where_the_site_does_not_allow_it_visitors_are_told_to_log_in(): void {
		$path = $this->wanting( 1 );
		$form = self::form_on( $this->page( null, $path ), 'give' ) + self::VERA;
		update_option( 'trousseau_anonymous_giving', '' );
		self::assertMatchesRegularExpression( '/\?item=1" data-for-guests hidden/', $this->read( null, $this->list->link ) );
		foreach ( array( array(), $form ) as $sent ) {
			$answer = $this->page( null, $path, form: $sent );
			self::assertSame( 403, $answer->status );
			self::assertMatchesRegularExpression( '/wp-login\.php\?redirect_to=[^"]*give/', $answer->text );
			self::assertSame( array(), self::form_on( $answer, 'give' ) );
		}
		self::assertSame( array(), $this->asked_to_give() );
		self::assertStringContainsString( '?item=1"', $this->read( 'bob', $this->list->link ), 'who is signed in still gives' );
	}

	public function test_a_service_that_fails_loses_nothing_the_same_form_gives_once_when_it_is_back(): void {
		$path   = $this->wanting( 3, array( 'registry_invitees' => '["bob"]' ) );
		$form   = array( 'message' => 'Kept & "whole"' ) + self::form_on( $this->page( 'bob', $path ), 'give' );
		$later  = 'couldn’t save your gift right now';
		$secret = array( 'detail' => 'secret-internals' );
		foreach (
			array(
				array( new Answer( 503, '', array(), $secret ), $later ),
				array( new Answer( 200, '<html>secret-internals' ), $later ),
				array( new Answer( 429, '', array(), $secret ), 'Too many gifts are waiting' ),
				array( new Answer( 409, '', array(), $secret ), 'Fewer than that are still needed' ),
				array( new Answer( 409, '', array( 'retry-after' => '1' ), $secret ), $later ),
				array( new Answer( 403, '', array(), $secret ), $later ),
				array( new Answer( 404, '', array(), $secret ), 'no longer on the list' ),
				array( new Answer( 404, 'secret-internals' ), $later ),
				array( new \WP_Error( 'http_request_failed', 'secret-internals' ), $later ),
			) as list( $reply, $words )
		) {
			$this->outside->answer( 'POST /registries/*/claims', $reply );
			$answer = $this->page( 'bob', $path, form: $form );
			self::assertStringContainsString( $words, self::refused( $answer ) );
			self::assert_shows( array(), $answer->text, hides: array( 'secret-internals', Outside::SERVICE ) );
			$kept = self::form_on( $answer, 'give' );
			self::assertSame( array( $form['message'], $form['key'] ), array( $kept['message'], $kept['key'] ) );
		}
		$keys = array_unique( array_map( static fn( array $request ): string => $request['headers']['idempotency-key'], $this->asked_to_give() ) );
		$this->outside->answer( 'POST /registries/*/claims', new Answer( 422, '', array(), array( 'detail' => 'Idempotency-Key: was used with another request' ) ) );
		$answer = $this->page( 'bob', $path, form: array( 'message' => 'Other words' ) + $form );
		self::assertStringContainsString( 'An earlier try may have gone through', self::refused( $answer ) );
		self::assertNotContains( self::form_on( $answer, 'give' )['key'], array( $form['key'], '' ), 'the service remembers the key for the first words' );
		self::assertCount( 1, $keys, 'so that the service knows it again' );
		self::assertMatchesRegularExpression( "/^give-{$this->list->id}-1-" . self::user( 'bob' ) . '-[\w-]{22}$/', $keys[0] );
	}

	public function test_a_404_from_the_service_means_that_nothing_was_done_and_pages_say_so(): void {
		$this->said( 'bob', $this->press( 'bob', $this->wanting( 3, array( 'registry_invitees' => '["bob"]' ) ) ) );
		$id = (string) array_key_first( $this->service->claims );
		foreach ( array( array( array( 'detail' => 'Not Found' ), 'no longer exists' ), array( 'Not found', 'couldn’t be saved right now' ) ) as list( $body, $words ) ) {
			$this->outside->answer( 'GET /claims*', $body, 404 );
			$this->outside->answer( 'PATCH /claims/*', $body, 404 );
			self::assertStringContainsString( 'can’t be shown right now', $this->read( 'bob', '/registries/my-gifts/' ) );
			self::assertStringContainsString( 'can’t be shown right now', $this->read( null, self::gifts_by_email( 'bob@example.test' ) ) );
			self::assertStringContainsString( $words, self::refused( $this->page( 'alice', $this->path( 'given' ), form: array( 'do' => 'thanked', 'claim' => $id ) ) ) );
		}
		$this->outside->answer( 'GET /registries/*/claims', array( 'detail' => 'No' ), 500 );
		self::assertSame( 303, $this->page( 'alice', $this->path( 'gifts' ), form: array( 'do' => 'remove', 'item' => '1' ) )->status );
	}

	public function test_a_page_of_120_gifts_asks_the_service_a_handful_of_times_and_emails_show_the_lists_cover_to_givers_who_may_see_the_list(): void {
		$this->begin( array(), 'publish', ...array_map( static fn( int $n ): array => array( "Bowl $n", 6 ), range( 1, 20 ) ) );
		foreach ( range( 0, 119 ) as $n ) {
			$this->service->give( 1 + intdiv( $n, 6 ), array( 'state' => 'purchased', 'giver' => array( 'name' => 'Much', 'email' => 'much@example.test' ) ) );
		}
		unset( $this->service->items[1] );
		$asked = fn(): int => count( preg_grep( '#/(claims|items)#', $this->outside->asked() ) );
		$page  = $this->read( null, self::gifts_by_email( 'much@example.test' ) );
		self::assertTrue( $asked() > 0 && $asked() <= 4, implode( "\n", $this->outside->asked() ) );
		preg_match_all( '/<strong>(.*?)<\/strong><\/a>\s*<small>(.*?)<\/small>/s', $page, $rows );
		self::assertCount( 120, $rows[0] );
		self::assertCount( 6, preg_grep( '/>Bowl 20</', $rows[0] ) );
		self::assertCount( 6, preg_grep( '/No longer on the list/', $rows[0] ) );

		$before  = $asked();
		$entries = array_map( fn( string $id ): string => "{$this->list->id}:1:$id", array_slice( array_reverse( array_keys( $this->service->claims ) ), 0, 60 ) );
		$names   = $this->in_request(
			null,
			static function () use ( $entries ): array {
				Plugin::get( Cookie::class )->set( 'gifts', implode( ',', $entries ), 60 );
				return array_column( array_map( Plugin::get( ClaimView::class )->of( ... ), Plugin::get( Claims::class )->of_visitor() ), 'gift' );
			}
		);
		self::assertSame( array( 60, 6 ), array( count( $names ), array_count_values( $names )['Bowl 2'] ) );
		self::assertLessThanOrEqual( 2, $asked() - $before );
		$path = $this->wanting( 6 );
		set_post_thumbnail( $this->list->id, self::picture( 'alice', 'cover', $this->list->id )->id );
		$has_cover = fn(): array => array_map( static fn( array $mail ): bool => str_contains( $mail['html'], '<img ' ), array_column( $this->sent(), null, 'subject' ) );
		$this->press( 'bob', $path );
		$this->press( null, $path, self::VERA );
		self::assertSame( array( 'Please confirm your gift' => false, '“Glasses” is reserved for you' => true ), $has_cover() );
		wp_update_post( array( 'ID' => $this->list->id, 'post_status' => 'private' ) );
		$this->page( 'bob', self::page_of( array_keys( $this->service->claims )[1] ), form: array( 'do' => 'bought' ) );
		self::assertSame( array( 'Thank you for “Glasses”' => false ), $has_cover(), 'who can no longer see the list' );
	}

	public function test_a_givers_page_orders_their_gifts_by_how_far_they_are_on_every_device(): void {
		$this->begin();
		$device = $this->guest();
		foreach ( array( 'Pan', 'Sieve', 'Ladle' ) as $name ) {
			$answer         = $this->send_form( null, $this->way_to( $this->add( $name ) ), 'give', array( 'giver' => 'Gran' ), cookies: $device );
			$gifts[ $name ] = $answer->location();
			$device         = $answer->cookies;
		}
		$board = function ( array $cookies, string $path = '/registries/my-gifts/' ): array {
			preg_match_all( '#<h2>([^<]+)</h2>\s*<ul class="trousseau-rows"(.*?)</ul>#s', $this->read( null, $path, $cookies ), $parts );
			return array_combine( $parts[1], array_map( static fn( string $rows ): array => preg_match_all( '#<strong>([^<]+)#', $rows, $found ) ? $found[1] : array(), $parts[2] ) );
		};
		self::assertSame( array( 'To buy or send' ), array_keys( $board( $device ) ) );
		foreach ( array( array( 'Sieve', 'bought' ), array( 'Ladle', 'bought' ), array( 'Ladle', 'release' ) ) as list( $gift, $action ) ) {
			self::assertSame( 303, $this->send_form( null, $gifts[ $gift ], $action, cookies: $device )->status );
		}
		$expected = array( 'To buy or send' => array( 'Pan' ), 'Bought or sent' => array( 'Sieve' ), 'No longer reserved' => array( 'Ladle' ) );
		self::assertSame( array( $expected, $expected ), array( $board( array(), self::gifts_by_email() ), $board( $device ) ) );
		self::assertSame( array(), $board( array() ), 'another device' );
	}

	private string $gifts;

	private string $page;

	private function any_number( array $meta = array() ): void {
		$this->begin( $meta + array( 'registry_invitees' => '["bob","carol"]', 'registry_currency' => 'EUR' ) );
		$this->gifts = $this->path( 'gifts' );
		$added       = $this->send_form( 'alice', "$this->gifts?by-hand=1", 'add', array( 'name' => 'Book tokens', 'any_number' => '1' ), $this->gifts );
		self::assertSame( 303, $added->status, $added->text );
		$this->page = "$this->gifts?item=" . array_key_last( $this->service->items );
	}

	private function take( string $login, int $count, string $state = 'purchased' ): Answer {
		return $this->send_form( $login, strtr( $this->page, array( '/gifts/' => '/give/' ) ), 'give', compact( 'state' ) + array( 'count' => (string) $count ) );
	}

	public function test_of_any_number_guests_may_always_give_more_and_read_no_number_the_owner_reads_how_many_are_given(): void {
		$this->any_number();
		self::assertStringContainsString( 'Any number, 0 given so far', $this->read( 'alice', $this->gifts ) );
		foreach ( array( 'bob' => 3, 'carol' => 1000 ) as $login => $count ) {
			self::assertSame( 303, $this->take( $login, $count )->status );
			$page = $this->read( $login, $this->list->link );
			self::assertStringContainsString( '<p class="trousseau-need">As many as you like</p>', $page );
			self::assertDoesNotMatchRegularExpression( '/\d needed|all of them|Given|2[,. \x{202f}]?147/u', $page );
		}
		$give = $this->read( 'alice', strtr( $this->page, array( '/gifts/' => '/give/' ) ) );
		self::assertStringContainsString( 'As many as you like', $give );
		self::assertDoesNotMatchRegularExpression( '/\d needed|still needed|2147/', $give );
		self::assertStringContainsString( 'Any number, 1,003 given so far', $this->read( 'alice', $this->gifts ) );
		$mails = $this->sent();
		self::assertNotSame( array(), $mails );
		self::assertDoesNotMatchRegularExpression( '/more (is|are) needed|Nobody else|2,?147/', implode( array_column( $mails, 'text' ) ) );
	}

	public function test_of_any_number_a_surprised_owners_pages_are_the_same_before_and_after_somebody_gives(): void {
		$this->any_number( array( 'registry_surprise_until' => '2099-01-01' ) );
		$seen   = fn(): array => array_map( fn( string $page ): string => self::words( $this->page( 'alice', $page )->text ), array( $this->gifts, $this->page, $this->list->link ) );
		$before = $seen();
		self::assertStringContainsString( 'Any number', $before[0] );
		self::assertDoesNotMatchRegularExpression( '/\d given/', implode( $before ) );
		self::assertSame( 303, $this->take( 'bob', 3 )->status );
		self::assertSame( $before, $seen() );
	}

	public function test_of_any_number_nobody_takes_all_of_them_a_thousand_at_once_when_giving_and_when_changing_it(): void {
		$this->any_number();
		self::assertStringContainsString( 'You can give up to 1,000.', self::refused( $this->take( 'bob', 1001 ) ) );
		$at   = $this->take( 'bob', 5, 'reserved' )->location();
		$form = self::form_on( $this->page( 'bob', $at ), 'change' );
		self::assertSame( array( 422, 303 ), array_map( fn( string $count ): int => $this->page( 'bob', $at, form: compact( 'count' ) + $form )->status, array( '1001', '12' ) ) );
		self::assertStringContainsString( 'Any number, 12 given so far', $this->read( 'alice', $this->gifts ) );
	}

	public function test_of_any_number_the_owner_may_name_a_number_later_and_back_and_several_pay_for_a_number_of_pieces_only(): void {
		$this->any_number();
		$form = self::form_on( $this->page( 'alice', $this->page ), 'change' );
		self::assertSame( array( '1', '1' ), array( $form['quantity'], $form['any_number'] ) );
		unset( $form['any_number'] );
		self::assertSame( 303, $this->page( 'alice', $this->page, form: array( 'quantity' => '12' ) + $form )->status );
		self::assertStringContainsString( '12 needed', $this->read( 'bob', $this->list->link ) );
		$this->send_form( 'alice', $this->page, 'change', array( 'any_number' => '1' ) );
		self::assertStringContainsString( 'As many as you like', $this->read( 'bob', $this->list->link ) );
		self::assertSame( 303, $this->take( 'bob', 5 )->status );
		$opened = self::form_on( $this->page( 'alice', $this->page ), 'change' );
		self::assertSame( array( '5', '1' ), array( $opened['quantity'], $opened['any_number'] ), 'the number given so far, for going back to a number' );
		self::assertSame( 303, $this->take( 'carol', 2 )->status );
		$saved = $this->page( 'alice', $this->page, form: array( 'name' => 'Tokens' ) + $opened );
		self::assert_shows( array( '“Tokens” is saved.', 'Any number, 7 given so far' ), $this->read( 'alice', $this->gifts, $saved->cookies ), hides: 'Someone else' );
		$typed   = array( 'name' => 'Pram', 'price' => '400', 'several' => '1', 'pay_to' => 'in an envelope', 'any_number' => '1' );
		$refused = $this->send_form( 'alice', "$this->gifts?by-hand=1", 'add', $typed, $this->gifts );
		self::assertStringContainsString( 'A group gift needs a fixed number. Choose one or the other', self::refused( $refused ) );
		self::assertEquals( $typed, array_intersect_key( self::form_on( $refused, 'add' ), $typed ) );
	}
}
