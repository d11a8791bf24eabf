<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Lists\GiftDrafts;
use Trousseau\Platform\MetaList;
use Trousseau\Plugin;

/** Gifts that owners keep as drafts, and publish later; at-once.test.ts has pictures and presses at the same time. */
final class DraftsTest extends ListTestCase {

	private string $gifts;

	protected function setUp(): void {
		parent::setUp();
		$this->make();
	}

	private function make( string ...$names ): void {
		$this->begin( array( 'registry_owners' => '["bob"]', 'registry_currency' => 'EUR' ), 'private', ...array_map( static fn( string $name ): array => array( $name ), $names ) );
		$this->gifts = $this->path( 'gifts' );
	}

	private function keep( array $fields ): Answer {
		return $this->send_form( 'alice', "$this->gifts?by-hand=1", 'add', $fields + array( 'draft' => '1' ), $this->gifts );
	}

	private function kept( array ...$all ): void {
		foreach ( $all as $fields ) {
			$answer = $this->keep( $fields );
			self::assertSame( 303, $answer->status, $answer->text );
		}
	}

	private function ids(): array {
		return array_map( 'strval', self::call( 'gift-drafts.ids', $this->list->id ) );
	}

	private function publish( array $chosen, string $login = 'alice' ): Answer {
		return $this->page( $login, $this->gifts, form: array( 'do' => 'publish', 'drafts' => $chosen ) );
	}

	private function assert_kept( array $names, array $drafts ): void {
		self::assertSame( array( $names, $drafts ), array( $this->service->names( $this->list->id ), self::call( 'gift-drafts.names', $this->list->id ) ) );
	}

	private static function decoded( Answer $answer ): string {
		return html_entity_decode( $answer->text, ENT_QUOTES );
	}

	private function opened( string $login ): array {
		return self::form_on( $this->page( $login, "$this->gifts?item=" . $this->ids()[0] ), 'change' );
	}

	private function edit( string $login, array $fields ): Answer {
		return $this->page( $login, "$this->gifts?item=$fields[item]", form: $fields );
	}

	public function test_a_draft_shows_on_its_owners_page_and_nowhere_else(): void {
		$this->make( 'Pan' );
		$link   = $this->rest( 'alice', 'POST', "/wp/v2/registry/{$this->list->id}", array( 'status' => 'publish' ) )->json['link'];
		$secret = 'Quokkapan|Numbatshop|Wombatwords|Dingoheading|quokkapan-28';
		$seen   = fn(): string => self::words( $this->page( null, $link )->text );
		$before = $seen();
		$this->kept( array( 'name' => 'Quokkapan', 'retailer' => 'Numbatshop', 'description' => 'Wombatwords', 'section' => 'Dingoheading', 'address' => 'https://shop.example/quokkapan-28', 'most_wanted' => '1' ) );
		foreach ( array( 'alice', 'bob' ) as $owner ) {
			self::assertMatchesRegularExpression( '/1 draft.*Quokkapan.*★ Most wanted.*Dingoheading.*Numbatshop/s', self::decoded( $this->page( $owner, $this->gifts ) ) );
		}
		self::assertSame( 403, $this->page( 'carol', $this->gifts )->status );
		foreach ( array( null, 'carol', 'alice' ) as $login ) {
			foreach ( array( $link, "{$link}feed/", '/registry/', '/registry/feed/', '/?s=wombat&feed=rss2' ) as $path ) {
				self::assertDoesNotMatchRegularExpression( "/$secret/", $this->page( $login, $path )->text, "$login $path" );
			}
		}
		foreach ( array( 'alice', 'carol', 'admin' ) as $login ) {
			foreach ( array( "/wp/v2/registry/{$this->list->id}", "/wp/v2/registry/{$this->list->id}?context=edit", '/wp/v2/search?search=wombat' ) as $path ) {
				self::assertDoesNotMatchRegularExpression( "/$secret/", $this->rest( $login, 'GET', $path )->text, "$login $path" );
			}
		}
		foreach ( array( 'postmeta', 'posts', 'options', 'trousseau_jobs', 'trousseau_values' ) as $table ) {
			self::assertDoesNotMatchRegularExpression( "/$secret/", wp_json_encode( self::call( 'rows', $table ) ), $table );
		}
		self::assertSame( array(), array_filter( $this->outside->requests, static fn( array $request ): bool => str_contains( wp_json_encode( $request ), 'Quokkapan' ) ), 'the service hears nothing' );
		self::assertSame( $before, $seen(), 'strangers’ page is as it was' );
		self::assertStringContainsString( 'Quokkapan', $this->exported( 'alice@example.test' ) );
	}

	public function test_chosen_drafts_are_published_with_all_they_have_and_only_those(): void {
		$this->make( 'Pan', 'Pot' );
		$this->kept( array( 'name' => 'Lid', 'price' => '24.90', 'quantity' => '3', 'section' => 'Kitchen', 'most_wanted' => '1' ), array( 'name' => 'Pram', 'price' => '400', 'several' => '1', 'pay_to' => 'in an envelope' ), array( 'name' => 'Later' ) );
		$this->assert_kept( array( 'Pan', 'Pot' ), array( 'Lid', 'Pram', 'Later' ) );
		self::assert_refused( '/Choose the drafts to publish/', $this->publish( array() ) );

		self::assertSame( 303, $this->publish( array_slice( $this->ids(), 0, 2 ) )->status );
		$this->assert_kept( array( 'Pan', 'Pot', 'Lid', 'Pram' ), array( 'Later' ) );
		$stored = static fn( array $item ): array => array( $item['price'] === null ? null : (float) $item['price'], $item['quantity_needed'], $item['unit'] ?? null );
		self::assertSame( array( array( 24.9, 3, null ), array( null, 40_000, 'money' ) ), array_map( $stored, array_slice( array_values( $this->service->items ), 2 ) ) );
		$form   = self::form_on( $this->page( 'alice', "$this->gifts?item=3" ), 'change' );
		self::assertSame( array( 'Kitchen', '1' ), array( $form['section'], $form['most_wanted'] ) );
	}

	/**
	 * @testWith [false]
	 *           [true]
	 */
	public function test_an_answer_that_is_lost_makes_no_second_gift( bool $is_late ): void {
		$this->kept( array( 'name' => 'A' ) );
		list( $draft )         = $this->ids();
		$opened                = $this->opened( 'alice' );
		$this->outside->losing = array( 'POST' );
		self::assert_refused( '/“.*A.*” is still a draft\./', $this->publish( array( $draft ) ) );
		$this->assert_kept( array( 'A' ), array( 'A' ) );
		self::assert_refused( '/Publishing was interrupted/', $this->edit( 'alice', array( 'name' => 'B' ) + $opened ) );
		$this->outside->losing = array();
		if ( $is_late ) {
			$older = static fn( array $drafts ): array => array_map( static fn( array $draft ): array => array( 'sent_at' => time() - DAY_IN_SECONDS, 'key' => 'forgotten' ) + $draft, $drafts );
			Plugin::get( MetaList::class )->change( $this->list->id, '_trousseau_drafts', $older );
		}
		$this->page( 'alice', $this->gifts );
		self::assertSame( 303, $this->publish( array( $draft ) )->status );
		$this->assert_kept( array( 'A' ), array() );
	}

	public function test_a_refused_gift_stays_a_draft_and_says_why_the_others_are_published(): void {
		$this->make( 'Pan' );
		$this->kept( array( 'name' => 'A', 'most_wanted' => '1' ), array( 'name' => 'B', 'most_wanted' => '1' ), array( 'name' => 'C' ) );
		$answer = $this->publish( $this->ids() );
		self::assert_refused( '/“ ?B ?” is still a draft\. Up to a third of your gifts.*already marked: ?A/su', $answer );
		self::assertMatchesRegularExpression( '/Now on your list: [^ ]*A[^ ]*, [^ ]*C/', self::decoded( $answer ) );
		$this->assert_kept( array( 'Pan', 'A', 'C' ), array( 'B' ) );
		self::assertSame( 303, $this->edit( 'alice', array_diff_key( $this->opened( 'alice' ), array( 'most_wanted' => '' ) ) )->status );
		self::assertSame( 303, $this->publish( $this->ids() )->status );
		$this->assert_kept( array( 'Pan', 'A', 'C', 'B' ), array() );
	}

	public function test_while_the_service_is_away_and_while_a_price_is_in_another_currency_drafts_are_kept_and_published_later(): void {
		$this->make( 'Pan' );
		$this->page( 'alice', $this->gifts );
		$this->outside->is_away = true;
		$this->kept( array( 'name' => 'A' ) );
		self::assertSame( 422, $this->publish( $this->ids() )->status );
		$this->outside->is_away = false;
		$this->assert_kept( array( 'Pan' ), array( 'A' ) );
		self::assertSame( 303, $this->publish( $this->ids() )->status );
		$this->assert_kept( array( 'Pan', 'A' ), array() );
		$this->kept( array( 'name' => 'B', 'price' => '12' ) );
		update_post_meta( $this->list->id, 'registry_currency', 'USD' );
		self::assert_refused( '/Its price is in EUR, but your list now uses USD/', $this->publish( $this->ids() ) );
		self::assertSame( 303, $this->edit( 'alice', array( 'price' => '15' ) + $this->opened( 'alice' ) )->status );
		self::assertSame( 303, $this->publish( $this->ids() )->status );
		self::assertSame( 15.0, (float) end( $this->service->items )['price'] );
	}

	public function test_a_list_that_is_a_draft_itself_takes_drafts_of_gifts_only_says_why_none_can_be_published_and_is_deleted(): void {
		$this->list  = (object) array( 'id' => self::post( array( 'post_type' => 'registry', 'post_status' => 'draft', 'post_title' => 'Half a list', 'post_author' => self::user( 'alice' ) ) ) );
		$this->gifts = $this->path( 'gifts' );
		$this->kept( array( 'name' => 'A' ) );
		self::assert_refused( '/Your list is still a draft/', $this->publish( $this->ids() ) );
		$this->assert_kept( array(), array( 'A' ) );
		self::assert_refused( '/Your list is still a draft/', $this->page( 'alice', $this->gifts, form: array( 'do' => 'add', 'name' => 'Pan', 'key' => str_repeat( 'x', 32 ) ) ) );
		self::assertSame( 303, $this->page( 'alice', $this->path( 'details' ), form: array( 'do' => 'delete', 'sure' => '1' ) )->status );
		self::assertNull( get_post( $this->list->id ) );
	}

	public function test_a_draft_is_deleted_for_good_by_its_owners_alone_and_two_owners_who_change_one_keep_each_others_fields(): void {
		$this->rest( 'alice', 'POST', "/wp/v2/registry/{$this->list->id}", array( 'status' => 'publish' ) );
		$this->kept( array( 'name' => 'A' ) );
		$draft  = $this->ids()[0];
		$remove = fn( string $login ): int => $this->page( $login, $this->gifts, form: array( 'do' => 'remove', 'item' => $draft ) )->status;
		$this->publish( array( $draft ), 'carol' );
		$remove( 'carol' );
		$this->assert_kept( array(), array( 'A' ) );
		self::assertSame( 303, $remove( 'alice' ) );
		$this->assert_kept( array(), array() );
		self::assertSame( 303, $remove( 'alice' ), 'pressed twice' );
		self::assertSame( 422, $this->edit( 'alice', array( 'do' => 'change', 'item' => $draft, 'name' => 'A' ) )->status );
		$this->kept( array( 'name' => 'A' ) );
		list( $hers, $his ) = array( $this->opened( 'alice' ), $this->opened( 'bob' ) );
		self::assertSame( 303, $this->edit( 'alice', array( 'name' => 'Wine glasses' ) + $hers )->status );
		self::assertSame( 303, $this->edit( 'bob', array( 'price' => '24.90' ) + $his )->status );
		list( $one, $other ) = array( $this->opened( 'alice' ), $this->opened( 'bob' ) );
		self::assertSame( array( 'Wine glasses', '24.90' ), array( $one['name'], $one['price'] ) );
		self::assertSame( 303, $this->edit( 'alice', array( 'name' => 'Glasses' ) + $one )->status );
		$disputed = $this->edit( 'bob', array( 'name' => 'Cups' ) + $other );
		self::assertSame( 422, $disputed->status );
		self::assertMatchesRegularExpression( '#<b>Now:</b> <bdi>Glasses.*<b>Yours:</b> <bdi>Cups#s', $disputed->text );
		self::assertStringContainsString( 'Changed by you', self::decoded( $this->page( 'alice', $this->gifts ) ) );
	}

	public function test_a_list_has_up_to_a_hundred_drafts_and_one_more_is_refused_with_all_that_was_typed(): void {
		$draft   = array( 'url' => 'https://shop.example/x', 'price' => null, 'quantity_needed' => 1, 'description' => null, 'retailer' => null, 'image_url' => null, 'section' => '', 'most_wanted' => false );
		$add     = fn( int $n ): bool => (bool) Plugin::get( GiftDrafts::class )->add( get_post( $this->list->id ), "key $n", array( 'name' => "Draft $n" ) + $draft );
		self::assertSame( 100, $this->in_request( 'alice', static fn(): int => count( array_filter( array_map( $add, range( 0, 100 ) ) ) ) ) );
		$refused = $this->keep( array( 'name' => 'One more', 'description' => 'Blue' ) );
		self::assert_refused( '/up to 100 drafts/', $refused );
		self::assertSame( 'Blue', self::form_on( $refused, 'add' )['description'] );
		self::assertSame( 303, $this->edit( 'alice', array( 'name' => 'Changed' ) + $this->opened( 'alice' ) )->status, 'a full list’s drafts can change' );
		self::assertContains( 'Changed', self::call( 'gift-drafts.names', $this->list->id ) );
	}
}
