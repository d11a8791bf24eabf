<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** The address to which gifts are sent: for givers who have confirmed, and for nobody else. */
final class DeliveryTest extends ListTestCase {

	private const ADDRESS = "Ann & Sam <3\nGartenweg 7\n\n12345 Zwiebelau";
	private const WORD    = '/Gartenweg|Zwiebelau/';

	private function write( string $delivery ): Answer {
		return $this->send_form( 'alice', $this->path( 'details' ) . '?part=delivery', 'change', compact( 'delivery' ) );
	}

	private function assert_seen( bool $is_seen, string ...$texts ): void {
		foreach ( $texts as $text ) {
			self::assertSame( $is_seen ? 1 : 0, preg_match( self::WORD, $text ), $text );
		}
	}

	public function test_is_seen_on_the_page_and_in_the_email_of_a_giver_who_has_confirmed_and_is_still_invited(): void {
		$this->begin( array(), 'private', array( 'Pan', 5 ) );
		self::assertSame( 303, $this->write( self::ADDRESS )->status );
		self::assertSame( self::ADDRESS, str_replace( "\r", '', self::form_on( $this->page( 'alice', $this->path( 'details' ) . '?part=delivery' ), 'change' )['delivery'] ) );
		$this->assert_seen( false, wp_json_encode( get_post_meta( $this->list->id, '_trousseau_delivery', true ) ) );
		$guest = $this->guest();
		$this->assert_seen( false, $this->read( null, $this->list->link, $guest ), $this->read( null, $this->path( 'give' ) . '?item=1', $guest ), $this->read( null, '/registries/my-gifts/', $guest ) );
		$gift = self::page_of( $this->give( $guest ) );
		self::assertStringContainsString( 'Where to send it: Ann & Sam <3, Gartenweg 7, 12345 Zwiebelau', $this->sent()[0]['text'] );
		self::assertMatchesRegularExpression( '#Ann & Sam <3<br ?/>\s*Gartenweg 7#', $this->read( null, $gift ) );
		update_post_meta( $this->list->id, 'registry_invitees', '[]' );
		$this->assert_seen( false, $this->read( null, $gift ) );
		update_post_meta( $this->list->id, 'registry_invitees', wp_json_encode( array( self::GRAN ) ) );

		$this->page( null, $gift, form: array( 'do' => 'bought' ) );
		$this->assert_seen( true, $this->sent()[0]['text'] );
		$this->page( null, $gift, form: array( 'do' => 'release' ) );
		self::assertSame( array(), $this->sent(), 'there is time to undo it' );
		$this->assert_seen( false, $this->sent( 1 )[0]['text'], $this->read( null, $gift ) );
	}

	public function test_is_not_seen_before_a_stranger_has_confirmed_by_email(): void {
		$this->begin( array(), 'publish', array( 'Pan', 5 ) );
		$this->write( self::ADDRESS );
		$gift = self::page_of( $this->give( array(), array( 'email' => 'vera@example.org', 'since' => self::call( 'sign', 'form', (string) ( time() - 10 ) ) ) ) );
		$mail = $this->sent()[0];
		$this->assert_seen( false, $this->read( null, $this->list->link ), $mail['text'] . $mail['html'], $this->read( null, $gift ) );
		self::assertSame( 303, $this->page( null, self::found( '#https?://\S*/gift/\S*#', $mail['text'] ), form: array( 'do' => 'confirm' ) )->status );
		$this->assert_seen( true, $this->read( null, $gift ), $this->sent()[0]['text'] );
		$this->assert_seen( false, $this->rest( null, 'GET', "/wp/v2/registry/{$this->list->id}" )->text, $this->rest( null, 'GET', "/wp/v2/registry/{$this->list->id}?context=edit" )->text );
	}

	public function test_is_changed_taken_away_refused_when_it_is_too_long_and_left_alone_by_an_older_form(): void {
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
}
