<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Giving\Claims;
use Trousseau\Platform\Encryption;

/** One giver buys a gift that several pay for, also where their role ends at a bad moment; and funds, which nobody buys. */
final class BuyerTest extends GivingTestCase {

	private const OWNERS = 'In an envelope to Ann';
	private const MINE   = 'DE89 3704 0044 0532 0130 00, Bob Berg';

	protected function setUp(): void {
		parent::setUp();
		$this->item = array( 'name' => 'Pram', 'unit' => 'money', 'quantity_needed' => 52_000 ) + $this->item;
		wp_update_post( array( 'ID' => $this->list->id, 'post_title' => 'Ann &amp; Sam' ) );
		update_post_meta( $this->list->id, 'registry_invitees', '["bob","carol"]' );
		update_post_meta( $this->list->id, 'registry_pay_to', self::OWNERS );
	}

	/** As the service does: givers send their shares to the one who buys, and a share counts while it is given. */
	protected function change( string $id, array $changes ): array {
		parent::change( $id, $changes );
		if ( in_array( $this->claims[ $id ]['state'], array( 'released', 'expired' ), true ) ) {
			$this->claims[ $id ]['buys'] = false;
		}
		$buyer = array_values( array_filter( $this->claims, static fn( array $claim ): bool => $claim['buys'] ) )[0] ?? null;
		foreach ( $this->claims as &$claim ) {
			$claim['pay_to'] = $buyer['pay_to'] ?? null;
		}
		$given                            = array_filter( $this->claims, static fn( array $claim ): bool => ! in_array( $claim['state'], array( 'released', 'expired' ), true ) );
		$this->item['quantity_purchased'] = array_sum( array_column( $given, 'quantity' ) );
		return $this->claims[ $id ];
	}

	private function share( string $login, int $euros ): string {
		$id = $this->claim( 'reserved', array( 'quantity' => 100 * $euros, 'buys' => false, 'pay_to' => null, 'giver' => array( 'user_id' => self::user( $login ), 'name' => $login, 'email' => "$login@example.test" ) ) );
		$this->change( $id, array() );
		return $id;
	}

	private function own( string $id ): string {
		return $this->see( $this->claims[ $id ]['giver']['name'], self::page_of( $id ) );
	}

	private function given(): string {
		return $this->see( 'alice', "/registries/{$this->list->id}/given/" );
	}

	private function form( string $id, string $action ): array {
		$form = self::form_on( $this->page( $this->claims[ $id ]['giver']['name'], self::page_of( $id ) ), $action );
		self::assertNotSame( array(), $form, $action );
		return $form;
	}

	private function send( string $id, array $form ): Answer {
		return $this->page( $this->claims[ $id ]['giver']['name'], self::page_of( $id ), form: $form );
	}

	private function press( string $id, string $action, array $fields = array() ): void {
		$answer = $this->send( $id, $fields + $this->form( $id, $action ) );
		self::assertSame( 303, $answer->status, self::words( $answer->text ) );
	}

	private function buy( string $id, array $also = array() ): void {
		$this->press( $id, 'buy', $also + array( 'pay_to' => self::MINE ) );
	}

	/** Emails with these words in their subjects, each as its receiver and text. @return string[] */
	private function told( string $about = '' ): array {
		$this->in_request( null, fn() => self::call( 'add_job', 'buyer', null, 0, (string) $this->list->id ) );
		$this->run_jobs( 'buyer' );
		$mails = array_filter( $this->sent( 0.01 ), static fn( array $mail ): bool => str_contains( $mail['subject'], $about ) );
		$texts = array_map( static fn( array $mail ): string => strtok( $mail['to'][0], '@' ) . ': ' . self::words( $mail['text'] ), $mails );
		sort( $texts );
		return $texts;
	}

	private function receivers( string $about ): array {
		return array_map( static fn( string $mail ): string => strtok( $mail, ':' ), $this->told( $about ) );
	}

	private function assert_pages( array $expected ): void {
		foreach ( $expected as $id => $pattern ) {
			self::assertMatchesRegularExpression( $pattern, $this->own( (string) $id ) );
		}
	}

	public function test_another_takes_over_from_one_who_steps_back(): void {
		list( $bob, $carol ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 120 ) );
		$this->buy( $bob );
		$this->told();
		$this->press( $bob, 'not-buy' );
		$this->assert_pages( array( $carol => '/Nobody is buying it for everyone yet/' ) );
		self::assertSame( array( 'carol' ), $this->receivers( 'Nobody is buying' ) );
		$this->buy( $carol, array( 'pay_to' => 'To Carol' ) );
		$this->assert_pages( array( $bob => '/carol is buying it for everyone.*To Carol/i' ) );
	}

	public function test_all_hear_once_when_the_goal_is_reached(): void {
		$bob = $this->share( 'bob', 300 );
		$this->buy( $bob );
		$reached = 'is fully funded';
		self::assertSame( array(), $this->told( $reached ), 'money is missing' );
		$carol = $this->share( 'carol', 220 );
		$mails = $this->told( $reached );
		self::assertCount( 2, $mails );
		self::assertMatchesRegularExpression( '/^bob: .*You’re buying it. The page below says who has sent their share/', $mails[0] );
		self::assertMatchesRegularExpression( '/^carol: .*bob is buying it for everyone\. Send your share to bob/i', $mails[1] );
		$this->press( $carol, 'change', array( 'amount' => '219' ) );
		$this->press( $carol, 'change', array( 'amount' => '220' ) );
		self::assertSame( array(), $this->told( $reached ), 'once' );
	}

	public function test_the_one_who_buys_spends_all_their_shares_and_the_missing_money_when_it_is_bought(): void {
		list( $bob, $carol ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 100 ) );
		self::assert_refused( '/This IBAN isn’t valid/', $this->send( $bob, array( 'pay_to' => str_replace( 'DE89', 'DE98', self::MINE ) ) + $this->form( $bob, 'buy' ) ) );
		$this->buy( $bob );
		$second = $this->share( 'bob', 50 );
		self::assertStringNotContainsString( '€50', $this->own( $bob ), 'their own share comes from nobody else' );
		$shown = $this->page( 'bob', self::page_of( $second ) )->text;
		self::assertStringContainsString( 'You’re buying it yourself, so you keep this share, too', self::words( $shown ) );
		self::assertDoesNotMatchRegularExpression( '/DE89|how to send it|I’ve sent it|One of you/', self::words( $shown ) );
		self::assertStringContainsString( 'href="' . esc_url( self::page_of( $bob ) ) . '"', $shown, 'a way to the other share' );
		self::assert_shows( 'Buy it by', $this->see( 'bob', '/registries/my-gifts/' ), hides: array( 'Send by', 'Reserved for you' ) );
		$this->told();

		$this->press( $carol, 'change', array( 'amount' => '100' ) );
		$this->assert_pages( array( $bob => '/The others still have to send you €100.*€70 is still missing\. Once it’s bought, nobody else can chip in.*Buy it anyway\?.*You can’t undo this\. If you’re paying the rest yourself, add it to your share first/' ) );
		$this->press( $bob, 'change', array( 'amount' => '370' ) );
		list( $bought, $former ) = array( $this->form( $bob, 'bought' ), $this->form( $carol, 'release' ) );
		self::assertStringNotContainsString( 'is missing', $this->own( $bob ) );
		self::assert_each( 303, array( 'pressed', 'pressed again' ), fn(): int => $this->send( $bob, $bought )->status );
		$this->assert_pages( array( $bob => '/€370 towards Pram.*You’ve bought it for everyone\. The others still have to send you €100/', $second => '/€50 towards Pram.*You’ve bought it, and this share paid for it/', $carol => '/bob has bought it for everyone\. Send your share to bob.*I’ve sent it/i' ) );
		$heard = $this->told( 'has been bought' );
		self::assertCount( 1, $heard );
		self::assertMatchesRegularExpression( '/^carol: .*bob has bought it for everyone\. If you haven’t sent them your share yet/', $heard[0] );
		self::assertSame( array(), $this->told(), 'once, and in one mail' );
		self::assertDoesNotMatchRegularExpression( '/Cancel my gift|Cancel my share|Change amount/', $this->own( $carol ) . $this->own( $bob ) );
		self::assertSame( 422, $this->send( $carol, $former )->status );
	}

	public function test_whoever_receives_shares_stays_the_same_once_one_is_sent_and_nobody_steps_back_while_they_have_money_of_others(): void {
		list( $bob, $carol ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 120 ) );
		$early               = $this->form( $bob, 'buy' );
		$this->press( $carol, 'bought' );
		$this->assert_pages( array( $carol => '/You’ve sent it/', $bob => '/Everyone’s shares go to the owners.*In an envelope to Ann/' ) );
		self::assertStringNotContainsString( 'I’ll buy it', $this->own( $bob ) );
		self::assert_refused( '/Someone has already sent their share to the owners/', $this->send( $bob, array( 'pay_to' => self::MINE ) + $early ) );
		self::assertFalse( $this->claims[ $bob ]['buys'] );
		$this->press( $carol, 'got-back' );
		self::assertSame( 'released', $this->claims[ $carol ]['state'] );
		$carol = $this->share( 'carol', 120 );
		self::assert_refused( '/Say how the others should pay you/', $this->send( $bob, array( 'pay_to' => ' ' ) + $this->form( $bob, 'buy' ) ) );
		$this->buy( $bob );
		self::assertCount( 1, $this->told( 'bob is buying “Pram” from “Ann & Sam”' ) );
		$ways = fn(): array => array_map( fn( string $action ): bool => self::form_on( $this->page( 'bob', self::page_of( $bob ) ), $action ) !== array(), array( 'not-buy', 'release' ) );
		self::assertSame( array( true, true ), $ways() );
		$this->press( $carol, 'bought' );
		$this->assert_pages( array( $carol => '/You’ve sent it.*is buying it for everyone\.(?! Send your share)/', $bob => '/carol €120 Sent .*Can’t buy it after all\? Others have sent you €120/i' ) );
		self::assertSame( array( false, false ), $ways() );
		foreach ( array( 'not-buy', 'release' ) as $action ) {
			self::assert_refused( '/Others have sent you €120/', $this->send( $bob, array( 'do' => $action ) ) );
			self::assertSame( array( true, 'reserved' ), array( $this->claims[ $bob ]['buys'], $this->claims[ $bob ]['state'] ) );
		}
		$this->press( $carol, 'got-back' );
		self::assertSame( array( true, true ), $ways() );
		self::assertSame( 303, $this->send( $bob, array( 'do' => 'not-buy' ) )->status );
	}

	/** @return string[] The buttons that a share's giver sees without opening anything. */
	private function buttons( string $id ): array {
		$page = $this->page( $this->claims[ $id ]['giver']['name'], self::page_of( $id ) )->text;
		$seen = (string) preg_replace( '~<details(?![^>]* open)(?:(?!</?details).|(?R))*</details>~s', '', $page );
		preg_match_all( '/name="do" value="([\w-]+)"/', $seen, $found );
		return $found[1];
	}

	public function test_each_stage_has_one_button_a_link_or_two_and_the_rest_is_a_press_away(): void {
		update_post_meta( $this->list->id, 'registry_event_date', wp_date( 'Y-m-d' ) );
		list( $bob, $carol ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 220 ) );
		$known               = function ( string $id ): array {
			preg_match_all( '/<span title="(.*?)">/', $this->page( $this->claims[ $id ]['giver']['name'], self::page_of( $id ) )->text, $faces );
			return $faces[1];
		};
		self::assertSame( array( 'bought', 'keep', 'release' ), $this->buttons( $carol ), 'to send' );
		self::assertSame( array( array( 'bob' ), array( 'carol' ) ), array( $known( $bob ), $known( $carol ) ), 'initials of givers whom the reader knows' );
		$this->buy( $bob );
		self::assertSame( array( array( 'bob', 'carol' ), array( 'carol', 'bob' ) ), array( $known( $bob ), $known( $carol ) ) );
		self::assertSame( array( 'bought' ), $this->buttons( $bob ), 'buys it' );
		$this->press( $carol, 'bought' );
		self::assertSame( array(), $this->buttons( $carol ), 'sent' );
		$late = $this->share( 'carol', 20 );
		$this->press( $bob, 'bought' );
		self::assertSame( array(), $this->buttons( $bob ), 'bought' );
		self::assertSame( array( 'bought' ), $this->buttons( $late ), 'is to send' );
	}

	public function test_a_press_while_the_service_is_away_is_made_again_with_everything_that_was_typed(): void {
		$bob  = $this->share( 'bob', 300 );
		$form = array( 'pay_to' => "In a <blue>\nenvelope" ) + $this->form( $bob, 'buy' );
		$away = array( 'detail' => 'away' );
		$this->outside->answer( '* /claims/*', $away, 503 );
		foreach ( array( 'GET', 'PATCH' ) as $method ) {
			$this->outside->answer( "$method /claims/*", new \WP_Error( 'http_request_failed', 'away' ) );
		}
		$answer = $this->send( $bob, $form );
		self::assert_refused( '/Nothing you typed is lost: try again in a minute.*Try again/', $answer );
		self::assertStringContainsString( 'value="In a &lt;blue&gt;', $answer->text );
		self::assertMatchesRegularExpression( '/can’t be shown right now.*Try again/', $this->own( $bob ), 'a page has a link' );
		$foreign = $this->page( 'bob', self::page_of( $bob ), server: array( 'HTTP_SEC_FETCH_SITE' => 'cross-site' ), form: $form );
		self::assertStringNotContainsString( 'value="buy"', $foreign->text, 'a form of another site is not offered' );
	}

	public function test_a_form_that_was_opened_before_changes_nothing_else_than_it_said(): void {
		list( $bob, $carol ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 120 ) );
		$sending             = $this->form( $carol, 'bought' );
		$this->buy( $carol, array( 'pay_to' => 'To Carol' ) );
		self::assert_refused( '/You can’t do this any more/', $this->send( $carol, $sending ) );
		$buying = $this->form( $carol, 'bought' );
		$this->press( $carol, 'not-buy' );
		self::assert_refused( '/You can’t do this any more/', $this->send( $carol, $buying ) );
		$this->assert_pages( array( $carol => '/Please send it by/' ) );

		$sending = $this->form( $carol, 'bought' );
		$this->buy( $bob );
		self::assert_refused( '/You can’t do this any more/', $this->send( $carol, $sending ) );
	}

	public function test_a_share_that_is_sent_stays_as_it_is_until_its_giver_has_the_money_back(): void {
		list( $bob, $carol ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 60 ) );
		$former              = $this->form( $carol, 'release' );
		$this->press( $carol, 'bought' );
		$words = '/You’ve told us that you sent your share.*so please ask them/';
		$this->assert_pages( array( $carol => $words ) );
		self::assertDoesNotMatchRegularExpression( '/name="amount"|value="release"/', $this->page( 'carol', self::page_of( $carol ) )->text );
		self::assert_refused( $words, $this->send( $carol, $former ) );
		self::assert_refused( $words, $this->send( $carol, array( 'do' => 'change', 'amount' => '160' ) ) );
		$this->press( $carol, 'change', array( 'message' => 'With love' ) );
		self::assertSame( array( 'purchased', 6_000, 'With love' ), array( $this->claims[ $carol ]['state'], $this->claims[ $carol ]['quantity'], $this->claims[ $carol ]['message'] ) );

		$this->press( $carol, 'got-back' );
		self::assert_refused( '/You can’t do this any more/', $this->send( $carol, array( 'do' => 'got-back' ) ) );
		$carol = $this->share( 'carol', 160 );
		self::assert_refused( '/You can’t do this any more/', $this->send( $carol, array( 'do' => 'got-back' ) ) );
		$this->buy( $bob );
		$this->press( $carol, 'bought' );
		$this->assert_pages( array( $bob => '/The others have sent you €160\..*carol €160 sent/i' ) );
		self::assert_refused( $words, $this->send( $carol, $former ) );
		$this->press( $carol, 'got-back' );
		self::assertStringNotContainsStringIgnoringCase( 'carol', $this->own( $bob ) );
	}

	public function test_a_share_whose_money_the_owners_have_does_not_end_and_those_of_a_bought_gift_neither(): void {
		$ends  = fn( string $id ): bool => strtotime( $this->claims[ $id ]['expires_at'] ) > time() + 80 * DAY_IN_SECONDS;
		$carol = $this->share( 'carol', 60 );
		self::assertSame( 303, $this->send_form( 'alice', "/registries/{$this->list->id}/given/", 'here' )->status );
		self::assertTrue( $ends( $carol ) );
		list( $bob, $second ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 50 ) );
		$this->buy( $bob );
		$this->told();
		self::assertFalse( $ends( $bob ), 'nobody has sent them anything' );
		$this->press( $this->share( 'carol', 20 ), 'bought' );
		$this->told();
		self::assertTrue( $ends( $bob ), 'somebody has' );
		$this->press( $bob, 'bought' );
		$this->told();
		self::assertSame( array( 'reserved', true ), array( $this->claims[ $second ]['state'], $ends( $second ) ) );
		$this->assert_pages( array( $second => '/It’s bought. Please send your share.*I’ve sent it/' ) );
		$this->told();
		$this->remove();
		$this->run_later( 'gift-lost' );
		$told = implode( "\n", $this->told( 'was removed' ) );
		self::assertMatchesRegularExpression( '/^bob: .*You’ve already bought it for everyone, so please tell the owners/m', $told );
		self::assertMatchesRegularExpression( '/^carol: .*A guest had already bought it for everyone/m', $told );
		$this->assert_pages( array( $second => '/€50 towards Pram.*It’s bought. Please send your share.*IBAN/', $bob => '/The owners have removed this gift from their list. Please tell them that you’ve bought it\..*carol €50 not sent yet/i' ) );
		self::assertMatchesRegularExpression( '/€300 towards Pram For Ann & Sam · Bought · No longer on the list/', $this->see( 'bob', '/registries/my-gifts/' ) );
		self::assertStringNotContainsString( 'Money others have sent you', $this->own( $bob ) );
	}

	private function remove(): void {
		$this->outside->answer( 'DELETE /registries/*/items/1', function (): string {
			$this->outside->answer( 'GET /registries/*/items', array() );
			$this->outside->answer( 'GET /items/1', array( 'detail' => 'Item not found' ), 404 );
			$this->outside->answer( 'GET /claims?*', fn(): array => array_values( array_map( static fn( array $claim ): array => array( 'item' => null ) + $claim, $this->claims ) ) );
			return '';
		}, 204 );
		self::assertSame( 303, $this->page( 'alice', "/registries/{$this->list->id}/gifts/", form: array( 'do' => 'remove', 'item' => '1' ) )->status );
	}

	public function test_the_one_who_buys_a_gift_that_is_removed_cancels_once_those_who_sent_them_money_have_it_back(): void {
		list( $bob, $carol ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 120 ) );
		$this->buy( $bob );
		$this->press( $carol, 'bought' );
		$this->remove();
		$words = '/Cancel my share Others have sent you €120.*Then you can cancel your share here/';
		$this->assert_pages( array( $bob => $words, $carol => '/Your €120 is with bob: please ask bob to return it/' ) );
		self::assert_refused( '/Then you can cancel your share here/', $this->send( $bob, array( 'do' => 'release' ) ) );
		self::assertSame( array(), $this->buttons( $bob ) );
		self::assert_shows( 'Sent to another guest · No longer on your list', $this->given(), hides: 'Please return' );
		$this->press( $carol, 'got-back' );
		$this->press( $bob, 'release' );
		self::assertSame( array( 'released', 'released' ), array_column( $this->claims, 'state' ) );
	}

	public function test_a_gift_that_is_bought_for_less_takes_no_more_shares_and_owners_read_who_has_bought_it(): void {
		list( $bob, $carol ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 120 ) );
		$this->buy( $bob );
		$this->assert_pages( array( $bob => '/View in shop/' ) );
		self::assertStringContainsString( '€300 towards Pram Is buying it for everyone', $this->given() );
		$this->press( $carol, 'bought' );
		self::assertStringContainsString( '€120 towards Pram Sent to another guest', $this->given() );
		self::assertSame( array(), array_intersect( array( 'bought' ), $this->buttons( $bob ) ), 'the button asks first' );
		foreach ( array( array(), array( 'missing' => '9999' ) ) as $asked ) {
			self::assert_refused( '/€100 is still missing\. Buy it anyway\?/', $this->send( $bob, array( 'do' => 'bought' ) + $asked ) );
		}
		$this->press( $bob, 'bought' );
		$this->assert_pages( array( $bob => '/The others have sent you €120\..*Nobody has promised the remaining €100, and nobody can chip in any more/' ) );
		self::assertDoesNotMatchRegularExpression( '/are sending you|How the others pay you|anyway/', $this->own( $bob ) );
		self::assertStringContainsString( '€300 towards Pram Has bought it for everyone', $this->given() );
		$mails = implode( preg_grep( '/^bob:/', $this->told( 'Thank you' ) ) );
		self::assertStringContainsString( 'Thank you for buying it for everyone! Your own share is €300 towards Pram', $mails );
		self::assertDoesNotMatchRegularExpression( '/sent “|is still needed/', $mails );
		$list = $this->see( 'bob', $this->list->link );
		self::assertStringContainsString( 'A guest has bought it for everyone', $list );
		self::assertDoesNotMatchRegularExpression( '/needed|Chip in/', $list );
		$give = "/registries/{$this->list->id}/give/?item=1";
		self::assertStringContainsString( 'A guest has bought it for everyone', $this->see( 'alice', $give ) );
		self::assertStringContainsString( 'A guest has bought it for everyone', self::words( $this->page( 'alice', $give, form: array( 'do' => 'give', 'share' => '2500' ) )->text ) );
		self::assertSame( array(), preg_grep( '/claims$/', $this->outside->asked( 'POST' ) ) );
	}

	public function test_the_buyer_is_asked_about_money_that_went_missing_unseen_and_not_where_that_is_unknown(): void {
		list( $bob, $carol ) = array( $this->share( 'bob', 400 ), $this->share( 'carol', 120 ) );
		$this->buy( $bob );
		$this->see( 'bob', $this->list->link );
		$this->change( $carol, array( 'state' => 'expired' ) );
		self::assert_refused( '/€120 is still missing\. Buy it anyway\?/', $this->send( $bob, array( 'do' => 'bought' ) ) );
		self::assertSame( '12000', $this->form( $bob, 'bought' )['missing'] );
		self::call( 'gift-list.forget_gifts', $this->list->id );
		$this->outside->answer( 'GET /registries/*/items', array( 'detail' => 'Not now' ), 503 );
		self::assert_refused( '/€120 is still missing\. Buy it anyway\?/', $this->send( $bob, array( 'do' => 'bought' ) ) );
		$this->outside->answer( 'GET /items/1', array( 'detail' => 'Not now' ), 503 );
		self::assert_refused( '/Nothing you typed is lost: try again in a minute/', $this->send( $bob, array( 'do' => 'bought' ) ) );
		self::assertSame( 'reserved', $this->claims[ $bob ]['state'] );
	}

	public function test_a_gift_takes_no_more_shares_although_the_answer_to_its_buyer_was_lost(): void {
		list( $bob, $carol ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 120 ) );
		$this->buy( $bob );
		$second = $this->share( 'bob', 50 );
		$this->told();
		$form                  = $this->form( $bob, 'bought' );
		$this->outside->losing = array( 'PATCH' );
		self::assertSame( 422, $this->send( $bob, $form )->status );
		$this->outside->losing = array();
		$this->run_jobs( 'buyer' );
		self::assertStringContainsString( 'A guest has bought it for everyone', $this->see( 'carol', $this->list->link ) );
		self::assertSame( 'purchased', $this->claims[ $second ]['state'], 'the buyer’s other share is spent' );
		self::assertContains( 'carol', array_map( static fn( array $mail ): string => strtok( $mail['to'][0], '@' ), $this->sent( 0.01 ) ) );
	}

	public function test_a_share_that_nobody_confirmed_before_the_gift_was_bought_is_not_asked_for_and_can_be_cancelled(): void {
		list( $bob, $carol ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 60 ) );
		$this->change( $carol, array( 'state' => 'pending' ) );
		$this->buy( $bob );
		$this->press( $bob, 'bought' );
		self::assertMatchesRegularExpression( '/A guest has bought it for everyone(?!.*confirm)/', $this->own( $carol ) );
		self::assertSame( array( 'release' ), $this->buttons( $carol ) );
		foreach ( array( array( 'do' => 'confirm' ), array( 'do' => 'bought', 'to' => Encryption::hex( 'share', $bob ) ) ) as $form ) {
			self::assert_refused( '/You can’t do this any more/', $this->page( 'carol', Claims::link( $carol, confirms: true ), form: $form ) );
		}
		$this->press( $carol, 'release' );
		self::assertSame( 'released', $this->claims[ $carol ]['state'] );
	}

	public function test_a_giver_who_is_no_longer_invited_can_still_say_that_a_share_is_sent(): void {
		$carol = $this->share( 'carol', 120 );
		update_post_meta( $this->list->id, 'registry_invitees', '["bob"]' );
		self::assertStringNotContainsString( self::OWNERS, $this->own( $carol ) );
		$this->press( $carol, 'bought' );
		$this->assert_pages( array( $carol => '/You’ve sent it/' ) );
	}

	public function test_nobody_hears_news_of_themselves(): void {
		list( $bob, $carol ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 120 ) );
		$this->buy( $bob );
		$this->run_jobs( 'buyer' );
		$this->press( $bob, 'not-buy' );
		$this->buy( $carol, array( 'pay_to' => 'To Carol' ) );
		self::assertSame( array( 'bob' ), $this->receivers( 'carol is buying' ) );
	}

	public function test_no_stranger_whom_the_owners_have_not_invited_has_their_money_sent_elsewhere(): void {
		$this->rest( 'alice', 'POST', "/wp/v2/registry/{$this->list->id}", array( 'status' => 'publish' ) );
		update_post_meta( $this->list->id, 'registry_invitees', '["bob"]' );
		$stranger = $this->share( 'carol', 120 );
		$this->assert_pages( array( $stranger => '/Nobody is buying it for everyone yet, so send your share to the owners/' ) );
		self::assertDoesNotMatchRegularExpression( '/I.ll buy it|If you buy it/', $this->own( $stranger ) );
		self::assert_refused( '/Only guests the owners have invited can buy it/', $this->send( $stranger, array( 'do' => 'buy', 'pay_to' => 'paypal.me/elsewhere' ) ) );
		$bob = $this->share( 'bob', 100 );
		$this->assert_pages( array( $bob => '/If you buy it.*In an envelope to Ann/' ) );
		$this->buy( $bob );
		$this->assert_pages( array( $stranger => '/bob is buying it/i' ) );
	}

	public function test_a_change_of_a_list_that_the_site_could_not_read_is_looked_at(): void {
		$this->share( 'bob', 520 );
		self::call( 'gift-list.forget_gifts', $this->list->id );
		$this->outside->answer( 'GET /registries/*/items', array( 'detail' => 'Not now' ), 503 );
		do_action( 'trousseau_change_reported', $this->list->id );
		self::assertCount( 1, self::jobs( 'buyer' ) );
	}

	public function test_givers_hear_with_whom_the_money_is_when_the_list_is_deleted_unless_it_is_put_back(): void {
		list( $bob, $carol ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 120 ) );
		$this->buy( $bob );
		$this->press( $carol, 'bought' );
		$this->told();
		$hear = fn( float $days ): array => array_map( static fn( array $mail ): string => $mail['to'][0] . self::words( $mail['text'] ), $this->sent( $days ) );
		$act  = fn( callable $what ): mixed => $this->in_request( 'admin', fn(): mixed => $what( $this->list->id ), 'POST', '/wp-admin/post.php' );
		$act( 'wp_trash_post' );
		$act( 'wp_untrash_post' );
		self::assertSame( array(), $hear( 1 ), 'it is back' );
		$act( 'wp_trash_post' );
		$act( 'wp_untrash_post' );
		$act( 'wp_trash_post' );
		$act( 'wp_delete_post' );
		self::assertSame( array(), $hear( 0.001 ), 'there is time to put it back' );
		$heard = $hear( 1 );
		self::assertCount( 2, $heard );
		self::assertMatchesRegularExpression( '/€300 towards Pram.*Please return it: carol \(€120\).*never handles money/i', $heard[0] . $heard[1] );
		self::assertMatchesRegularExpression( '/€120 towards Pram Your €120 is with bob\./i', $heard[0] . $heard[1] );
	}

	public function test_the_keeper_reads_that_the_one_whom_they_erase_has_money_of_others_unless_it_is_a_surprise_for_them(): void {
		$this->outside->answer( 'DELETE /claims?*', array( 'erased' => 0 ) );
		list( $bob, $carol ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 120 ) );
		$this->buy( $bob );
		$this->press( $carol, 'bought' );
		$messages = fn(): string => implode( $this->in_request( 'admin', static fn(): array => self::call( 'personal_data', 'eraser', 'bob@example.test', 1 ) )['messages'] );
		self::assertStringStartsWith( 'Guests say they sent this person money for 1 group gift', $messages() );
		update_post_meta( $this->list->id, 'registry_surprise_until', 'always' );
		wp_update_post( array( 'ID' => $this->list->id, 'post_author' => self::user( 'admin' ) ) );
		self::assertSame( '', $messages() );
	}

	public function test_a_surprised_owner_learns_nothing_of_the_one_who_buys(): void {
		update_post_meta( $this->list->id, 'registry_surprise_until', 'always' );
		$bob    = $this->share( 'bob', 300 );
		$seen   = fn(): array => array_map( fn( string $page ): string => $this->see( 'alice', "/registries/{$this->list->id}/$page/" ), array( 'gifts', 'given', 'details' ) );
		$before = $seen();
		$this->buy( $bob );
		$this->share( 'carol', 220 );
		self::assertSame( $before, $seen() );
		self::assertSame( array(), preg_grep( '/^alice:/', $this->told() ) );
	}

	private function said( string $id, array $form ): string {
		$answer = $this->send( $id, $form );
		self::assertSame( 303, $answer->status );
		return self::words( $this->page( $this->claims[ $id ]['giver']['name'], self::page_of( $id ), $answer->cookies )->text );
	}

	public function test_if_the_role_becomes_free_all_the_same_one_email_tells_everybody(): void {
		list( $bob, $carol, ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 120 ), $this->share( 'dora', 10 ) );
		self::assertStringContainsString( 'Thank you! The others can see that someone is buying it', $this->said( $bob, array( 'do' => 'buy', 'pay_to' => 'To Bob' ) ) );
		self::assertStringContainsString( 'Your changes are saved', $this->said( $bob, array( 'do' => 'buy', 'pay_to' => 'To my office' ) ) );
		$this->press( $carol, 'bought' );
		$this->told();
		$this->change( $bob, array( 'state' => 'expired' ) );
		$told = $this->told();
		self::assertSame( array( 2, 2 ), array( count( $told ), count( preg_grep( '/^(carol|dora): Someone was going to buy.*If you’ve already sent them your share, please ask for it back/', $told ) ) ) );
	}

	public function test_a_fund_never_speaks_of_buying(): void {
		$this->item['url']   = $this->list->link;
		list( $bob, $carol ) = array( $this->share( 'bob', 300 ), $this->share( 'carol', 220 ) );
		$spoken              = array( $this->see( 'bob', $this->list->link ), $this->see( 'bob', "/registries/{$this->list->id}/give/?item=1" ), $this->own( $bob ), $this->own( $carol ), ...$this->told( 'is fully funded' ) );
		self::assertCount( 6, $spoken );
		self::assertDoesNotMatchRegularExpression( '/\b(buy|bought)/i', implode( $spoken ) );
		self::assertSame( 422, $this->send( $bob, array( 'do' => 'buy', 'pay_to' => 'To Bob' ) )->status );

		$this->claims[ $bob ] = array( 'buys' => true, 'pay_to' => 'To Bob' ) + $this->claims[ $bob ];
		self::assertSame( array(), $this->told() );
		$this->assert_pages( array( $carol => '/^(?!.*\b(buy|bought|To Bob)).*In an envelope/i' ) );
		$this->press( $carol, 'bought' );
		self::assertStringContainsString( 'Sent', $this->given() );
	}

	public function test_a_fund_may_have_no_goal(): void {
		$stored = array();
		$store  = function ( array $request ) use ( &$stored ): array {
			$stored     = $request['body'];
			$this->item = $stored + $this->item;
			return array( 'data' => $this->item );
		};
		$this->outside->answer( 'POST /registries/*/items', $store, 201 );
		$this->outside->answer( 'PUT /items/1', $store );
		$gifts = "/registries/{$this->list->id}/gifts/";
		$fund  = array( 'do' => 'add', 'name' => 'Honeymoon', 'kind' => 'money', 'price' => '', 'pay_to' => 'In an envelope' );
		self::assertSame( 303, $this->page( 'alice', $gifts, form: $fund )->status );
		self::assertSame( array( 'money', 2_147_483_647 ), array( $stored['unit'], $stored['quantity_needed'] ) );
		self::assertSame( 422, $this->page( 'alice', $gifts, form: array( 'kind' => '', 'several' => '1' ) + $fund )->status, 'a thing has a price' );
		self::assertMatchesRegularExpression( '/<input(?=[^>]* name="price")(?=[^>]* value="")(?![^>]* required)/', $this->page( 'alice', "$gifts?item=1" )->text );

		$carol = $this->share( 'carol', 120 );
		$give  = "/registries/{$this->list->id}/give/?item=1";
		$seen  = implode( array_map( fn( string $path ): string => $this->page( 'carol', $path )->text, array( $this->list->link, $give, self::page_of( $carol ) ) ) );
		self::assertDoesNotMatchRegularExpression( '/21,474|<progress/', $seen . $this->page( 'alice', $gifts )->text );
		self::assertStringContainsString( 'Any amount is welcome', self::words( $seen ) );
		self::assertDoesNotMatchRegularExpression( '~still needed|€[\d,.]{4,} Other~', $this->see( 'carol', $give ) );
		$cancelled = $this->said( $carol, array( 'do' => 'release' ) );
		self::assertStringContainsString( 'Your share is cancelled. Undo', $cancelled );
		$this->change( $carol, array( 'state' => 'expired' ) );
		self::assertStringNotContainsString( 'this amount', $seen . $cancelled . $this->own( $carol ), 'the amount isn’t missing for anybody' );
		$this->change( $carol, array( 'state' => 'reserved' ) );
		self::assertSame( 422, $this->page( 'bob', $give, form: array( 'do' => 'give', 'share' => 'own', 'amount' => '500000' ) )->status, 'nobody fills it alone' );
		update_post_meta( $this->list->id, 'registry_event_date', wp_date( 'Y-m-d' ) );
		self::assertSame( array(), $this->told( 'the goal wasn’t reached' ), 'nothing is missing on the day' );

		self::assertSame( 303, $this->page( 'alice', $gifts, form: array( 'do' => 'change', 'item' => '1', 'price' => '500' ) + $fund )->status );
		self::assertSame( 50_000, $stored['quantity_needed'] );
	}
}
