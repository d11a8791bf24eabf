<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Giving\Claims;
use Trousseau\Lists\GiftNotes;
use Trousseau\Plugin;
use Trousseau\Service\Claim;
use Trousseau\Service\Unavailable;

/** A giver's way with one gift: confirming it without its email, on another device, and cancelling it. */
final class GiversTest extends GivingTestCase {

	public function test_a_confirmation_that_was_lost_is_sent_again_from_the_gift_and_from_all_gifts_but_not_without_end(): void {
		$id      = $this->claim( 'pending' );
		$cookies = self::cookie( 'gifts', "{$this->list->id}:1:$id:0:" . ( time() + HOUR_IN_SECONDS ) );
		$path    = self::page_of( $id );
		$gift    = $this->page( null, $path, $cookies )->text;
		self::assertMatchesRegularExpression( '/To confirm, use the link we emailed to \W*gran@example\.org\W/u', $gift );
		self::assertSame( $path, self::button( $gift, 'resend' ) );
		self::assertStringNotContainsString( 'class="trousseau-form is-button "', $gift, 'the next step is in the inbox' );
		self::assertSame( '', self::button( $gift, 'confirm' ) );
		$all = $this->page( null, '/registries/my-gifts/', $cookies )->text;
		self::assertSame( $path, self::button( $all, 'resend' ) );
		self::assertMatchesRegularExpression( '/Confirm by \w+ \d/', $all );
		self::assertSame( '', self::button( $all, 'confirm' ) );
		self::assertSame( 1, preg_match_all( '/To (be )?confirm/', $all ), 'said once' );

		self::assertSame( 303, $this->page( null, $path, $cookies, form: array( 'do' => 'resend' ) )->status );
		list( $mail ) = $this->sent();
		self::assertSame( array( array( self::GRAN ), 'Please confirm your gift' ), array( $mail['to'], $mail['subject'] ) );
		$link   = self::found( '#https?://\S*/gift/\S*#', $mail['text'] );
		$opened = $this->page( null, $link )->text;
		self::assertSame( $link, self::button( $opened, 'confirm' ), 'whoever has the email confirms' );
		$presses_itself = fn( string $page ): bool => str_contains( $page, 'is-at-once' );
		self::assertTrue( $presses_itself( $opened ) );
		$failed         = $this->page( null, $link, server: array( 'HTTP_SEC_FETCH_SITE' => 'cross-site' ), form: array( 'do' => 'confirm' ) )->text;
		self::assertSame( array( $link, false ), array( self::button( $failed, 'confirm' ), $presses_itself( $failed ) ), 'a press that failed' );
		self::assertFalse( $presses_itself( $gift ) );

		$statuses = array_map( fn(): int => $this->page( null, $path, $cookies, form: array( 'do' => 'resend' ) )->status, range( 1, 4 ) );
		self::assertSame( array( 303, 303, 422, 422 ), $statuses );
		self::assertSame( 422, $this->page( null, self::page_of( $this->claim( 'pending' ) ), form: array( 'do' => 'resend' ) )->status, 'given again' );
		$this->claims[ $id ]['state'] = 'reserved';
		self::assertSame( 422, $this->page( null, $path, $cookies, form: array( 'do' => 'resend' ) )->status );
		self::assertSame( '', self::button( $this->page( null, $path, $cookies )->text, 'resend' ) );
	}

	/** Whether a device shows the gift on the list as its own, and as one that waits. @return array{0: bool, 1: bool} */
	private function own( array $cookies ): array {
		$page = $this->page( null, $this->list->link, $cookies + $this->guest() );
		self::assertSame( 200, $page->status );
		preg_match( '/<a class="trousseau-mine( is-waiting)?"/', $page->text, $own );
		self::assertSame( ! $own, str_contains( $page->text, 'trousseau-give"' ), 'either of the two' );
		return array( count( $own ) > 0, count( $own ) > 1 );
	}

	public function test_a_gift_that_ended_on_another_device_is_free_on_the_first(): void {
		$entry   = fn( string $id, string $end ): array => self::cookie( 'gifts', "{$this->list->id}:1:$id:0" . $end );
		$pending = ':' . ( time() + HOUR_IN_SECONDS );
		foreach ( array( array( 'pending', $pending ), array( 'reserved', $pending ), array( 'reserved', '' ), array( 'purchased', $pending ) ) as list( $state, $end ) ) {
			$id     = $this->claim( $state );
			$device = $entry( $id, $end );
			self::assertSame( 303, $this->page( null, self::page_of( $id ), form: array( 'do' => 'release' ) )->status );
			self::assertSame( array( false, false ), $this->own( $device ), "$state $end" );
		}

		$id     = $this->claim( 'reserved', array( 'expires_at' => gmdate( 'c', time() + DAY_IN_SECONDS ) ) );
		$device = $entry( $id, ':r' . ( time() - 5 ) );
		self::assertSame( array( false, false ), $this->own( $device ) );
		$until = strtotime( $this->claims[ $id ]['expires_at'] ) + 14 * DAY_IN_SECONDS;
		self::assertSame( 303, $this->page( null, self::page_of( $id ), form: array( 'do' => 'keep', 'until' => (string) $until ) )->status );
		self::assertSame( array( true, false ), $this->own( $device ) );

		foreach ( array( self::page_of( ... ), static fn(): string => '/registries/my-gifts/' ) as $path ) {
			$id     = $this->claim( 'released' );
			$device = $entry( $id, $pending );
			self::assertSame( array( true, true ), $this->own( $device ) );
			$this->page( null, $path( $id ), $device );
			self::assertSame( array( false, false ), $this->own( $device ) );
		}
	}

	public function test_a_gift_that_was_cancelled_is_given_again_by_undo_and_the_page_leads_on(): void {
		$made = array();
		$this->outside->answer(
			'POST /registries/*/items/1/claims',
			function ( array $request ) use ( &$made ): array {
				$id = $made[ $request['headers']['idempotency-key'] ] ??= $this->claim( $request['body']['state'], array( 'giver' => $request['body']['giver'] + array( 'user_id' => null ) ) + array_diff_key( $request['body'], array( 'expires_in' => 0 ) ) );
				$this->change( $id, array_intersect_key( $request['body'], array( 'expires_in' => 0 ) ) );
				return $this->claims[ $id ];
			},
			201
		);
		foreach ( array( 'reserved', 'purchased', 'pending' ) as $state ) {
			$ends = time() + 40 * MINUTE_IN_SECONDS;
			$id   = $this->claim( $state, array( 'quantity' => 2, 'message' => 'With love', 'expires_at' => $state === 'purchased' ? null : gmdate( 'c', $ends ) ) );
			$path = self::page_of( $id );
			self::assertSame( '', self::button( $this->page( null, $path )->text, 'undo' ) );
			$undo = $this->cancelled( $path );
			self::assertSame( array( 303, 303 ), array_map( fn(): int => $this->page( null, $path, form: array( 'do' => 'undo' ) + $undo )->status, range( 1, 2 ) ), "$state, pressed twice" );
			$again = array_key_last( $this->claims );
			$now   = $this->claims[ $again ];
			self::assertSame( array( $state, 2, 'With love', self::GRAN ), array( $now['state'], $now['quantity'], $now['message'], $now['giver']['email'] ) );
			$state === 'purchased' || self::assertEqualsWithDelta( $ends, strtotime( $now['expires_at'] ), 5, $state );
			self::assertStringNotContainsString( 'Choose another gift', $this->page( null, $path )->text );
			self::assertSame( 1, substr_count( $this->page( null, self::gifts_by_email() )->text, '<strong>' ), $state );
			self::assertSame( array(), array_column( $this->sent(), 'subject' ), $state );
			self::assertSame( 303, $this->page( null, $path, form: array( 'do' => 'release' ) )->status );
			self::assertSame( 'released', $this->claims[ $again ]['state'] );
			self::assertSame( 303, $this->page( null, $path, form: array( 'do' => 'undo' ) + $undo )->status );
			self::assertSame( 'released', $this->claims[ $again ]['state'], 'a press of the former button changes nothing' );
			$this->former += $this->claims;
			$this->claims  = array();
		}
		self::assertSame( array( 'You’ve cancelled “2 × Pan”' ), array_unique( array_column( $this->sent( 1000 ), 'subject' ) ) );
		self::assertCount( 3, $made );

		$path = self::page_of( $this->claim( 'reserved' ) );
		$undo = $this->cancelled( $path );
		$this->outside->answer( 'POST /registries/*/items/1/claims', array( 'detail' => 'Only 0 left' ), 409 );
		self::assert_refused( '/Someone else has chosen it in the meantime/', $this->page( null, $path, form: array( 'do' => 'undo' ) + $undo ) );
		update_post_meta( $this->list->id, '_trousseau_closes_on', '2020-01-01' );
		self::assertStringContainsString( 'can’t do this any more', $this->page( null, $path, form: array( 'do' => 'undo' ) + $undo )->text );
		self::assertSame( 422, $this->page( null, $path, form: array( 'do' => 'undo', 'undo' => 'forged' ) )->status );
	}

	public function test_a_gift_is_given_again_in_the_same_words_where_the_first_answer_was_lost(): void {
		$released = new Claim( $this->claims[ $this->claim( 'released' ) ] );
		$this->outside->answer( 'POST /registries/*/items/1/claims', new \WP_Error( 'http_request_failed', 'Silence' ) );
		foreach ( array( 600, 590 ) as $seconds ) {
			try {
				$this->in_request( null, fn() => Plugin::get( Claims::class )->give_again( get_post( $this->list->id ), $released, 'reserved', time() + $seconds ) );
			} catch ( Unavailable ) {
				continue;
			}
		}
		$sent = array_filter( $this->outside->requests, static fn( array $request ): bool => $request['method'] === 'POST' );
		self::assertCount( 2, $sent );
		self::assertCount( 1, array_unique( array_column( $sent, 'body' ), SORT_REGULAR ), 'or the service refuses the second under the same key' );
		$again = $this->claims[ $this->claim( 'reserved', array( 'expires_at' => gmdate( 'c', time() + 10 * DAY_IN_SECONDS ) ) ) ];
		$this->outside->answer( 'POST /registries/*/items/1/claims', $again );
		foreach ( array( 'one press', 'another at the same time' ) as $press ) {
			$this->in_request( null, fn() => Plugin::get( Claims::class )->give_again( get_post( $this->list->id ), $released, 'reserved', time() + 600 ) );
		}
		self::assertCount( 1, $this->sent( 9.5 ), 'one reminder' );
	}

	private function cancelled( string $path ): array {
		$next = $this->after( $path, array( 'do' => 'release' ) );
		self::assertStringContainsString( 'Choose another gift', $next );
		return array( 'undo' => self::found( '/name="undo" value="([^"]+)"/', $next ) );
	}

	public function test_a_gift_that_nobody_has_confirmed_says_so_after_undo_and_mails_nobody_when_it_is_cancelled(): void {
		$this->outside->answer( 'POST /registries/*/items/1/claims', fn( array $request ): array => $this->claims[ $this->claim( $request['body']['state'] ) ], 201 );
		foreach ( array( 'reserved' => 'You’re giving it again', 'pending' => 'reserved for you again. Please confirm it' ) as $state => $words ) {
			$id     = $this->claim( $state );
			$path   = self::page_of( $id );
			$device = self::cookie( 'gifts', "{$this->list->id}:1:$id:0" );
			$page   = $this->after( $path, array( 'do' => 'undo' ) + $this->cancelled( $path ) );
			self::assertStringContainsString( $words, $page );
			self::assertSame( $state === 'pending', str_contains( $page, 'To confirm, use the link' ) );
			self::assertSame( $state === 'pending', self::button( $page, 'resend' ) !== '' );
			self::assertSame( array( true, $state === 'pending' ), $this->own( $device ), 'a device that gave it still does' );
			self::assertStringContainsString( '<strong>Pan', $this->page( null, '/registries/my-gifts/', $device )->text );
			$this->page( null, $path, form: array( 'do' => 'release' ) );
			self::assertSame( $state === 'pending' ? array() : array( 'You’ve cancelled “Pan”' ), array_column( $this->sent( 1000 ), 'subject' ), $state );
		}
	}

	public function test_a_device_that_does_not_open_the_list_is_told_how_it_would_and_a_gift_whose_time_was_over_can_be_given_after_all_while_nobody_else_gives_it(): void {
		$path = self::page_of( $this->claim( 'reserved' ) );
		foreach ( array( array( array(), false ), array( $this->guest(), true ) ) as list( $cookies, $opens ) ) {
			$page = $this->page( null, $path, $cookies )->text;
			self::assertSame( array( $opens, ! $opens ), array( str_contains( $page, 'Back to the list' ), str_contains( $page, 'open your invitation or the list’s link here' ) ) );
		}
		$path  = self::page_of( $this->claim( 'expired', array( 'expires_at' => null ) ) );
		$again = fn(): bool => str_contains( $this->page( null, $path, $this->guest() )->text, "/registries/{$this->list->id}/give/?item=1\">Give it after all" );
		self::assertTrue( $again() );

		$this->item['quantity_purchased'] = 1;
		$this->page( null, $this->list->link, $this->guest() );
		self::assertFalse( $again() );
	}

	/** The owners remove the gift, or put it back. */
	private function take_off( bool $is_off ): void {
		$this->outside->answer( 'GET /registries/*/items', fn(): array => $is_off ? array() : array( $this->item ) );
		$this->outside->answer( 'GET /items/1', fn(): array => $is_off ? array( 'detail' => 'Not found' ) : array( 'data' => $this->item ), $is_off ? 404 : 200 );
		$this->outside->answer( 'GET /claims?*', fn(): array => array_values( array_map( fn( array $claim ): array => array( 'item' => $is_off ? null : $this->item ) + $claim, $this->claims ) ) );
		do_action( 'trousseau_written', $this->list->id );
	}

	public function test_a_gift_that_the_owners_have_removed_is_not_to_be_bought_and_says_so_wherever_its_giver_looks(): void {
		update_post_meta( $this->list->id, 'registry_event_date', gmdate( 'Y-m-d', time() + 90 * DAY_IN_SECONDS ) );
		$id   = $this->claim( 'reserved' );
		$path = self::page_of( $id );
		$read = fn( string $path ): string => html_entity_decode( $this->page( null, $path, $this->guest() )->text );
		self::assertNotSame( '', self::button( $read( $path ), 'keep' ) );
		$this->take_off( true );
		$page = $read( $path );
		self::assert_shows( 'The owners have removed this gift from their list. Please don’t buy it.', $page, hides: array( 'reserved for you until', 'Add a message' ) );
		self::assertSame( array( true, true, false ), array_map( static fn( string $action ): bool => self::button( $page, $action ) !== '', array( 'release', 'bought', 'keep' ) ) );
		self::assert_shows( array( 'Removed by the owners', 'No longer on the list' ), $read( self::gifts_by_email() ), hides: array( 'Reserved for you until', 'No longer reserved' ) );
		$bought = $this->after( $path, array( 'do' => 'bought' ) );
		self::assert_shows( array( 'It’s marked as bought.', 'Please tell them that you’ve bought it.' ), html_entity_decode( $bought ) );
		self::assert_shows( array( 'Bought', 'No longer on the list' ), $read( self::gifts_by_email() ) );
		self::assert_shows( 'Your gift is cancelled.', $this->after( $path, array( 'do' => 'release' ) ), hides: array( 'others can give it', 'value="undo"' ) );
		wp_trash_post( $this->list->id );
		self::assert_shows( array( 'have deleted this list', 'Gifts I’m giving' ), $read( $path ) );
		self::assert_shows( 'The list was deleted', $read( self::gifts_by_email() ), hides: 'Cancelled' );
	}

	public function test_a_gift_that_was_removed_on_the_site_is_not_to_be_bought_although_the_service_is_busy_now(): void {
		foreach ( array( array(), array( 'quantity' => 5000, 'unit' => 'money', 'buys' => false, 'pay_to' => null ) ) as $kind ) {
			$this->item = ( $kind ? array( 'unit' => 'money', 'quantity_needed' => 10_000, 'quantity_purchased' => 9000 ) : array() ) + $this->item;
			$this->take_off( false );
			$id = $this->claim( 'reserved', $kind );
			$this->outside->answer( 'DELETE /registries/*/items/1', fn(): string => array( $this->outside->answer( 'GET /registries/*/items', array() ), '' )[1], 204 );
			self::assertSame( 303, $this->page( 'alice', "/registries/{$this->list->id}/gifts/", form: array( 'do' => 'remove', 'gifts' => array( '1' ) ) )->status );
			$this->outside->answer( 'GET /items/1', array( 'detail' => 'Too many' ), 429 );
			self::assert_shows( 'have removed this gift', $this->page( null, self::page_of( $id ), $this->guest() )->text, hides: array( 'I’ve sent it', 'reserved for you until' ) );
		}
	}

	public function test_a_gift_of_a_deleted_list_offers_nothing_but_to_cancel_it(): void {
		list( $pending, $id ) = array( $this->claim( 'pending' ), $this->claim( 'reserved' ) );
		wp_trash_post( $this->list->id );
		$page = $this->page( null, self::page_of( $id ), $this->guest() )->text;
		self::assertNotSame( '', self::button( $page, 'release' ) );
		self::assert_shows( 'have deleted this list', html_entity_decode( $page ), hides: array( 'Add a message', 'shop.example' ) );
		self::assertSame( '', self::button( $this->page( null, self::gifts_by_email(), $this->guest() )->text, 'confirm' ) );
		self::assertStringNotContainsString( 'others can give it', $this->after( self::page_of( $id ), array( 'do' => 'release' ) ) );
		$share = $this->claim( 'reserved', array( 'quantity' => 5000, 'unit' => 'money', 'buys' => false, 'pay_to' => null ) );
		self::assertNotSame( '', self::button( $this->page( null, self::page_of( $share ), $this->guest() )->text, 'release' ) );
	}

	public function test_the_link_that_confirms_says_why_it_comes_too_late_and_confirms_once(): void {
		$id   = $this->claim( 'pending' );
		$link = html_entity_decode( self::call( 'claim_link', $id, true ) );
		$day  = '_trousseau_closes_on';
		$late = function ( string $words ) use ( $id, $link ): void {
			$page = $this->page( null, $link, $this->guest() )->text;
			self::assertStringContainsString( $words, html_entity_decode( self::words( $page ) ) );
			self::assertSame( array( '', '' ), array( self::button( $page, 'confirm' ), self::button( $page, 'bought' ) ), $words );
			self::assert_refused( "/can’t do this any more.*$words/", $this->page( null, $link, form: array( 'do' => 'confirm' ) ) );
			self::assertContains( $this->claims[ $id ]['state'], array( 'pending', 'expired' ) );
		};
		update_post_meta( $this->list->id, $day, gmdate( 'Y-m-d', time() - DAY_IN_SECONDS ) );
		$late( 'This list is closed' );
		delete_post_meta( $this->list->id, $day );
		Plugin::get( GiftNotes::class )->note_got( $this->list->id, 1, 0 );
		$late( 'They already have this' );
		Plugin::get( GiftNotes::class )->note_got( $this->list->id, 1, null );
		wp_trash_post( $this->list->id );
		$late( 'have deleted this list' );
		wp_untrash_post( $this->list->id );
		wp_update_post( array( 'ID' => $this->list->id, 'post_status' => 'private' ) );
		$this->take_off( true );
		$late( 'have removed this gift' );
		$this->take_off( false );
		$this->sent();

		$pending = $this->claims[ $id ];
		$this->outside->answer( "GET /claims/$id", static fn(): array => $pending );
		self::assert_each( 303, range( 1, 2 ), fn(): int => $this->page( null, $link, form: array( 'do' => 'confirm' ) )->status );
		self::assertCount( 1, $this->sent() );
		foreach ( array( 'bought', 'release' ) as $press ) {
			$before = array( 'state' => 'reserved' ) + $pending;
			$this->outside->answer( "GET /claims/$id", static fn(): array => $before );
			$this->page( null, $link, form: array( 'do' => $press ) );
			$this->page( null, $link, form: array( 'do' => $press ) );
			self::assertCount( 1, $this->sent( 0.01 ), $press );
		}

		$this->outside->answer( "GET /claims/$id", fn(): array => array( 'state' => 'expired', 'expires_at' => null ) + $pending );
		$this->claims[ $id ]['state']     = 'expired';
		$this->item['quantity_purchased'] = 1;
		do_action( 'trousseau_written', $this->list->id );
		$late( 'Someone is already giving this' );
	}

	public function test_whoever_comes_by_a_link_that_no_longer_works_reads_how_to_get_another(): void {
		$shows = function ( string $path, string $words, string $way ): void {
			$page = html_entity_decode( $this->page( null, "/registries/$path" )->text );
			self::assertStringContainsString( $words, $page, $path );
			self::assertMatchesRegularExpression( '#<main.*(href|action)="[^"]*/registries/' . $way . '/"#s', $page, $path );
		};
		$late  = self::call( 'seal', 'my-gifts', ( time() - HOUR_IN_SECONDS ) . ' ' . self::GRAN );
		$shows( 'gift/?of=abc.def', 'ask for an email with links to all your gifts', 'my-gifts' );
		$shows( "my-gifts/?of=$late", 'Links work for a day', 'my-gifts' );
		$shows( 'invitation/?for=abc.def', 'Have it resent', 'lost-invitation' );
		$open = $this->registry( 'alice', array( 'title' => 'Open house', 'status' => 'publish' ) );
		$shows( "$open->id/news/", 'these emails are for guests', 'lost-invitation' );
	}

	public function test_a_reservation_that_was_kept_longer_twice_is_said_once_to_have_ended(): void {
		$id = $this->claim( 'reserved', array( 'expires_at' => gmdate( 'c', time() + HOUR_IN_SECONDS ) ) );
		foreach ( array( 2, 5 ) as $days ) {
			self::assertSame( 303, $this->page( null, self::page_of( $id ), form: array( 'do' => 'keep', 'until' => (string) ( time() + $days * DAY_IN_SECONDS ) ) )->status );
		}
		$this->claims[ $id ]['state'] = 'expired';
		self::assertCount( 1, preg_grep( '/no longer reserved/', array_column( $this->sent( 1000 ), 'subject' ) ) );
	}

	public function test_a_reservation_too_short_for_its_reminder_gets_one_halfway(): void {
		$subjects = fn( float $days ): array => array_column( $this->sent( $days ), 'subject' );
		$reminder = 'Have you bought “Pan”?';
		foreach ( array( array( 1, 0.45, 0.55 ), array( 2, 0.95, 1.05 ), array( 5, 2.95, 3.05 ) ) as list( $days, $before, $after ) ) {
			$id = $this->claim( 'reserved', array( 'expires_at' => gmdate( 'c', time() + HOUR_IN_SECONDS ) ) );
			self::assertSame( 303, $this->page( null, self::page_of( $id ), form: array( 'do' => 'keep', 'until' => (string) ( time() + $days * DAY_IN_SECONDS ) ) )->status );
			self::assertNotContains( $reminder, $subjects( $before ), "$days days" );
			self::assertSame( array( $reminder ), $subjects( $after ), "$days days" );
		}
	}

	public function test_whoever_came_by_a_link_sent_to_their_address_confirms_right_there(): void {
		$id  = $this->claim( 'pending' );
		$all = $this->page( null, self::gifts_by_email() )->text;
		self::assertStringContainsString( 'Pan', $all );
		$address = self::button( $all, 'confirm' );
		preg_match( '#<a class="trousseau-row" href="([^"]*/gift/[^"]*)"><strong>Pan</strong></a>#', $all, $view );
		$shown = $this->page( null, html_entity_decode( $view[1] ) )->text;
		self::assertStringContainsString( $address, html_entity_decode( $shown ) );
		self::assertStringNotContainsString( 'is-at-once', $shown, 'looking confirms nothing' );
		self::assertSame( 303, $this->page( null, $address, form: array( 'do' => 'confirm' ) )->status );
		self::assertSame( 'reserved', $this->claims[ $id ]['state'] );

		$id      = $this->claim( 'pending' );
		$cookies = $this->guest();
		self::assertSame( self::page_of( $id ), self::button( $this->page( null, self::page_of( $id ), $cookies )->text, 'confirm' ) );
		self::assertSame( 303, $this->page( null, self::page_of( $id ), $cookies, form: array( 'do' => 'confirm' ) )->status );
		self::assertSame( 'reserved', $this->claims[ $id ]['state'] );

		$id = $this->claim( 'pending', array( 'giver' => array( 'user_id' => null, 'name' => 'Eve', 'email' => 'eve@example.org' ) ) );
		self::assertSame( 422, $this->page( null, self::page_of( $id ), $cookies, form: array( 'do' => 'confirm' ) )->status );
		self::assertSame( '', self::button( $this->page( null, self::gifts_by_email() )->text, 'confirm' ) );
		self::assertSame( 'pending', $this->claims[ $id ]['state'] );
	}

	public function test_an_owner_neither_reads_nor_confirms_a_guests_gift_by_its_link_surprise_or_not(): void {
		$link = fn( string $id ): string => html_entity_decode( self::call( 'claim_link', $id, true ) );
		$own  = $this->claim( 'reserved', array( 'giver' => array( 'user_id' => null, 'name' => 'Alice', 'email' => 'alice@example.test' ) ) );
		self::assertStringContainsString( 'Cancel my gift', $this->page( 'alice', $link( $own ) )->text );
		$id = $this->claim( 'pending' );
		foreach ( array( '', 'always' ) as $until ) {
			update_post_meta( $this->list->id, 'registry_surprise_until', $until );
			$this->outside->answer( 'GET /claims/gone', array( 'detail' => 'Claim not found' ), 404 );
			self::assertSame( $this->see( 'alice', $link( 'gone' ) ), $this->see( 'alice', $link( $id ) ) );
			$answer = $this->page( 'alice', $link( $id ), form: array( 'do' => 'confirm' ) );
			self::assert_refused( '/This gift no longer exists, or your account can’t see it\. If it’s yours, log out and try again/', $answer );
			self::assertSame( 'pending', $this->claims[ $id ]['state'], $until );
		}
		self::assertSame( 303, $this->page( null, $link( $id ), form: array( 'do' => 'confirm' ) )->status );
	}
}
