<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** A list that closes on the day its owner chose: guests read a thank-you, nobody can give, and its owner can reopen it. import.test.ts tests its file. */
final class ClosingTest extends ListTestCase {

	private const GOODBYE = 'This list is closed. Thank you';
	private const PAST    = '2026-06-20';
	private const TO_COME = '2036-06-20';

	private string $details;

	private array $give;

	protected function setUp(): void {
		parent::setUp();
		$this->make( 'private' );
	}

	private function make( string $status ): void {
		$this->begin( array( 'registry_event_date' => '2026-05-30' ), $status );
		$this->details = $this->path( 'details' );
		$this->give    = array_map( fn( string $name ): string => $this->path( 'give' ) . '?item=' . $this->add( $name, 3 ), array( 'Pan', 'Sieve' ) );
	}

	private function close( string $day ): Answer {
		return $this->send_form( 'alice', "$this->details?part=after", 'change', array( 'closes' => $day ) );
	}

	private function form_of( string $path, array $cookies ): array {
		return array( 'giver' => 'Aunt', 'count' => '1' ) + self::form_on( $this->page( null, $path, $cookies ), 'give' );
	}

	private function day_of( string $page ): string {
		return self::form_on( $this->page( 'alice', "$page?part=after" ), 'change' )['closes'];
	}

	public function test_thanks_its_guests_and_takes_nothing_more_whatever_they_had_opened_before(): void {
		$guest = $this->guest();
		self::assertSame( 303, $this->page( null, $this->give[0], $guest, form: $this->form_of( $this->give[0], $guest ) )->status );
		$opened = $this->form_of( $this->give[1], $guest );
		$claim  = array_key_first( $this->service->claims );
		self::assertSame( 303, $this->close( self::TO_COME )->status );
		$open = $this->read( null, $this->list->link, $guest );
		self::assert_shows( ' needed', $open, hides: self::GOODBYE );

		self::assertSame( 303, $this->close( self::PAST )->status );
		$closed = $this->read( null, $this->list->link, $guest + self::cookie( 'gifts', "{$this->list->id}:1:$claim:0" ) );
		self::assert_shows( array( 'Thank you for everything!', self::GOODBYE ), $closed );
		self::assertDoesNotMatchRegularExpression( '/\/give\/|needed|View in shop|Emails about new gifts/', $closed );
		self::assertSame( 1, substr_count( $closed, 'You’re giving this' ), 'a gift that was given before' );
		foreach ( array( array(), $opened ) as $form ) {
			self::assertStringContainsString( 'This list is closed, so you can’t give anything from it any more', html_entity_decode( $this->page( null, $this->give[1], $guest, form: $form )->text ) );
		}
		self::assertCount( 1, $this->service->claims, 'nothing was given' );
		self::assertSame( 303, $this->page( null, self::page_of( $claim ), form: array( 'do' => 'bought' ) )->status );
	}

	public function test_owners_write_what_guests_read_then(): void {
		$words = "We had <b>two</b> wonderful days.\nAnn & Sam";
		self::assertSame( 303, $this->send_form( 'alice', $this->details, 'change', array( 'closes' => self::TO_COME, 'goodbye' => $words ) )->status );
		self::assertSame( $words, self::form_on( $this->page( 'alice', "$this->details?part=after" ), 'change' )['goodbye'] );
		$guest = $this->guest();
		self::assertStringNotContainsString( 'wonderful', $this->read( null, $this->list->link, $guest ), 'while the list is open' );

		self::assertSame( 303, $this->close( self::PAST )->status );
		$closed = $this->page( null, $this->list->link, $guest )->text;
		self::assertMatchesRegularExpression( '#This list is closed\. We had &lt;b&gt;two&lt;/b&gt; wonderful days\.<br />\s*Ann &amp; Sam</p>#', $closed );
		self::assertStringNotContainsString( 'Thank you for everything!', $closed );
		self::assertSame( 303, $this->send_form( 'alice', $this->details, 'change', array( 'goodbye' => '' ) )->status );
		self::assertStringContainsString( 'Thank you for everything!', $this->read( null, $this->list->link, $guest ) );
	}

	public function test_is_closed_for_strangers_on_a_public_list_too_when_the_day_begins_where_the_site_is(): void {
		$this->make( 'publish' );
		$opened = array( 'email' => 'vera@example.org' ) + $this->form_of( $this->give[0], array() );
		self::assertSame( 303, $this->close( self::PAST )->status );
		$page = $this->read( null, $this->list->link );
		self::assert_shows( self::GOODBYE, $page, hides: '/give/' );
		self::assertStringContainsString( 'This list is closed', html_entity_decode( $this->page( null, $this->give[0], form: $opened )->text ) );
		self::assertSame( array( array(), array() ), array( $this->service->claims, $this->sent() ) );
		update_option( 'timezone_string', 'Pacific/Kiritimati' );
		self::assertSame( 303, $this->close( self::TO_COME )->status );
		self::assertSame( 1000 * strtotime( self::TO_COME . 'T00:00:00+14:00' ), (int) self::jobs( 'close' )[0]['run_at'] );
		// It is a day later there than at the other end of the world, at any hour.
		$this->close( gmdate( 'Y-m-d', time() + 14 * HOUR_IN_SECONDS ) );
		self::assertStringContainsString( self::GOODBYE, $this->read( null, $this->list->link ) );
		update_option( 'timezone_string', 'Etc/GMT+12' );
		self::assertStringNotContainsString( self::GOODBYE, $this->read( null, $this->list->link ) );
	}

	public function test_stands_under_the_closed_lists_of_its_owner_who_opens_it_again_at_a_press(): void {
		$this->close( self::PAST );
		self::assertStringContainsString( "/registries/{$this->list->id}/home/", strstr( $this->read( 'alice', '/registries/mine/' ), 'Closed lists' ) );
		foreach ( array( 'gifts/', 'guests/', 'people/', 'given/', 'details/?part=after' ) as $page ) {
			self::assertStringContainsString( 'Reopen list', $this->read( 'alice', "/registries/{$this->list->id}/$page" ), $page );
		}
		$after = "$this->details?part=after";
		self::assertNotSame( 303, $this->page( 'bob', $after, form: array( 'do' => 'reopen' ) )->status );
		self::assertStringContainsString( 'Reopen list', $this->read( 'alice', $after ), 'somebody else’s press' );
		self::assertSame( 303, $this->send_form( 'alice', $after, 'reopen' )->status );
		self::assertStringNotContainsString( 'Reopen list', $this->read( 'alice', $after ) );
		self::assertSame( '', $this->day_of( $this->details ) );
		$guest = $this->guest();
		self::assertStringNotContainsString( self::GOODBYE, $this->read( null, $this->list->link, $guest ) );
		self::assertSame( 303, $this->page( null, $this->give[0], $guest, form: $this->form_of( $this->give[0], $guest ) )->status );
		self::assertSame( array(), self::jobs( 'close' ) );
	}

	public function test_closes_after_the_day_only_a_refused_form_keeps_what_was_typed_and_an_older_one_changes_nothing(): void {
		foreach ( array( '2026-05-30', '2026-02-31', 'soon' ) as $closes ) {
			$refused = $this->close( $closes );
			self::assert_refused( '/Choose a date after the big day/', $refused );
			self::assertStringContainsString( "value=\"$closes\"", $refused->text );
			self::assertSame( '', get_post_meta( $this->list->id, '_trousseau_closes_on', true ) );
		}
		self::assertSame( 303, $this->close( self::TO_COME )->status );
		$form = self::form_on( $this->page( 'alice', "$this->details?part=after" ), 'change' );
		self::assertSame( self::TO_COME, $form['closes'] );
		unset( $form['closes'] );
		self::assertSame( 303, $this->page( 'alice', $this->details, form: $form )->status );
		self::assertSame( self::TO_COME, $this->day_of( $this->details ) );
	}
}
