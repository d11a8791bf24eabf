<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Guests\Invitations;
use Trousseau\Lists\Accounts;
use Trousseau\Lists\TypedGuests;
use Trousseau\Plugin;

/** Invitations: by the name of an account or by an address, for nobody else who comes by that name; and once more where the email is lost. */
final class InvitationsTest extends WordPressTestCase {

	private static function is_guest( string $login, int $id ): bool {
		return user_can( self::user( $login ), 'read_post', $id );
	}

	private static function guests( int $id ): array {
		return json_decode( get_post_meta( $id, 'registry_invitees', true ), true );
	}

	private function invite( int $id, string ...$invitees ): Answer {
		return $this->rest( 'alice', 'POST', "/wp/v2/registry/$id", array( 'meta' => array( 'registry_invitees' => wp_json_encode( $invitees ) ) ) );
	}

	private static function register( string $login, string $email ): int {
		return self::user( $login, 'subscriber', array( 'user_email' => $email ) );
	}

	public function test_go_to_names_that_somebody_has_and_to_any_address(): void {
		$id = $this->registry( 'alice', array( 'title' => 'Names', 'status' => 'private' ) )->id;
		foreach ( array( array( 'nobody-has-this' ), array( 'bob', 'nobody-has-this' ), array( 'Bób' ) ) as $names ) {
			$refused = $this->invite( $id, ...$names );
			self::assertSame( array( 400, 'rest_invalid_param' ), array( $refused->status, $refused->code() ) );
			self::assertMatchesRegularExpression( '/“' . end( $names ) . '”.*email/', $refused->json['message'] );
			self::assertSame( array(), self::guests( $id ) );
		}
		$made = $this->rest( 'alice', 'POST', '/wp/v2/registry', array( 'title' => 'Not made', 'meta' => array( 'registry_invitees' => '["nobody-has-this"]' ) ) );
		self::assertSame( 400, $made->status );
		self::assertSame( 200, $this->invite( $id, 'BOB', 'nobody@has-this.test' )->status );

		$leaving = self::register( 'leaving', 'leaving@example.test' );
		self::assertSame( 200, $this->invite( $id, 'leaving' )->status );
		wp_delete_user( $leaving );
		self::assertSame( 200, $this->invite( $id, 'Leaving', 'bob' )->status );
		self::register( 'leaving', 'mallory@example.test' );
		self::assertSame( array( false, array( 'bob' ) ), array( self::is_guest( 'leaving', $id ), self::guests( $id ) ) );
	}

	/** @dataProvider ways_to_write_a_guest */
	public function test_go_to_an_address_however_it_was_written_down( string $text, array $guests, array $names = array(), array $unknown = array() ): void {
		$typed = TypedGuests::of( $text, array( Plugin::get( Accounts::class ), 'with_user_names' ) );
		self::assertSame( array( $guests, $names, $unknown ), array( $typed->guests, $typed->names, $typed->unknown ) );
	}

	public static function ways_to_write_a_guest(): array {
		$ann = array( 'ann@example.org' );
		return array(
			'a name in another alphabet'   => array( 'Александр ann@example.org', $ann, array( 'ann@example.org' => 'Александр' ) ),
			'a name whose last byte is one of a quotation mark’s' => array( 'Frau MÜ ann@example.org', $ann, array( 'ann@example.org' => 'Frau MÜ' ) ),
			'quotes that curl, and a comma' => array( '“Smith, Ann” <ann@example.org>', $ann, array( 'ann@example.org' => 'Smith, Ann' ) ),
			'quotes before a bare address' => array( '"Smith, Ann" ann@example.org', $ann, array( 'ann@example.org' => 'Smith, Ann' ) ),
			'round brackets'               => array( 'Ann Smith (ann@example.org)', $ann, array( 'ann@example.org' => 'Ann Smith' ) ),
			'as a mail program copies it'  => array( 'ann@example.org<mailto:ann@example.org>', $ann ),
			'the end of a sentence'        => array( 'ann@example.org.', $ann ),
			'an invisible mark at its end' => array( "ann@example.org\u{200B}", $ann ),
			'a dash, and a bullet'         => array( '• Ann – ann@example.org', $ann, array( 'ann@example.org' => 'Ann' ) ),
			'the commas of Arabic and Chinese' => array( 'ann@example.org، bea@example.org，cem@example.org', array( 'ann@example.org', 'bea@example.org', 'cem@example.org' ) ),
			'twice, with another name'     => array( "Ann <ann@example.org>\nMum ANN@example.org", $ann, array( 'ann@example.org' => 'Ann', 'ANN@example.org' => 'Mum' ) ),
			'a user name as a first name'  => array( 'Bob ann@example.org', $ann, array( 'ann@example.org' => 'Bob' ) ),
			'all of it in one text'        => array(
				"Granny Rose <rose@example.org>, Liam O'Neil liam@example.org\nmailto:sam@example.org; \"Smith, Five\" <mailto:five@example.org> bob\nnobody\nEve: eve@example.org",
				array( 'rose@example.org', 'liam@example.org', 'sam@example.org', 'five@example.org', 'bob', 'eve@example.org' ),
				array( 'rose@example.org' => 'Granny Rose', 'liam@example.org' => "Liam O'Neil", 'five@example.org' => 'Smith, Five', 'eve@example.org' => 'Eve' ),
				array( 'nobody' ),
			),
			'names with an account’s'      => array( "Uncle Bob\nBob Miller bm@example.org\nBob bs@example.org", array( 'bm@example.org', 'bs@example.org' ), array( 'bm@example.org' => 'Bob Miller', 'bs@example.org' => 'Bob' ), array( 'Uncle Bob' ) ),
			'half an address'              => array( 'Ann <ann@example>', array(), array(), array( 'Ann  ann@example' ) ),
		);
	}

	public function test_carry_the_name_that_a_person_without_one_gave_when_they_made_their_list(): void {
		$this->outside->answer( 'POST /registries/*/invitees', array( 'invitees' => array() ) );
		self::user( 'newcomer' );
		self::assertStringContainsString( 'name="host"', $this->page( 'newcomer', '/registries/new/' )->text );
		$form = array( 'do' => 'make', 'title' => 'Ours', 'occasion' => 'home', 'currency' => 'EUR', 'status' => 'private', 'surprise' => 'no', 'host' => 'Amira <3 Ö.' );
		self::assertSame( 303, $this->page( 'newcomer', '/registries/new/', form: $form )->status );
		self::assertStringNotContainsString( 'name="host"', $this->page( 'newcomer', '/registries/new/' )->text );
		self::assertSame( 303, $this->page( 'newcomer', '/registries/new/', form: array( 'host' => 'Somebody else' ) + $form )->status );

		$list = get_posts( array( 'post_type' => 'registry', 'post_status' => 'private', 'author' => self::user( 'newcomer' ) ) )[0];
		update_post_meta( $list->ID, 'registry_invitees', '["rose@example.org"]' );
		$this->page( 'newcomer', "/registries/$list->ID/guests/", form: array( 'do' => 'invite', 'guests' => 'Granny Rose <rose@example.org>', 'note' => '' ) );
		list( $mail ) = $this->sent();
		self::assertSame( 'Amira <3 Ö. invited you to their gift list', $mail['subject'] );
		self::assertSame( 'Amira <3 Ö.', iconv_mime_decode( preg_match( '/^From: "?(.*?)"? </m', $mail['headers'], $from ) ? $from[1] : '', 0, 'UTF-8' ) );
		self::assertStringContainsString( 'Granny Rose', $this->page( 'newcomer', "/registries/$list->ID/guests/" )->text );
		self::assertSame( 'Granny Rose', Invitations::known( $list, 'rose@example.org' )['name'] );
		parse_str( (string) wp_parse_url( $this->in_request( null, fn(): string => self::call( 'guest_link', $list->ID, 'rose@example.org' ) ), PHP_URL_QUERY ), $query );
		list( $name, $value ) = explode( '=', self::call( 'cookie', 'guest', self::call( 'read_signed', 'invitation', $query['for'] ) ), 2 );
		self::assertMatchesRegularExpression( '/You’re here with .?Granny Rose.?’s invitation/u', self::words( $this->read( null, "/registry/$list->post_name/", array( $name => $value ) ) ), 'by the name that the owner typed' );
		wp_mail( 'other@example.org', 'Other', 'Text' );
		self::assertStringNotContainsString( 'Amira', $this->mails()[0]['headers'] );
	}

	public function test_to_an_address_are_for_that_address_and_to_a_name_that_nobody_had_not_for_the_person_who_takes_it_later(): void {
		$id = $this->registry( 'alice', array( 'title' => 'By address', 'status' => 'private', 'meta' => array( 'registry_invitees' => '["hedy@example.test","bob"]' ) ) )->id;
		self::register( 'hedy@example.test', 'impostor@example.test' );
		self::assertFalse( self::is_guest( 'hedy@example.test', $id ) );
		self::register( 'lamarr', 'Hedy@Example.test' );
		self::assertTrue( self::is_guest( 'lamarr', $id ) );
		self::register( 'bobby', 'bob@bob.test' );
		self::assertFalse( self::is_guest( 'bobby', $id ) );
		$id     = $this->registry( 'alice', array( 'title' => 'Old list', 'status' => 'private' ) )->id;
		$stored = wp_json_encode( array( 'Frida', 'frida.k@example.test', 'bob', 'x"frida"x' ) );
		update_post_meta( $id, 'registry_invitees', wp_slash( $stored ) );
		self::register( 'frida', 'other@example.test' );
		self::assertFalse( self::is_guest( 'frida', $id ) );
		self::assertSame( array( 'frida.k@example.test', 'bob', 'x"frida"x' ), self::guests( $id ) );
		self::assertTrue( self::is_guest( 'bob', $id ) );
		self::assertSame( 200, $this->invite( $id, 'frida' )->status );
		self::assertTrue( self::is_guest( 'frida', $id ), 'invited now that the name is theirs' );
	}

	private const LOST = '/registries/lost-invitation/';
	private const AUNT = 'aunt@example.org';

	private function list_of( string $title, array $guests, string $status = 'private' ): object {
		return $this->registry( 'alice', compact( 'title', 'status' ) + array( 'meta' => array( 'registry_invitees' => wp_json_encode( $guests ) ) ) );
	}

	/** Sends the form as a person who took some seconds, and returns the page that follows. */
	private function ask( string $email, string $page = self::LOST ): Answer {
		$since  = self::call( 'sign', 'form', (string) ( time() - 10 ) );
		$answer = $this->send_form( null, $page, 'send', compact( 'since', 'email' ), self::LOST );
		return $answer->status === 303 ? $this->page( null, self::LOST, $answer->cookies ) : $answer;
	}

	private static function links_in( string $text ): array {
		preg_match_all( '#https?://\S+#', $text, $found );
		return array_values( preg_grep( '/no-mail/', $found[0], PREG_GREP_INVERT ) );
	}

	public function test_a_lost_one_comes_again_with_the_links_of_all_lists_of_an_address_which_open_them_and_leads_members_to_theirs(): void {
		$lists = array( $this->list_of( 'Rosemary', array( self::AUNT ) ), $this->list_of( 'Juniper', array( 'someone@example.org', 'AUNT@example.org' ) ), $this->list_of( 'Clover', array( self::AUNT ), 'publish' ) );
		wp_update_post( array( 'ID' => $this->list_of( 'Nettle', array( self::AUNT ) )->id, 'post_status' => 'draft' ) );
		$this->list_of( 'Foxglove', array( 'another-aunt@example.org' ) );
		self::assertStringContainsString( 'we’ve just emailed the link', $this->ask( self::AUNT )->text );
		$mails = $this->sent();
		self::assertSame( array( array( array( self::AUNT ), 'Your invitations' ) ), array_map( static fn( array $mail ): array => array( $mail['to'], $mail['subject'] ), $mails ) );
		self::assertDoesNotMatchRegularExpression( '/Nettle|Foxglove/', $mails[0]['text'] );
		$opened = array();
		foreach ( self::links_in( $mails[0]['text'] ) as $link ) {
			$answer   = $this->send_form( null, $link, 'open' );
			$opened[] = $answer->location();
			self::assertSame( 200, $this->page( null, $answer->location(), $answer->cookies )->status );
		}
		self::assertEqualsCanonicalizing( array_column( $lists, 'link' ), $opened );
		self::user( 'bob' );
		$list = $this->list_of( 'Tansy', array( 'bob' ) );
		$this->ask( 'bob@example.test' );
		list( $mail ) = $this->sent();
		self::assertSame( array( 'Your invitation', array( $list->link ) ), array( $mail['subject'], self::links_in( $mail['text'] ) ) );
		self::assertStringNotContainsString( 'you don’t need an account', $mail['text'] );
	}

	public function test_a_lost_one_comes_again_although_another_list_of_the_same_guest_is_unreadable(): void {
		$damaged = $this->list_of( 'Rosemary', array( self::AUNT ) );
		$this->list_of( 'Juniper', array( self::AUNT ) );
		update_post_meta( $damaged->id, '_trousseau_guests', 'sealed with a key that is gone' );
		$this->ask( self::AUNT );
		$mails = $this->sent();
		self::assertSame( array( array( self::AUNT ) ), array_column( $mails, 'to' ) );
		self::assert_shows( 'Juniper', $mails[0]['text'], hides: 'Rosemary' );
		self::assertCount( 1, self::links_in( $mails[0]['text'] ) );
	}

	public function test_the_page_for_lost_ones_answers_everybody_the_same_and_sends_nothing_to_an_address_without_an_invitation_of_an_owner_or_of_a_former_guest(): void {
		$this->outside->answer( 'DELETE /registries/*/invitees/*', static fn( array $request ): array => array( 'invitees' => array(), 'stored' => update_post_meta( (int) explode( '/', $request['path'] )[2], 'registry_invitees', '[]' ) ) );
		$former = $this->list_of( 'Sorrel', array( 'former@example.org' ) );
		self::assertSame( 303, $this->page( 'alice', "/registries/$former->id/guests/", form: array( 'do' => 'cancel', 'guest' => 'former@example.org' ) )->status );
		$this->list_of( 'Rosemary', array( self::AUNT ) );
		$plain = function ( string $email ): string {
			$text = $this->ask( $email )->text;
			self::assertMatchesRegularExpression( '/<details[^>]*><summary>No email yet\?.*<form/s', $text );
			return (string) preg_replace( '/name="since" value="[^"]+"/', '', str_replace( $email, '', $text ) );
		};
		self::assertCount( 1, array_unique( array_map( $plain, array( self::AUNT, 'nobody@example.org', 'former@example.org', 'alice@example.test' ) ) ) );
		self::assertSame( array( array( self::AUNT ) ), array_column( $this->sent(), 'to' ) );
	}

	public function test_the_page_of_a_list_that_does_not_open_offers_it_alike_whether_the_list_exists_also_without_pretty_addresses(): void {
		$list = $this->list_of( 'Yarrow', array( self::AUNT ) );
		$same = static fn( string $text ): string => (string) preg_replace( array( '/yarrow|wormwood/', '/name="since" value="[^"]+"/' ), '', html_entity_decode( $text ) );
		foreach ( array( null, 'bob' ) as $login ) {
			$there   = $this->page( $login, $list->link );
			$nowhere = $this->page( $login, str_replace( 'yarrow', 'wormwood', $list->link ) );
			self::assertSame( array( 404, 404 ), array( $there->status, $nowhere->status ) );
			self::assertSame( $same( $nowhere->text ), $same( $there->text ) );
			self::assertMatchesRegularExpression( '/>\s*Resend my invitation\s*</', $there->text );
			self::assertStringNotContainsString( 'Yarrow', $there->text );
		}
		self::assertStringContainsString( 'redirect_to=' . rawurlencode( $list->link ), html_entity_decode( $this->page( null, $list->link )->text ) );
		self::assertDoesNotMatchRegularExpression( '/>\s*Resend my invitation\s*</', $this->page( null, '/no-such-page/' )->text );
		self::assertStringContainsString( 'Resend my invitation', $this->page( null, "/registries/$list->id/give/" )->text );
		self::assertStringContainsString( 'we’ve just emailed the link', $this->ask( self::AUNT, $list->link )->text );
		update_option( 'permalink_structure', '' );
		$GLOBALS['wp_rewrite']->init();
		$plain = $this->page( null, "/?registry=$list->id" );
		update_option( 'permalink_structure', '/%postname%/' );
		$GLOBALS['wp_rewrite']->init();
		self::assertSame( 404, $plain->status );
		self::assertStringContainsString( 'Resend my invitation', $plain->text );
		self::assertMatchesRegularExpression( "/redirect_to=[^\"]*registry%3D$list->id\"/", html_entity_decode( $plain->text ) );
	}

	public function test_the_page_for_lost_ones_refuses_what_is_no_address_machines_and_whoever_asks_too_often(): void {
		self::assertSame( 422, $this->ask( 'aunt' )->status );
		self::assertSame( 422, $this->send_form( null, self::LOST, 'send', array( 'website' => 'x', 'email' => self::AUNT ) )->status );
		self::assertSame( array( 200, 200, 200, 422 ), array_map( fn(): int => $this->ask( 'often@example.org' )->status, range( 1, 4 ) ) );
	}
}
