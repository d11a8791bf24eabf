<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** An owner's thanks, written on the page of the gifts given and sent by email; at-once.test.ts has presses at the same time. */
final class ThanksTest extends ListTestCase {

	private string $given;

	private string $claim;

	protected function setUp(): void {
		parent::setUp();
		$this->make();
	}

	private function make(): void {
		$this->begin( array(), 'private', array( 'Copper pan', 3 ) );
		$this->given = $this->path( 'given' );
		$this->claim = $this->service->give( array_key_last( $this->service->items ), array( 'state' => 'purchased', 'giver' => array( 'name' => 'Aunt Ida', 'email' => 'aunt@example.org' ) ) )->json['id'];
	}

	private function write( array $form, string $words ): Answer {
		return $this->page( 'alice', $this->given, form: array( "thanks-$this->claim" => $words ) + $form );
	}

	private function form( string $action = 'write' ): array {
		return self::form_on( $this->page( 'alice', $this->given ), $action );
	}

	private function is_thanked(): bool {
		return $this->service->claims[ $this->claim ]['thanked_at'] !== null;
	}

	public function test_go_to_the_giver_with_the_gift_filled_in_and_tick_it(): void {
		set_post_thumbnail( $this->list->id, self::picture( 'alice', 'cover', $this->list->id )->id );
		$form = $this->form();
		self::assertSame( $this->claim, $form['claim'] );
		self::assertMatchesRegularExpression( '/^Dear Aunt Ida,\s+Thank you so much for your gift: Copper pan\./u', $form[ "thanks-$this->claim" ] );
		$words   = "Dear Ida,\n\nit “simmers” & <shines>.\nCome to dinner!\n\nAnn";
		$written = $this->write( $form, $words );
		self::assertSame( 303, $written->status );
		$mails = $this->sent();
		self::assertSame( array( array( array( 'aunt@example.org' ), 'Thank you for your gift' ) ), array_map( static fn( array $mail ): array => array( $mail['to'], $mail['subject'] ), $mails ) );
		self::assert_shows( array( ...explode( "\n", $words ), '“Ann & Sam”', "View your gifts\n" . home_url( '/registries/my-gifts/' ) ), $mails[0]['text'] );
		self::assertMatchesRegularExpression( '/<img src="[^"]*cover/', $mails[0]['html'] );
		self::assertTrue( $this->is_thanked() );
		$page = $this->page( 'alice', $this->given, $written->cookies )->text;
		self::assert_shows( array( 'Your thank-you is on its way to Aunt Ida', 'Thanked ✓' ), $page );
		self::assertSame( array(), $this->form() );
		$second = $this->write( $form, 'Thanks again' );
		self::assertStringContainsString( 'You’ve already thanked Aunt Ida, so nothing was sent.', $this->page( 'alice', $this->given, $second->cookies )->text );
		self::assertSame( array(), $this->sent() );
	}

	public function test_are_not_sent_again_by_a_press_that_began_before_the_first_one_ended(): void {
		$form     = $this->form();
		$meantime = function ( string $statement ): string {
			if ( str_contains( $statement, "lock_thanks-$this->claim" ) ) {
				$this->service->claims[ $this->claim ]['thanked_at'] = '2026-06-01T10:00:00.000Z';
			}
			return $statement;
		};
		add_filter( 'query', $meantime );
		$answer = $this->write( $form, 'Thank you!' );
		remove_filter( 'query', $meantime );
		self::assertTrue( $this->is_thanked() );
		self::assertSame( 303, $answer->status );
		self::assertSame( array(), $this->sent() );
	}

	public function test_are_sent_by_the_next_press_where_the_services_answer_was_lost(): void {
		$form = $this->form();
		$lost = function () {
			$this->service->claims[ $this->claim ]['thanked_at'] = '2026-06-01T10:00:00.000Z';
			return new \WP_Error( 'http_request_failed', 'Silence' );
		};
		$this->outside->answer( 'PATCH /claims/*', $lost );
		// More presses than thank-yous are sent a day: those are counted that are sent.
		foreach ( range( 1, 4 ) as $press ) {
			$refused = $this->write( $form, 'Thank you!' );
			self::assertStringContainsString( 'couldn’t be saved right now', html_entity_decode( self::refused( $refused ) ), (string) $press );
		}
		$again = self::form_on( $refused, 'write' );
		self::assertSame( 'Thank you!', $again[ "thanks-$this->claim" ] );
		$this->outside->answer( 'PATCH /claims/*', fn(): array => $this->service->claims[ $this->claim ] );
		foreach ( array( 1, 0 ) as $emails ) {
			self::assertSame( 303, $this->page( 'alice', $this->given, form: $again )->status );
			self::assertCount( $emails, $this->sent() );
		}
	}

	public function test_stand_next_to_the_mark_for_what_has_arrived_and_both_are_counted_and_have_a_limit_also_after_undo(): void {
		$page = fn(): string => html_entity_decode( $this->page( 'alice', $this->given )->text );
		self::assertDoesNotMatchRegularExpression( '/1 of 1 arrived|Arrived ✓/', $page() );
		$here = $this->form( 'here' );
		self::assertNotSame( 303, $this->page( 'bob', $this->given, form: $here )->status );
		self::assertStringEndsWith( "#trousseau-claim-$this->claim-here", $this->page( 'alice', $this->given, form: $here )->location() );
		self::assertSame( 303, $this->page( 'alice', $this->given, form: $here )->status, 'the second press' );
		self::assertMatchesRegularExpression( '/1 gift to say thank you for\x{a0}· 1 of 1 arrived.*Copper pan.*Arrived ✓/su', $page() );
		self::assertSame( 303, $this->page( 'alice', $this->given, form: $this->form( 'not-here' ) )->status );
		self::assertDoesNotMatchRegularExpression( '/1 of 1 arrived|Arrived ✓/', $page() );
		$form = $this->form();
		$send = function () use ( $form ): int {
			$status = $this->page( 'alice', $this->given, form: $form )->status;
			$this->page( 'alice', $this->given, form: array( 'do' => 'not-thanked', 'claim' => $this->claim ) );
			return $status;
		};
		self::assertSame( array( 303, 303, 303, 422 ), array_map( $send, range( 1, 4 ) ) );
		self::assertCount( 3, $this->sent() );
	}

	public function test_of_the_first_who_waits_is_open_with_those_thanked_below(): void {
		$item = current( $this->service->items )['id'];
		foreach ( array( 'Bo', 'Cleo' ) as $name ) {
			$this->service->give( $item, array( 'state' => 'purchased', 'giver' => array( 'name' => $name, 'email' => "$name@example.org" ) ) );
		}
		$open = function (): string {
			preg_match_all( '/trousseau-write" open>.*?Write a thank-you.*?: (.*?)</s', html_entity_decode( $this->page( 'alice', $this->given )->text ), $found );
			return implode( ', ', preg_replace( '/[^ \w]/', '', $found[1] ) );
		};
		foreach ( array( 'Cleo', 'Bo', 'Aunt Ida' ) as $name ) {
			self::assertSame( $name, $open() );
			$written = $this->page( 'alice', $this->given, form: $this->form() );
			self::assertSame( 303, $written->status );
			$next = $this->form()['claim'] ?? '';
			if ( $next !== '' ) {
				self::assertStringEndsWith( "#trousseau-claim-$next", $written->location(), 'the next one is in view' );
			}
			$place = $next === '' ? 'trousseau-page">' : "id=\"trousseau-claim-$next\" class=\"has-thanks\">";
			self::assertMatchesRegularExpression( "/$place\s*<p class=\"trousseau-note[^>]*>Your thank-you is on its way to \W*$name/u", html_entity_decode( $this->page( 'alice', $this->given, $written->cookies )->text ) );
		}
		self::assertSame( '', $open() );
		self::assertMatchesRegularExpression( '/You’ve thanked everyone.*<h2>Thanked<\/h2>.*Cleo.*Bo.*Aunt Ida/s', html_entity_decode( $this->page( 'alice', $this->given )->text ) );
	}

	public function test_wait_below_for_what_is_only_reserved_or_not_sent_until_it_is_there(): void {
		$give                          = fn( string $name, string $state, int $quantity = 1 ): string => $this->service->give( array_key_last( $this->service->items ), compact( 'state', 'quantity' ) + array( 'giver' => array( 'name' => $name, 'email' => "$name@example.org" ) ) )->json['id'];
		$ida                           = $give( 'Ida', 'reserved' );
		$trip                          = $this->add( 'Two weeks in Lisbon', 150_000 );
		$this->service->items[ $trip ] = array( 'unit' => 'money' ) + $this->service->items[ $trip ];
		list( $bo, $cleo )             = array( $give( 'Bo', 'reserved', 20_000 ), $give( 'Cleo', 'purchased', 10_000 ) );
		$row                           = fn( string $id ): string => preg_match( "/id=\"trousseau-claim-$id\".*?<\/li>/s", html_entity_decode( $this->page( 'alice', $this->given )->text ), $found ) ? $found[0] : '';

		self::assertMatchesRegularExpression( '/2 gifts to say thank you for\W.*Cleo.*Still to come.*(Bo|Ida)@/s', $this->read( 'alice', $this->given ) );
		$news = $this->read( 'alice', $this->path( 'home' ) );
		foreach ( array( 'Aunt Ida' => 'Bought', 'Ida' => 'Reserved', 'Bo' => 'Not sent yet', 'Cleo' => 'Sent' ) as $giver => $stage ) {
			self::assertMatchesRegularExpression( "/From \W?{$giver}\W*· $stage/u", $news );
		}
		self::assertMatchesRegularExpression( '/Thank you so much for contributing to Two weeks in Lisbon!.*Mark as arrived/s', $row( $cleo ) );
		foreach ( array( $ida, $bo ) as $id ) {
			self::assertStringNotContainsString( 'Mark as arrived', $row( $id ) );
			self::assertStringContainsString( 'It’s already here', $row( $id ) );
			self::assertStringNotContainsString( 'trousseau-write" open', $row( $id ) );
		}
		self::assertSame( 303, $this->page( 'alice', $this->given, form: array( 'do' => 'here', 'claim' => $ida ) )->status );
		self::assertMatchesRegularExpression( '/Arrived ✓/', $row( $ida ) );
		self::assertGreaterThan( time() + 80 * DAY_IN_SECONDS, strtotime( $this->service->claims[ $ida ]['expires_at'] ), 'nobody else can give it now' );
		self::assertMatchesRegularExpression( '/3 gifts to say thank you for\x{a0}· 1 of 4 arrived/u', $this->read( 'alice', $this->given ) );
		self::assertSame( 303, $this->page( 'alice', $this->given, form: array( 'do' => 'thanked', 'claim' => $bo ) )->status );
		self::assertDoesNotMatchRegularExpression( '/Mark as arrived|already here.*already here/s', $row( $bo ), 'thanked for, and still not sent' );
	}

	public function test_name_a_gift_that_its_owner_has_removed_and_say_that_it_is_no_longer_on_the_list(): void {
		$removed = $this->send_form( 'alice', $this->path( 'gifts' ), 'remove', array( 'item' => (string) array_key_last( $this->service->items ) ) );
		self::assert_shows( 'Already being given: Copper pan. In 15 minutes we’ll email those who have confirmed.', self::words( $this->page( 'alice', $this->path( 'gifts' ), $removed->cookies )->text ) );
		foreach ( array( 'home', 'given' ) as $page ) {
			self::assert_shows( array( 'Copper pan', "Bought\u{a0}· No longer on your list" ), $this->read( 'alice', $this->path( $page ) ) );
		}
		self::assertStringContainsString( 'for your gift: Copper pan.', $this->form()[ "thanks-$this->claim" ] );
		delete_post_meta( $this->list->id, '_trousseau_removed' );
		self::assert_shows( array( 'A gift', 'No longer on your list' ), $this->read( 'alice', $this->given ) );
	}

	public function test_are_not_sent_if_they_are_empty_too_long_or_for_somebody_who_wants_no_emails_and_stay_in_the_form(): void {
		$form = $this->form();
		foreach ( array( 'Write a few words' => '', 'Use 2,000 characters at most' => str_repeat( 'x', 2001 ) ) as $why => $words ) {
			$answer = $this->write( $form, $words );
			self::assertSame( 422, $answer->status );
			self::assert_shows( array( $why, 'trousseau-write" open' ), $answer->text );
			self::assertSame( $words, self::form_on( $answer, 'write' )[ "thanks-$this->claim" ] );
		}
		self::call( 'refuse_mail', 'aunt@example.org' );
		self::assert_refused( '/This guest has unsubscribed from this site’s emails/', $this->page( 'alice', $this->given, form: $this->form() ) );
		self::assertSame( array( false, array() ), array( $this->is_thanked(), $this->sent() ) );
	}

	public function test_are_the_owners_alone_and_wait_for_the_end_of_a_surprise(): void {
		$form = array( 'do' => 'write', 'claim' => $this->claim, "thanks-$this->claim" => 'Thank you!' );
		foreach ( array( null, 'carol' ) as $login ) {
			self::assertNotSame( 303, $this->page( $login, $this->given, form: $form )->status );
		}
		list( $id, $path, $claim ) = array( $this->list->id, $this->given, $this->claim );
		$this->make();
		self::assertSame( 303, $this->page( 'alice', $this->given, form: $form )->status, 'no gift of that list' );
		list( $this->given, $this->claim ) = array( $path, $claim );
		update_post_meta( $id, 'registry_surprise_until', 'always' );
		self::assertSame( array(), $this->form() );
		$this->page( 'alice', $path, form: $form );
		self::assertSame( array( false, array() ), array( $this->is_thanked(), $this->sent() ) );
	}
}
