<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Platform\JobQueue;
use Trousseau\Plugin;

/** The service learns of each change by which webhooks of owners get other events, and of every registry that is gone. */
final class RegistryReportTest extends WordPressTestCase {

	private int $list;

	protected function setUp(): void {
		parent::setUp();
		$this->list = $this->registry( 'alice', array( 'title' => 'Us', 'status' => 'private', 'meta' => array( 'registry_owners' => '["bob@example.test"]' ) ) )->id;
		$this->outside->answer( 'PUT *', null, 204 );
		$this->reported();
	}

	private function reported(): array {
		$this->outside->requests = array();
		$this->run_jobs( 'rights', 'roles', 'look' );
		return array_column( $this->outside->requests, 'body', 'path' );
	}

	private function rights( array $changed = array() ): array {
		return array(
			"/registries/$this->list/rights" => $changed + array(
				'status'                  => 'private',
				'user_id'                 => self::user( 'alice' ),
				'registry_owners'         => array( 'bob@example.test' ),
				'registry_surprise_until' => null,
				'registry_surprise_ends'  => null,
				'registry_surprise_keeps' => 'all',
			),
		);
	}

	public function test_each_change_of_rights_is_reported_whoever_made_it(): void {
		$path    = "/wp/v2/registry/$this->list";
		$changes = array(
			array( fn() => $this->rest( 'alice', 'POST', $path, array( 'meta' => array( 'registry_surprise_until' => 'always' ) ) ), array( 'registry_surprise_until' => 'always' ) ),
			array( fn() => update_post_meta( $this->list, 'registry_surprise_keeps', 'names' ), array( 'registry_surprise_keeps' => 'names' ) ),
			array( fn() => delete_post_meta( $this->list, 'registry_surprise_until' ), array( 'registry_surprise_until' => null ) ),
			array( fn() => $this->rest( 'alice', 'POST', $path, array( 'meta' => array( 'registry_owners' => '[]' ) ) ), array( 'registry_owners' => array() ) ),
			array( fn() => $this->rest( 'admin', 'POST', $path, array( 'author' => self::user( 'carol' ) ) ), array( 'user_id' => self::user( 'carol' ) ) ),
			array( fn() => $this->rest( 'admin', 'POST', $path, array( 'status' => 'draft' ) ), array( 'status' => 'draft' ) ),
			array( fn() => wp_trash_post( $this->list ), array( 'status' => 'trash' ) ),
		);
		$now     = array();
		foreach ( $changes as list( $change, $changed ) ) {
			$change();
			$now = $changed + $now;
			self::assertEquals( $this->rights( $now ), $this->reported(), wp_json_encode( $changed ) );
		}
	}

	public function test_of_other_changes_another_email_is_reported_and_the_end_of_an_account(): void {
		$this->rest( 'alice', 'POST', "/wp/v2/registry/$this->list", array( 'title' => 'Both of us', 'meta' => array( 'registry_currency' => 'EUR' ) ) );
		update_post_meta( self::post( array( 'post_type' => 'page' ) ), 'registry_surprise_until', 'always' );
		wp_update_user( array( 'ID' => self::user( 'bob' ), 'display_name' => 'Robert' ) );
		self::assertSame( array(), $this->reported() );
		$bob = self::user( 'bob' );
		add_filter( 'send_email_change_email', '__return_false' );
		wp_update_user( array( 'ID' => $bob, 'user_email' => 'robert@example.test' ) );
		$facts = array( 'roles' => array( 'subscriber' ), 'username' => 'bob', 'email' => 'robert@example.test' );
		self::assertSame( array( "/users/$bob/roles" => $facts ), $this->reported() );
		$this->in_request( 'admin', static fn(): bool => wp_delete_user( $bob ) );
		self::assertSame( array( "/users/$bob/roles" ), array_keys( $this->reported() ) );
	}

	public function test_the_service_asks_by_its_key_and_strangers_in_vain_is_answered_with_its_word_and_gets_a_report_once_it_is_back(): void {
		$this->outside->answer( 'GET /question-key', array( 'key' => 'known' ) );
		$bob  = self::user( 'bob' );
		$look = fn( int|string $id, mixed $key ): int => $this->rest( null, 'POST', "/trousseau/v1/users/$id/look", compact( 'key' ) )->status;
		self::assert_each( array( 401, 401 ), array( 'x', '', array( 'known' ), null, 'known' ), static fn( mixed $key ): array => array( $look( $bob, $key ), $look( 999, $key ) ) );
		self::assertSame( array( 'question-key' => 1 ), array_count_values( array_intersect( array_column( self::call( 'rows', 'trousseau_jobs' ), 'handler' ), array( 'question-key', 'roles' ) ) ) );
		$this->run_jobs( 'question-key' );
		self::assertSame( array( 401, 200, 200, 404 ), array( $look( $bob, 'x' ), $look( $bob, 'known' ), $look( 999, 'known' ), $look( 'x', 'known' ) ) );
		self::assertEqualsCanonicalizing( array( "/users/$bob/roles", '/users/999/roles' ), array_keys( $this->reported() ) );
		foreach ( array( '12.1' => array( 'asked' => '12.1' ), '<b>' => null ) as $word => $answer ) {
			self::assertSame( 200, $this->rest( null, 'POST', "/trousseau/v1/registries/$this->list/look", array( 'key' => 'known', 'asked' => $word ) )->status );
			self::assertEquals( $answer ? $this->rights( $answer ) : array(), $this->reported(), $word );
		}
		$this->outside->answer( 'PUT *', array( 'detail' => 'away' ), 503 );
		update_post_meta( $this->list, 'registry_surprise_until', 'always' );
		$this->reported();
		$this->outside->answer( 'PUT *', null, 204 );
		self::call( 'make_due', 'rights' );
		self::assertEquals( $this->rights( array( 'registry_surprise_until' => 'always' ) ), $this->reported() );
	}

	public function test_only_the_service_has_the_site_look_for_a_registry_strangers_learn_nothing_and_only_registries_that_are_gone_end(): void {
		$this->outside->answer( 'GET /question-key', array( 'key' => 'its-key' ) );
		$this->outside->answer( 'DELETE /registries/*', array( 'detail' => 'Registry not found' ), 404 );
		$list    = fn( string $status ): int => $this->registry( 'alice', array( 'title' => 'Ann & Sam' ) + compact( 'status' ) )->id;
		$gone    = $list( 'publish' );
		$kept    = $list( 'private' );
		$changed = $list( 'publish' );
		$look    = function ( int $id, string $key = 'its-key' ): array {
			$answer = $this->rest( null, 'POST', "/trousseau/v1/registries/$id/look", compact( 'key' ) );
			return array( $answer->status, $answer->json );
		};
		$asked   = array( 200, array( 'asked' => true ) );

		$GLOBALS['wpdb']->delete( $GLOBALS['wpdb']->posts, array( 'ID' => $gone ) );
		$refusal = $look( $gone, 'a guess' );
		self::assertSame( 401, $refusal[0] );
		self::assertSame( array( $refusal, $refusal ), array( $look( $gone ), $look( $kept ) ), 'not known yet' );
		$this->run_jobs( 'question-key' );
		self::assertSame( array( $refusal, $refusal ), array( $look( $gone, 'a guess' ), $look( $kept, 'a guess' ) ) );
		self::assertSame( array(), self::jobs( 'look' ) );
		self::assert_each( $asked, array( $gone, $kept, $gone ), $look );
		self::assertSame( array(), $this->outside->asked( 'DELETE' ), 'nobody waits for it' );

		// A database that doesn't answer has not said that anything is gone.
		$this->in_request(
			null,
			static function (): void {
				add_filter( 'query', static fn( string $sql ): string => str_contains( $sql, 'SELECT COUNT(*)' ) ? 'SELECT broken' : $sql );
				$GLOBALS['wpdb']->suppress_errors();
				self::call( 'run_jobs', 'deletion', 'look' );
			}
		);
		$GLOBALS['wpdb']->suppress_errors( false );
		self::assertNotSame( array(), preg_grep( '/SELECT broken/', Complaints::take() ) );
		self::assertSame( array(), $this->outside->asked( 'DELETE' ), 'asked in vain' );

		// A post whose type has changed for a while is no registry, but it exists.
		set_post_type( $changed, 'page' );
		self::assertSame( array( $asked, $asked ), array( $look( $gone ), $look( $changed ) ) );
		$this->run_jobs( 'deletion', 'look' );
		$this->run_jobs( 'deletion', 'look' );
		self::assertSame( array(), $this->outside->asked( 'DELETE' ), 'a copy that is put back may not be whole yet' );
		Plugin::get( JobQueue::class )->set_payload( 'look', (string) $gone, time() - HOUR_IN_SECONDS - 1 );
		self::call( 'make_due', 'look' );
		$this->run_jobs( 'deletion', 'look' );
		set_post_type( $changed, 'registry' );
		self::assertSame( array( "DELETE /registries/$gone" ), $this->outside->asked( 'DELETE' ) );
		self::assertSame( array(), self::jobs( 'look' ) );
	}

	private function deleted(): int {
		$id = $this->registry( 'alice', array( 'title' => 'Ann & Bob' ) )->id;
		$this->in_request( 'admin', static fn() => wp_delete_post( $id, true ), 'POST', '/wp-admin/post.php' );
		return $id;
	}

	private static function noted(): array {
		return array_column( self::jobs( 'deletion' ), 'unique_key' );
	}

	public function test_a_deletion_is_told_in_a_later_request_with_the_sites_own_account_and_again_where_the_service_was_away_refused_or_another_server_answered(): void {
		$id = $this->deleted();
		self::assertSame( array(), $this->outside->asked( 'DELETE' ), 'nobody waits for it' );
		$this->outside->answer( 'DELETE /registries/*', array( 'detail' => 'Registry not found' ), 404 );
		$this->run_later( 'deletion' );
		self::assertSame( array( "DELETE /registries/$id" ), $this->outside->asked( 'DELETE' ) );
		$headers = end( $this->outside->requests )['headers'];
		self::assertSame( array( 'Basic ' . base64_encode( 'admin:secret' ), 'wait=0' ), array( $headers['authorization'], $headers['prefer'] ) );
		self::assertSame( array(), self::noted() );
		$ids = array();
		foreach ( array( array( array( 'detail' => 'busy' ), 503 ), array( array( 'detail' => 'unknown' ), 401 ), array( '<html>nothing here', 404 ), array( new \WP_Error( 'http_request_failed', 'away' ), 0 ) ) as $answer ) {
			$this->outside->answer( 'DELETE /registries/*', ...$answer );
			$ids[] = $this->deleted();
			$this->run_later( 'deletion' );
		}
		self::assertSame( array_map( static fn( int $id ): string => "deletion $id", $ids ), self::noted() );
		self::assertNotFalse( wp_next_scheduled( 'trousseau_jobs', array( 'soon' ) ) );
		$this->outside->answer( 'DELETE /registries/*', '', 204 );
		$this->outside->answer( "DELETE /registries/$ids[0]", array( 'detail' => 'busy' ), 503 );
		$this->run_later( 'deletion' );
		self::assertSame( array( "deletion $ids[0]" ), self::noted(), 'one that cannot be told keeps none back' );
		$this->outside->answer( 'DELETE /registries/*', '', 204 );
		$this->run_later( 'deletion' );
		self::assertSame( array(), self::noted() );
	}
}
