<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** The service learns of each change by which webhooks of owners get other events: owners, surprise, status, addresses. */
final class RegistryReportTest extends WordPressTestCase {

	private int $list;

	protected function setUp(): void {
		parent::setUp();
		$this->list = $this->registry( 'alice', array( 'title' => 'Us', 'status' => 'private', 'meta' => array( 'registry_owners' => '["bob@example.test"]' ) ) )->id;
		$this->outside->answer( 'PUT *', null, 204 );
		$this->reported();
	}

	/** @return array<string, mixed>[] The bodies of the reports that are due. */
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

	public function test_the_service_asks_about_an_account_by_its_key_and_strangers_in_vain(): void {
		$this->outside->answer( 'GET /question-key', array( 'key' => 'known' ) );
		$bob  = self::user( 'bob' );
		$look = fn( int|string $id, mixed $key ): int => $this->rest( null, 'POST', "/trousseau/v1/users/$id/look", compact( 'key' ) )->status;
		foreach ( array( 'x', '', array( 'known' ), null, 'known' ) as $key ) {
			self::assertSame( array( 401, 401 ), array( $look( $bob, $key ), $look( 999, $key ) ) );
		}
		$waiting = static fn(): array => array_count_values( array_intersect( array_column( self::call( 'rows', 'trousseau_jobs' ), 'handler' ), array( 'question-key', 'roles' ) ) );
		self::assertSame( array( 'question-key' => 1 ), $waiting() );
		$this->run_jobs( 'question-key' );
		self::assertSame( array( 401, 200, 200, 404 ), array( $look( $bob, 'x' ), $look( $bob, 'known' ), $look( 999, 'known' ), $look( 'x', 'known' ) ) );
		self::assertEqualsCanonicalizing( array( "/users/$bob/roles", '/users/999/roles' ), array_keys( $this->reported() ) );
	}

	public function test_a_question_of_the_service_is_answered_with_its_word_and_a_report_waits_for_a_service_that_is_away(): void {
		$this->outside->answer( 'GET /question-key', array( 'key' => 'known' ) );
		$this->rest( null, 'POST', "/trousseau/v1/registries/$this->list/look", array( 'key' => 'known' ) );
		$this->run_jobs( 'question-key' );
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
}
