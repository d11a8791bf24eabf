<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Gifts\GiftPicture;
use Trousseau\Gifts\ReceivedGifts;
use Trousseau\Plugin;

/** Gifts that an owner moves or copies to another list. */
final class TransferTest extends ListTestCase {

	private int $other;

	protected function setUp(): void {
		parent::setUp();
		$this->begin( array( 'registry_currency' => 'EUR' ) );
		$this->other = $this->other_list( 'alice', 'EUR' );
	}

	private function other_list( string $owner, string $currency ): int {
		return $this->registry( $owner, array( 'title' => 'New home', 'status' => 'private', 'meta' => array( 'registry_currency' => $currency ) ) )->id;
	}

	/** Sends selected gifts by the form of the page, as opened. */
	private function transfer( string $how, array $gifts, ?int $to = null, ?array $form = null ): Answer {
		$form ??= $this->form();
		return $this->page( 'alice', $this->path( 'gifts' ), form: array( 'gifts' => array_map( 'strval', $gifts ), 'to' => (string) ( $to ?? $this->other ), 'how' => $how ) + $form );
	}

	private function form(): array {
		return self::form_on( $this->page( 'alice', $this->path( 'gifts' ) ), 'transfer' );
	}

	private function both(): array {
		return array( $this->service->names( $this->list->id ), $this->service->names( $this->other ) );
	}

	private function edited( int $list, int $gift ): array {
		return self::form_on( $this->page( 'alice', "/registries/$list/gifts/?item=$gift" ), 'change' );
	}

	public function test_gifts_move_with_their_category_star_and_claims_and_a_second_press_changes_nothing(): void {
		list( $pan, $pot ) = array( $this->add( 'Pan' ), $this->add( 'Pot' ) );
		$this->add( 'Lid' );
		$this->send_form( 'alice', $this->path( 'gifts' ) . "?item=$pan", 'change', array( 'section' => 'Kitchen', 'most_wanted' => '1' ) );
		$this->service->give( $pan, array( 'giver' => array( 'name' => 'Uncle Ben', 'email' => 'ben@example.org' ) ) );
		$form = $this->form();
		self::assertSame( array( 303, 303 ), array( $this->transfer( 'move', array( $pan, $pot ), form: $form )->status, $this->transfer( 'move', array( $pan, $pot ), form: $form )->status ) );
		self::assertSame( array( array( 'Lid' ), array( 'Pan', 'Pot' ) ), $this->both() );
		$edited = $this->edited( $this->other, $pan );
		self::assertSame( array( 'Kitchen', '1' ), array( $edited['section'], $edited['most_wanted'] ) );
		self::assertSame( $this->other, end( $this->service->claims )['registry_id'] );
		self::assertSame( array(), $this->sent( 1 ), 'the giver gives it still, so no email says that it is gone' );

		$pan  = $this->add( 'Pan' );
		$here = $this->service->give( $pan, array( 'giver' => array( 'name' => 'Gran', 'email' => self::GRAN ) ) )->json['id'];
		$this->in_request( null, fn() => Plugin::get( ReceivedGifts::class )->tick( get_post( $this->list->id ), $here, true ) );
		self::assertSame( 303, $this->transfer( 'move', array( $pan ) )->status );
		self::assertSame( array( array( $here ), array() ), array_map( static fn( int $id ): array => array_keys( ReceivedGifts::of( get_post( $id ) ) ), array( $this->other, $this->list->id ) ) );
	}

	public function test_several_gifts_are_removed_and_put_back_by_one_press_each(): void {
		$gifts = array( $this->add( 'Pan' ), $this->add( 'Pot' ), $this->add( 'Lid' ) );
		$form  = array( 'do' => 'remove', 'gifts' => array( (string) $gifts[0], (string) $gifts[1] ) ) + $this->form();
		$press = $this->page( 'alice', $this->path( 'gifts' ), form: $form );
		self::assertSame( array( 303, array( 'Lid' ) ), array( $press->status, $this->service->names( $this->list->id ) ) );
		$page = $this->page( 'alice', $this->path( 'gifts' ), cookies: $press->cookies );
		self::assertStringContainsString( 'Removed from your list: Pan, Pot.', $page->text );
		preg_match_all( '/name="gifts\[\d+\]" value="(\d+)"/', $page->text, $undo );
		self::assertSame( array( (string) $gifts[0], (string) $gifts[1] ), $undo[1] );
		$this->page( 'alice', $this->path( 'gifts' ), form: array( 'gifts' => $undo[1] ) + self::form_on( $page, 'restore' ) );
		preg_match_all( '#<strong><a[^>]*>(\w+)#', $this->read( 'alice', $this->path( 'gifts' ) ), $shown );
		self::assertSame( array( 'Pan', 'Pot', 'Lid' ), $shown[1] );
		self::assertStringContainsString( 'Choose the gifts first.', $this->page( 'alice', $this->path( 'gifts' ), form: array( 'do' => 'remove' ) + $this->form() )->text );
	}

	public function test_a_copy_starts_fresh_is_told_with_a_link_to_the_other_list_and_is_made_once_however_often_the_form_is_sent(): void {
		$pan = $this->add( 'Pan', 3 );
		$this->service->give( $pan, array( 'quantity' => 2, 'giver' => array( 'name' => 'Uncle Ben', 'email' => 'ben@example.org' ) ) );
		$form = $this->form();
		$page = $this->read( 'alice', $this->path( 'gifts' ), $this->transfer( 'copy', array( $pan ), form: $form )->cookies );
		self::assertMatchesRegularExpression( "#Copied to “New home”: Pan\..*<a href=\"[^\"]*/registries/$this->other/gifts/\">Go to that list</a>#s", $page );
		$this->transfer( 'copy', array( $pan ), form: $form );
		self::assertSame( array( array( 'Pan' ), array( 'Pan' ) ), $this->both() );
		$copy = end( $this->service->items );
		self::assertSame( array( 3, 0, 'https://shop.example/Pan' ), array( $copy['quantity_needed'], $copy['quantity_purchased'], $copy['url'] ) );
		$this->transfer( 'copy', array( $pan ) );
		self::assertSame( array( 'Pan', 'Pan' ), $this->both()[1], 'the page was opened anew' );
	}

	public function test_a_gift_without_a_shop_has_none_on_the_other_list_either_and_gifts_that_stay_are_named_with_the_reason(): void {
		$this->send_form( 'alice', $this->path( 'gifts' ) . '?by-hand=1', 'add', array( 'name' => 'Picnic' ), $this->path( 'gifts' ) );
		$id = array_key_last( $this->service->items );
		$this->transfer( 'copy', array( $id ) );
		$this->transfer( 'move', array( $id ) );
		self::assertCount( 2, $this->service->items );
		self::assert_each( get_permalink( $this->other ), $this->service->items, static fn( array $item ): string => $item['url'] );
		$dollars = $this->other_list( 'alice', 'USD' );
		$pan     = $this->add( 'Pan' );
		$trip    = $this->add( 'Trip', 50000 );

		$this->service->items[ $pan ]['price'] = 20.0;
		$this->service->items[ $trip ]['unit'] = 'money';
		foreach ( array( 'copy', 'move' ) as $how ) {
			$answer = $this->transfer( $how, array( $trip, $pan ), $dollars );
			$text   = html_entity_decode( $answer->text );
			self::assertSame( 422, $answer->status );
			self::assertStringContainsString( $how === 'move' ? '“Trip” is still here. Group gifts keep their currency' : '“Trip” wasn’t copied. Group gifts keep their currency', $text );
			self::assertStringContainsString( 'so please add a price for: Pan.', $text );
		}
		self::assertSame( array( 'Pan', 'Pan' ), $this->service->names( $dollars ) );
		self::assertNull( $this->service->items[ $pan ]['price'] );
		self::assertSame( array( 'Trip' ), $this->both()[0] );
	}

	public function test_nothing_moves_without_gifts_a_list_or_a_right_on_it_and_the_selection_stays(): void {
		$pan   = $this->add( 'Pan' );
		$bobs  = $this->other_list( 'bob', 'EUR' );
		$form  = $this->form();
		$gone  = $this->other_list( 'alice', 'EUR' );
		$after = fn( array $gifts, int $to ): string => html_entity_decode( $this->transfer( 'move', $gifts, $to, $form )->text );
		wp_delete_post( $gone, true );
		self::assertStringContainsString( 'Choose the gifts first', $after( array(), $this->other ) );
		self::assertStringContainsString( 'You can’t add gifts to that list any more', $after( array( $pan ), $bobs ) );
		$refused = $after( array( $pan ), $gone );
		self::assertStringContainsString( 'You can’t add gifts to that list any more', $refused );
		self::assertMatchesRegularExpression( "/name=\"gifts\[\]\" value=\"$pan\"[^>]* checked/", $refused );
		self::assertStringContainsString( 'no longer on your list', $after( array( 987_654 ), $this->other ) );
		self::assertSame( array( array( 'Pan' ), array() ), $this->both() );
	}

	public function test_a_person_with_one_list_selects_gifts_only_to_remove_them_and_all_stay_where_the_service_is_down_or_keeps_a_surprise_together(): void {
		$only = $this->other_list( 'carol', 'EUR' );
		$this->service->add( $only, array( 'name' => 'Pan', 'url' => 'https://shop.example/pan' ) );
		$page = $this->page( 'carol', "/registries/$only/gifts/" )->text;
		self::assert_shows( array( 'More: Pan', 'Remove the selected gifts' ), $page, hides: 'Move or copy' );
		$gifts = array( $this->add( 'Pan' ), $this->add( 'Pot' ) );
		$form  = $this->form();
		$this->outside->answer( 'POST /items/*/move', array(), 503 );
		$answer = $this->transfer( 'move', $gifts, form: $form );
		self::assertSame( 422, $answer->status );
		self::assertSame( 2, substr_count( html_entity_decode( $answer->text ), 'is still here.' ) );
		self::assertCount( 1, preg_grep( '#^POST /items/\d+/move#', $this->outside->asked() ) );
		$pan = $this->add( 'Pan' );
		$this->outside->answer( 'POST /items/*/move', array( 'detail' => 'A surprise' ), 409 );
		self::assertStringContainsString( 'only go to a list that stays a surprise at least as long', html_entity_decode( $this->transfer( 'move', array( $pan ) )->text ) );
	}

	public function test_a_group_gift_takes_along_that_its_givers_know_who_buys_it_and_the_one_who_buys_is_still_reminded(): void {
		$pram = $this->service->add( $this->list->id, array( 'name' => 'Pram', 'url' => 'https://shop.example/Pram', 'unit' => 'money', 'quantity_needed' => 50_000 ) )->json['data']['id'];
		foreach ( array( 'Gran' => array( 'buys' => true, 'pay_to' => 'To Gran' ), 'Ben' => array() ) as $name => $fields ) {
			$this->service->give( $pram, $fields + array( 'quantity' => 10_000, 'currency' => 'EUR', 'giver' => array( 'name' => $name, 'email' => "$name@example.org" ) ) );
		}
		self::assertSame( array( 'Ben@example.org: Gran is buying “Pram” from “Ann & Sam”' ), $this->told( $this->list->id ) );
		self::assertSame( 303, $this->transfer( 'move', array( $pram ) )->status );
		$GLOBALS['wpdb']->query( "DELETE FROM {$GLOBALS['wpdb']->prefix}trousseau_values WHERE name LIKE '%buyer-found%'" );
		self::assertSame( array(), $this->told( $this->list->id, $this->other ) );
		$cot   = $this->service->add( $this->list->id, array( 'name' => 'Pram', 'url' => 'https://shop.example/Pram', 'unit' => 'money', 'quantity_needed' => 50_000 ) )->json['data']['id'];
		$share = $this->give( $this->guest(), array( 'share' => '10000' ) );
		$this->sent();
		$this->service->claims[ $share ] = array( 'buys' => true, 'pay_to' => 'To Gran' ) + $this->service->claims[ $share ];
		self::assertSame( 303, $this->transfer( 'move', array( $cot ) )->status );
		self::assertSame( array( 'Have you bought it? €100 towards Pram' ), array_values( preg_grep( '/^Have you/', array_column( $this->sent( 13 ), 'subject' ) ) ) );
	}

	public function test_an_email_that_was_planned_before_a_move_names_the_list_where_the_gift_is_now_and_a_gift_has_moved_although_its_fields_cannot_be_adapted(): void {
		$pan = $this->add( 'Pan' );
		$this->give( $this->guest() );
		self::assertStringContainsString( 'Ann & Sam', $this->sent()[0]['text'] );
		self::assertSame( 303, $this->transfer( 'move', array( $pan ) )->status );
		$reminder = current( array_filter( $this->sent( 13 ), static fn( array $mail ): bool => str_contains( $mail['text'], 'days' ) || str_contains( $mail['subject'], 'Pan' ) ) );
		self::assertMatchesRegularExpression( '/Pan.*New home/s', $reminder['text'] );
		self::assertStringNotContainsString( 'Ann & Sam', $reminder['text'] );
		$pan = $this->add( 'Pan' );
		$this->send_form( 'alice', $this->path( 'gifts' ) . "?item=$pan", 'change', array( 'section' => 'Kitchen' ) );
		$this->service->items[ $pan ]['price'] = 20.0;

		$dollars = $this->other_list( 'alice', 'USD' );
		$form    = $this->form();
		$this->outside->answer( 'PUT /items/*', array(), 503 );
		self::assertSame( 303, $this->transfer( 'move', array( $pan ), $dollars, $form )->status );
		self::assertSame( array( 'Pan' ), $this->service->names( $dollars ) );
		self::assertSame( 'Kitchen', $this->edited( $dollars, $pan )['section'] );
	}

	/** Emails after a look at the buyers on these lists. @return string[] */
	private function told( int ...$lists ): array {
		foreach ( $lists as $list ) {
			$this->in_request( null, static fn() => self::call( 'add_job', 'buyer', null, 0, (string) $list ) );
		}
		$this->run_jobs( 'buyer' );
		return self::about( $this->sent( 0.01 ) );
	}

	public function test_an_uploaded_picture_goes_along(): void {
		$pictures = Plugin::get( GiftPicture::class );
		foreach ( array( 'copy', 'move' ) as $how ) {
			$gift = $this->add( 'Pan' );
			$url  = $pictures->upload( dirname( __DIR__, 3 ) . '/theme/screenshot.png', $this->list->id );

			$this->service->items[ $gift ]['image_url'] = $url;
			self::assertSame( 303, $this->transfer( $how, array( $gift ) )->status );
			$pictures->forget( $this->list->id );
			$stored = end( $this->service->items )['image_url'];
			self::assertSame( array( true, GiftPicture::address( $url, $this->other ) ), array( $stored !== $url, $stored ) );
			self::assertFileExists( str_replace( home_url( '/' ), ABSPATH, $stored ), $how );
		}
		$pictures->forget( $this->other );
	}
}
