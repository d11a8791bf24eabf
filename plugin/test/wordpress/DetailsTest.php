<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Lists\Closing;
use Trousseau\Lists\Meta;

/** The four pages of a list's details: a surprise that would end earlier is asked about first, and the address for gifts is for givers who have confirmed. */
final class DetailsTest extends ListTestCase {

	private const PARTS = array(
		'about'    => array( 'title', 'occasion', 'other', 'date', 'story', 'currency' ),
		'privacy'  => array( 'status', 'surprise', 'until', 'keeps', 'extras' ),
		'delivery' => array( 'reserved', 'pay_to', 'delivery' ),
		'after'    => array( 'closes', 'goodbye' ),
	);

	protected function setUp(): void {
		parent::setUp();
		$meta       = array( 'registry_owners' => '["bob"]', 'registry_event_date' => '2090-05-30', 'registry_surprise_until' => '2090-05-31', 'registry_currency' => 'EUR', 'trousseau_reserved_for' => '28' );
		$this->list = $this->registry( 'alice', array( 'title' => 'Us', 'content' => 'Once upon a time.', 'status' => 'private', 'meta' => $meta ) );
	}

	private function address( string $part ): string {
		return "/registries/{$this->list->id}/details/" . ( $part === '' ? '' : "?part=$part" );
	}

	private function opened( string $part ): array {
		$form = self::form_on( $this->page( 'alice', $this->address( $part ) ), 'change' );
		self::assertNotSame( array(), $form, $part );
		return $form;
	}

	/** @return array<string, string> All details as they are stored, by the fields that show them. */
	private function stored(): array {
		wp_cache_flush();
		$fields = array_merge( ...array_map( array( $this, 'opened' ), array_keys( self::PARTS ) ) );
		return array_intersect_key( $fields, array_flip( array_merge( ...array_values( self::PARTS ) ) ) );
	}

	public function test_each_page_has_its_own_fields_and_an_old_link_opens_the_first(): void {
		foreach ( array( '' => 'about', 'nowhere' => 'about' ) + array_combine( array_keys( self::PARTS ), array_keys( self::PARTS ) ) as $asked => $part ) {
			self::assertEqualsCanonicalizing( self::PARTS[ $part ], array_keys( array_diff_key( $this->opened( $asked ), array( 'do' => 1, 'opened' => 1 ) ) ), $asked );
		}
		self::assertStringNotContainsString( 'name="sure"', $this->page( 'alice', $this->address( 'about' ) )->text );
		self::assertStringContainsString( 'name="sure"', $this->page( 'alice', $this->address( 'after' ) )->text );
		self::assertStringContainsString( 'Tick the box', $this->page( 'alice', $this->address( 'after' ), form: array( 'do' => 'delete' ) )->text );
		self::assertSame( 'private', get_post_status( $this->list->id ) );
	}

	public function test_a_form_that_is_larger_than_php_takes_comes_back_with_what_is_stored(): void {
		$this->begin( array( 'registry_event_date' => '2036-05-30' ) );
		$sent   = array( 'REQUEST_METHOD' => 'POST', 'CONTENT_LENGTH' => '90000000', 'HTTP_SEC_FETCH_SITE' => 'same-origin' );
		$answer = $this->page( 'alice', $this->path( 'details' ), server: $sent );
		self::assertSame( 413, $answer->status );
		self::assertMatchesRegularExpression( '/Choose a smaller picture \(\d+ MB at most\)/', self::words( $answer->text ) );
		self::assertSame( array( 'Ann & Sam', '2036-05-30' ), array_map( static fn( string $name ): string => self::form_on( $answer, 'change' )[ $name ], array( 'title', 'date' ) ) );
	}

	public function test_saving_one_page_leaves_the_others_as_they_are(): void {
		$changes = array(
			'delivery' => array( 'delivery' => 'Lime Street 1', 'pay_to' => 'paypal.me/us' ),
			'after'    => array( 'closes' => '2090-07-01', 'goodbye' => 'See you in spring.' ),
			'privacy'  => array( 'status' => 'link', 'surprise' => 'always', 'until' => '', 'extras' => 'yes' ),
			'about'    => array( 'title' => 'Us two', 'story' => 'Twice upon a time.' ),
		);
		foreach ( $changes as $part => $change ) {
			$before = $this->stored();
			$answer = $this->page( 'alice', $this->address( $part ), form: $change + $this->opened( $part ) );
			self::assertSame( 303, $answer->status, $answer->text );
			self::assertStringEndsWith( $part === 'about' ? '/details/' : "/details/?part=$part", $answer->headers['location'] ?? '' );
			self::assertEquals( $change + $before, $this->stored(), $part );
		}
	}

	public function test_a_list_that_is_to_be_public_on_a_day_stays_so_until_its_owner_chooses_otherwise(): void {
		self::assertSame( 200, $this->rest( 'alice', 'POST', "/wp/v2/registry/{$this->list->id}", array( 'status' => 'future', 'date' => '2090-01-01T00:00:00' ) )->status );
		foreach ( array_keys( self::PARTS ) as $part ) {
			self::assertSame( 303, $this->page( 'alice', $this->address( $part ), form: $this->opened( $part ) )->status, $part );
			self::assertSame( 'future', get_post_status( $this->list->id ), $part );
		}
		self::assertSame( 303, $this->page( 'alice', $this->address( 'privacy' ), form: array( 'status' => 'private' ) + $this->opened( 'privacy' ) )->status );
		self::assertSame( 'private', get_post_status( $this->list->id ) );
	}

	public function test_a_list_without_an_occasion_keeps_none_when_something_else_is_saved(): void {
		self::assertSame( '', Meta::event_type( $this->list->id ) );
		self::assertSame( 303, $this->page( 'alice', $this->address( '' ), form: array( 'story' => 'Twice upon a time.' ) + $this->opened( '' ) )->status );
		wp_cache_flush();
		self::assertSame( '', Meta::event_type( $this->list->id ) );
	}

	public function test_a_new_date_moves_the_surprise_that_ends_after_it_and_what_another_page_rules_out_is_said_at_a_field_of_this_one(): void {
		self::assertSame( 303, $this->page( 'alice', $this->address( '' ), form: array( 'date' => '2090-06-01' ) + $this->opened( '' ) )->status );
		wp_cache_flush();
		self::assertSame( '2090-06-02', Meta::surprise_until( $this->list->id ) );
		$asked = $this->page( 'alice', $this->address( '' ), form: array( 'date' => '2090-05-01' ) + $this->opened( '' ) );
		self::assertSame( 422, $asked->status );
		self::assert_shows( 'name="end_surprise"', $asked->text, hides: 'name="status"' );
		$this->page( 'alice', $this->address( 'after' ), form: array( 'closes' => '2090-07-01' ) + $this->opened( 'after' ) );
		$late = $this->page( 'alice', $this->address( '' ), form: array( 'date' => '2090-08-01' ) + $this->opened( '' ) );
		self::assertSame( 422, $late->status );
		self::assertStringContainsString( 'id="trousseau-date-fault"', $late->text );
		wp_cache_flush();
		self::assertSame( '2090-07-01', Closing::day( $this->list->id ) );

		$this->page( 'alice', $this->address( 'privacy' ), form: array( 'surprise' => 'always' ) + $this->opened( 'privacy' ) );
		$this->page( 'alice', $this->address( '' ), form: array( 'date' => '' ) + $this->opened( '' ) );
		$undated = $this->page( 'alice', $this->address( 'privacy' ), form: array( 'surprise' => 'after' ) + $this->opened( 'privacy' ) );
		self::assertSame( 422, $undated->status );
		self::assertStringContainsString( 'id="trousseau-surprise-fault"', $undated->text );
	}

	public function test_saving_another_page_leaves_a_story_byte_for_byte_and_what_another_page_stores_is_never_a_fault_here(): void {
		$story = "<!-- wp:paragraph -->\r\n<p>Once <strong>upon</strong>\ta time</p>\r\n<!-- /wp:paragraph -->\r\n\r\n<ul>\r\n<li>a</li>\r\n<li>b</li>\r\n</ul>";
		wp_update_post( wp_slash( array( 'ID' => $this->list->id, 'post_content' => $story ) ) );
		$before = get_post( $this->list->id )->post_content;
		foreach ( array( 'privacy', 'delivery', 'after', 'about' ) as $part ) {
			self::assertSame( 303, $this->page( 'alice', $this->address( $part ), form: $this->opened( $part ) )->status, $part );
			wp_cache_flush();
			self::assertSame( $before, get_post( $this->list->id )->post_content, $part );
		}
		wp_update_post( array( 'ID' => $this->list->id, 'post_title' => str_repeat( 'Us ', 90 ), 'post_content' => str_repeat( 'Once upon a time. ', 1200 ) ) );
		update_post_meta( $this->list->id, 'registry_event_type', str_repeat( 'Party ', 30 ) );
		$this->page( 'alice', $this->address( 'after' ), form: array( 'closes' => '2090-07-01' ) + $this->opened( 'after' ) );
		update_post_meta( $this->list->id, 'registry_event_date', '2090-08-01' );
		foreach ( array( 'privacy' => array( 'status' => 'link' ), 'delivery' => array( 'reserved' => 'day' ) ) as $part => $change ) {
			$answer = $this->page( 'alice', $this->address( $part ), form: $change + $this->opened( $part ) );
			self::assertSame( 303, $answer->status, $part . self::words( $answer->text ) );
		}
		self::assertSame( 422, $this->page( 'alice', $this->address( '' ), form: $this->opened( '' ) )->status, 'there it is one' );
	}

	private const ADDRESS = "Ann & Sam <3\nGartenweg 7\n\n12345 Zwiebelau";
	private const WORD    = '/Gartenweg|Zwiebelau/';

	private function write( string $delivery ): Answer {
		return $this->send_form( 'alice', $this->path( 'details' ) . '?part=delivery', 'change', compact( 'delivery' ) );
	}

	private function assert_seen( bool $is_seen, string ...$texts ): void {
		self::assert_each( $is_seen ? 1 : 0, $texts, static fn( string $text ): int => preg_match( self::WORD, $text ) );
	}

	public function test_the_address_for_gifts_is_seen_on_the_page_and_in_the_email_of_a_giver_who_has_confirmed_and_is_still_invited(): void {
		$this->begin( array(), 'private', array( 'Pan', 5 ) );
		self::assertSame( 303, $this->write( self::ADDRESS )->status );
		self::assertSame( self::ADDRESS, str_replace( "\r", '', self::form_on( $this->page( 'alice', $this->path( 'details' ) . '?part=delivery' ), 'change' )['delivery'] ) );
		$this->assert_seen( false, wp_json_encode( get_post_meta( $this->list->id, '_trousseau_delivery', true ) ) );
		$guest = $this->guest();
		$this->assert_seen( false, $this->read( null, $this->list->link, $guest ), $this->read( null, $this->path( 'give' ) . '?item=1', $guest ), $this->read( null, '/registries/my-gifts/', $guest ) );
		$answer = $this->send_form( null, $this->way_to( 1 ), 'give', array( 'giver' => 'Gran', 'count' => '1' ), cookies: $guest );
		$gift   = self::page_of( (string) array_key_first( $this->service->claims ) );
		$text   = $this->read( null, $gift, $answer->cookies );
		self::assertMatchesRegularExpression( '/<li>Please buy it by [^<]* and have it sent to:.*Gartenweg 7.*<\/li>.*Come back to this page.*I’ve bought it/s', $text );
		self::assertStringNotContainsString( 'Where to send it', $text, 'once' );
		self::assertStringContainsString( 'Where to send it: Ann & Sam <3, Gartenweg 7, 12345 Zwiebelau', $this->sent()[0]['text'] );
		self::assertMatchesRegularExpression( '#Ann & Sam <3<br ?/>\s*Gartenweg 7#', $this->read( null, $gift ) );
		update_post_meta( $this->list->id, 'registry_invitees', '[]' );
		$this->assert_seen( false, $this->read( null, $gift ) );
		self::assertSame( 303, $this->send_form( null, $gift, 'bought' )->status );
		$this->assert_seen( false, $this->sent()[0]['text'] );
		update_post_meta( $this->list->id, 'registry_invitees', wp_json_encode( array( self::GRAN ) ) );
		$this->assert_seen( true, $this->read( null, $gift ) );
		$this->page( null, $gift, form: array( 'do' => 'release' ) );
		self::assertSame( array(), $this->sent(), 'there is time to undo it' );
		$this->assert_seen( false, $this->sent( 1 )[0]['text'], $this->read( null, $gift ) );
	}

	public function test_the_address_for_gifts_is_not_seen_before_a_stranger_has_confirmed_by_email(): void {
		$this->begin( array(), 'publish', array( 'Pan', 5 ) );
		$this->write( self::ADDRESS );
		$gift = self::page_of( $this->give( array(), array( 'email' => 'vera@example.org', 'since' => self::call( 'sign', 'form', (string) ( time() - 10 ) ) ) ) );
		$mail = $this->sent()[0];
		$this->assert_seen( false, $this->read( null, $this->list->link ), $mail['text'] . $mail['html'], $this->read( null, $gift ) );
		self::assertSame( 303, $this->page( null, self::found( '#https?://\S*/gift/\S*#', $mail['text'] ), form: array( 'do' => 'confirm' ) )->status );
		$this->assert_seen( true, $this->read( null, $gift ), $this->sent()[0]['text'] );
		$this->assert_seen( false, $this->rest( null, 'GET', "/wp/v2/registry/{$this->list->id}" )->text, $this->rest( null, 'GET', "/wp/v2/registry/{$this->list->id}?context=edit" )->text );
	}

	public function test_the_address_for_gifts_is_changed_taken_away_refused_when_it_is_too_long_and_left_alone_by_an_older_form(): void {
		$this->begin();
		$this->write( self::ADDRESS );
		$older = self::form_on( $this->page( 'alice', $this->path( 'details' ) . '?part=delivery' ), 'change' );
		unset( $older['delivery'] );
		self::assertSame( 303, $this->page( 'alice', $this->path( 'details' ) . '?part=delivery', form: $older )->status );
		self::assert_refused( '/Use 500 characters at most/', $this->write( str_repeat( 'x', 501 ) ) );
		$this->assert_seen( true, $this->read( 'alice', $this->path( 'details' ) . '?part=delivery' ) );
		self::assertSame( 303, $this->write( '' )->status );
		self::assertSame( '', get_post_meta( $this->list->id, '_trousseau_delivery', true ) );
	}

	private function day_after( string $day ): string {
		return gmdate( 'Y-m-d', (int) strtotime( "$day UTC" ) + DAY_IN_SECONDS );
	}

	private function until(): string {
		wp_cache_flush();
		return Meta::surprise_until( $this->list->id );
	}

	private function save( array $fields, array $files = array() ): Answer {
		$form = $fields + array( 'do' => 'change', 'keeps' => 'all', 'title' => 'Us', 'occasion' => 'wedding', 'date' => '2090-05-30', 'surprise' => 'after', 'status' => 'private' );
		return $this->page( 'alice', "/registries/{$this->list->id}/details/", form: $form, files: $files );
	}

	public function test_a_change_that_would_end_or_shorten_a_surprise_asks_first(): void {
		$soon    = gmdate( 'Y-m-d', time() + 10 * DAY_IN_SECONDS );
		$past    = gmdate( 'Y-m-d', time() - 300 * DAY_IN_SECONDS );
		$changes = array(
			'a mistyped year' => array( array( 'date' => $past ), $this->day_after( $past ), $this->day_after( $past ) ),
			'an earlier day'  => array( array( 'date' => $soon ), $this->day_after( $soon ), $this->day_after( $soon ) ),
			'a chosen day'    => array( array( 'surprise' => 'day', 'until' => $soon ), $soon, $soon ),
			'no surprise'     => array( array( 'surprise' => 'no' ), 'end', '' ),
			'only names'      => array( array( 'keeps' => 'names' ), $this->until(), $this->until() ),
		);
		$before  = $this->until();
		foreach ( $changes as $what => list( $fields, $yes, $after ) ) {
			$asked = $this->save( $fields );
			self::assert_refused( '/would see (who gives what|right away how many)/', $asked, $what );
			self::assertStringContainsString( "name=\"end_surprise\" value=\"$yes\"", $asked->text, $what );
			self::assertSame( 422, $this->save( $fields + array( 'end_surprise' => '2001-01-01' ) )->status, "$what, yes to another change" );
			self::assertSame( $before, $this->until(), $what );

			self::assertSame( 303, $this->save( $fields + array( 'end_surprise' => 'no', 'other' => '' ) )->status, $what );
			self::assertSame( $before, $this->until(), "$what, no" );
			self::assertFalse( Meta::surprise_keeps_names_only( $this->list->id ), "$what, no" );

			self::assertSame( 303, $this->save( $fields + array( 'end_surprise' => $yes ) )->status, $what );
			self::assertSame( $after, $this->until(), "$what, yes" );
			self::assertSame( isset( $fields['keeps'] ), Meta::surprise_keeps_names_only( $this->list->id ), "$what, yes" );
			update_post_meta( $this->list->id, Meta::SURPRISE_UNTIL, $before );
			update_post_meta( $this->list->id, Meta::SURPRISE_KEEPS, '' );
		}
	}

	public function test_a_picture_that_came_with_the_change_is_stored_before_the_question_and_a_change_that_shows_nothing_earlier_asks_nothing(): void {
		self::assertSame( 422, $this->save( array( 'surprise' => 'no' ), array( 'picture' => $this->uploaded() ) )->status );
		wp_cache_flush();
		self::assertTrue( has_post_thumbnail( $this->list->id ), 'a browser doesn’t send the file again by itself' );
				foreach ( array( array(), array( 'title' => 'Us two' ), array( 'date' => '2090-07-29' ), array( 'surprise' => 'always' ) ) as $fields ) {
			self::assertSame( 303, $this->save( $fields )->status );
		}
		update_post_meta( $this->list->id, Meta::SURPRISE_UNTIL, gmdate( 'Y-m-d', time() - DAY_IN_SECONDS ) );
		self::assertSame( 303, $this->save( array( 'surprise' => 'no' ) )->status, 'it is over' );
	}

	public function test_the_service_is_told_when_the_day_begins_where_the_site_is(): void {
		$path = "/wp/v2/registry/{$this->list->id}";
		update_post_meta( $this->list->id, Meta::SURPRISE_UNTIL, '2027-06-13' );
		foreach ( array( 'America/Los_Angeles' => '2027-06-13T07:00:00Z', 'Europe/Berlin' => '2027-06-12T22:00:00Z', '' => '2027-06-13T00:00:00Z' ) as $zone => $begins ) {
			update_option( 'timezone_string', $zone );
			self::assertSame( $begins, $this->rest( 'admin', 'GET', "$path?context=edit&_fields=registry_surprise_ends" )->json['registry_surprise_ends'] );
		}
		self::assertArrayNotHasKey( 'registry_surprise_ends', $this->rest( 'alice', 'GET', $path )->json );
		update_post_meta( $this->list->id, Meta::SURPRISE_UNTIL, 'always' );
		self::assertNull( $this->rest( 'admin', 'GET', "$path?context=edit" )->json['registry_surprise_ends'] );
	}
}
