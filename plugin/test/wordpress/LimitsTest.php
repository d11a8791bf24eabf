<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Gifts\ShopPicture;
use Trousseau\Platform\JobQueue;
use Trousseau\Plugin;

/** Limits of stories and fields, and questions of strangers about registries that are gone. */
final class LimitsTest extends WordPressTestCase {

	public function test_stories_their_versions_and_a_lists_custom_fields_have_limits(): void {
		update_option( 'dev_limits', array( 'bytes_of_a_story' => 1000, 'revisions_of_a_story' => 3 ) );
		$id   = $this->registry( 'alice', array( 'title' => 'Told', 'status' => 'publish' ) )->id;
		$tell = fn( string $content ): Answer => $this->rest( 'alice', 'POST', "/wp/v2/registry/$id", compact( 'content' ) );
		$long = $tell( str_repeat( 'x', 1001 ) );
		self::assertSame( array( 403, 'trousseau_limit' ), array( $long->status, $long->code() ) );
		self::assertStringContainsString( 'This story is too long. Use at most 1,000 B, 400 blocks and 200 pictures.', $long->json['message'] );
		for ( $n = 0; $n < 6; ++$n ) {
			self::assertSame( 200, $tell( "Version $n" )->status );
		}
		$may   = static fn( string $field ): bool => current_user_can( 'add_post_meta', $id, $field );
		$found = static fn(): array => array( count( wp_get_post_revisions( $id ) ), $may( 'anything' ), $may( 'registry_event_type' ), wp_update_post( array( 'ID' => $id, 'post_content' => str_repeat( 'x', 1001 ) ) ) );
		self::assertSame( array( 3, false, true, 0 ), $this->in_request( 'alice', $found ) );
	}

	public function test_a_pictures_address_among_the_sites_files_leads_nowhere_else_on_the_site(): void {
		$address = static fn( string $path ): string => ShopPicture::address( wp_upload_dir()['baseurl'] . $path, 1 );
		self::assertStringEndsWith( 'uploads/2027/05/gift-1.jpg', $address( '/2027/05/gift-1.jpg' ) );
		foreach ( array( '/../../wp-login.php', '/x/%2e%2E/../wp-admin/', '/.%2e/.%2E/', '/a.jpg?x=1', '/\\..\\..' ) as $path ) {
			self::assertSame( '', $address( $path ), $path );
		}
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

		// Without any hook of WordPress.
		$GLOBALS['wpdb']->delete( $GLOBALS['wpdb']->posts, array( 'ID' => $gone ) );
		$refusal = $look( $gone, 'a guess' );
		self::assertSame( 401, $refusal[0] );
		self::assertSame( array( $refusal, $refusal ), array( $look( $gone ), $look( $kept ) ), 'not known yet' );
		$this->run_jobs( 'question-key' );
		self::assertSame( array( $refusal, $refusal ), array( $look( $gone, 'a guess' ), $look( $kept, 'a guess' ) ) );
		self::assertSame( array(), self::jobs( 'look' ) );
		foreach ( array( $gone, $kept, $gone ) as $id ) {
			self::assertSame( $asked, $look( $id ), (string) $id );
		}
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
}
