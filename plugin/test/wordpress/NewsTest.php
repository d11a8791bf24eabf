<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Guests\ListNews;
use Trousseau\Plugin;

/** Emails to guests who wish to hear of new gifts and of another day. */
final class NewsTest extends ListTestCase {

	private const SUBJECT = '1 new gift on “Ann & Sam”';

	protected function setUp(): void {
		parent::setUp();
		$this->begin( array( 'registry_invitees' => wp_json_encode( array( self::GRAN, 'bob' ) ), 'registry_event_date' => '2036-05-30' ), 'private', array( 'Pan' ) );
	}

	private function follow( ?string $login, string $action = 'begin' ): void {
		self::assertSame( 303, $this->send_form( $login, $this->path( 'news' ), $action, cookies: $login ? array() : $this->guest() )->status );
	}

	private function news(): array {
		$this->run_jobs( 'news' );
		return $this->sent();
	}

	public function test_go_to_a_guest_who_has_asked_for_them_once_for_all_gifts_that_are_new(): void {
		self::assertStringContainsString( 'Emails about new gifts', $this->read( null, $this->list->link, $this->guest() ) );
		self::assertStringContainsString( 'Would you like an email when gifts are added to', $this->read( null, $this->path( 'news' ), $this->guest() ) );
		$this->follow( null );
		self::assertStringContainsString( 'We email you when gifts are added', $this->read( null, $this->path( 'news' ), $this->guest() ) );
		self::assertSame( array(), $this->news(), 'the guest knows the list' );

		$this->add( 'Sieve' );
		$ladle = $this->add( 'Ladle' );
		$mails = $this->news();
		self::assertSame( array( self::GRAN . ': 2 new gifts on “Ann & Sam”' ), self::about( $mails ) );
		self::assertDoesNotMatchRegularExpression( '/Sieve|The date is now/', $mails[0]['text'] );
		self::assertSame( 303, $this->page( null, self::found( '#https?:\S*invitation\S*#', $mails[0]['text'] ), form: array( 'do' => 'open' ) )->status, 'the guest’s own link' );
		self::assertSame( array(), $this->news(), 'it was told' );

		unset( $this->service->items[ $ladle ] );
		self::assertSame( array(), $this->news(), 'a gift that is gone is no news' );
		update_post_meta( $this->list->id, 'registry_event_date', '2036-06-06' );
		$mails = $this->news();
		self::assertSame( array( self::GRAN . ': The date of “Ann & Sam” has changed' ), self::about( $mails ) );
		self::assertMatchesRegularExpression( '/The date is now .*2036/', $mails[0]['text'] );
	}

	public function test_go_to_guests_with_an_account_too_and_end_at_a_press(): void {
		self::assertStringContainsString( 'Emails about new gifts', $this->read( 'bob', $this->list->link ) );
		$this->follow( 'bob' );
		$this->follow( null );
		$this->add( 'Sieve' );
		self::assertSame( array( 'bob@example.test: ' . self::SUBJECT, self::GRAN . ': ' . self::SUBJECT ), self::about( $this->news() ) );
		self::assertStringContainsString( 'Emails about new gifts', $this->exported( 'bob@example.test' ) );
		update_post_meta( $this->list->id, 'registry_owners', '["bob"]' );
		$this->add( 'Spoon' );
		self::assertSame( array( self::GRAN . ': ' . self::SUBJECT ), self::about( $this->news() ), 'an owner knows' );
		delete_post_meta( $this->list->id, 'registry_owners' );
		$this->follow( 'bob', 'end' );
		$this->add( 'Ladle' );
		self::assertSame( array( self::GRAN . ': ' . self::SUBJECT ), self::about( $this->news() ) );
	}

	public function test_wait_until_it_can_be_read_again_who_has_asked_for_them(): void {
		$this->follow( null );
		$this->add( 'Sieve' );
		$sealed = get_post_meta( $this->list->id, '_trousseau_guests', true );
		update_post_meta( $this->list->id, '_trousseau_guests', 'sealed with a key that is gone' );
		self::assertSame( array(), $this->news() );
		update_post_meta( $this->list->id, '_trousseau_guests', $sealed );
		self::assertSame( array( self::GRAN . ': ' . self::SUBJECT ), self::about( $this->news() ) );
	}

	public function test_go_out_although_what_was_told_of_another_list_is_unreadable(): void {
		$this->follow( null );
		$this->news();
		update_post_meta( $this->registry( 'bob', array( 'title' => 'Newer', 'status' => 'private' ) )->id, '_trousseau_news', 'sealed with a key that is gone' );
		$this->add( 'Sieve' );
		self::assertSame( array( self::GRAN . ': ' . self::SUBJECT ), self::about( $this->news() ) );
	}

	public function test_begin_for_a_guest_while_the_only_other_one_ends_them(): void {
		$this->follow( 'bob' );
		$post      = get_post( $this->list->id );
		$meanwhile = static function ( string $statement ) use ( &$meanwhile, $post ): string {
			if ( str_contains( $statement, "lock_meta-{$post->ID}_trousseau_news" ) ) {
				remove_filter( 'query', $meanwhile );
				Plugin::get( ListNews::class )->follow( $post, self::GRAN, true );
			}
			return $statement;
		};
		add_filter( 'query', $meanwhile );
		$this->follow( 'bob', 'end' );
		remove_filter( 'query', $meanwhile );
		$this->add( 'Sieve' );
		self::assertSame( array( self::GRAN . ': ' . self::SUBJECT ), self::about( $this->news() ) );
	}

	public function test_end_with_the_invitation_and_when_the_list_closes(): void {
		$this->follow( null );
		$this->follow( 'bob' );
		update_post_meta( $this->list->id, 'registry_invitees', '["bob"]' );
		$this->add( 'Sieve' );
		self::assertSame( array( 'bob@example.test: ' . self::SUBJECT ), self::about( $this->news() ) );
		self::assertSame( 303, $this->send_form( 'alice', $this->path( 'details' ), 'change', array( 'date' => '2026-05-30', 'closes' => '2026-06-20' ) )->status );
		$this->add( 'Ladle' );
		self::assertSame( array(), $this->news() );
	}

	public function test_go_out_where_the_work_is_done_in_the_request_of_somebody_who_may_not_read_the_list(): void {
		$this->follow( null );
		$this->add( 'Sieve' );
		$run = static function (): void {
			add_filter( 'wp_doing_cron', '__return_true' );
			self::call( 'run_jobs', 'news' );
		};
		$this->in_request( 'carol', $run );
		self::assertSame( array( self::GRAN . ': ' . self::SUBJECT ), self::about( $this->sent() ) );
	}

	public function test_are_for_guests_strangers_and_owners_cannot_ask_for_them(): void {
		$this->rest( 'alice', 'POST', "/wp/v2/registry/{$this->list->id}", array( 'status' => 'publish' ) );
		self::assertStringNotContainsString( 'Emails about new gifts', $this->read( null, $this->list->link ) );
		self::assertStringContainsString( 'Log in or open the link in your invitation', $this->read( null, $this->path( 'news' ) ) );
		foreach ( array( null, 'alice' ) as $login ) {
			self::assertNotSame( 303, $this->page( $login, $this->path( 'news' ), form: array( 'do' => 'begin' ) )->status );
		}
		$this->add( 'Sieve' );
		self::assertSame( array(), $this->news() );
	}
}
