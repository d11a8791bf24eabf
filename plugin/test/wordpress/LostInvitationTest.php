<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** A guest who has lost the email gets the invitations again, and the page tells nobody who is invited. */
final class LostInvitationTest extends WordPressTestCase {

	private const PAGE = '/registries/lost-invitation/';
	private const AUNT = 'aunt@example.org';

	protected function setUp(): void {
		parent::setUp();
		$this->outside->answer( 'DELETE /registries/*/invitees/*', static fn( array $request ): array => array( 'invitees' => array(), 'stored' => update_post_meta( (int) explode( '/', $request['path'] )[2], 'registry_invitees', '[]' ) ) );
	}

	private function list_of( string $title, array $guests, string $status = 'private' ): object {
		return $this->registry( 'alice', compact( 'title', 'status' ) + array( 'meta' => array( 'registry_invitees' => wp_json_encode( $guests ) ) ) );
	}

	/** Sends the form as a person who took some seconds, and returns the page that follows. */
	private function ask( string $email, string $page = self::PAGE ): Answer {
		$since  = self::call( 'sign', 'form', (string) ( time() - 10 ) );
		$answer = $this->send_form( null, $page, 'send', compact( 'since', 'email' ), self::PAGE );
		return $answer->status === 303 ? $this->page( null, self::PAGE, $answer->cookies ) : $answer;
	}

	/** @return string[] The links of an email that open something. */
	private static function links_in( string $text ): array {
		preg_match_all( '#https?://\S+#', $text, $found );
		return array_values( preg_grep( '/no-mail/', $found[0], PREG_GREP_INVERT ) );
	}

	public function test_comes_again_with_the_links_of_all_lists_of_an_address_which_open_them(): void {
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
	}

	public function test_leads_members_to_the_lists_to_which_their_account_is_invited(): void {
		self::user( 'bob' );
		$list = $this->list_of( 'Tansy', array( 'bob' ) );
		$this->ask( 'bob@example.test' );
		list( $mail ) = $this->sent();
		self::assertSame( array( 'Your invitation', array( $list->link ) ), array( $mail['subject'], self::links_in( $mail['text'] ) ) );
		self::assertStringNotContainsString( 'you don’t need an account', $mail['text'] );
	}

	public function test_answers_everybody_the_same_and_sends_nothing_to_an_address_without_an_invitation_of_an_owner_or_of_a_former_guest(): void {
		$former = $this->list_of( 'Sorrel', array( 'former@example.org' ) );
		self::assertSame( 303, $this->page( 'alice', "/registries/$former->id/guests/", form: array( 'do' => 'cancel', 'guest' => 'former@example.org' ) )->status );
		$this->list_of( 'Rosemary', array( self::AUNT ) );
		$plain = function ( string $email ): string {
			$text = $this->ask( $email )->text;
			self::assertMatchesRegularExpression( '/<details[^>]*><summary>No email yet\?.*<form/s', $text );
			return (string) preg_replace( '/name="since" value="[^"]+"/', '', str_replace( $email, '', $text ) );
		};
		$same  = array_unique( array_map( $plain, array( self::AUNT, 'nobody@example.org', 'former@example.org', 'alice@example.test' ) ) );
		self::assertCount( 1, $same );
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

	public function test_refuses_what_is_no_address_machines_and_whoever_asks_too_often(): void {
		self::assertSame( 422, $this->ask( 'aunt' )->status );
		self::assertSame( 422, $this->send_form( null, self::PAGE, 'send', array( 'website' => 'x', 'email' => self::AUNT ) )->status );
		self::assertSame( array( 200, 200, 200, 422 ), array_map( fn(): int => $this->ask( 'often@example.org' )->status, range( 1, 4 ) ) );
	}
}
