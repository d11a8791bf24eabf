<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Plugin;
use Trousseau\Service\ItemService;

/** Pages while the service is silent, away or replaced by another server: short waits, no false words, and nothing lost. */
final class OutageTest extends ListTestCase {

	private const SILENCE = 'Connection timed out';

	private array $gran;

	protected function setUp(): void {
		parent::setUp();
		$this->begin( array( 'registry_surprise_until' => '' ), 'private', array( 'Pan', 3 ) );
		delete_post_meta( $this->list->id, 'registry_surprise_until' );
		$this->gran = $this->guest();
		$this->give( $this->gran );
	}

	private function break_service( mixed $body = null, int $status = 200 ): void {
		foreach ( array( 'GET', 'POST', 'PUT', 'PATCH', 'DELETE' ) as $method ) {
			$this->outside->answer( "$method *", $body ?? new \WP_Error( 'http_request_failed', self::SILENCE ), $status );
		}
		$this->outside->requests = array();
	}

	public function test_a_page_waits_for_a_silent_service_once(): void {
		$claim = (string) array_key_first( $this->service->claims );
		$given = $this->path( 'given' );
		$forms = array(
			array( 'alice', $given, 'write', array(), "GET /registries/{$this->list->id}/claims" ),
			array( null, self::page_of( $claim ), 'bought', $this->gran, "GET /claims/$claim" ),
			array( 'alice', $this->path( 'guests' ), 'invite', array(), "POST /registries/{$this->list->id}/invitees" ),
		);
		$forms = array_map( fn( array $form ): array => array( ...$form, self::form_on( $this->page( $form[0], $form[1], $form[3] ), $form[2] ) ), $forms );
		$this->break_service();
		foreach ( $forms as list( $who, $path, $action, $cookies, $request, $form ) ) {
			$this->outside->requests = array();
			$typed                   = array( 'thanks-' . $claim => 'Typed words', 'guests' => 'typed@example.org' );
			$answer                  = $this->page( $who, $path, $cookies, form: array_intersect_key( $typed, $form ) + $form );
			self::assertSame( 422, $answer->status, $action );
			self::assertSame( array( $request ), array_values( preg_grep( '#^GET /registries/\d+/items$#', $this->outside->asked(), PREG_GREP_INVERT ) ), $action );
			self::assert_shows( array_intersect_key( $typed, $form ), $answer->text );
		}
	}

	public function test_a_page_gives_a_silent_service_a_moment_and_shows_nothing_to_who_may_no_longer_see_it(): void {
		update_option( 'dev_patience', 1 );
		$guests = $this->path( 'guests' );
		foreach ( array( array( null, $this->list->link, 'items', 0.4 ), array( null, $this->list->link, 'items', 1.5 ), array( 'alice', $guests, 'claims', 0.5 ) ) as list( $who, $path, $asked, $most ) ) {
			$is_known = $most < 1;
			$this->break_service();
			$this->in_request( null, fn() => array( self::call( 'gift-list.forget_trouble' ), $is_known || self::call( 'gift-list.forget_gifts', $this->list->id ) ) );
			$page     = $this->page( $who, $path, $who ? array() : $this->gran )->text;
			$requests = array_filter( $this->outside->requests, static fn( array $request ): bool => str_ends_with( $request['path'], "/$asked" ) );
			self::assertEqualsWithDelta( $most, max( array_column( $requests, 'timeout' ) ), 0.05, "$path: $asked" );
			self::assertSame( $is_known && ! $who, str_contains( $page, 'Pan</h3>' ) );
			$is_known || self::assertMatchesRegularExpression( '/can’t be shown right now.*<h2[^>]* hidden>Gifts</s', $page, 'no heading stands above nothing' );
		}
		update_post_meta( $this->list->id, 'registry_invitees', '[]' );
		self::assertSame( 404, $this->page( null, $this->list->link, $this->gran )->status );
	}

	public function test_who_gives_is_not_told_where_it_cannot_be_read(): void {
		$words = 'What your guests are giving can’t be shown right now';
		foreach ( array( null, array( 'detail' => 'Not today' ), '<html>' ) as $n => $body ) {
			$this->break_service( $body, $n === 1 ? 503 : 200 );
			self::assertStringContainsString( $words, $this->see( 'alice', $this->path( 'guests' ) ) );
		}
		update_post_meta( $this->list->id, 'registry_surprise_until', 'always' );
		self::assertStringNotContainsString( $words, $this->see( 'alice', $this->path( 'guests' ) ), 'a surprise' );
	}

	public function test_a_gift_s_form_says_before_it_is_filled_in_that_it_cannot_be_stored_and_a_new_list_has_nothing_to_miss(): void {
		$new   = $this->registry( 'alice', array( 'title' => 'New', 'status' => 'private', 'meta' => array( 'registry_invitees' => '["bob"]' ) ) )->id;
		$forms = array( '?by-hand=1' => 'Gifts can’t be added right now. Save this one as a draft', '?fund=1' => 'Gifts can’t be added right now', '?item=1' => 'Gifts can’t be changed right now' );
		$see   = fn( string $form ): string => $this->see( 'alice', $this->path( 'gifts' ) . $form );
		foreach ( $forms as $form => $words ) {
			self::assertStringNotContainsString( $words, $see( $form ) );
		}
		$this->break_service();
		foreach ( $forms as $form => $words ) {
			self::assertStringContainsString( $words, $see( $form ) );
		}
		foreach ( array( 'home', 'guests' ) as $page ) {
			self::assertStringContainsString( 'What your guests are giving can’t be shown', $this->see( 'alice', $this->path( $page ) ) );
			self::assertStringNotContainsString( 'What your guests are giving can’t be shown', $this->see( 'alice', "/registries/$new/$page/" ) );
		}
		self::assertMatchesRegularExpression( '/Your gifts can’t be shown right now\. Please come back in a minute\. Try again .*Email me the link/s', $this->see( null, self::gifts_by_email() ), 'the way to try again is right below' );
	}

	public function test_a_gift_that_a_kept_list_lacks_is_not_called_gone(): void {
		$late = $this->service->add( $this->list->id, array( 'name' => 'Late', 'url' => 'https://shop.example/late', 'quantity_needed' => 1 ) )->json['data']['id'];
		$this->service->give( $late, array( 'state' => 'purchased', 'giver' => array( 'name' => 'Gran', 'email' => self::GRAN ) ) );
		$this->outside->answer( 'GET /registries/*/items', new \WP_Error( 'http_request_failed', self::SILENCE ) );
		$given = $this->see( 'alice', $this->path( 'given' ) );
		self::assert_shows( 'A gift', $given, hides: 'no longer' );
		$give = $this->see( null, $this->path( 'give' ) . "?item=$late", $this->gran );
		self::assert_shows( 'The gifts can’t be shown right now', $give, hides: 'no longer' );
		$edit = $this->see( 'alice', $this->path( 'gifts' ) . "?item=$late" );
		self::assert_shows( 'This can’t be shown right now', $edit, hides: 'Pan' );
	}

	public function test_a_list_that_was_empty_is_not_called_empty_and_each_background_task_tries_by_itself(): void {
		$this->service->items = array();
		self::assertStringContainsString( 'Your list is empty', $this->see( 'alice', $this->path( 'gifts' ) ) );
		$this->break_service();
		foreach ( array( 'alice' => $this->path( 'gifts' ), '' => get_permalink( $this->list->id ) ) as $who => $path ) {
			$page = $this->see( $who ?: null, $path, $who ? array() : $this->gran );
			self::assert_shows( 'The gifts can’t be shown right now', $page, hides: array( 'list is empty', 'No gifts on this list' ) );
		}
		$this->break_service();
		$run = static function (): void {
			add_filter( 'wp_doing_cron', '__return_true' );
			foreach ( array( 1, 2 ) as $time ) {
				Plugin::get( ItemService::class )->tell_deleted( 5, 20 );
			}
		};
		$this->in_request( null, $run );
		self::assertCount( 2, $this->outside->requests );
	}

	public function test_a_currency_stays_where_nobody_can_tell_whether_there_are_group_gifts(): void {
		$change = fn(): Answer => $this->rest( 'alice', 'POST', "/wp/v2/registry/{$this->list->id}", array( 'meta' => array( 'registry_currency' => 'GBP' ) ) );
		update_post_meta( $this->list->id, 'registry_currency', 'EUR' );
		$this->in_request( null, fn() => self::call( 'gift-list.forget_gifts', $this->list->id ) );
		$this->outside->answer( 'GET /registries/*/items', array( 'detail' => 'Not today' ), 503 );
		$refused = $change();
		self::assertSame( 409, $refused->status );
		self::assertStringContainsString( 'couldn’t be saved right now', $refused->text );
		self::assertSame( 'EUR', get_post_meta( $this->list->id, 'registry_currency', true ) );
		$this->outside->answer( 'GET /registries/*/items', fn(): array => array_values( $this->service->items ) );
		self::assertSame( 200, $change()->status );
	}

	public function test_nothing_counts_as_saved_where_another_server_answers(): void {
		$gifts = $this->path( 'gifts' );
		$forms = array(
			array( $gifts . '?by-hand=1', 'add', array( 'name' => 'Typed words', 'pay_to' => '' ) ),
			array( $gifts . '?item=1', 'change', array( 'name' => 'Typed words' ) ),
			array( $gifts, 'remove', array( 'item' => '1' ) ),
			array( $this->path( 'guests' ), 'invite', array( 'guests' => 'typed@example.org' ) ),
			array( $this->path( 'guests' ), 'cancel', array() ),
			array( $this->path( 'home' ), 'idea', array( 'idea' => 'Bath towels' ) ),
			array( $gifts, 'look', array( 'address' => 'https://shop.example/typed' ) ),
		);
		$forms = array_map( fn( array $form ): array => array( ...$form, self::form_on( $this->page( 'alice', $form[0] ), $form[1] ) ), $forms );
		$this->sent();
		$this->break_service( array( 'hello' => 'world' ) );
		foreach ( $forms as list( $path, $action, $typed, $form ) ) {
			$answer = $this->page( 'alice', strtok( $path, '?' ), form: $typed + $form + array( 'do' => $action ) );
			self::assertNotSame( 303, $answer->status, $action );
			self::assertMatchesRegularExpression( '/couldn’t be saved right now|can’t read the shop’s page right now/', self::words( $answer->text ), $action );
			self::assert_shows( array_filter( $typed, static fn( string $value ): bool => str_contains( strtolower( $value ), 'typed' ) ), $answer->text );
		}
		self::assertSame( array(), $this->sent( 1 ), 'nobody is invited' );
	}
}
