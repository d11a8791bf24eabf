<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Lists\GiftNotes;
use Trousseau\Plugin;

/** Gifts that the owners of a list have got elsewhere: nobody chooses one any more, and guests who have are told. */
final class GotElsewhereTest extends ListTestCase {

	private const HAVE = 'They already have this';

	private string $form;

	private function with_pans( string $surprise = '', int $needed = 3 ): void {
		$this->begin( array( 'registry_surprise_until' => $surprise ), 'private', array( 'Pan', $needed ) );
		$this->form = $this->path( 'gifts' ) . '?item=' . array_key_last( $this->service->items );
	}

	private function press( string $action ): void {
		self::assertSame( 303, $this->send_form( 'alice', $this->form, $action )->status );
	}

	private function given(): int {
		return end( $this->service->items )['quantity_purchased'];
	}

	public function test_can_be_chosen_by_nobody_also_after_a_guest_has_changed_their_mind_and_is_open_again_at_a_press(): void {
		$this->with_pans();
		$guest  = $this->guest();
		$claim  = $this->give( $guest );
		$opened = self::form_on( $this->page( null, $this->way_to(), $guest ), 'give' );
		$this->press( 'got' );
		$this->press( 'not-got' );
		self::assertSame( 1, $this->given(), 'as before' );
		self::assertStringContainsString( '2 needed', $this->read( null, $this->list->link, $guest ) );

		$this->press( 'got' );
		self::assertStringContainsString( 'Got it elsewhere', $this->read( 'alice', $this->path( 'gifts' ) ) );
		$card = self::words( self::found( '/<aside class="trousseau-gift__card".*?<\/aside>/s', $this->read( 'alice', $this->form ) ) );
		self::assert_shows( 'They already have this', $card, hides: 'giving this' );
		$page = $this->read( null, $this->list->link, $guest );
		self::assert_shows( self::HAVE, $page, hides: '/give/' );
		self::assertStringNotContainsString( '<progress', $page, 'no bar says how many of 3' );
		foreach ( array( array(), array( 'giver' => 'Gran', 'count' => '1' ) + $opened ) as $form ) {
			self::assertStringContainsString( self::HAVE . '. Choose something else', html_entity_decode( $this->page( null, $this->way_to(), $guest, form: $form )->text ) );
		}
		self::assertSame( 303, $this->page( null, self::page_of( $claim ), form: array( 'do' => 'release' ) )->status );
		self::assertGreaterThanOrEqual( 3, $this->given(), 'what is released isn’t free' );
		self::assertStringNotContainsString( 'others can give', $this->read( null, self::page_of( $claim ), $guest ) );
		$this->press( 'not-got' );
		self::assertSame( 0, $this->given() );
		self::assertStringContainsString( '3 needed', $this->read( null, $this->list->link, $guest ) );
		$this->give( $guest, array( 'count' => '3' ) );
	}

	public function test_keeps_the_number_that_a_program_has_set_also_where_its_owner_is_to_be_surprised(): void {
		$this->with_pans( 'always', 6 );
		$this->service->items[ array_key_last( $this->service->items ) ]['quantity_purchased'] = 2;
		$this->press( 'got' );
		$this->press( 'not-got' );
		self::assertSame( 2, $this->given() );
	}

	public function test_may_be_one_of_which_guests_give_any_number(): void {
		$this->with_pans( '', 2_147_483_647 );
		$guest = $this->guest();
		$claim = $this->give( $guest, array( 'count' => '2' ) );
		$this->press( 'got' );
		$page = $this->read( null, $this->list->link, $guest );
		self::assertStringContainsString( self::HAVE, $page );
		self::assertStringContainsString( 'class="trousseau-item is-fulfilled"', $page, 'none of those that are still wanted' );
		self::assertSame( 303, $this->page( null, self::page_of( $claim ), form: array( 'do' => 'release' ) )->status );
		self::assertStringContainsString( self::HAVE . '. Choose something else', $this->read( null, $this->way_to(), $guest ) );
		self::assertStringNotContainsString( '/give/', $this->read( null, $this->list->link, $guest ) );
		$this->press( 'not-got' );
		self::assertSame( 0, $this->given() );
		$this->give( $guest, array( 'count' => '2' ) );
	}

	public function test_tells_its_givers_a_quarter_of_an_hour_later_unless_the_owner_thinks_again_also_after_two_presses_at_once(): void {
		$this->with_pans();
		$this->give( $this->guest(), array( 'count' => '2' ) );
		$this->sent();
		$told = function (): array {
			$this->run_later( 'gift-lost', 0.02 );
			return self::about( $this->sent() );
		};
		$this->press( 'got' );
		$this->run_jobs( 'gift-lost' );
		self::assertSame( array(), $this->sent() );
		$this->press( 'not-got' );
		self::assertSame( array(), $told() );
		foreach ( array( 'got', 'not-got', 'got' ) as $press ) {
			$this->press( $press );
		}
		self::assertSame( array( self::GRAN . ': They already have “2 × Pan”' ), $told() );
		self::assertSame( array(), $told() );
		$this->with_pans();
		$item = array_key_last( $this->service->items );
		// The other press has counted all pieces, and stores its mark after this one has read the list's.
		$this->service->items[ $item ]['quantity_purchased'] = 3;

		$other = function ( string $statement ) use ( $item, &$other ): string {
			if ( str_contains( $statement, "'lock_meta-" ) ) {
				remove_filter( 'query', $other );
				Plugin::get( GiftNotes::class )->note_got( $this->list->id, $item, 0 );
			}
			return $statement;
		};
		add_filter( 'query', $other );
		$this->press( 'got' );
		$this->press( 'not-got' );
		self::assertSame( 0, $this->given() );
	}
}
