<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Giving\SecretGifts;
use Trousseau\Platform\MetaList;
use Trousseau\Plugin;

/** Gifts that aren't on a list: guests tell each other, and the owners read them once no surprise conceals them. */
final class SecretGiftsTest extends ListTestCase {

	private const SECRET = 'A weekend by the sea';

	private string $page;

	private array $gran;

	private function make( bool $is_on = true, string $surprise = 'always', string $status = 'private' ): void {
		$this->begin( array( 'registry_invitees' => wp_json_encode( array( self::GRAN, 'bob' ) ), 'registry_surprise_until' => $surprise ), $status );
		$this->page = $this->path( 'secret' );
		$this->gran = $this->guest();
		if ( $is_on ) {
			$details = $this->path( 'details' ) . '?part=privacy';
			self::assertSame( 303, $this->send_form( 'alice', $details, 'change', array( 'extras' => 'yes' ) )->status );
			self::assertSame( 'yes', self::form_on( $this->page( 'alice', $details ), 'change' )['extras'] );
		}
	}

	private function tell( string $text = self::SECRET, string $giver = 'Aunt Ida' ): Answer {
		return $this->send_form( null, $this->page, 'add', compact( 'text', 'giver' ), cookies: $this->gran );
	}

	public function test_are_seen_by_the_other_guests_and_taken_back_by_their_giver_alone(): void {
		$this->make();
		self::assertStringContainsString( 'Gifts not on the list', $this->see( null, $this->list->link, $this->gran ) );
		self::assertMatchesRegularExpression( '/can’t see this\..*Nothing here yet/', $this->see( null, $this->page, $this->gran ) );
		foreach ( array( array( '', 'Aunt Ida' ), array( self::SECRET, '' ), array( str_repeat( 'x', 201 ), 'Aunt Ida' ) ) as $typed ) {
			self::assertSame( 422, $this->tell( ...$typed )->status );
		}
		self::assertSame( array( 303, 303 ), array( $this->tell()->status, $this->tell()->status ) );
		$read = $this->see( 'bob', $this->page );
		self::assertMatchesRegularExpression( '/A weekend by the sea From \S?Aunt Ida/', $read );
		self::assertSame( 1, substr_count( $read, 'weekend' ), 'the same text is there once' );
		self::assertDoesNotMatchRegularExpression( '/sea|Ida/', wp_json_encode( get_post_meta( $this->list->id, '_trousseau_secret_gifts' ) ) );

		self::assertSame( array(), self::form_on( $this->page( 'bob', $this->page ), 'remove' ) );
		$back = self::form_on( $this->page( null, $this->page, $this->gran ), 'remove' );
		$this->page( 'bob', $this->page, form: $back );
		self::assertStringContainsString( 'weekend', $this->see( 'bob', $this->page ), 'another guest’s press' );
		self::assertSame( 303, $this->page( null, $this->page, $this->gran, form: $back )->status );
		self::assertStringNotContainsString( 'weekend', $this->see( 'bob', $this->page ) );
	}

	public function test_whose_number_has_digits_alone_are_shown_to_the_owners_and_go_when_their_time_is_over(): void {
		$this->make( surprise: '2020-01-01' );
		$at   = time();
		$gift = static fn( string $text, int $at ): array => array( 'by' => self::GRAN, 'name' => 'Ida', 'text' => $text, 'at' => $at );
		$all  = array( '1234567890123456' => $gift( self::SECRET, $at ), '2234567890123456' => $gift( 'A cup', $at - YEAR_IN_SECONDS ) );
		// As an older version has stored it, without its time.
		$all['3234567890123456'] = array_diff_key( $gift( 'A bowl', 0 ), array( 'at' => 0 ) );
		Plugin::get( MetaList::class )->change( $this->list->id, '_trousseau_secret_gifts', static fn(): array => $all );
		self::assert_shows( array( self::SECRET, 'A cup' ), $this->see( 'alice', $this->path( 'given' ) ) );
		Plugin::get( SecretGifts::class )->forget_old( $this->list->id, MONTH_IN_SECONDS );
		self::assertSame( array( self::SECRET, 'A bowl' ), array_column( SecretGifts::of( get_post( $this->list->id ) ), 'text' ) );
	}

	/** @dataProvider keeps */
	public function test_are_read_by_the_owners_only_when_no_surprise_conceals_them( string $keeps ): void {
		$this->make();
		$id = $this->list->id;
		update_post_meta( $id, 'registry_surprise_keeps', $keeps );
		self::user( 'sam' );
		update_post_meta( $id, 'registry_owners', '["sam"]' );
		$pages  = array( $this->list->link, ...array_map( array( $this, 'path' ), array( 'gifts', 'guests', 'given', 'details' ) ) );
		$owners = fn(): array => array_map( fn( string $page ): string => $this->see( 'alice', $page ), $pages );
		$before = $owners();
		self::assertSame( 303, $this->tell()->status );
		self::assertSame( $before, $owners() );
		self::assertStringNotContainsString( 'weekend', $this->read( 'alice', $this->page ) . $this->rest( 'alice', 'GET', "/wp/v2/registry/$id?context=edit" )->text );
		self::assertNotSame( 303, $this->page( 'alice', $this->page, form: array( 'do' => 'add', 'text' => 'Mine', 'giver' => 'Alice' ) )->status );
		$secret = array_key_first( SecretGifts::of( get_post( $id ) ) );
		foreach ( array( 'write', 'thanked', 'here' ) as $action ) {
			foreach ( array( 'alice', 'sam' ) as $owner ) {
				$answer = $this->page( $owner, $this->path( 'given' ), form: array( 'do' => $action, 'claim' => $secret, "thanks-$secret" => 'Thanks!' ) );
				self::assertSame( array( 303, home_url( $this->path( 'given' ) ) ), array( $answer->status, $answer->location() ) );
			}
		}
		self::assertSame( $before, $owners() );
		self::assertSame( array(), $this->sent() );
		update_post_meta( $id, 'registry_surprise_until', '2020-01-01' );
		self::assertStringContainsString( 'weekend', $this->see( 'sam', $this->path( 'given' ) ) );
		self::assertMatchesRegularExpression( '/\S?Aunt Ida\S? \S*gran@example\S* \S?A weekend by the sea\S? Not on your list/', $this->see( 'alice', $this->path( 'given' ) ) );
		self::assertStringContainsString( 'The owners can see this as well', $this->see( null, $this->page, $this->gran ) );

		$given = $this->path( 'given' );
		self::assertSame( 303, $this->page( 'alice', $given, form: self::form_on( $this->page( 'alice', $given ), 'write' ) )->status );
		self::assertContains( array( self::GRAN ), array_column( $this->sent(), 'to' ) );
		self::assertStringContainsString( 'Thanked ✓', $this->see( 'alice', $given ) );
		self::assertStringContainsString( 'Thanked ✓', $this->see( 'sam', $given ) );
		foreach ( array( array( null, $this->gran ), array( 'bob', array() ), array( null, array() ) ) as list( $login, $cookies ) ) {
			self::assertStringNotContainsString( 'weekend', $this->page( $login, $given, $cookies )->text );
			self::assertNotSame( 303, $this->page( $login, $given, $cookies, form: array( 'do' => 'not-thanked', 'claim' => $secret ) )->status );
		}
		self::assertSame( 303, $this->send_form( 'alice', $given, 'not-thanked' )->status );
		self::assertSame( 303, $this->send_form( 'alice', $given, 'here' )->status );
		self::assertMatchesRegularExpression( '/1 gift to say thank you for\s· 1 of 1 arrived/u', $this->see( 'alice', $given ) );
		self::assertStringContainsString( 'weekend', $this->see( 'bob', $this->page ), 'the other guests go on seeing it' );
	}

	public function test_are_for_guests_alone_and_off_until_the_owners_want_them(): void {
		$this->make( false );
		$send = fn( array $cookies ): int => $this->page( null, $this->page, $cookies, form: array( 'do' => 'add', 'text' => self::SECRET, 'giver' => 'Ida' ) )->status;
		self::assertStringNotContainsString( 'not on the list', $this->see( null, $this->list->link, $this->gran ) );
		self::assertStringContainsString( 'haven’t turned this on', $this->see( null, $this->page, $this->gran ) );
		self::assertNotSame( 303, $send( $this->gran ) );

		$this->make( status: 'publish' );
		self::assertSame( 303, $this->tell()->status );
		self::assertDoesNotMatchRegularExpression( '/weekend|not on the list/', $this->see( null, $this->list->link ) );
		self::assertStringContainsString( 'this page is for guests', $this->see( null, $this->page ) );
		self::assertNotSame( 303, $send( array() ) );
		self::assertMatchesRegularExpression( '/Gifts not on the list.*weekend/', $this->exported( self::GRAN ) );
		$this->rest( 'alice', 'POST', "/wp/v2/registry/{$this->list->id}", array( 'meta' => array( 'registry_invitees' => '["bob"]' ) ) );
		self::assertStringNotContainsString( 'weekend', $this->see( 'bob', $this->page ) );
		self::assertStringContainsString( 'this page is for guests', $this->see( null, $this->page, $this->gran ) );
		self::assertMatchesRegularExpression( '/Gifts not on the list.*weekend/', $this->exported( self::GRAN ), 'theirs although they are no longer invited' );
		$this->in_request( null, static fn() => Plugin::get( SecretGifts::class )->forget_person( array( self::GRAN ) ) );
		$this->rest( 'alice', 'POST', "/wp/v2/registry/{$this->list->id}", array( 'meta' => array( 'registry_invitees' => wp_json_encode( array( 'bob', self::GRAN ) ) ) ) );
		self::assertStringNotContainsString( 'weekend', $this->see( 'bob', $this->page ), 'erased although its giver was no longer invited' );
	}

	public function test_are_limited_for_one_guest_and_no_more_are_added_once_the_list_is_closed(): void {
		$this->make( surprise: '' );
		for ( $n = 1; $n <= 10; ++$n ) {
			self::assertSame( 303, $this->tell( "Gift $n" )->status );
		}
		$more = $this->tell( 'Gift 11' );
		self::assertStringContainsString( 'You can’t add any more gifts here', self::refused( $more ) );
		self::assertSame( 'Gift 11', self::form_on( $more, 'add' )['text'] );
		$opened = self::form_on( $this->page( 'bob', $this->page ), 'add' );
		$this->send_form( 'alice', $this->path( 'details' ) . '?part=after', 'change', array( 'closes' => '2026-01-01' ) );
		$this->page( 'bob', $this->page, form: array( 'text' => 'Too late' ) + $opened );
		self::assertStringNotContainsString( 'Too late', $this->see( 'bob', $this->page ) );
	}
}
