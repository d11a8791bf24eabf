<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** The third choice besides private and public: a private list that opens for anyone who has its link, and for nobody else. */
final class ListLinkTest extends ListTestCase {

	private const STORY = 'zmarigold';

	private function list_for( string $status = 'link' ): string {
		$this->begin( array(), 'private', array( 'Pram', 2 ) );
		wp_update_post( array( 'ID' => $this->list->id, 'post_title' => 'Thistledown', 'post_content' => self::STORY ) );
		if ( $status === 'private' ) {
			return '';
		}
		$this->choose( $status );
		return $this->link();
	}

	private function choose( string $status ): void {
		self::assertSame( 303, $this->send_form( 'alice', $this->path( 'details' ) . '?part=privacy', 'change', compact( 'status' ) )->status );
	}

	private function link(): string {
		return substr( self::found( '/data-share="([^"]+)"/', $this->read( 'alice', $this->path( 'guests' ) ) ), strlen( home_url() ) );
	}

	private function open( string $link, ?string $login = null, array $cookies = array() ): Answer {
		$page = $this->page( $login, $link, $cookies );
		return $this->page( $login, $link, $cookies, form: self::form_on( $page, 'open' ) ?: array( 'do' => 'open' ) );
	}

	private function assert_sees( bool $is_seen, array $cookies = array(), ?string $login = null, ?object $list = null ): void {
		$page = $this->page( $login, ( $list ?? $this->list )->link, $cookies );
		self::assertSame( array( $is_seen ? 200 : 404, $is_seen ), array( $page->status, str_contains( $page->text, 'Pram' ) ) );
	}

	public function test_a_list_is_private_until_its_owner_chooses_the_link_and_its_address_is_offered_to_nobody_before(): void {
		$this->list_for( 'private' );
		$before = $this->read( 'alice', $this->path( 'guests' ) );
		self::assertDoesNotMatchRegularExpression( '/data-share|data-qr/', $before );
		self::assertStringContainsString( 'Your list is private', $before );
		$this->choose( 'link' );
		self::assertSame( 'private', get_post_status( $this->list->id ), 'for WordPress' );
		self::assertSame( 'link', self::form_on( $this->page( 'alice', $this->path( 'details' ) . '?part=privacy' ), 'change' )['status'] );
		$link = $this->link();
		self::assertStringStartsWith( '/registries/link/?to=', $link );
		self::assertStringContainsString( 'data-qr', $this->read( 'alice', $this->path( 'guests' ) ) );
		$this->choose( 'link' );
		self::assertSame( $link, $this->link(), 'what is saved again keeps its link' );
		self::assertStringNotContainsString( 'secret', (string) get_post_meta( $this->list->id, '_trousseau_link', true ), 'encrypted' );
		$this->assert_sees( false );

		$made       = $this->send_form( 'alice', '/registries/new/', 'make', array( 'title' => 'Hazel', 'status' => 'link' ) );
		$this->list = (object) array( 'id' => (int) self::found( '#registries/(\d+)#', $made->location() ) );
		self::assertSame( 303, $this->open( $this->link() )->status, 'from its first moment' );
	}

	public function test_opens_the_list_on_the_device_on_which_somebody_presses_also_with_an_account_with_name_and_picture_and_nothing_else_before(): void {
		$link    = $this->list_for();
		$picture = self::picture( 'alice', 'cover', $this->list->id );
		set_post_thumbnail( $this->list->id, $picture->id );
		$asked = $this->page( null, $link );
		self::assertSame( 200, $asked->status );
		$text = html_entity_decode( $asked->text );
		self::assertMatchesRegularExpression( '/<h1[^>]*>Thistledown</', $text );
		self::assert_shows( array( 'property="og:title" content="Thistledown"', 'property="og:url" content="' . home_url() . "$link\"", $picture->file, 'property="og:image:width" content="' ), $text );
		self::assertDoesNotMatchRegularExpression( '/' . self::STORY . '|Pram|og:description|name="description"/', $text );
		$this->assert_sees( false, $asked->cookies );
		$foreign = $this->page( null, $link, server: array( 'HTTP_ORIGIN' => 'https://elsewhere.example', 'HTTP_SEC_FETCH_SITE' => 'cross-site' ), form: array( 'do' => 'open' ) );
		self::assertSame( 403, $foreign->status );
		$this->assert_sees( false, $foreign->cookies );
		$opened = $this->open( $link );
		self::assertSame( array( 303, $this->list->link ), array( $opened->status, $opened->location() ), 'to an address without the secret' );
		self::assertStringContainsString( self::STORY, $this->page( null, $this->list->link, $opened->cookies )->text );
		$this->assert_sees( true, $opened->cookies );
		$this->assert_sees( false );
		$this->assert_sees( false, login: 'bob' );
		$device = $this->open( $link, 'bob' )->cookies;
		$this->assert_sees( true, $device, 'bob' );
		self::assertSame( 303, $this->send_form( 'bob', $this->path( 'give' ) . '?item=1', 'give', cookies: $device )->status );
		self::assertSame( 403, $this->page( 'bob', $this->path( 'details' ), $device )->status );
		$this->choose( 'private' );
		$this->assert_sees( false, $device, 'bob' );
	}

	public function test_the_list_stands_nowhere_else_also_on_a_device_that_opened_it_whose_reader_gives_like_a_visitor_of_a_public_list_who_confirms_by_email(): void {
		$device = $this->open( $this->list_for() )->cookies;
		foreach ( array( '/', '/?s=Thistledown', '/registry/', '/feed/?post_type=registry' ) as $path ) {
			self::assertDoesNotMatchRegularExpression( '/Thistledown</', $this->page( null, $path, $device )->text, $path );
		}
		foreach ( array( '/wp/v2/registry?search=Thistledown&status=private', '/wp/v2/registry', "/wp/v2/registry/{$this->list->id}", '/wp/v2/search?search=Thistledown', '/oembed/1.0/embed?url=' . rawurlencode( $this->list->link ) ) as $path ) {
			self::assertStringNotContainsString( 'Thistledown', $this->rest( null, 'GET', $path )->text, $path );
		}
		self::assertSame( 403, $this->rest( 'bob', 'GET', "/wp/v2/registry/{$this->list->id}" )->status );
		$since = self::call( 'sign', 'form', (string) ( time() - 10 ) );
		$this->give( $device, array( 'giver' => 'Vera', 'email' => 'vera@example.org', 'since' => $since ) );
		self::assertSame( array( 'pending' ), array_column( $this->service->claims, 'state' ) );
		$mails = $this->sent();
		self::assertSame( array( 'vera@example.org: Please confirm your gift' ), self::about( $mails ) );
		self::assertSame( 303, $this->send_form( null, self::found( '#https?://\S*/gift/\S*#', $mails[0]['text'] ), 'confirm' )->status );
		self::assertSame( array( 'reserved' ), array_column( $this->service->claims, 'state' ) );
	}

	public function test_a_new_link_another_choice_and_publishing_end_the_old_one_everywhere(): void {
		$link   = $this->list_for();
		$device = $this->open( $link )->cookies;
		self::assertSame( 303, $this->send_form( 'alice', $this->path( 'guests' ), 'renew' )->status );
		$next = $this->link();
		self::assertNotSame( $link, $next );
		$this->assert_sees( false, $device );
		self::assertSame( 403, $this->open( $link, cookies: $device )->status );
		self::assertStringContainsString( 'This link has expired or isn’t complete', $this->read( null, $link ) );
		$device = $this->open( $next )->cookies;
		$this->assert_sees( true, $device );

		$this->choose( 'private' );
		$this->assert_sees( false, $device );
		self::assertSame( 403, $this->open( $next )->status );

		$this->choose( 'link' );
		$third  = $this->link();
		$device = $this->open( $third )->cookies;
		foreach ( array( 'publish', 'private' ) as $post_status ) {
			wp_update_post( array( 'ID' => $this->list->id ) + compact( 'post_status' ) );
		}
		$this->assert_sees( false, $device );
		self::assertSame( 403, $this->open( $third )->status, 'a list that was public is private again' );
	}

	public function test_no_other_text_opens_a_list(): void {
		$token             = static fn( string $link ): array => explode( '.', substr( $link, strlen( '/registries/link/?to=' ) ) );
		list( , $foreign ) = $token( $this->list_for() );

		list( $about, $signature ) = $token( $this->list_for() );

		$made = rtrim( strtr( base64_encode( "{$this->list->id} " ), '+/', '-_' ), '=' );
		foreach ( array( '', 'x', $about, "$about.", "$about.$foreign", "$made.$signature", '.', "$about.{$signature}x" ) as $to ) {
			$answer = $this->open( "/registries/link/?to=$to" );
			self::assertSame( 403, $answer->status, $to );
			$this->assert_sees( false, $answer->cookies );
		}
		self::assertSame( 403, $this->page( null, "/registries/link/?to[]=$about.$signature" )->status );
	}
}
