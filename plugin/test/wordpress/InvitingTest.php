<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** The page of guests and its emails: who is invited by what is typed, in whose name, and how long a link opens the list. */
final class InvitingTest extends ListTestCase {

	private string $guests;

	protected function setUp(): void {
		parent::setUp();
		$this->begin();
		$this->guests = $this->path( 'guests' );
	}

	private function press( array $fields, string $by = 'alice' ): Answer {
		return $this->send_form( $by, $this->guests, 'invite', $fields );
	}

	private function invite( string $guests, array $also = array() ): string {
		$answer = $this->press( compact( 'guests' ) + $also );
		self::assertSame( 303, $answer->status, self::words( $answer->text ) );
		return self::words( $this->page( 'alice', $answer->location(), $answer->cookies )->text );
	}

	private function invitees(): array {
		return json_decode( get_post_meta( $this->list->id, 'registry_invitees', true ) ?: '[]', true );
	}

	private function state( string $guest ): string {
		preg_match( "#<strong>$guest</strong> <small>(.*?)</small>#", $this->read( 'alice', $this->guests ), $found );
		return $found[1] ?? '';
	}

	public function test_an_invitation_carries_the_hosts_name_that_was_entered_last_whoever_entered_it(): void {
		$on_page = fn(): string => self::form_on( $this->page( 'alice', $this->guests ), 'invite' )['owner'];
		$subject = function ( string $owner, string $by = 'alice' ): string {
			self::assertSame( 303, $this->press( compact( 'owner' ), $by )->status );
			self::assertSame( 303, $this->press( array( 'again' => self::GRAN ), $by )->status );
			return $this->sent()[0]['subject'];
		};
		self::assertSame( '', $on_page(), 'a user name is none' );
		self::assertSame( 'Alice invited you to their gift list', $subject( 'Alice' ) );
		$odd = 'A\\b <3 "Ann" & Sam';
		self::assertSame( "$odd invited you to their gift list", $subject( $odd, 'admin' ) );
		self::assertSame( $odd, $on_page() );
		self::assertSame( 'alice', get_userdata( self::user( 'alice' ) )->display_name );
		foreach ( array( '100 characters' => array( 'guests' => 'late@example.org', 'owner' => str_repeat( 'x', 101 ) ), 'Enter at least one email or user name' => array( 'guests' => '', 'owner' => $odd ) ) as $words => $fields ) {
			self::assertStringContainsString( $words, $this->page( 'alice', $this->guests, form: array( 'do' => 'invite' ) + $fields )->text );
		}
		$this->press( array( 'owner' => '' ) );
		self::assertSame( array(), $this->sent() );
	}

	public function test_the_hosts_name_that_another_owner_has_entered_since_the_page_was_opened_stays(): void {
		$form = self::form_on( $this->page( 'alice', $this->guests ), 'invite' );
		$name = fn(): string => self::form_on( $this->page( 'alice', $this->guests ), 'invite' )['owner'];
		$this->invite( 'one@example.org', array( 'owner' => 'Ann & Sam' ) );
		self::assertSame( 303, $this->page( 'alice', $this->guests, form: array( 'guests' => 'two@example.org' ) + $form )->status );
		self::assertSame( 'Ann & Sam', $name() );
		self::assertSame( 303, $this->page( 'alice', $this->guests, form: array( 'guests' => 'three@example.org', 'owner' => 'Ann' ) + $form )->status );
		self::assertSame( 'Ann', $name(), 'typed in the older form' );
	}

	public function test_an_invitation_opens_by_itself_for_its_guest_and_asks_anybody_else(): void {
		update_post_meta( $this->list->id, 'registry_invitees', wp_json_encode( array( self::GRAN, 'bob', 'uncle@example.org' ) ) );
		$link = fn( string $guest ): string => $this->in_request( null, fn(): string => self::call( 'guest_link', $this->list->id, $guest ) );
		$asks = fn( ?string $login, string $guest, array $cookies = array() ): bool => ! str_contains( $this->page( $login, $link( $guest ), $cookies )->text, 'is-at-once' );
		self::assertFalse( $asks( null, self::GRAN ) );
		self::assertFalse( $asks( null, self::GRAN, $this->guest() ) );
		self::assertFalse( $asks( 'bob', 'bob' ) );
		self::assertTrue( $asks( null, 'uncle@example.org', $this->guest() ), 'another guest on her device' );
		self::assert_each( true, array( 'alice', 'admin', 'bob', 'carol' ), static fn( string $login ): bool => $asks( $login, self::GRAN ) );
		self::assertStringNotContainsString( 'is-at-once', $this->page( null, $link( self::GRAN ), server: array( 'HTTP_SEC_FETCH_SITE' => 'cross-site' ), form: array( 'do' => 'open' ) )->text, 'a press that failed' );
	}

	public function test_somebody_logged_in_to_an_account_that_is_not_invited_is_asked_to_log_out_and_goes_on_to_the_list(): void {
		self::user( 'carol' );
		$link = $this->in_request( null, fn(): string => self::call( 'guest_link', $this->list->id, self::GRAN ) );
		self::assertStringNotContainsString( 'trousseau-cover', $this->page( 'carol', $link )->text );
		set_post_thumbnail( $this->list->id, self::picture( 'alice', 'cover', $this->list->id )->id );
		$page = $this->page( 'carol', $link );
		self::assertStringContainsString( 'class="trousseau-cover"', $page->text, 'they see the list’s picture, as behind the list’s own link' );
		self::assertMatchesRegularExpression( '/You’re logged in as carol, and that account isn’t invited.*Log out and open the list/', self::words( $page->text ) );
		self::assertSame( array(), self::form_on( $page, 'open' ), 'one way' );
		$asks = $this->page( 'carol', $link, form: array( 'do' => 'open' ) );
		self::assertSame( array( 200, array() ), array( $asks->status, $asks->cookies ), 'a form from before the login' );
		$left = new \ArrayObject();
		add_action( 'wp_logout', static fn( int $user ) => $left[] = $user );
		$forged = $this->page( 'carol', $link, form: array( 'do' => 'switch' ), server: array( 'HTTP_SEC_FETCH_SITE' => 'cross-site' ) );
		self::assertSame( array( 403, array(), 0 ), array( $forged->status, $forged->cookies, count( $left ) ), 'another site’s form' );
		$next = $this->send_form( 'carol', $link, 'switch' );
		self::assertSame( array( 1, 303, $this->list->link ), array( count( $left ), $next->status, $next->location() ) );
		self::assertSame( 200, $this->page( null, $next->location(), $next->cookies )->status );
		$twice = $this->page( null, $link, $next->cookies, form: array( 'do' => 'switch' ) );
		self::assertSame( array( 303, $this->list->link ), array( $twice->status, $twice->location() ), 'back, and pressed again' );
		self::assertSame( 403, $this->page( 'carol', strrev( substr( strrev( $link ), 3 ) ), form: array( 'do' => 'switch' ) )->status, 'a link that isn’t complete' );
		foreach ( array( 'alice', 'admin' ) as $login ) {
			self::assertSame( array(), self::form_on( $this->page( $login, $link ), 'switch' ), $login );
			$opened = $this->send_form( $login, $link, 'open' );
		}
		self::assertCount( 1, $left, 'people who may read it stay logged in' );
		self::assertSame( array( 303, array() ), array( $opened->status, $opened->cookies ) );
		self::assertMatchesRegularExpression( '/You’re logged in as carol.*Log out and try again/', self::words( $this->page( 'carol', $this->list->link )->text ) );
		self::assertStringNotContainsString( 'Log out', self::words( $this->page( null, $this->list->link )->text ) );
	}

	public function test_send_again_uses_the_hosts_name_and_the_note_that_are_typed_in_the_form_and_owners_are_told_that_they_need_no_invitation(): void {
		self::assertSame( 303, $this->press( array( 'again' => self::GRAN, 'owner' => 'Ann & all', 'note' => 'See you soon' ) )->status );
		list( $mail ) = $this->sent();
		self::assertSame( 'Ann & all invited you to their gift list', $mail['subject'] );
		self::assert_shows( array( 'See you soon', 'Please don’t forward it, because gifts chosen through it count as yours.' ), $mail['text'] );
		$others = $this->press( array( 'again' => self::GRAN, 'owner' => '', 'guests' => 'later@example.org' ) );
		self::assertSame( 'later@example.org', self::form_on( $others, 'invite' )['guests'] );
		self::assertStringContainsString( 'on its way to gran@example.org again', self::words( $others->text ) );
		self::assertSame( array( self::GRAN . ': You’re invited to “Ann & Sam”' ), array_map( array( self::class, 'words' ), self::about( $this->sent() ) ) );
		self::assertSame( array( self::GRAN ), $this->invitees() );
		for ( $times = 3; $times <= 6; $times++ ) {
			$last = $this->press( array( 'again' => self::GRAN, 'owner' => '' ) );
		}
		self::assertStringContainsString( 'any more today', self::words( $last->text ) );
		self::assertCount( 1, $this->sent(), 'the last one, in place of those that waited' );
		self::assertSame( 'Email sent', $this->state( self::GRAN ), 'a refused email is not one that couldn’t be delivered' );
		update_post_meta( $this->list->id, 'registry_owners', '["carol"]' );
		$page = $this->press( array( 'guests' => 'Alice@Example.test, carol, uncle@example.org' ) );
		self::assertSame( 422, $page->status );
		self::assertStringContainsString( 'Alice@Example.test, carol are owners of this list and don’t need an invitation.', str_replace( array( "\u{2068}", "\u{2069}" ), '', self::words( $page->text ) ) );
		self::assertSame( array( self::GRAN, 'uncle@example.org' ), $this->invitees() );
		self::assertStringContainsString( 'alice is an owner of this list', self::words( $this->press( array( 'guests' => 'alice' ) )->text ) );
	}

	public function test_an_email_that_is_asked_for_while_others_are_being_sent_is_sent_too(): void {
		$wpdb = $GLOBALS['wpdb'];
		$rows = fn(): array => $wpdb->get_results( $wpdb->prepare( "SELECT * FROM $wpdb->postmeta WHERE post_id = %d", $this->list->id ), ARRAY_A );
		$put  = static function ( array $stored ) use ( $wpdb ): void {
			array_map( static fn( array $row ) => $wpdb->replace( $wpdb->postmeta, $row ), $stored );
		};
		self::assertSame( 303, $this->press( array( 'guests' => 'first@example.org', 'owner' => '' ) )->status );
		$before = $rows();
		$this->press( array( 'again' => self::GRAN, 'owner' => '' ) );
		$after = $rows();
		// Another process stores the second press while this one, which has read the list, sends the first email.
		$put( $before );
		wp_cache_flush();
		$meanwhile = static function ( array $mail ) use ( $put, $after ): array {
			$put( $after );
			return $mail;
		};
		add_filter( 'wp_mail', $meanwhile );
		$to = array_merge( ...array_column( $this->sent(), 'to' ) );
		remove_filter( 'wp_mail', $meanwhile );
		self::assertEqualsCanonicalizing( array( 'first@example.org', self::GRAN ), $to );
	}

	public function test_people_whom_a_pasted_text_names_are_invited_words_that_name_nobody_stay_in_the_field(): void {
		self::user( 'Lee Ann', 'subscriber', array( 'user_email' => 'lee-ann@example.test' ) );
		self::user( 'Lee' );
		$typed  = "one@example.org two@example.org;three@example.org\n"
			. 'Four Smith <four@example.org>, "Smith, Five" <five@example.org> six@example.org Seven S. <seven@example.org>' . "\n"
			. "\u{a0}eight@example.org\u{a0}\tLee Ann admin, nobody here, Lee; <nine@example.org>\nten@nowhere ONE@example.org";
		$fields = array( 'guests' => $typed, 'note' => 'Do come' ) + self::form_on( $this->page( 'alice', $this->guests ), 'invite' );
		$answer = $this->page( 'alice', $this->guests, form: $fields );
		$names  = array_map( static fn( string $name ): string => "$name@example.org", array( 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine' ) );
		self::assertEqualsCanonicalizing( array( ...$names, 'Lee Ann', 'admin', 'Lee' ), array_diff( $this->invitees(), array( self::GRAN ) ) );
		$left = self::form_on( $answer, 'invite' );
		self::assertSame( array( "nobody here\nten@nowhere", 'Do come' ), array( $left['guests'], $left['note'] ) );
		$words = self::words( $answer->text );
		self::assert_shows( array( '12 guests are invited. The emails are on their way.', 'Enter an email for nobody here, who has no account here. Check this email: ten@nowhere' ), $words );
		self::assertCount( 12, array_unique( array_map( static fn( array $mail ): string => $mail['to'][0], $this->sent() ) ) );
		self::assertStringContainsString( 'These guests are already invited.', self::words( $this->page( 'alice', $this->guests, form: $fields )->text ) );
		self::assertStringContainsString( 'This guest is already invited.', $this->invite( 'one@example.org' ) );
		self::assertSame( array(), $this->sent() );
		self::assertMatchesRegularExpression( '/1 guest is invited\..* Already invited: one@example\.org\./', $this->invite( "one@example.org\neleven@example.org" ) );
	}

	public function test_a_guest_who_leaves_a_list_by_any_way_loses_their_link_and_gets_another_when_invited_again(): void {
		$guest = 'gone@example.org';
		$id    = $this->list->id;
		$link  = fn( string $of ): string => $this->in_request( null, static fn(): string => self::call( 'guest_link', $id, $of ) );
		$opens = fn( string $link ): bool => $this->page( null, $link )->status === 200;
		$meta  = fn( string ...$guests ): int => $this->rest( 'alice', 'POST', "/wp/v2/registry/$id", array( 'meta' => array( 'registry_invitees' => wp_json_encode( $guests ) ) ) )->status;
		self::assertSame( 200, $meta( self::GRAN, $guest ) );
		$stays = $link( self::GRAN );
		$ways  = array(
			'REST' => array( fn() => $meta( self::GRAN ), fn() => $meta( self::GRAN, $guest ) ),
			'page' => array( fn() => $this->page( 'alice', $this->guests, form: array( 'do' => 'cancel', 'guest' => $guest ) ), fn() => $this->invite( $guest ) ),
			'site' => array( fn() => $this->in_request( null, static fn() => delete_post_meta( $id, 'registry_invitees' ) ), fn() => $meta( self::GRAN, $guest ) ),
		);
		foreach ( $ways as $way => list( $leave, $come ) ) {
			$old = $link( $guest );
			self::assertSame( array( true, true ), array( $opens( $old ), $opens( $stays ) ), $way );
			$leave();
			self::assertFalse( $opens( $old ), $way );
			$come();
			self::assertFalse( $opens( $old ), "$way: opens again" );
			self::assertTrue( $opens( $link( $guest ) ), $way );
		}
	}

	public function test_an_email_that_waits_is_not_sent_once_its_reader_has_unsubscribed_or_the_invitation_was_taken_back_and_comes_by_another_press_where_the_answer_was_lost(): void {
		$this->invite( 'wrong@example.org, enough@example.org' );
		$this->page( 'alice', $this->guests, form: array( 'do' => 'cancel', 'guest' => 'wrong@example.org' ) );
		$this->in_request( null, static fn() => self::call( 'refuse_mail', 'enough@example.org' ) );
		self::assertSame( array(), $this->sent() );
		self::assertSame( 'The email couldn’t be delivered', $this->state( 'enough@example.org' ) );
		$since = self::call( 'sign', 'form', (string) ( time() - 10 ) );
		$this->send_form( null, '/registries/my-gifts/', 'ask', compact( 'since' ) + array( 'email' => 'enough@example.org' ) );
		self::assertCount( 1, $this->sent(), 'what they ask for themselves' );
		update_post_meta( $this->list->id, 'registry_invitees', wp_json_encode( array( self::GRAN, 'lost@example.org' ) ) );
		$this->invite( 'lost@example.org' );
		self::assertCount( 1, $this->sent() );
		self::assertSame( 'Email sent', $this->state( 'lost@example.org' ) );
	}

	public function test_an_email_that_cannot_be_sent_is_tried_again_and_its_guest_is_said_to_have_none_once_it_never_could(): void {
		$guest = 'late@example.org';
		$later = fn(): array => $this->sent( 3 );
		$fail  = static fn(): bool => false;
		add_filter( 'pre_wp_mail', $fail );
		$this->invite( $guest );
		self::assertSame( array( array(), 'Email on its way' ), array( $this->sent(), $this->state( $guest ) ) );
		remove_filter( 'pre_wp_mail', $fail );
		wp_update_post( array( 'ID' => $this->list->id, 'post_status' => 'draft' ) );
		self::assertSame( array(), $later() );
		wp_update_post( array( 'ID' => $this->list->id, 'post_status' => 'private' ) );
		self::assertCount( 1, $later() );
		self::assertSame( 'Email sent', $this->state( $guest ) );

		add_filter( 'pre_wp_mail', $fail );
		$this->press( array( 'again' => $guest ) );
		array_map( $later, range( 1, 7 ) );
		self::assertSame( 'The email couldn’t be delivered', $this->state( $guest ) );
		remove_filter( 'pre_wp_mail', $fail );
		self::assertSame( array(), $later(), 'after its time none comes' );
	}

	public function test_strangers_cannot_use_up_the_emails_that_a_person_asks_for_and_a_page_says_that_one_is_on_its_way_only_when_it_is(): void {
		$since  = self::call( 'sign', 'form', (string) ( time() - 10 ) );
		$may_go = fn( string $email, string $template, int ...$networks ): int => $this->in_request( null, static fn(): int => self::call( 'mails_that_may_go', $email, $template, ...$networks ) );
		/** Uses up the emails a day that strangers, friends or the person may cause, from several networks. */
		$spend = static function ( string $email, string $template ) use ( $may_go ): int {
			$may_go( $email, $template, ...range( 0, 99 ) );
			return $may_go( $email, $template, 100 );
		};
		$ask   = function ( string $email ) use ( $since ): string {
			$answer = $this->send_form( null, '/registries/my-gifts/', 'ask', compact( 'since', 'email' ) );
			return self::words( $answer->status === 303 ? $this->page( null, '/registries/my-gifts/', $answer->cookies )->text : $answer->text );
		};
		self::assertSame( array( 0, 0 ), array( $spend( 'wanted@example.org', 'invitation' ), $spend( 'wanted@example.org', 'claim-removed' ) ) );
		self::assertStringContainsString( 'we’ve sent a link to wanted@example.org', $ask( 'wanted@example.org' ) );
		self::assertCount( 1, $this->sent() );
		self::assertStringContainsString( 'we can’t email them today', $this->invite( 'wanted@example.org' ) );
		self::assertSame( 'The email couldn’t be delivered', $this->state( 'wanted@example.org' ) );
		self::assertSame( 422, $this->press( array( 'again' => 'wanted@example.org' ) )->status );
		self::assertSame( array(), $this->sent() );

		self::assertSame( 0, $spend( 'asked@example.org', 'my-gifts' ) );
		self::assertStringNotContainsString( 'sent a link', $ask( 'asked@example.org' ) );
		$this->begin( array(), 'publish', array( 'Lamp' ) );
		$given = $this->send_form( null, $this->path( 'give' ) . '?item=1', 'give', array( 'giver' => 'Vera', 'email' => 'asked@example.org' ) + compact( 'since' ) );
		self::assertStringContainsString( 'We can’t send an email to this address today', self::refused( $given ) );
		self::assertSame( array(), $this->sent() );
		self::assertSame( 1, $may_go( 'asked@example.org', 'claim-reserved', 101 ) );
		$may_go( 'theirs@example.org', 'my-gifts', ...array_fill( 0, 100, 1 ) );
		self::assertSame( 1, $may_go( 'theirs@example.org', 'my-gifts', 2 ) );
	}
}
