<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Admin\JobsScreen;
use Trousseau\Plugin;

/** Lists that are deleted: their givers hear of it, also where the service is away or answers late; BuyerTest has those with money of others. */
final class GoneListsTest extends GivingTestCase {

	private const CLAIMS = 'GET /registries/*/claims';
	private const DELETE = 'DELETE /registries/*';
	private const HEARD  = self::GRAN . ': The list “Ann & Bob” was deleted';

	private \WP_Error $silence;

	protected function setUp(): void {
		parent::setUp();
		$this->silence = new \WP_Error( 'http_request_failed', 'Silence' );
	}

	private function fall_silent(): void {
		$this->outside->answer( self::CLAIMS, $this->silence );
		$this->outside->answer( self::DELETE, $this->silence );
	}

	private function come_back( bool $has_list = true ): void {
		$this->outside->answer( self::CLAIMS, $has_list ? array( 'claims' => array_values( $this->claims ), 'concealed_until' => null ) : array( 'detail' => 'Not found' ), $has_list ? 200 : 404 );
	}

	private function details( string $part ): string {
		return "/registries/{$this->list->id}/details/?part=$part";
	}

	private function delete(): Answer {
		return $this->page( 'alice', $this->details( 'after' ), form: array( 'do' => 'delete', 'sure' => '1' ) );
	}

	private function status(): string|false {
		return get_post_status( $this->list->id );
	}

	/** As from the screens of WordPress. */
	private function act( callable $what ): mixed {
		return $this->in_request( 'admin', fn(): mixed => $what( $this->list->id ), 'POST', '/wp-admin/post.php' );
	}

	/** @return string[] */
	private function heard(): array {
		return self::about( $this->sent( 1 ) );
	}

	/** @return array<string, array{0: mixed, 1?: int, 2?: bool}> Answers to the deletion, with their status, and whether the list is gone by then. */
	public function answers_to_the_deletion(): array {
		return array(
			'deleted'       => array( '', 204, true ),
			'lost'          => array( null, 200, true ),
			'late'          => array( null ),
			'host too slow' => array( array( 'detail' => 'The registry host did not answer in time' ), 504 ),
		);
	}

	/** @dataProvider answers_to_the_deletion */
	public function test_the_owners_page_deletes_at_once_and_givers_hear_of_it( mixed $answer, int $status = 200, bool $is_gone = false ): void {
		$this->claim( 'reserved' );
		$answer ??= $this->silence;
		$go       = function (): void {
			// The service names nobody any more when it deletes the list here, too.
			$this->come_back( false );
			wp_delete_post( $this->list->id, true );
		};
		$this->outside->answer( self::DELETE, static fn(): mixed => array( $is_gone && $go(), $answer )[1], $status );
		self::assertSame( 303, $this->delete()->status );
		self::assertFalse( $this->status() );
		// The service may go on with what it was asked to do.
		$go();
		$this->run_later( 'list-gone' );
		self::assertSame( array( self::HEARD ), $this->heard() );
	}

	/** @return array<string, array{0: mixed, 1?: int}> */
	public function refusals_to_name_givers(): array {
		return array( 'silence' => array( null ), 'busy' => array( array( 'detail' => 'Busy' ), 503 ), 'wrong password' => array( array( 'detail' => 'No' ), 401 ) );
	}

	/** @dataProvider refusals_to_name_givers */
	public function test_a_list_whose_givers_the_service_can_not_name_waits_in_the_trash_and_goes_for_good_once_they_are_told( mixed $answer, int $status = 200 ): void {
		$this->claim( 'reserved' );
		$this->outside->answer( self::CLAIMS, $answer ?? $this->silence, $status );
		$this->outside->answer( self::DELETE, '', 204 );
		self::assertSame( 303, $this->delete()->status );
		self::assertSame( 'trash', $this->status() );
		self::assertSame( array(), $this->outside->asked( 'DELETE' ) );
		$this->come_back();
		$this->run_later( 'list-gone' );
		self::assertFalse( $this->status() );
		self::assertSame( array( self::HEARD ), $this->heard() );
	}

	public function test_a_list_in_the_trash_has_no_pages_for_its_owners_and_an_open_form_does_not_bring_it_back(): void {
		$open   = self::form_on( $this->page( 'alice', $this->details( 'privacy' ) ), 'change' );
		$others = fn(): array => array_map( fn( ?string $who ): string => self::words( $this->page( $who, $this->details( 'about' ) )->text ), array( null, 'carol' ) );
		$before = $others();
		$this->fall_silent();
		$this->delete();
		self::assertSame( $before, $others(), 'strangers learn nothing' );
		foreach ( array( $this->page( 'alice', $this->details( 'privacy' ), form: $open ), $this->page( 'alice', $this->details( 'about' ) ), $this->delete() ) as $answer ) {
			self::assert_shows( array( 'This list no longer exists.', 'My lists' ), self::words( $answer->text ) );
		}
		self::assertSame( 'trash', $this->status() );
	}

	public function test_a_gift_that_an_owner_types_into_an_open_page_of_a_list_that_is_gone_is_shown_again(): void {
		$path  = "/registries/{$this->list->id}/gifts/";
		$form  = array( 'name' => 'Oak <table>', 'price' => '120', 'description' => "Two\nlines" ) + self::form_on( $this->page( 'alice', "$path?by-hand=1" ), 'add' );
		$shown = 'Nothing was saved. Here’s what you typed: Oak <table> 120 Two lines';
		foreach ( array( 'wp_trash_post', 'wp_delete_post' ) as $how ) {
			$this->act( $how );
			self::assertStringContainsString( $shown, self::words( $this->page( 'alice', $path, form: $form )->text ), $how );
			self::assertStringNotContainsString( 'Oak', $this->page( 'alice', $path, server: array( 'HTTP_SEC_FETCH_SITE' => 'cross-site' ), form: $form )->text, 'a form of another site' );
		}
		self::assertStringNotContainsString( 'what you typed', $this->see( 'alice', $path ) );
	}

	public function test_a_second_press_at_the_same_time_is_no_error(): void {
		$this->outside->answer( self::CLAIMS, function (): \WP_Error {
			$this->fall_silent();
			wp_trash_post( $this->list->id );
			return $this->silence;
		} );
		self::assertSame( 303, $this->delete()->status );
	}

	public function test_givers_hear_of_a_press_that_deletes_although_another_one_could_not_learn_their_names(): void {
		$this->claim( 'reserved' );
		$this->outside->answer( self::DELETE, function (): string {
			$this->outside->answer( self::CLAIMS, array( 'detail' => 'Busy' ), 503 );
			wp_trash_post( $this->list->id );
			return '';
		}, 204 );
		self::assertSame( 303, $this->delete()->status );
		self::assertFalse( $this->status() );
		$this->come_back();
		$this->run_later( 'list-gone' );
		self::assertSame( array( self::HEARD ), $this->heard() );
	}

	public function test_givers_hear_of_a_list_whose_trash_is_emptied_before_its_job_has_told_them(): void {
		$this->claim( 'reserved' );
		$this->fall_silent();
		$this->act( 'wp_trash_post' );
		$this->come_back();
		$this->act( static fn( int $id ) => wp_delete_post( $id, true ) );
		$this->run_later( 'list-gone' );
		self::assertSame( array( self::HEARD ), $this->heard() );
	}

	public function test_a_list_that_is_put_back_in_whichever_way_is_not_deleted_later(): void {
		$ways = array(
			fn() => $this->in_request( 'admin', fn() => wp_untrash_post( $this->list->id ) ),
			fn() => $this->rest( 'admin', 'POST', "/wp/v2/registry/{$this->list->id}", array( 'status' => 'private' ) ),
		);
		foreach ( $ways as $back ) {
			$this->fall_silent();
			wp_update_post( array( 'ID' => $this->list->id, 'post_status' => 'private' ) );
			$this->delete();
			self::assertSame( 'trash', $this->status() );
			$back();
			self::assertNotSame( 'trash', $this->status() );
			$this->act( 'wp_trash_post' );
			$this->come_back();
			$this->run_later( 'list-gone' );
			self::assertSame( 'trash', $this->status() );
		}
	}

	public function test_a_list_that_can_not_go_to_the_trash_is_not_marked_as_deleted_and_without_a_service_it_goes_at_once(): void {
		$this->fall_silent();
		add_filter( 'pre_trash_post', '__return_false' );
		self::assertSame( 422, $this->delete()->status );
		remove_filter( 'pre_trash_post', '__return_false' );
		self::assertSame( '', get_post_meta( $this->list->id, '_trousseau_deleted', true ) );
		update_option( 'trousseau_base_url', '' );
		self::assertSame( 303, $this->delete()->status );
		self::assertFalse( $this->status() );
	}

	public function test_givers_of_a_list_that_goes_to_the_trash_during_an_outage_hear_of_it_once_afterwards(): void {
		$this->claim( 'reserved' );
		$this->act( 'wp_trash_post' );
		$this->act( 'wp_untrash_post' );
		$this->fall_silent();
		$this->act( 'wp_trash_post' );
		$this->run_later( 'list-gone' );
		self::assertSame( array(), $this->heard() );
		$this->come_back();
		$this->run_later( 'list-gone' );
		self::assertSame( array( self::HEARD ), $this->heard() );
	}

	public function test_givers_who_have_cancelled_since_the_list_was_put_back_do_not_hear_of_its_second_deletion(): void {
		$id = $this->claim( 'reserved' );
		$this->act( 'wp_trash_post' );
		$this->act( 'wp_untrash_post' );
		$this->claims[ $id ]['state'] = 'released';
		$this->act( 'wp_trash_post' );
		self::assertSame( array(), $this->heard() );
	}

	public function test_givers_whom_the_service_refuses_to_name_are_a_failure_that_is_seen(): void {
		$this->outside->answer( self::CLAIMS, array( 'detail' => 'No' ), 403 );
		$this->act( 'wp_trash_post' );
		$failed = function (): int {
			$this->run_later( 'list-gone' );
			return count( array_filter( self::jobs( 'list-gone' ), static fn( array $job ): bool => $job['failed_at'] !== '0' ) );
		};
		$this->registry( 'admin', array( 'title' => 'Mine', 'status' => 'private', 'meta' => array( 'registry_surprise_until' => 'always' ) ) );
		self::assertSame( array( 0, 0, 0, 0, 0, 1 ), array_map( $failed, range( 1, 6 ) ) );
		self::assertContains( 'list-gone', array_column( $this->in_request( 'admin', static fn(): array => Plugin::get( JobsScreen::class )->rows() ), 'handler' ), 'by one who is to be surprised, too' );
	}
}
