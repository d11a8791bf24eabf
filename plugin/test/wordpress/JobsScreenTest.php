<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Platform\Tables;

/** The work behind the pages as the site's keepers see it under Tools. */
final class JobsScreenTest extends WordPressTestCase {

	private const TELLING = 'Tell the service about a list';

	private function screen_of( string $login ): string {
		return $this->admin_page( $login, 'tools.php', 'trousseau-jobs' );
	}

	/** @return string[] Kinds and states of the work on the screen. */
	private function shown(): array {
		preg_match_all( '/<tr>\s*<th scope="row">(.*?)<\/th>\s*<td>(.*?)<\/td>/s', $this->screen_of( 'admin' ), $rows, PREG_SET_ORDER );
		$shown = array_map( static fn( array $row ): string => html_entity_decode( "$row[1] $row[2]", ENT_QUOTES ), $rows );
		sort( $shown );
		return $shown;
	}

	/** Presses a button in the row of the first job of a kind. */
	private function press( string $do, string $kind ): void {
		$job = self::found( '/<tr>(?:(?!<\/tr>).)*?>' . $kind . '<\/th>.*?name="job" value="(\d+)"/s', $this->screen_of( 'admin' ) );
		self::assertSame( 303, $this->admin_post( 'admin', 'trousseau_jobs', compact( 'do', 'job' ) )->status );
	}

	public function test_a_keeper_sees_failed_work_tries_it_again_or_deletes_it_and_learns_of_no_surprise(): void {
		self::assertStringContainsString( 'No failed or late tasks', $this->screen_of( 'admin' ) );
		foreach ( array( 'invitation', 'claim-reserved' ) as $template ) {
			self::call( 'send_mail', 'ann@example.org', $template, array() );
		}
		self::call( 'send_mail', 'ann@example.org', 'claim-reminder', array(), time() + WEEK_IN_SECONDS );
		self::call( 'add_job', 'deletion', null, 0, '4711' );
		$GLOBALS['wpdb']->query( "UPDATE {$GLOBALS['wpdb']->prefix}trousseau_jobs SET failed_at = 5000, last_error = 'Refused <b>' WHERE handler IN ( 'mail', 'deletion' ) AND run_at <= " . Tables::now() );
		self::assertSame( array( 'Email failed', 'Email failed', self::TELLING . ' failed' ), $this->shown() );
		self::assertStringContainsString( 'Refused &lt;b&gt;', $this->screen_of( 'admin' ) );
		self::assertSame( '', $this->screen_of( 'alice' ), 'nobody else has the screen' );
		self::assertSame( 403, $this->admin_post( 'alice', 'trousseau_jobs', array( 'do' => 'retry_all' ) )->status );
		// The keeper now owns a surprise, so the only mails that they see are invitations.
		self::post( array( 'post_type' => 'registry', 'post_status' => 'private', 'post_author' => self::user( 'admin' ), 'meta_input' => array( 'registry_surprise_until' => 'always' ) ) );
		self::assertSame( array( 'Email failed', self::TELLING . ' failed' ), $this->shown() );
		$this->press( 'delete', 'Email' );
		self::assertSame( array( self::TELLING . ' failed' ), $this->shown() );
		$this->press( 'retry', self::TELLING );
		self::assertSame( array( '0' ), array_column( self::jobs( 'deletion' ), 'failed_at' ) );
		self::assertCount( 2, self::jobs( 'mail' ) );
	}
}
