<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Lists\Meta;
/** Several owners of one registry, by its pages and WordPress's screens: adding, leaving, handing over, and a surprise for all of them. OwnersTest.php has their rights. */
final class PartnersTest extends ListTestCase {

	private const CAROL = 'carol@example.test';

	private function with_owners( array $meta, string ...$names ): int {
		$this->begin( array( 'registry_owners' => wp_json_encode( $names ) ) + $meta );
		return $this->list->id;
	}

	private function owners(): array {
		return json_decode( get_post_meta( $this->list->id, 'registry_owners', true ), true );
	}

	/** Sends a form of the page about the list's people, and reads what comes of it. */
	private function send( string $login, array $form, string $page = 'people' ): string {
		$answer = $this->page( $login, $this->path( $page ), form: $form );
		self::assertSame( 303, $answer->status, $answer->text );
		return html_entity_decode( $this->page( $login, strtok( $answer->location(), '#' ), $answer->cookies )->text, ENT_QUOTES );
	}

	private function author(): string {
		return get_userdata( (int) get_post( $this->list->id )->post_author )->user_login;
	}

	public function test_wordpresss_quick_edit_lets_a_co_owner_edit_and_keeps_the_author_and_only_the_first_owner_deletes(): void {
		$id    = $this->with_owners( array(), 'bob' );
		$nonce = $this->nonce_for( 'bob', 'inlineeditnonce' );
		foreach ( array( array(), array( 'post_author' => (string) self::user( 'alice' ) ), array( 'post_author' => (string) self::user( 'bob' ) ), array( 'post_author_override' => (string) self::user( 'bob' ) ) ) as $also ) {
			$title  = 'Renamed with ' . ( wp_json_encode( $also ) );
			$answer = $this->ajax( 'bob', 'inline-save', array( 'post_ID' => (string) $id, 'post_type' => 'registry', '_inline_edit' => $nonce, 'post_title' => $title, 'post_name' => 'us', '_status' => 'private', 'post_view' => 'list', 'screen' => 'edit-registry' ) + $also );
			self::assertSame( array( $title, 'alice' ), array( get_post( $id )->post_title, $this->author() ), $answer->text );
		}
		$details = $this->path( 'details' ) . '?part=after';
		$delete  = array( 'do' => 'delete', 'sure' => '1' );
		self::assertSame( array(), self::form_on( $this->page( 'bob', $details ), 'delete' ) );
		self::assertStringContainsString( 'Only the first owner can delete', $this->page( 'bob', $details, form: $delete )->text );
		self::assertSame( 'private', get_post_status( $id ) );
		self::assertNotSame( array(), self::form_on( $this->page( 'alice', $details ), 'delete' ) );
		self::assertSame( 303, $this->page( 'alice', $details, form: $delete )->status );
		self::assertFalse( get_post_status( $id ) );
	}

	public function test_a_co_owners_rights_end_at_once_when_they_are_taken_off(): void {
		$id     = $this->with_owners( array(), 'bob' );
		$places = array( $this->list->link, ...array_map( $this->path( ... ), array( 'gifts', 'guests', 'given', 'details' ) ) );
		$seen   = fn(): array => array_unique( array_map( fn( string $place ): int => $this->page( 'bob', $place )->status, $places ) );
		self::assertSame( array( 200 ), $seen() );
		self::assertSame( 200, $this->rest( 'alice', 'POST', "/wp/v2/registry/$id", array( 'meta' => array( 'registry_owners' => '[]' ) ) )->status );
		self::assertSame( array( 404 ), $seen() );
		self::assertSame( 403, $this->rest( 'bob', 'GET', "/wp/v2/registry/$id?context=edit" )->status );
		self::assertStringNotContainsString( "/registries/$id/", $this->read( 'bob', '/registries/mine/' ) );
	}

	/**
	 * @testWith ["all"]
	 *           ["names"]
	 */
	public function test_all_owners_see_the_same_of_a_surprise( string $keeps ): void {
		$this->begin( array( 'registry_owners' => '["bob"]', 'registry_surprise_until' => 'always', 'registry_surprise_keeps' => $keeps, 'registry_invitees' => '["carol"]' ), 'publish', array( 'Glasses', 5 ) );
		$places = array( $this->list->link, ...array_map( $this->path( ... ), array( 'gifts', 'guests', 'given', 'details' ) ), '/registries/mine/', '/registries/my-gifts/', $this->path( 'give' ) . '?item=1', $this->path( 'gifts' ) . '?item=1' );
		$seen   = function () use ( $places ): array {
			$pages = array();
			foreach ( array( 'alice', 'bob' ) as $who ) {
				foreach ( $places as $place ) {
					$answer = $this->page( $who, $place );
					// A form has a key, a time and a name of its own each time.
					$pages[ "$who $place" ] = $answer->status . preg_replace( array( '/(name="(key|since|sent)"|nonce"|"nonce":) ?(value=)?"[^"]*"/', '/(name="opened" value=")\d+ [0-9a-f]{12}/' ), '$1', $answer->text );
				}
			}
			return $pages;
		};
		$give   = function ( int $quantity, string $message, string $giver ): string {
			$this->service->give( 1, compact( 'quantity', 'message' ) + array( 'giver' => array( 'name' => ucfirst( $giver ), 'email' => "$giver@example.test", 'user_id' => self::user( $giver ) ) ) );
			$this->run_jobs( 'digest', 'mail' );
			return (string) array_key_first( $this->service->claims );
		};
		$before = $seen();
		// Somebody typed an owner's own address.
		$first = $give( 2, 'Soup', 'bob' );
		$after = $seen();
		if ( $keeps === 'all' ) {
			self::assertSame( $before, $after );
		} else {
			self::assertStringContainsString( '3 needed', $after[ "alice $places[0]" ] );
			self::assertStringContainsString( '3 needed', $after[ "bob $places[0]" ] );
		}
		self::assertStringNotContainsString( 'Soup', preg_replace( '#<(script|style).*?</\1>#s', '', implode( $after ) ) );
		$this->service->items[1]['quantity_purchased'] -= 2;
		unset( $this->service->claims[ $first ] );
		$give( 1, 'Other', 'carol' );
		$give( 1, 'Words', 'bob' );
		self::assertSame( $after, $seen(), 'others give the same number' );
		self::assertSame( array(), $this->mails() );
	}

	public function test_every_owner_gets_the_days_email_unless_they_have_unsubscribed(): void {
		foreach ( array( array( 'alice@example.test', 'bob@example.test' ), array( 'alice@example.test' ) ) as $owners ) {
			$this->begin( array( 'registry_owners' => '["bob","not-yet@example.test"]', 'registry_invitees' => '["carol"]' ), 'private', array( 'Glasses' ) );
			$path = $this->path( 'give' ) . '?item=' . array_key_last( $this->service->items );
			self::assertSame( 303, $this->send_form( 'carol', $path, 'give' )->status );
			$this->mails();
			$this->run_jobs( 'digest', 'mail' );
			$told = array_filter( $this->mails(), static fn( array $mail ): bool => str_contains( $mail['subject'], 'was chosen' ) );
			$to   = array_merge( ...array_column( $told, 'to' ) );
			sort( $to );
			self::assertSame( $owners, $to );
			self::call( 'refuse_mail', 'bob@example.test' );
		}
	}

	public function test_a_partner_is_added_by_a_page_hears_of_it_by_email_changes_the_surprise_and_leaves(): void {
		$this->with_owners( array( 'registry_event_date' => '2035-05-30' ) );
		$people = $this->path( 'people' );
		$faulty = $this->send_form( 'alice', $people, 'add', array( 'person' => 'nobody-here' ) );
		self::assertMatchesRegularExpression( '/Enter an email for \W?nobody-here\W?, who has no account here/u', self::refused( $faulty ) );
		self::assertMatchesRegularExpression( '#<strong>alice</strong> <small>You · Can delete the list#', $faulty->text );
		self::assertStringContainsString( 'bob</strong>', $this->send( 'alice', array( 'do' => 'add', 'person' => 'bob' ) ) );
		$this->send( 'alice', array( 'do' => 'add', 'person' => 'sam@example.org' ) );
		$mails = $this->sent();
		self::assertSame( array( 'bob@example.test: You’re now an owner of “Ann & Sam”', 'sam@example.org: You’re now an owner of “Ann & Sam”' ), self::about( $mails ) );
		self::assertStringContainsString( 'with this email, sam@example.org', implode( array_column( $mails, 'text' ) ) );
		$seen = $this->page( 'bob', $people );
		self::assertSame( array( array(), array() ), array( self::form_on( $seen, 'add' ), self::form_on( $seen, 'remove' ) ) );
		foreach ( array( array( 'do' => 'add', 'person' => 'carol' ), array( 'do' => 'remove', 'person' => 'sam@example.org' ) ) as $denied ) {
			$this->page( 'bob', $people, form: $denied );
			self::assertSame( array( 'bob', 'sam@example.org' ), $this->owners() );
		}
		foreach ( array( array( 'after', 'names', '2035-05-31' ), array( 'after', 'all', '2035-05-31' ), array( 'no', 'all', '' ) ) as list( $surprise, $keeps, $until ) ) {
			$this->send( 'bob', array( 'do' => 'change', 'end_surprise' => $until ?: 'end' ) + compact( 'surprise', 'keeps' ), 'details' );
			self::assertSame( array( $until, $keeps === 'names' ), array( Meta::surprise_until( $this->list->id ), Meta::surprise_keeps_names_only( $this->list->id ) ) );
		}
		self::assertStringContainsString( 'You have left the list', $this->send( 'bob', array( 'do' => 'leave' ) ) );
		self::assertSame( array( 'sam@example.org' ), $this->owners() );
		$this->send( 'alice', array( 'do' => 'remove', 'person' => 'sam@example.org' ) );
		self::assertSame( array(), $this->owners() );
	}

	public function test_the_list_is_given_to_a_partner_who_takes_it(): void {
		$id    = $this->with_owners( array( 'registry_pay_to' => 'Alice, at home' ), 'bob', self::CAROL, 'sam@example.org' );
		$offer = fn( string $person, string $by = 'alice' ): string => $this->send( $by, array( 'do' => 'offer' ) + compact( 'person' ) );
		$take  = fn( string $who ): string => $this->send( $who, array( 'do' => 'take' ) );
		$page  = fn( string $who, string $name = 'people' ): string => $this->read( $who, $this->path( $name ) );
		self::assertSame( 2, substr_count( $page( 'alice' ), 'name="do" value="offer"' ), 'not to somebody without an account' );
		$offer( 'sam@example.org' );
		$offer( 'admin' );
		self::assertDoesNotMatchRegularExpression( '/We’ve (asked|emailed)/', $page( 'alice' ) );
		$offer( 'bob', 'bob' );
		self::assertStringContainsString( 'no longer being asked', $take( 'bob' ), 'nobody has offered it' );

		self::assertStringContainsString( 'We’ve emailed bob', self::words( $offer( 'bob' ) ) );
		$asked = $this->sent();
		self::assertSame( array( 'bob@example.test: alice wants to hand over the list “Ann & Sam” to you' ), array_map( array( self::class, 'words' ), self::about( $asked ) ) );
		self::assertStringContainsString( $this->path( 'people' ), $asked[0]['text'] );
		self::assertStringContainsString( 'Someone wants to hand this list over to you', $page( 'bob', 'gifts' ) );
		self::assertStringNotContainsString( 'wants to hand this list over', $page( 'carol', 'gifts' ) );
		self::assertStringContainsString( 'no longer being asked', $take( 'carol' ) );
		$this->send( 'carol', array( 'do' => 'end-offer' ) );
		self::assertStringContainsString( 'alice wants to hand this list over to you', self::words( $page( 'bob' ) ) );

		self::assertStringContainsString( 'You declined', $this->send( 'bob', array( 'do' => 'end-offer' ) ) );
		self::assertStringContainsString( 'no longer being asked', $take( 'bob' ) );
		$offer( 'bob' );
		self::assertStringContainsString( 'The list stays yours', $this->send( 'alice', array( 'do' => 'end-offer' ) ) );
		self::assertStringContainsString( 'no longer being asked', $take( 'bob' ) );
		$offer( 'bob' );
		$this->send( 'alice', array( 'do' => 'remove', 'person' => 'bob' ) );
		self::assertSame( 404, $this->page( 'bob', $this->path( 'people' ), form: array( 'do' => 'take' ) )->status, 'no owner any more' );
		$this->send( 'alice', array( 'do' => 'add', 'person' => 'bob' ) );
		self::assertStringContainsString( 'no longer being asked', $take( 'bob' ), 'the former offer is over' );
		$offer( 'bob' );
		$offer( self::CAROL );
		self::assertStringContainsString( 'no longer being asked', $take( 'carol' ), 'one is asked at a time' );
		self::assertSame( 'alice', $this->author() );
		$this->sent();
		self::assertMatchesRegularExpression( '/The list is yours now\. Shares still go to “\S*Alice, at home/', $take( 'bob' ) );
		self::assertSame( array( 'bob', array( self::CAROL, 'sam@example.org', 'alice' ), 'private' ), array( $this->author(), $this->owners(), get_post_status( $id ) ) );
		self::assertSame( array( 'alice@example.test: bob has taken over the list “Ann & Sam”' ), array_map( array( self::class, 'words' ), self::about( $this->sent() ) ) );
		self::assertSame( array( false, true ), array_map( static fn( string $text ): bool => str_contains( $text, 'name="do" value="add"' ), array( $page( 'alice' ), $page( 'bob' ) ) ), 'only the new owner adds people' );
		self::assertSame( 403, $this->rest( 'alice', 'DELETE', "/wp/v2/registry/$id" )->status );
	}
}
