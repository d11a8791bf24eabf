<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** Gifts of which guests give as many as they like. */
final class AnyNumberTest extends ListTestCase {

	private string $gifts;

	private string $page;

	private function make( array $meta = array() ): void {
		$this->begin( $meta + array( 'registry_invitees' => '["bob","carol"]', 'registry_currency' => 'EUR' ) );
		$this->gifts = $this->path( 'gifts' );
		$added       = $this->send_form( 'alice', "$this->gifts?by-hand=1", 'add', array( 'name' => 'Book tokens', 'any_number' => '1' ), $this->gifts );
		self::assertSame( 303, $added->status, $added->text );
		$this->page = "$this->gifts?item=" . array_key_last( $this->service->items );
	}

	private function take( string $login, int $count, string $state = 'purchased' ): Answer {
		return $this->send_form( $login, strtr( $this->page, array( '/gifts/' => '/give/' ) ), 'give', compact( 'state' ) + array( 'count' => (string) $count ) );
	}

	public function test_guests_may_always_give_more_and_read_no_number_the_owner_reads_how_many_are_given(): void {
		$this->make();
		self::assertStringContainsString( 'Any number, 0 given so far', $this->read( 'alice', $this->gifts ) );
		foreach ( array( 'bob' => 3, 'carol' => 1000 ) as $login => $count ) {
			self::assertSame( 303, $this->take( $login, $count )->status );
			$page = $this->read( $login, $this->list->link );
			self::assertStringContainsString( '<p class="trousseau-need">As many as you like</p>', $page );
			self::assertDoesNotMatchRegularExpression( '/\d needed|all of them|Given|2[,. \x{202f}]?147/u', $page );
		}
		$give = $this->read( 'alice', strtr( $this->page, array( '/gifts/' => '/give/' ) ) );
		self::assertStringContainsString( 'As many as you like', $give );
		self::assertDoesNotMatchRegularExpression( '/\d needed|still needed|2147/', $give );
		self::assertStringContainsString( 'Any number, 1,003 given so far', $this->read( 'alice', $this->gifts ) );
		$mails = $this->sent();
		self::assertNotSame( array(), $mails );
		self::assertDoesNotMatchRegularExpression( '/more (is|are) needed|Nobody else|2,?147/', implode( array_column( $mails, 'text' ) ) );
	}

	public function test_a_surprised_owners_pages_are_the_same_before_and_after_somebody_gives(): void {
		$this->make( array( 'registry_surprise_until' => '2099-01-01' ) );
		$seen   = fn(): array => array_map( fn( string $page ): string => self::words( $this->page( 'alice', $page )->text ), array( $this->gifts, $this->page, $this->list->link ) );
		$before = $seen();
		self::assertStringContainsString( 'Any number', $before[0] );
		self::assertDoesNotMatchRegularExpression( '/\d given/', implode( $before ) );
		self::assertSame( 303, $this->take( 'bob', 3 )->status );
		self::assertSame( $before, $seen() );
	}

	public function test_nobody_takes_all_of_them_a_thousand_at_once_when_giving_and_when_changing_it(): void {
		$this->make();
		self::assertStringContainsString( 'Up to 1,000.', self::refused( $this->take( 'bob', 1001 ) ) );
		$at   = $this->take( 'bob', 5, 'reserved' )->location();
		$form = self::form_on( $this->page( 'bob', $at ), 'change' );
		self::assertSame( array( 422, 303 ), array_map( fn( string $count ): int => $this->page( 'bob', $at, form: compact( 'count' ) + $form )->status, array( '1001', '12' ) ) );
		self::assertStringContainsString( 'Any number, 12 given so far', $this->read( 'alice', $this->gifts ) );
	}

	public function test_the_owner_may_name_a_number_later_and_back_and_several_pay_for_a_number_of_pieces_only(): void {
		$this->make();
		$form = self::form_on( $this->page( 'alice', $this->page ), 'change' );
		self::assertSame( array( '1', '1' ), array( $form['quantity'], $form['any_number'] ) );
		unset( $form['any_number'] );
		self::assertSame( 303, $this->page( 'alice', $this->page, form: array( 'quantity' => '12' ) + $form )->status );
		self::assertStringContainsString( '12 needed', $this->read( 'bob', $this->list->link ) );
		$this->send_form( 'alice', $this->page, 'change', array( 'any_number' => '1' ) );
		self::assertStringContainsString( 'As many as you like', $this->read( 'bob', $this->list->link ) );
		$typed   = array( 'name' => 'Pram', 'price' => '400', 'several' => '1', 'pay_to' => 'in an envelope', 'any_number' => '1' );
		$refused = $this->send_form( 'alice', "$this->gifts?by-hand=1", 'add', $typed, $this->gifts );
		self::assertStringContainsString( 'A group gift needs a fixed number. Choose one or the other', self::refused( $refused ) );
		self::assertEquals( $typed, array_intersect_key( self::form_on( $refused, 'add' ), $typed ) );
	}
}
