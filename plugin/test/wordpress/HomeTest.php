<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Guests\Invitations;
use Trousseau\Lists\GiftLists;
use Trousseau\Plugin;

/** The first page that owners see of their list. */
final class HomeTest extends ListTestCase {

	private function home(): string {
		return $this->read( 'alice', $this->path( 'home' ) );
	}

	private function next(): string {
		self::assertSame( 1, preg_match_all( '#<a class="button wp-element-button" href="[^"]*">([^<]*)</a>#', $this->home(), $found ) );
		return $found[1][0];
	}

	public function test_an_empty_list_offers_ten_ideas_and_each_press_adds_one_without_a_shop_once(): void {
		$this->begin();
		self::assertSame( 10, preg_match_all( '/name="idea" value="(\w+)"/', $this->home(), $ideas ) );
		self::assertSame( 'Add your first gift', $this->next() );
		$form = self::form_on( $this->page( 'alice', $this->path( 'home' ) ), 'idea' );
		self::assert_each( 303, array( 1, 2 ), fn(): int => $this->page( 'alice', $this->path( 'home' ), form: array( 'idea' => $ideas[1][0] ) + $form )->status );
		self::assertCount( 1, $this->service->items );
		$gift = current( $this->service->items );
		self::assertSame( array( get_permalink( $this->list->id ), 1 ), array( $gift['url'], $gift['quantity_needed'] ) );
		self::assertSame( 9, preg_match_all( '/name="idea"/', $this->home() ), 'the others stay' );
		self::assertSame( 303, $this->page( 'alice', $this->path( 'home' ), form: array( 'idea' => 'yacht' ) + $form )->status );
		self::assertCount( 1, $this->service->items, 'an idea that nobody had' );
	}

	public function test_says_the_next_step_and_what_is_new_as_far_as_the_surprise_allows(): void {
		$this->begin( array( 'registry_invitees' => '[]' ), 'private', array( 'Pan', 1 ) );
		self::assertSame( 'Invite guests', $this->next() );
		self::assertStringNotContainsString( 'name="idea"', $this->home() );
		update_post_meta( $this->list->id, 'registry_invitees', wp_json_encode( array( self::GRAN ) ) );
		self::assertSame( 'Set a date', $this->next() );
		self::assertStringContainsString( "1 gift\u{a0}· your guest hasn’t opened it yet", $this->home() );
		update_post_meta( $this->list->id, 'registry_event_date', wp_date( 'Y-m-d', time() + 3 * DAY_IN_SECONDS ) );
		self::assertSame( 'Invite more guests', $this->next() );
		self::assertMatchesRegularExpression( '/[34] days to go/', $this->home() );

		$this->give( $this->guest() );
		self::assertStringContainsString( "1 gift\u{a0}· your guest has opened it", $this->home(), 'whoever gives has opened it' );
		$this->in_request( null, fn() => Plugin::get( Invitations::class )->note_opened( get_post( $this->list->id ), self::GRAN ) );
		self::assertStringContainsString( "1 gift\u{a0}· your guest has opened it", $this->home() );
		$this->service->items[1]['image_url'] = wp_upload_dir( null, false )['baseurl'] . '/pan.jpg';
		$this->in_request( null, fn() => Plugin::get( GiftLists::class )->renew( $this->list->id ) );
		self::assertMatchesRegularExpression( '#src="[^"]*/pan\.jpg"(?:(?!<li).)*>Pan<#s', $this->home(), 'its picture' );
		self::assertMatchesRegularExpression( '#trousseau-faces"[^>]*><span>G(?:(?!<li).)*opened your list#s', $this->home(), 'a guest has none, but a face' );
		self::assertMatchesRegularExpression( '/>Pan<\/span> <small>From \W*Gran\W*\x{a0}· a moment ago</u', $this->home() );
		update_post_meta( $this->list->id, 'registry_surprise_until', 'always' );
		self::assertStringNotContainsString( 'from', strip_tags( $this->home() ) );
		delete_post_meta( $this->list->id, 'registry_surprise_until' );

		update_post_meta( $this->list->id, 'registry_event_date', '2020-05-30' );
		self::assertSame( 'Say thank you', $this->next() );
		self::assertSame( 404, $this->page( 'bob', $this->path( 'home' ) )->status );
	}

	public function test_says_what_it_cannot_show_while_the_service_is_away(): void {
		$this->begin( array(), 'private', array( 'Pan', 1 ) );
		$this->outside->answer( 'GET /registries/*/claims', array( 'detail' => 'Away' ), 503 );
		$home = $this->home();
		self::assertStringContainsString( 'What your guests are giving can’t be shown right now', $home );
		self::assertStringContainsString( '<p>1 gift</p>', $home, 'a guest who gives may have opened it' );
		self::assertSame( 'Set a date', $this->next() );
		$this->in_request( null, fn() => Plugin::get( Invitations::class )->note_opened( get_post( $this->list->id ), self::GRAN ) );
		self::assertStringContainsString( "1 gift\u{a0}· your guest has opened it", $this->home() );
	}
}
