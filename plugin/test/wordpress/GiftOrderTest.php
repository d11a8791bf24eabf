<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Gifts\GiftPicture;
use Trousseau\Gifts\RemovedGifts;
use Trousseau\Guests\Invitations;
use Trousseau\Lists\GiftLists;
use Trousseau\Platform\KeptValues;
use Trousseau\Plugin;
use Trousseau\Service\ItemService;

/** An owner's list of gifts and its first page: removing and putting back, most wanted, prices in doubt; gift-order.test.ts has what takes two processes or a browser. */
final class GiftOrderTest extends ListTestCase {

	private array $ids;

	private function with_gifts( string $names, array $meta = array() ): void {
		$this->begin( $meta );
		$this->ids = array();
		foreach ( $names === '' ? array() : explode( ' ', $names ) as $name ) {
			$this->ids[ $name ] = $this->add( $name );
		}
	}

	private function act( string $action, int|string $gift, array $also = array() ): Answer {
		return $this->page( 'alice', $this->path( 'gifts' ), form: array( 'do' => $action, 'item' => (string) ( $this->ids[ $gift ] ?? $gift ) ) + $also );
	}

	private function order(): array {
		return $this->service->names( $this->list->id );
	}

	private function reserve( string $gift ): void {
		$this->service->give( $this->ids[ $gift ], array( 'giver' => array( 'name' => 'Uncle Ben', 'email' => 'ben@example.org' ) ) );
	}

	public function test_a_page_says_what_is_done_and_opens_more_options_where_they_are_needed(): void {
		$this->with_gifts( 'Pan' );
		foreach ( array( 'move' => array( 'where' => 'top' ), 'remove' => array(), 'restore' => array() ) as $action => $also ) {
			self::assert_refused( '/This gift is no longer on your list/', $this->act( $action, 987_654, $also ), $action );
		}
		self::assertSame( array( 'Pan' ), $this->order() );
		$pan  = $this->path( 'gifts' ) . "?item={$this->ids['Pan']}";
		$open = fn( string $path, array $form = array() ): bool => str_contains( $this->page( 'alice', $path, form: $form )->text, '<details class="trousseau-more" open>' );
		self::assertFalse( $open( $pan ) );
		self::assertTrue( $open( "$pan&more=1" ) );
		self::assertTrue( $open( $pan, array( 'retailer' => str_repeat( 'x', 300 ) ) + self::form_on( $this->page( 'alice', $pan ), 'change' ) ) );
		$this->send_form( 'alice', $pan, 'change', array( 'section' => 'Kitchen', 'quantity' => '3' ) );
		self::assertFalse( $open( $pan ) );
		self::assertFalse( $open( $pan, array( 'name' => '' ) + self::form_on( $this->page( 'alice', $pan ), 'change' ) ) );
	}

	public function test_a_removed_gift_comes_back_to_its_place_and_under_its_heading_and_its_giver_hears_nothing(): void {
		$this->with_gifts( 'Pan Pot Lid' );
		self::assertSame( 303, $this->send_form( 'alice', $this->path( 'gifts' ) . "?item={$this->ids['Pot']}", 'change', array( 'section' => 'Kitchen' ) )->status );
		$this->reserve( 'Pot' );
		self::assertSame( 303, $this->act( 'remove', 'Pot' )->status );
		self::assertSame( array( 'Pan', 'Lid' ), $this->order() );
		self::assertSame( array(), $this->sent(), 'the owner may think again' );
		self::assertSame( 303, $this->act( 'restore', 'Pot' )->status );
		self::assertSame( array( 'Pan', 'Pot', 'Lid' ), $this->order() );
		self::assertSame( 'Kitchen', self::form_on( $this->page( 'alice', $this->path( 'gifts' ) . "?item={$this->ids['Pot']}" ), 'change' )['section'] );
		$this->run_later( 'gift-lost' );
		self::assertSame( array(), $this->sent(), 'it is as if nothing had been' );
		$this->act( 'remove', 'Pot' );
		$this->outside->answer( 'GET /registries/*/items', array( 'detail' => 'Not now' ), 503 );
		self::assertSame( 303, $this->act( 'restore', 'Pot' )->status );
		self::assertSame( array( 'Pan', 'Pot', 'Lid' ), $this->order(), 'the site’s copy lacks it' );
	}

	public function test_the_picture_of_a_gift_that_is_added_or_copied_is_fetched_for_its_list(): void {
		$this->with_gifts( '' );
		$form = array( 'name' => 'Pan', 'image' => 'https://shop.example/pan.jpg' );
		self::assertSame( 303, $this->send_form( 'alice', $this->path( 'gifts' ) . '?by-hand=1', 'add', $form )->status );
		self::assertCount( 1, self::jobs( 'picture' ) );
		$other = $this->registry( 'alice', array( 'title' => 'Other', 'status' => 'private' ) )->id;
		$gift  = (string) array_key_last( $this->service->items );
		self::assertSame( 303, $this->send_form( 'alice', $this->path( 'gifts' ), 'transfer', array( 'gifts' => array( $gift ), 'to' => (string) $other, 'how' => 'copy' ) )->status );
		self::assertCount( 2, self::jobs( 'picture' ) );
	}

	public function test_what_many_removed_gifts_are_called_fits_into_no_cookie_and_is_read_all_the_same(): void {
		$this->with_gifts( implode( ' ', array_map( static fn( int $number ): string => "A-gift-with-a-name-of-many-letters-$number", range( 1, 60 ) ) ) );
		$answer = $this->page( 'alice', $this->path( 'gifts' ), form: array( 'do' => 'remove', 'gifts' => array_map( 'strval', array_values( $this->ids ) ) ) );
		self::assertSame( 303, $answer->status );
		self::assertLessThan( 4000, max( array_map( 'strlen', $answer->cookies ) ) );
		$page = $this->page( 'alice', $this->path( 'gifts' ), $answer->cookies )->text;
		self::assert_shows( array( 'A-gift-with-a-name-of-many-letters-60', 'Undo' ), $page );
	}

	public function test_a_press_that_comes_at_the_same_moment_as_another_does_the_same_although_the_sites_copy_is_older(): void {
		$this->with_gifts( 'Pan Pot' );
		foreach ( array( 'remove' => array( 'Pot' ), 'restore' => array( 'Pan', 'Pot' ) ) as $action => $names ) {
			$before = array_values( $this->service->items );
			$this->act( $action, 'Pan' );
			$this->outside->answer( 'GET /registries/*/items', $before );
			do_action( 'trousseau_written', $this->list->id );
			self::assertSame( 303, $this->act( $action, 'Pan' )->status, $action );
			self::assertSame( $names, $this->order() );
		}
	}

	public function test_the_giver_of_a_gift_that_stays_removed_gets_one_email_after_a_quarter_of_an_hour(): void {
		$this->with_gifts( 'Pan Pot' );
		$this->reserve( 'Pan' );
		foreach ( array( 'remove', 'restore', 'remove', 'remove' ) as $action ) {
			$this->act( $action, 'Pan' );
		}
		$due = max( array_column( self::jobs( 'gift-lost' ), 'run_at' ) ) / 1000 - time();
		self::assertTrue( $due > 14 * MINUTE_IN_SECONDS && $due <= 15 * MINUTE_IN_SECONDS, (string) $due );
		$this->run_jobs( 'gift-lost' );
		self::assertSame( array(), $this->sent() );
		$this->run_later( 'gift-lost', 1 );
		self::assertSame( array( 'ben@example.org: “Pan” was removed from the list' ), self::about( $this->sent() ) );
	}

	public function test_a_gift_whose_removal_had_no_answer_can_be_put_back_once_it_is_gone_and_its_giver_hears_of_it(): void {
		$this->with_gifts( 'Pan Pot' );
		$this->reserve( 'Pan' );
		$back                  = fn(): string => self::form_on( $this->page( 'alice', $this->path( 'gifts' ) ), 'restore' )['do'] ?? '';
		$this->outside->losing = array( 'DELETE' );
		$this->act( 'remove', 'Pan' );
		$this->outside->losing = array();
		self::assertSame( array( array( 'Pot' ), 'restore' ), array( $this->order(), $back() ) );
		$this->run_later( 'gift-lost' );
		self::assertSame( array( 'ben@example.org: “Pan” was removed from the list' ), self::about( $this->sent( 1 ) ) );
		self::assertSame( 303, $this->act( 'restore', 'Pan' )->status );
		self::assertSame( array( array( 'Pan', 'Pot' ), '' ), array( $this->order(), $back() ) );

		$this->outside->answer( 'DELETE /registries/*/items/*', array( 'detail' => 'Not now' ), 503 );
		self::assert_refused( '/couldn’t be saved right now/', $this->act( 'remove', 'Pan' ) );
		$this->run_later( 'gift-lost' );
		self::assertSame( array( '', array() ), array( $back(), $this->sent( 1 ) ), 'it is still there' );
		update_post_meta( $this->list->id, 'registry_owners', '["bob"]' );
		$page = $this->path( 'gifts' ) . "?item={$this->ids['Pan']}";
		self::assertSame( 303, $this->send_form( 'bob', $page, 'change', array( 'name' => 'Pan' ) )->status );
		self::assertStringContainsString( 'Changed by bob', $this->see( 'alice', $this->path( 'gifts' ) ) );
	}

	public function test_a_gift_that_came_back_or_moved_by_other_ways_is_removed_and_put_back_as_it_is_by_the_owners_of_its_list_alone(): void {
		$this->with_gifts( 'Pan Pot', array( 'registry_owners' => '["bob"]' ) );
		$entry = fn(): array => RemovedGifts::of( get_post( $this->list->id ) )[ $this->ids['Pan'] ] ?? array();
		$this->act( 'remove', 'Pan' );
		$this->in_request( 'alice', fn() => Plugin::get( ItemService::class )->update_item( $this->ids['Pan'], array( 'is_active' => true, 'name' => 'Wok', 'image_url' => 'https://shop.example/wok.jpg' ) ) );
		$this->page( 'alice', $this->path( 'gifts' ) );
		$this->act( 'remove', 'Pan' );
		self::assertSame( array( 'Wok', 'https://shop.example/wok.jpg' ), array( $entry()['name'], $entry()['image_url'] ) );

		$this->in_request( 'alice', fn() => Plugin::get( ItemService::class )->update_item( $this->ids['Pan'], array( 'is_active' => true ) ) );
		$other = $this->registry( 'alice', array( 'title' => 'New home', 'status' => 'private' ) )->id;
		self::assertSame( 303, $this->send_form( 'alice', $this->path( 'gifts' ), 'transfer', array( 'gifts' => array( (string) $this->ids['Pan'] ), 'to' => (string) $other, 'how' => 'move' ) )->status );
		$this->page( 'alice', "/registries/$other/gifts/", form: array( 'do' => 'remove', 'item' => (string) $this->ids['Pan'] ) );
		$answer = $this->page( 'bob', $this->path( 'gifts' ), form: array( 'do' => 'restore', 'item' => (string) $this->ids['Pan'] ) );
		self::assertSame( array( 422, array() ), array( $answer->status, $this->service->names( $other ) ) );
	}

	/** The headings and gifts of the list as guests read them; a marked gift has a star. @return string[] */
	private function shown(): array {
		preg_match_all( '/<(?:h3>|li class="trousseau-item.*?<h\d>)(.*?)<\/h\d>(.*?)(?=<\/li>|<ul)/s', $this->page( null, $this->list->link, $this->guest() )->text, $found, PREG_SET_ORDER );
		return array_map( static fn( array $row ): string => $row[1] . ( str_contains( $row[2], 'Most wanted' ) ? '★' : '' ), $found );
	}

	private function mark( string $gift, bool $is_marked = true ): Answer {
		$page = $this->path( 'gifts' ) . "?item={$this->ids[ $gift ]}";
		$form = array_diff_key( self::form_on( $this->page( 'alice', $page ), 'change' ), array( 'most_wanted' => '' ) );
		return $this->page( 'alice', $page, form: ( $is_marked ? array( 'most_wanted' => '1' ) : array() ) + $form );
	}

	public function test_guests_see_most_wanted_gifts_marked_and_first_under_their_heading_and_up_to_a_third_are_marked_with_nothing_lost_that_was_typed(): void {
		$this->with_gifts( 'A B C D E F' );
		foreach ( array( 'B', 'D', 'E' ) as $name ) {
			$this->send_form( 'alice', $this->path( 'gifts' ) . "?item={$this->ids[ $name ]}", 'change', array( 'section' => 'Kitchen' ) );
		}
		self::assertSame( array( 'Kitchen', 'B', 'D', 'E', 'More gifts', 'A', 'C', 'F' ), $this->shown() );
		self::assertSame( array( 303, 303 ), array( $this->mark( 'E' )->status, $this->mark( 'F' )->status ) );
		self::assertSame( array( 'Kitchen', 'E★', 'B', 'D', 'More gifts', 'F★', 'A', 'C' ), $this->shown() );
		self::assertSame( array( 'A', 'B', 'C', 'D', 'E', 'F' ), $this->order(), 'the owner’s order is as it was' );
		$page = $this->read( 'alice', $this->path( 'gifts' ) );
		self::assertSame( 2, substr_count( $page, '★ Most wanted' ) );
		self::assertStringContainsString( '“Most wanted” gifts come first in their category', $page );
		$this->mark( 'E', false );
		self::assertSame( array( 'Kitchen', 'B', 'D', 'E', 'More gifts', 'F★', 'A', 'C' ), $this->shown() );
		$this->with_gifts( 'A B C' );
		self::assertSame( 303, $this->mark( 'A' )->status );
		$refused = $this->mark( 'B' );
		self::assert_refused( '/You have 3 gifts, so that’s 1, and these are already marked: .*A/', $refused );
		self::assertMatchesRegularExpression( '/id="trousseau-most_wanted-fault"[^>]*>Up to a third/', $refused->text );
		self::assertSame( '1', self::form_on( $refused, 'change' )['most_wanted'] );
		self::assertSame( array( 'A★', 'B', 'C' ), $this->shown() );

		$form = fn(): array => self::form_on( $this->page( 'alice', $this->path( 'gifts' ) . '?by-hand=1' ), 'add' );
		$add  = fn( array $fields ): Answer => $this->page( 'alice', $this->path( 'gifts' ), form: array( 'description' => 'Blue', 'most_wanted' => '1' ) + $fields );
		$four = array( 'name' => 'D' ) + $form();
		self::assertSame( array( 303, 303 ), array( $add( $four )->status, $add( $four )->status ), 'the form is sent twice' );
		self::assertSame( array( 'A★', 'D★', 'B', 'C' ), $this->shown() );
		$third = $add( array( 'name' => 'E' ) + $form() );
		self::assertSame( 422, $third->status );
		$again = self::form_on( $third, 'add' );
		self::assertSame( array( 'E', 'Blue', '1' ), array( $again['name'], $again['description'], $again['most_wanted'] ) );
		self::assertSame( array( 'A', 'B', 'C', 'D' ), $this->order(), 'nothing is stored' );

		$this->with_gifts( 'A B C' );
		$this->mark( 'A' );
		$this->act( 'remove', 'A' );
		$this->act( 'restore', 'A' );
		self::assertSame( array( 'A★', 'B', 'C' ), $this->shown() );
		$this->act( 'remove', 'A' );
		self::assertSame( 303, $this->mark( 'B' )->status );
		$this->act( 'restore', 'A' );
		self::assertSame( array( 'B★', 'A', 'C' ), $this->shown() );
	}

	public function test_a_price_in_doubt_is_asked_about_and_nothing_that_was_typed_is_lost(): void {
		$this->with_gifts( '', array( 'registry_currency' => 'USD' ) );
		$gifts = $this->path( 'gifts' );
		$asked = $this->send_form( 'alice', "$gifts?by-hand=1", 'add', array( 'name' => 'Sofa', 'price' => '1.234,50 €', 'description' => 'Blue', 'section' => 'Home' ), $gifts );
		self::assert_refused( '/“.*1\.234,50 €.*” isn’t in your list’s currency, USD\./u', $asked );
		self::assertStringContainsString( '$1,234.50', $asked->text );
		self::assertSame( array(), $this->service->items, 'nothing is stored yet' );
		$form = self::form_on( $asked, 'add' );
		self::assertSame( array( 'Blue', '1.234,50 €' ), array( $form['description'], $form['price'] ) );
		self::assertSame( 422, $this->page( 'alice', $gifts, form: $form )->status, 'nothing was chosen' );
		$other = $this->page( 'alice', $gifts, form: array( 'price' => '12.345', 'reading' => '1234.5' ) + $form );
		self::assert_refused( '/Which price do you mean by “.*12\.345.*”/u', $other );
		self::assert_shows( array( 'value="12.35"', 'value="12345"' ), $other->text );
		self::assertSame( 303, $this->page( 'alice', $gifts, form: array( 'reading' => '1234.5' ) + $form )->status );
		self::assertSame( 1234.5, (float) end( $this->service->items )['price'] );

		$chair = $this->send_form( 'alice', "$gifts?by-hand=1", 'add', array( 'name' => 'Chair', 'price' => '0.125' ), $gifts );
		$this->page( 'alice', $gifts, form: array( 'reading' => 'none' ) + self::form_on( $chair, 'add' ) );
		self::assertSame( array( 'Chair', null ), array( end( $this->service->items )['name'], end( $this->service->items )['price'] ) );
	}

	public function test_the_form_of_a_new_gift_keeps_its_heading_and_a_picture_when_it_is_refused_and_a_link_that_leads_to_the_page_of_a_gift_on_the_list_adds_none(): void {
		$this->with_gifts( '', array( 'registry_currency' => 'EUR' ) );
		foreach ( array( 'by-hand' => 'Add a gift', 'fund' => 'Start a cash fund' ) as $kind => $heading ) {
			$page = $this->page( 'alice', $this->path( 'gifts' ) . "?$kind=1" );
			self::assertSame( 1, preg_match( '/<form class="trousseau-form is-gift"[^>]*action="([^"]*)"/', $page->text, $found ), $page->text );
			$refused = $this->page( 'alice', html_entity_decode( $found[1] ), form: array( 'name' => 'Pan', 'price' => 'dear' ) + self::form_on( $page, 'add' ), files: array( 'upload' => $this->uploaded() ) );
			self::assert_refused( '/Enter the price as a number/', $refused, $kind );
			self::assertStringContainsString( "<title>$heading", $refused->text );
			self::assertStringContainsString( '/uploads/', self::form_on( $refused, 'add' )['image'], $kind );
		}
		$this->outside->answer( 'POST /lookups', array( 'url' => 'https://shop.example/Pan', 'name' => 'Pan', 'price' => 30, 'currency' => 'EUR', 'retailer' => 'Shop', 'description' => '', 'image_url' => '', 'problem' => null ) );
		foreach ( array( 'a', 'b' ) as $mark ) {
			$this->send_form( 'alice', $this->path( 'gifts' ), 'look', array( 'address' => "https://shop.example/Pan?from=$mark https://shop.example/Pan?to=$mark" ) );
			$pasted = $this->page( 'alice', $this->path( 'gifts' ) . '?links=1' );
			$added  = $this->page( 'alice', $this->path( 'gifts' ), form: array( 'links' => array( "https://shop.example/Pan?from=$mark", "https://shop.example/Pan?to=$mark" ) ) + self::form_on( $pasted, 'add-links' ) );
			self::assertSame( 2, substr_count( $added->text, 'data-state="added"' ) );
			self::assertSame( array( 'Pan' ), $this->order(), $mark );
		}
	}

	public function test_an_uploaded_picture_goes_a_week_later_unless_a_gift_or_draft_has_it(): void {
		$this->with_gifts( '', array( 'registry_currency' => 'EUR' ) );
		$gifts = $this->path( 'gifts' );
		$send  = function ( array $fields ) use ( $gifts ): Answer {
			$form = self::form_on( $this->page( 'alice', "$gifts?by-hand=1" ), 'add' );
			return $this->page( 'alice', $gifts, form: $fields + $form, files: array( 'upload' => $this->uploaded() ) );
		};
		$files = GiftPicture::folder() . '/' . dirname( GiftPicture::name( '', $this->list->id ) ) . '/*.jpg';
		$there = static fn(): int => count( glob( $files ) );
		$send( array( 'name' => 'Pan', 'price' => 'dear' ) );
		self::assertSame( 303, $send( array( 'name' => 'Pan', 'draft' => '1' ) )->status );
		self::assertSame( 303, $send( array( 'name' => 'Pot' ) )->status );
		$this->run_later( 'unused-pictures' );
		self::assertSame( 3, $there(), 'its form may still be open' );
		Plugin::get( KeptValues::class )->set( "unused_pictures_{$this->list->id}", array_fill_keys( array_map( 'basename', glob( $files ) ), time() - WEEK_IN_SECONDS ) );
		$renew = fn() => $this->in_request( null, static fn() => self::call( 'gift-list.forget_trouble' ) );
		$this->outside->answer( 'GET /registries/*/items', array( 'detail' => 'Not today' ), 503 );
		$renew();
		$this->run_later( 'unused-pictures' );
		self::assertSame( 3, $there(), 'an older copy of the list may lack a gift' );
		$this->outside->answer( 'GET /registries/*/items', fn(): array => array_values( $this->service->items ) );
		$renew();
		$this->run_later( 'unused-pictures' );
		self::assertSame( 2, $there() );
		self::assertFileExists( str_replace( home_url( '/' ), ABSPATH, end( $this->service->items )['image_url'] ) );
		preg_match( '#id="trousseau-drafts".*?<img[^>]* src="([^"]+)#s', $this->page( 'alice', $gifts )->text, $draft );
		self::assertFileExists( str_replace( home_url( '/' ), ABSPATH, $draft[1] ) );
	}

	public function test_a_category_in_other_capitals_is_the_one_that_the_list_has(): void {
		$this->with_gifts( 'Pan Pot' );
		$named = function ( string $gift, string $section ): string {
			$page = $this->path( 'gifts' ) . "?item={$this->ids[ $gift ]}";
			self::assertSame( 303, $this->send_form( 'alice', $page, 'change', compact( 'section' ) )->status );
			return self::form_on( $this->page( 'alice', $page ), 'change' )['section'];
		};
		self::assertSame( array( 'In der Küche', 'In der Küche' ), array( $named( 'Pan', 'In der Küche' ), $named( 'Pot', 'in  der KÜCHE ' ) ) );
		self::assertSame( array( '', 'In der küche' ), array( $named( 'Pot', '' ), $named( 'Pan', 'In der küche' ) ), 'a gift’s own category may be written anew' );
		$named( 'Pot', 'in der KÜCHE' );
		self::assertSame( array( 'In der Küche', 'In der Küche' ), array( $named( 'Pan', 'In der Küche' ), $named( 'Pot', 'In der Küche' ) ), 'so may one that other gifts have, too' );
		$this->send_form( 'alice', $this->path( 'gifts' ), 'remove', array( 'item' => (string) $this->ids['Pot'] ) );
		self::assertSame( 'In der KÜCHE', $named( 'Pan', 'In der KÜCHE' ), 'and one that only a removed gift had' );
	}

	public function test_another_currency_for_the_same_prices_is_asked_about_before_it_is_stored(): void {
		$this->with_gifts( 'Pan', array( 'registry_currency' => 'USD' ) );
		$details                                            = $this->path( 'details' );
		$currency                                           = fn(): string => get_post_meta( $this->list->id, 'registry_currency', true );
		self::assertSame( array( 303, 'EUR' ), array( $this->send_form( 'alice', $details, 'change', array( 'currency' => 'EUR' ) )->status, $currency() ), 'no gift has a price' );
		$this->service->items[ $this->ids['Pan'] ]['price'] = 24.9;

		$picture = (string) self::picture( 'alice', 'cover', $this->list->id )->id;
		update_post_meta( $this->list->id, '_thumbnail_id', $picture );
		$asked = $this->send_form( 'alice', $details, 'change', array( 'currency' => 'USD', 'title' => 'Two names', 'no-picture' => '1' ) );
		self::assertSame( array( 422, 'EUR' ), array( $asked->status, $currency() ) );
		self::assertMatchesRegularExpression( '/€24\.90.* becomes .*\$24\.90/', html_entity_decode( $asked->text ) );
		$form = self::form_on( $asked, 'change' );
		self::assertSame( 'Two names', $form['title'], 'nothing that was typed is lost' );
		self::assertSame( array( '1', $picture ), array( $form['no-picture'] ?? '', get_post_meta( $this->list->id, '_thumbnail_id', true ) ), 'and nothing is saved yet' );
		self::assertSame( 422, $this->page( 'alice', $details, form: array( 'relabel' => 'CHF' ) + $form )->status, 'another one than was asked about' );
		self::assertSame( array( 303, 'EUR' ), array( $this->page( 'alice', $details, form: array( 'relabel' => 'no' ) + $form )->status, $currency() ) );
		self::assertStringContainsString( 'value="Two names"', $this->page( 'alice', $details )->text, 'everything else is saved' );
		self::assertSame( '', get_post_meta( $this->list->id, '_thumbnail_id', true ) );
		self::assertSame( array( 303, 'USD' ), array( $this->send_form( 'alice', $details, 'change', array( 'currency' => 'USD', 'relabel' => 'USD' ) )->status, $currency() ) );

		$this->service->items[ $this->ids['Pan'] ] = array( 'unit' => 'money' ) + $this->service->items[ $this->ids['Pan'] ];
		$refused                                   = $this->send_form( 'alice', $details, 'change', array( 'currency' => 'EUR' ) );
		self::assertStringContainsString( 'its currency can’t change', $refused->text );
		self::assertStringNotContainsString( 'name="relabel"', $refused->text, 'nothing is asked where nothing can change' );
	}

	public function test_a_message_about_the_order_that_arrives_after_a_later_one_changes_nothing(): void {
		$this->with_gifts( 'A B C D' );
		$move = fn( string $moves, int $number ): int => $this->page( 'alice', $this->path( 'gifts' ), form: array( 'do' => 'move', 'moves' => strtr( $moves, array_map( 'strval', $this->ids ) ), 'sent' => "apage:$number" ) )->status;
		self::assertSame( array( 303, 303 ), array( $move( 'D:0', 2 ), $move( 'D:2', 1 ) ) );
		self::assertSame( array( 'D', 'A', 'B', 'C' ), $this->order() );
		$move( 'C:0,A:3', 3 );
		self::assertSame( array( 'C', 'D', 'B', 'A' ), $this->order() );
		self::assertSame( 303, $move( '987654:0', 4 ), 'nothing is left to store' );
	}

	public function test_a_link_alone_is_enough_and_what_the_lookup_lacks_is_asked_for_with_nothing_lost(): void {
		$this->with_gifts( '', array( 'registry_currency' => 'EUR' ) );
		$facts = array( 'url' => 'https://shop.example/pan', 'name' => 'Iron pan', 'price' => 30, 'currency' => 'EUR', 'retailer' => 'Shop', 'description' => 'Black', 'image_url' => 'https://shop.example/pan.jpg', 'problem' => null );
		$this->outside->answer( 'POST /lookups', static function () use ( &$facts ): array {
			return $facts;
		} );
		$add = fn( array $fields ): Answer => $this->send_form( 'alice', $this->path( 'gifts' ) . '?by-hand=1', 'add', $fields, $this->path( 'gifts' ) );
		self::assertSame( 303, $add( array( 'address' => 'https://shop.example/pan', 'description' => 'The large one' ) )->status );
		$pan = end( $this->service->items );
		self::assertEquals( array( 'Iron pan', 30, 'Shop', 'The large one', 'https://shop.example/pan.jpg' ), array( $pan['name'], $pan['price'], $pan['retailer'], $pan['description'], $pan['image_url'] ) );

		$facts = array( 'name' => null, 'price' => null ) + $facts;
		$asked = $add( array( 'address' => 'https://shop.example/42', 'price' => '12' ) );
		self::assertStringContainsString( 'Not found on the shop’s page: the name', html_entity_decode( $asked->text ) );
		self::assertSame( array( '', '12', 'Black' ), array_values( array_intersect_key( self::form_on( $asked, 'add' ), array( 'name' => 0, 'price' => 0, 'description' => 0 ) ) ) );
		self::assertCount( 1, $this->service->items );

		$facts = array( 'name' => str_repeat( 'Premium stainless steel saucepan with a lid ', 4 ) ) + $facts;
		$long  = $this->page( 'alice', $this->path( 'gifts' ), form: array( 'do' => 'look', 'address' => 'https://shop.example/43' ) );
		self::assertMatchesRegularExpression( '/^Premium .{70,90} \w+…$/u', self::form_on( $long, 'add' )['name'] );
	}

	public function test_an_owner_who_wants_fewer_than_guests_give_is_told_so_unless_it_is_a_surprise(): void {
		foreach ( array( array(), array( 'registry_surprise_until' => '2099-01-01' ) ) as $meta ) {
			$this->with_gifts( 'Pan', $meta );
			$pan = $this->path( 'gifts' ) . "?item={$this->ids['Pan']}";
			$this->send_form( 'alice', $pan, 'change', array( 'quantity' => '3' ) );
			array_map( fn() => $this->reserve( 'Pan' ), range( 1, 3 ) );
			$said = function ( string $quantity ) use ( $pan ): string {
				$saved = $this->send_form( 'alice', $pan, 'change', compact( 'quantity' ) );
				return self::words( $this->page( 'alice', strtok( $saved->location(), '#' ), $saved->cookies )->text );
			};
			self::assertStringNotContainsString( 'Guests are already giving', $said( '3' ) );
			$now = $said( '2' );
			foreach ( array( '“Pan” is saved. Guests are already giving 3, so nobody can choose another.', '3 of 2 given' ) as $words ) {
				self::assertSame( $meta === array(), str_contains( $now, $words ), $words );
			}
		}
	}

	public function test_undo_puts_back_what_it_can_and_says_so(): void {
		$this->with_gifts( 'Pan Pot Lid' );
		foreach ( array( 'Pan', 'Pot', 'Lid' ) as $gift ) {
			$this->act( 'remove', $gift );
		}
		$this->outside->answer( "PUT /items/{$this->ids['Pot']}", array( 'detail' => 'Item not found' ), 404 );
		$undo = array( 'do' => 'restore', 'gifts' => array_map( 'strval', array_values( $this->ids ) ) );
		$done = $this->page( 'alice', $this->path( 'gifts' ), form: $undo );
		self::assertSame( array( 303, array( 'Pan', 'Lid' ) ), array( $done->status, $this->order() ) );
		self::assertMatchesRegularExpression( '/Back on your list: Lid, Pan\. The rest can’t be put back any more\./', self::words( $this->page( 'alice', strtok( $done->location(), '#' ), $done->cookies )->text ) );
	}

	public function test_the_address_of_the_list_itself_is_no_gift_even_with_gifts_that_no_shop_has(): void {
		$this->with_gifts( 'Pan' );
		$own = (string) get_permalink( $this->list->id );
		$this->send_form( 'alice', $this->path( 'gifts' ) . '?by-hand=1', 'add', array( 'name' => 'A walk' ) );
		$one = $this->send_form( 'alice', $this->path( 'gifts' ), 'look', array( 'address' => $own ) );
		self::assertStringContainsString( 'This link leads to your own list', $one->text );
		$this->send_form( 'alice', $this->path( 'gifts' ), 'look', array( 'address' => "$own https://shop.example/Pot" ) );
		$form = array( 'links' => array( $own ) ) + self::form_on( $this->page( 'alice', $this->path( 'gifts' ) . '?links=1' ), 'add-links' );
		self::assertMatchesRegularExpression( '/data-state="failed".*This link leads to your own list/s', $this->page( 'alice', $this->path( 'gifts' ), form: $form )->text );
		$this->send_form( 'alice', $this->path( 'gifts' ), 'forget-links', array() );
		self::assertStringNotContainsString( 'pasted gift', $this->read( 'alice', $this->path( 'gifts' ) ) );
	}

	public function test_a_pasted_list_of_links_and_names_becomes_gifts_once_each_of_a_message_only_the_links_do_and_one_that_fails_says_why(): void {
		$this->with_gifts( '', array( 'registry_currency' => 'EUR' ) );
		$this->outside->answer( 'POST /lookups', static fn( array $request ): array => array( 'url' => $request['body']['url'], 'name' => basename( $request['body']['url'] ), 'price' => 30, 'currency' => 'EUR', 'retailer' => 'Shop', 'description' => '', 'image_url' => '', 'problem' => null ) );
		$gifts = $this->path( 'gifts' );
		$says  = fn(): bool => str_contains( $this->read( 'alice', "$gifts?by-hand=1" ), 'Not your currency?' );
		self::assertTrue( $says(), 'at the first gift' );
		$this->send_form( 'alice', $gifts, 'look', array( 'address' => "https://shop.example/Pan\n- A toaster\n\n2. Wine glasses\nA toaster" ) );
		$pasted = $this->page( 'alice', "$gifts?links=1" );
		self::assertSame( array( 3, array() ), array( substr_count( $pasted->text, 'data-state="waiting"' ), $this->service->items ) );
		$form = array( 'links' => array( 'https://shop.example/Pan', 'A toaster', 'Wine glasses' ) ) + self::form_on( $pasted, 'add-links' );
		foreach ( range( 1, 2 ) as $press ) {
			self::assertSame( 3, substr_count( $this->page( 'alice', $gifts, form: $form )->text, 'data-state="added"' ), "press $press" );
			self::assertSame( array( 'Pan', 'A toaster', 'Wine glasses' ), $this->order() );
		}
		self::assertSame( get_permalink( $this->list->id ), array_column( $this->service->items, 'url', 'name' )['A toaster'] );
		self::assertStringNotContainsString( 'pasted gift', $this->read( 'alice', $gifts ) );
		self::assertFalse( $says() );
		foreach ( array( "Hi! https://shop.example/Pot, https://shop.example/Cup\nhttps://user@shop.example/no", "Hi Mum!\nhttps://shop.example/Pot\nhttps://shop.example/Cup\nso pretty" ) as $message ) {
			$this->send_form( 'alice', $gifts, 'look', array( 'address' => $message ) );
			self::assertStringContainsString( '2 pasted gifts aren’t on your list yet', $this->read( 'alice', $gifts ), 'they wait for an owner who has left the page' );
			self::assertSame( 2, substr_count( $this->page( 'alice', "$gifts?links=1" )->text, 'data-state="waiting"' ), $message );
			$this->send_form( 'alice', $gifts, 'forget-links', array() );
		}
		$named = self::form_on( $this->send_form( 'alice', $gifts, 'look', array( 'address' => 'A toaster' ) ), 'add' );
		self::assertSame( array( 'A toaster', '' ), array( $named['name'], $named['address'] ), 'a name alone opens the form' );
		$this->outside->answer( 'POST /lookups', array( 'detail' => 'This address isn’t allowed' ), 422 );
		$failed = $this->page( 'alice', $gifts, form: array( 'links' => array( 'https://shop.example/42' ) ) + $form )->text;
		self::assertMatchesRegularExpression( '/data-state="failed".*href="[^"]*link=https%3A%2F%2Fshop.example%2F42"/s', $failed );
		$fix  = $this->page( 'alice', "$gifts?by-hand=1&link=https%3A%2F%2Fshop.example%2Fblue-pan" );
		$form = self::form_on( $fix, 'add' );
		self::assertSame( array( 'https://shop.example/blue-pan', 'Blue Pan' ), array( $form['address'], $form['name'] ) );
		self::assertStringNotContainsString( 'A link alone is enough', $fix->text );
	}

	public function test_links_for_which_there_is_no_room_stay_in_their_field_and_the_page_says_so(): void {
		$links  = array_map( static fn( int $n ): string => "https://shop.example/$n", range( 1, 503 ) );
		$pasted = $this->page( 'alice', $this->path( 'gifts' ), form: array( 'address' => implode( ' ', $links ) ) + self::form_on( $this->page( 'alice', $this->path( 'gifts' ) ), 'look' ) );
		self::assert_shows( array( '500 pasted gifts aren’t on your list yet', 'Only 500 gifts can wait at once.' ), $pasted->text );
		self::assertSame( array_slice( $links, 500 ), explode( "\n", self::form_on( $pasted, 'look' )['address'] ) );
	}

	public static function refusals_for_now(): array {
		return array(
			'a lookup while the service is away'    => array( 'POST /lookups', 503, 'We can’t read the shop’s page right now' ),
			'one lookup more than an hour takes'    => array( 'POST /lookups', 429, 'You’ve added many links in a short time' ),
			'a gift while the service can’t store' => array( 'POST /registries/*/items', 503, 'This couldn’t be saved right now' ),
		);
	}

	/** @dataProvider refusals_for_now */
	public function test_a_link_that_is_refused_for_now_waits_and_says_why( string $route, int $status, string $why ): void {
		$this->with_gifts( '', array( 'registry_currency' => 'EUR' ) );
		$found = static fn( array $request ): array => array( 'url' => $request['body']['url'], 'name' => basename( $request['body']['url'] ), 'price' => 30, 'currency' => 'EUR', 'retailer' => 'Shop', 'description' => '', 'image_url' => '', 'problem' => null );
		$this->outside->answer( 'POST /lookups', $found );
		$gifts = $this->path( 'gifts' );
		$this->send_form( 'alice', $gifts, 'look', array( 'address' => 'https://shop.example/blue-pan https://shop.example/red-pot' ) );
		$form = array( 'links' => array( 'https://shop.example/blue-pan', 'https://shop.example/red-pot' ) ) + self::form_on( $this->page( 'alice', "$gifts?links=1" ), 'add-links' );
		$this->outside->answer( $route, array( 'detail' => 'Not now' ), $status );
		$stopped = html_entity_decode( $this->page( 'alice', $gifts, form: $form )->text );
		self::assertSame( array( 2, 2 ), array( substr_count( $stopped, 'data-state="stopped"' ), substr_count( $stopped, "role=\"status\">$why" ) ), $stopped );
		self::assertStringContainsString( 'Add all', $stopped );
		self::assertStringContainsString( '2 pasted gifts aren’t on your list yet', $this->read( 'alice', $gifts ) );
		$this->outside->answer( 'POST /lookups', static fn( array $request ): array|\WP_Error => str_contains( $request['body']['url'], 'blue' ) ? new \WP_Error( 'http_request_failed', 'timed out' ) : $found( $request ) );
		$this->outside->answer( 'POST /registries/*/items', fn( array $request ): array => array( 'data' => array( 'id' => 801, 'registry_id' => $this->list->id ) + $request['body'] ) );
		self::assertMatchesRegularExpression( '/data-state="stopped".*data-state="added"/s', $this->page( 'alice', $gifts, form: $form )->text );
	}

	private function home(): string {
		return $this->read( 'alice', $this->path( 'home' ) );
	}

	private function next(): string {
		self::assertSame( 1, preg_match_all( '#<a class="button wp-element-button" href="[^"]*">([^<]*)</a>#', $this->home(), $found ) );
		return $found[1][0];
	}

	public function test_an_empty_list_offers_ten_ideas_and_each_press_adds_one_without_a_shop_once(): void {
		$this->begin();
		self::assertSame( 10, preg_match_all( '/name="idea" value="([^"]+)"/', $this->home(), $ideas ) );
		self::assertSame( 'Add your first gift', $this->next() );
		$form = self::form_on( $this->page( 'alice', $this->path( 'home' ) ), 'idea' );
		self::assert_each( 303, array( 1, 2 ), fn(): int => $this->page( 'alice', $this->path( 'home' ), form: array( 'idea' => $ideas[1][0] ) + $form )->status );
		self::assertCount( 1, $this->service->items );
		$gift = current( $this->service->items );
		self::assertSame( array( get_permalink( $this->list->id ), 1 ), array( $gift['url'], $gift['quantity_needed'] ) );
		self::assertSame( 9, preg_match_all( '/name="idea"/', $this->home() ), 'the others stay' );
		self::assertSame( 303, $this->page( 'alice', $this->path( 'home' ), form: array( 'idea' => 'Yacht' ) + $form )->status );
		self::assertCount( 1, $this->service->items, 'an idea that nobody had' );
	}

	public function test_the_first_page_says_the_next_step_and_what_is_new_as_far_as_the_surprise_allows(): void {
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
		$this->in_request( null, fn() => Plugin::get( Invitations::class )->change( get_post( $this->list->id ), array( self::GRAN => array( 'opened' => time() ) ) ) );
		self::assertStringContainsString( "1 gift\u{a0}· your guest has opened it", $this->home() );
		$this->service->items[1]['image_url'] = wp_upload_dir( null, false )['baseurl'] . '/pan.jpg';
		$this->in_request( null, fn() => Plugin::get( GiftLists::class )->renew( $this->list->id ) );
		self::assertMatchesRegularExpression( '#src="[^"]*/pan\.jpg"(?:(?!<li).)*>Pan<#s', $this->home(), 'its picture' );
		self::assertMatchesRegularExpression( '#trousseau-faces"[^>]*><span>G(?:(?!<li).)*opened your list#s', $this->home(), 'a guest has none, but a face' );
		self::assertMatchesRegularExpression( '/>Pan<\/span> <small>From \W*Gran\W*\x{a0}· \w+\x{a0}· \S[^<]* ago</u', $this->home() );
		update_post_meta( $this->list->id, 'registry_surprise_until', 'always' );
		self::assertStringNotContainsString( 'from', strip_tags( $this->home() ) );
		delete_post_meta( $this->list->id, 'registry_surprise_until' );

		update_post_meta( $this->list->id, 'registry_event_date', '2020-05-30' );
		self::assertSame( 'Say thank you', $this->next() );
		self::assertSame( 404, $this->page( 'bob', $this->path( 'home' ) )->status );
	}

	public function test_the_first_page_says_what_it_cannot_show_while_the_service_is_away(): void {
		$this->begin( array(), 'private', array( 'Pan', 1 ) );
		$this->outside->answer( 'GET /registries/*/claims', array( 'detail' => 'Away' ), 503 );
		$home = $this->home();
		self::assertStringContainsString( 'What your guests are giving can’t be shown right now', $home );
		self::assertStringContainsString( '<p>1 gift</p>', $home, 'a guest who gives may have opened it' );
		self::assertSame( 'Set a date', $this->next() );
		$this->in_request( null, fn() => Plugin::get( Invitations::class )->change( get_post( $this->list->id ), array( self::GRAN => array( 'opened' => time() ) ) ) );
		self::assertStringContainsString( "1 gift\u{a0}· your guest has opened it", $this->home() );
	}

	/** Runs the jobs of emails while none can be sent. */
	private function fail_to_send(): void {
		add_filter( 'pre_wp_mail', '__return_false' );
		$this->run_later( 'mail', 1 );
		remove_filter( 'pre_wp_mail', '__return_false' );
		self::assertCount( 1, self::jobs( 'mail' ) );
	}

	public function test_an_email_that_could_not_be_sent_at_first_is_not_sent_once_the_gift_is_back_or_wanted_again(): void {
		$this->with_gifts( 'Pan' );
		$this->reserve( 'Pan' );
		foreach ( array( 'remove' => 'restore', 'got' => 'not-got' ) as $lost => $back ) {
			$this->act( $lost, 'Pan' );
			$this->run_later( 'gift-lost' );
			$this->fail_to_send();
			$this->act( $back, 'Pan' );
			self::assertSame( array(), $this->sent( 1 ), $lost );
		}
	}
}
