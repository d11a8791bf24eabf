<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use WP_Error;

/** The service hears of every registry that is deleted, by a job that lasts until it has. */
final class DeletionTest extends WordPressTestCase {

	/** Deletes a new registry as an administrator does on a screen. */
	private function deleted(): int {
		$id = $this->registry( 'alice', array( 'title' => 'Ann & Bob' ) )->id;
		$this->in_request( 'admin', static fn() => wp_delete_post( $id, true ), 'POST', '/wp-admin/post.php' );
		return $id;
	}

	private static function noted(): array {
		return array_column( self::jobs( 'deletion' ), 'unique_key' );
	}

	public function test_is_told_to_the_service_in_a_later_request_with_the_sites_own_account(): void {
		$id = $this->deleted();
		self::assertSame( array(), $this->outside->asked( 'DELETE' ), 'nobody waits for it' );
		$this->outside->answer( 'DELETE /registries/*', array( 'detail' => 'Registry not found' ), 404 );
		$this->run_later( 'deletion' );
		self::assertSame( array( "DELETE /registries/$id" ), $this->outside->asked( 'DELETE' ) );
		$headers = end( $this->outside->requests )['headers'];
		self::assertSame( array( 'Basic ' . base64_encode( 'admin:secret' ), 'wait=0' ), array( $headers['authorization'], $headers['prefer'] ) );
		self::assertSame( array(), self::noted() );
	}

	public function test_is_told_again_where_the_service_was_away_refused_or_another_server_answered(): void {
		$ids = array();
		foreach ( array( array( array( 'detail' => 'busy' ), 503 ), array( array( 'detail' => 'unknown' ), 401 ), array( '<html>nothing here', 404 ), array( new WP_Error( 'http_request_failed', 'away' ), 0 ) ) as $answer ) {
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
