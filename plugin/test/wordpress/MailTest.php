<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Guests\InvitationMails;
use Trousseau\Guests\Invitations;
use Trousseau\Lists\MailDelivery;
use Trousseau\Lists\Meta;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Mail;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\RateLimiter;
use Trousseau\Platform\SignedToken;
use Trousseau\Plugin;

/** The content of emails, and those that are planned, limited or deleted. */
final class MailTest extends WordPressTestCase {

	private function all_sent(): array {
		$all = array();
		do {
			$some = $this->sent();
			array_push( $all, ...$some );
		} while ( $some );
		return $all;
	}

	public function test_names_in_lists_bring_no_button_and_no_line_of_their_own_and_one_in_an_owners_name_says_for_whom_it_is_sent(): void {
		$name = "Ann\n\nPress here\nhttps://evil.example/now";
		$gift = array( 'name' => $name, 'quantity' => 5_000, 'currency' => 'EUR', 'more' => array( 'mail/parts/share-gone', array( 'units' => 5_000, 'currency' => 'EUR', 'holder' => $name ) ) );
		self::call( 'send_mail', 'aunt@example.org', 'list-gone', array( 'registry' => $name, 'gifts' => array( $gift ) ) );
		list( $mail ) = $this->all_sent();
		self::assertMatchesRegularExpression( '/Your €50 is with Ann Press here https\x{200B}:\/\/evil\x{200B}\.example\/now\./u', $mail['text'] );
		self::assertStringNotContainsString( 'href="https://evil', $mail['html'] );
		self::assertDoesNotMatchRegularExpression( '/^Press here/m', $mail['text'] );
		$note = "Do come\nall of you\n\nOpen your gift\nhttps://evil.example/?a";
		self::call( 'send_mail', 'aunt@example.org', 'invitation', array( 'registry' => 'Ours', 'owner' => 'Ann', 'note' => $note, 'link' => home_url( '/l' ), 'is_member' => true ) );
		list( $invitation ) = $this->all_sent();
		self::assertStringContainsString( "Do come\nall of you\n\nOpen your gift", $invitation['text'] );
		self::assertStringNotContainsString( 'href="https://evil', $invitation['html'] );
		$values = array( 'registry' => 'Ours', 'owner' => 'Ann <b>', 'note' => '', 'link' => home_url( '/l' ), 'is_member' => true );
		self::call( 'send_mail', 'aunt@example.org', 'invitation', $values + array( 'cover' => 'https://site.example/c.jpg' ) );
		self::call( 'send_mail', 'aunt@example.org', 'claim-reserved', $values + array( 'gift' => 'Pan', 'shop' => 'https://shop.example/pan', 'expires_at' => '2035-05-30T10:00:00Z' ) );
		list( $invitation, $gift ) = $this->sent();
		self::assertMatchesRegularExpression( '#<div style="display:none[^>]*>[^<]*invited you to their gift list “[^<]*Ours#', $invitation['html'] );
		self::assertStringContainsString( '<img src="https://site.example/c.jpg" alt=""', $invitation['html'] );
		self::assertMatchesRegularExpression( '/Sent for .?Ann &lt;b&gt;.? by /u', $invitation['html'] );
		self::assertMatchesRegularExpression( '/\n-- \nSent for .?Ann <b>.? by /u', $invitation['text'] );
		self::assertStringNotContainsString( '<img', $gift['html'] );
		self::assertStringNotContainsString( 'Sent for', $gift['html'] . $gift['text'] );
		self::assertSame( array( 1, 1 ), array( substr_count( $gift['html'], 'class="button"' ), substr_count( $gift['html'], 'class="link"' ) ), 'one button; the shop is a link' );
		self::call( 'send_mail', 'aunt@example.org', 'thank-you', array( 'registry' => 'Ours', 'owner' => 'Ann', 'note' => 'Thanks', 'link' => 'https://ours.example', 'reply_to' => 'ann@example.test' ) );
		self::assertMatchesRegularExpression( '/^Reply-To: ann@example\.test\r?$/m', $this->sent()[0]['headers'] );
	}

	public function test_is_sent_once_where_a_plugin_answers_with_the_number_that_it_got(): void {
		$sent = new \ArrayObject();
		add_filter( 'pre_wp_mail', static fn( $answer, array $mail ): string => count( $sent->append( $mail['subject'] ) ?? $sent ) . ' sent', 10, 2 );
		self::call( 'send_mail', 'eve@example.org', 'my-gifts', array( 'link' => home_url() ) );
		$this->run_jobs( 'mail' );
		$this->run_later( 'mail' );
		self::assertSame( array( 1, array() ), array( count( $sent ), self::jobs( 'mail' ) ) );
	}

	public function test_those_to_owners_leave_out_none_of_very_many_lists_and_wait_once_for_a_service_that_is_away(): void {
		$list = array( 'post_type' => 'registry', 'post_status' => 'private', 'post_title' => 'One of many', 'meta_input' => array( 'registry_event_date' => gmdate( 'Y-m-d', time() - 6 * DAY_IN_SECONDS ) ) );
		$made = array_map( static fn(): int => self::post( $list ), range( 1, 250 ) );

		$this->outside->is_away = true;
		$this->run_jobs( 'digest' );
		self::assertLessThanOrEqual( 3, count( $this->outside->requests ), 'waited so many times' );
		$this->outside->is_away = false;
		$this->run_jobs( 'digest' );
		self::assertCount( 250, array_filter( $made, static fn( int $id ): bool => (bool) get_post_meta( $id, '_trousseau_thanks_reminded', true ) ) );
		$this->outside->requests = array();
		$this->run_jobs( 'digest' );
		self::assertSame( array(), $this->outside->asked() );
		update_post_meta( $made[0], 'registry_event_date', gmdate( 'Y-m-d', time() - 5 * DAY_IN_SECONDS ) );
		$this->run_jobs( 'digest' );
		self::assertNotSame( array(), $this->outside->asked(), 'a list that is used for another day' );
	}

	public function test_a_person_who_gives_much_hears_of_all_of_it_planned_mails_dont_count_for_the_days_limit_and_those_that_wait_are_deleted_even_while_one_is_being_sent(): void {
		for ( $n = 0; $n < 40; ++$n ) {
			self::assertTrue( self::call( 'send_mail', 'busy@example.org', 'claim-reminder', array(), time() + DAY_IN_SECONDS ) );
		}
		for ( $n = 0; $n < 40; ++$n ) {
			self::call( 'send_mail', 'busy@example.org', 'my-gifts', array( 'link' => home_url() ) );
		}
		$sent = $this->all_sent();
		self::assertSame( array( array( 'busy@example.org' ) ), array_unique( array_column( $sent, 'to' ), SORT_REGULAR ) );
		self::assertCount( 10, $sent, 'as many as one visitor may ask for in a day' );
		self::call( 'send_mail', 'moved@example.org', 'claim-reminder', array(), time() + DAY_IN_SECONDS );
		self::call( 'send_mail', 'moved@example.org', 'my-gifts', array( 'link' => home_url() ) );
		Plugin::get( JobQueue::class )->claim( 'mail', 60, 0 );
		self::assertSame( array( 2, 0 ), array_map( static fn(): int => Plugin::get( Mail::class )->forget( 'moved@example.org' ), range( 1, 2 ) ) );
	}

	public function test_one_that_somebody_asks_for_comes_before_all_others_and_lists_take_turns(): void {
		$invite = static function ( int $list, int $count ): void {
			$mails = array_map( static fn( int $n ): array => array( 'to' => "guest$n@list$list.test", 'template' => 'news', 'values' => array( 'registry' => 'Ours', 'count' => 1, 'day' => '', 'link' => home_url() ) ), range( 1, $count ) );
			self::assertTrue( Plugin::get( Mail::class )->queue( $mails, $list ) );
		};
		$invite( 7, 400 );
		$invite( 8, 3 );
		self::call( 'send_mail', 'asked@example.org', 'my-gifts', array( 'link' => home_url() ) );
		$to = array_merge( ...array_column( $this->sent(), 'to' ) );
		self::assertSame( array( MailDelivery::A_RUN, 'asked@example.org' ), array( count( $to ), $to[0] ) );
		self::assertSame( array( 'guest1@list8.test', 'guest2@list8.test', 'guest3@list8.test' ), array_values( preg_grep( '/list8/', $to ) ) );
		self::assertSame( 'guest1@list7.test', array_values( preg_grep( '/list7/', $to ) )[0] );
	}

	public function test_a_new_account_invites_a_few_a_day_until_a_guest_has_opened_its_list(): void {
		self::user( 'newcomer' );
		$list   = $this->registry( 'newcomer', array( 'title' => 'Win at casino.example now', 'status' => 'private' ) );
		$guests = array_map( static fn( int $n ): string => "guest$n@example.org", range( 1, 60 ) );
		update_post_meta( $list->id, Meta::INVITEES, wp_json_encode( $guests ) );
		$invite = fn( array $some ): array => $this->in_request( 'newcomer', static fn(): array => Plugin::get( InvitationMails::class )->send( get_post( $list->id ), $some, '' ) );
		self::assertCount( 40, $invite( array_slice( $guests, 0, 40 ) ) );
		self::assertCount( 20, $invite( array_slice( $guests, 40 ) ) );
		self::assertSame( array( 0 => 25, 1 => 25, 2 => 10 ), array_count_values( array_map( static fn( array $note ): int => (int) ceil( ( $note['at'] - time() ) / DAY_IN_SECONDS ), Plugin::get( Invitations::class )->notes_of( get_post( $list->id ), $guests ) ) ) );
		$sent = $this->all_sent();
		self::assertCount( 25, $sent );
		self::assertStringContainsString( 'casino', $sent[0]['subject'] . $sent[0]['text'] );
		self::assertStringNotContainsString( 'casino.example', $sent[0]['subject'] . $sent[0]['text'] . $sent[0]['html'] );

		$again = $this->page( 'newcomer', "/registries/{$list->id}/guests/", form: array( 'do' => 'invite', 'again' => 'guest1@example.org', 'note' => '', 'guests' => 'later@example.org' ) );
		self::assertStringContainsString( 'We’ll email', $again->text );

		self::assertSame( 303, $this->page( null, self::found( '#/registries/invitation/\S+#', $sent[0]['text'] ), form: array( 'do' => 'open' ) )->status );
		self::assertCount( 36, $this->all_sent(), 'the others, at once' );
		self::assertCount( 60, $invite( $guests ) );
		self::assertCount( 60, $this->all_sent() );
	}

	public function test_a_guest_who_has_opened_the_list_is_invited_again_whatever_strangers_have_used_up_but_not_for_ever(): void {
		$list   = $this->registry( 'alice', array( 'title' => 'Ours', 'status' => 'private' ) );
		$guests = array( 'knows@example.org', 'new@example.org' );
		update_post_meta( $list->id, Meta::INVITEES, wp_json_encode( $guests ) );
		$invite = fn( string ...$guests ): array => $this->in_request( 'alice', static fn(): array => Plugin::get( InvitationMails::class )->send( get_post( $list->id ), $guests, '' ) );
		$spend  = fn( string $email, string $template ): int => $this->in_request( null, static fn(): int => self::call( 'mails_that_may_go', $email, $template, ...range( 1, 30 ) ) );
		self::assertSame( $guests, $invite( ...$guests ) );
		Plugin::get( Invitations::class )->change( get_post( $list->id ), array( 'knows@example.org' => array( 'opened' => time() ) ) );
		foreach ( $guests as $guest ) {
			self::assertLessThan( 30, $spend( $guest, 'invitation' ) );
		}
		self::assertSame( array( 'knows@example.org' ), $invite( ...$guests ) );
		self::assertSame( 29, $spend( 'knows@example.org', 'claim-removed' ) );
		self::assertSame( array(), $invite( ...$guests ) );
	}

	public function test_one_account_brings_few_emails_to_new_co_owners_and_1200_to_guests_in_a_day(): void {
		$this->outside->answer( 'P* /registries/*', array() );
		$list = $this->registry( 'alice', array( 'title' => 'Ours', 'status' => 'private' ) );
		for ( $n = 0; $n < 25; ++$n ) {
			$this->page( 'alice', "/registries/{$list->id}/people/", form: array( 'do' => 'add', 'person' => "partner$n@example.org" ) );
		}
		self::assertCount( 20, $this->all_sent() );
		$invite = fn( string ...$guests ): array => $this->in_request( 'alice', static fn(): array => Plugin::get( InvitationMails::class )->send( get_post( $list->id ), $guests, '' ) );
		self::assertTrue( Plugin::get( RateLimiter::class )->allows( 'invite', (string) self::user( 'alice' ), 1200, DAY_IN_SECONDS, 1198 ) );
		self::assertSame( array( 'a@example.org', 'b@example.org' ), $invite( 'a@example.org', 'b@example.org', 'c@example.org' ) );
	}

	public function test_mail_programs_unsubscribe_their_readers_by_one_press(): void {
		foreach ( array( 'sendmail', 'mail' ) as $way ) {
			add_action( 'phpmailer_init', static fn( Mailer $mailer ): string => $mailer->Mailer = $way );
			self::call( 'send_mail', "$way@example.org", 'my-gifts', array( 'link' => home_url() ) );
			list( $mail ) = $this->sent();
			self::assertSame( 1, preg_match( '/^List-Unsubscribe: <(\S+)>(?: \(Trousseau: unsubscribe\))?\r?$/m', $mail['headers'], $link ), $mail['headers'] );
			self::assertMatchesRegularExpression( '/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m', $mail['headers'] );
			wp_mail( 'other@example.org', 'Other', 'Text' );
			self::assertStringNotContainsString( 'List-Unsubscribe', $this->mails()[0]['headers'], 'those of other plugins' );

			$from   = array( 'HTTP_SEC_FETCH_SITE' => 'cross-site' );
			$refuse = $this->page( null, $link[1], server: $from, form: array( 'do' => 'stop' ) );
			self::assertSame( array( 403, false ), array( $refuse->status, Plugin::get( Mail::class )->is_refused( "$way@example.org" ) ) );
			$taken = $this->page( null, $link[1], server: $from, form: array( 'List-Unsubscribe' => 'One-Click' ) );
			self::assertSame( array( 200, true ), array( $taken->status, Plugin::get( Mail::class )->is_refused( "$way@example.org" ) ) );
			foreach ( array( array(), array( 'List-Unsubscribe' => 'One-Click' ) ) as $more ) {
				$this->page( null, $link[1], server: $from, form: array( 'do' => 'undo' ) + $more );
				self::assertTrue( Plugin::get( Mail::class )->is_refused( "$way@example.org" ), 'no other site takes it back' );
			}
			$undone = (string) $this->page( null, $link[1], form: array( 'do' => 'undo' ) )->location();
			self::assertFalse( Plugin::get( Mail::class )->is_refused( "$way@example.org" ) );
			self::assertSame( array( true, false ), array( str_contains( $this->page( null, $link[1] )->text, 'is-at-once' ), str_contains( $this->page( null, $undone )->text, 'is-at-once' ) ) );
		}
	}

	public function test_nobody_is_told_that_they_are_unsubscribed_in_a_database_that_takes_no_writes(): void {
		$link   = PageAddress::of( 'no-mail', 0, array( 'of' => SignedToken::seal( 'no-mail', 'ann@example.org' ) ) );
		$errors = $GLOBALS['wpdb']->suppress_errors();
		add_filter( 'query', array( LockTest::class, 'write_nothing' ) );
		$answers = array_map( fn( array $form ): Answer => $this->page( null, $link, form: $form ), array( array( 'do' => 'stop' ), array( 'List-Unsubscribe' => 'One-Click' ) ) );
		remove_filter( 'query', array( LockTest::class, 'write_nothing' ) );
		$GLOBALS['wpdb']->suppress_errors( $errors );
		Complaints::take();
		self::assertSame( array( 422, 422 ), array_column( $answers, 'status' ) );
		self::assertStringNotContainsString( 'is-at-once', $answers[0]->text, 'it would press again and again' );
		$location = (string) $this->page( null, $link, form: array( 'do' => 'stop' ) )->location();
		Plugin::get( Mail::class )->allow( 'ann@example.org' );
		self::assertStringNotContainsString( 'is-at-once', $this->page( null, $location )->text, 'also where a copy of the database lags behind' );
	}
}
