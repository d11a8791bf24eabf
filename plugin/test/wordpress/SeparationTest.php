<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** Each test begins with the site as it was installed, and each request as if PHP had begun anew. */
final class SeparationTest extends WordPressTestCase {

	public function test_a_test_may_change_everything(): void {
		$id = $this->registry( 'alice', array( 'title' => 'Left behind', 'status' => 'publish' ) )->id;
		update_option( 'blogname', 'Left behind' );
		update_option( 'trousseau_keep_givers', '5' );
		self::user( 'leftover' );
		self::call( 'keep_value', 'left', 'behind' );
		self::call( 'send_mail', 'left@example.test', 'my-gifts', array( 'link' => home_url() ) );
		self::picture( 'alice', 'Left', $id );
		add_filter( 'the_title', static fn(): string => 'Left behind' );
		add_role( 'left', 'Left', array( 'edit_posts' => true ) );
		$_GET['left'] = 'behind';
		wp_set_current_user( self::user( 'admin' ) );
		switch_to_locale( 'de_DE' );
		self::assertSame( 'Left behind', get_bloginfo( 'name' ) );
		self::assertSame( 'Left behind', get_the_title( $id ) );
	}

	/** @depends test_a_test_may_change_everything */
	public function test_the_next_one_finds_nothing_of_it(): void {
		self::assertSame( array(), get_posts( array( 'post_type' => array( 'registry', 'attachment' ), 'post_status' => 'any' ) ) );
		self::assertSame( 'Trousseau', get_bloginfo( 'name' ) );
		self::assertFalse( get_option( 'trousseau_keep_givers' ) );
		self::assertFalse( get_user_by( 'login', 'leftover' ) );
		self::assertNull( self::call( 'kept_value', 'left' ) );
		self::assertSame( array(), self::call( 'rows', 'trousseau_jobs' ) );
		self::assertSame( 'Hello world!', get_the_title( 1 ) );
		self::assertNull( get_role( 'left' ) );
		self::assertSame( array( 0, array(), 'en_US' ), array( get_current_user_id(), $_GET, determine_locale() ) );
		self::assertSame( array(), glob( wp_get_upload_dir()['path'] . '/left*' ) );
	}

	public function test_requests_remember_nothing_but_what_is_stored(): void {
		$link = $this->registry( 'alice', array( 'title' => 'Hers', 'status' => 'private' ) )->link;
		self::assertSame( 200, $this->page( 'alice', $link )->status );
		self::assertSame( 404, $this->page( null, $link )->status );
		self::assertSame( array( 0, 'index.php' ), array( $this->in_request( null, 'get_current_user_id' ), $GLOBALS['pagenow'] ) );
		// WordPress prints its script for emoji once in a process.
		$this->page( null, '/' );
		$first = $this->page( null, '/' )->text;
		self::assertStringContainsString( 'trousseau.css', $this->page( 'alice', $link )->text );
		// WordPress numbers its containers.
		$plain = static fn( string $text ): string => (string) preg_replace( '/\d+/', '', $text );
		self::assertSame( $plain( $first ), $plain( $this->page( null, '/' )->text ) );
	}

	public function test_faults_that_raise_no_exception_are_found(): void {
		wp_remote_get( 'https://elsewhere.example/' );
		self::assertSame( array( 'GET https://elsewhere.example/' ), $this->outside->unexpected );
		$this->outside->unexpected = array();
		trigger_error( 'A notice', E_USER_NOTICE );
		$GLOBALS['wpdb']->query( 'DROP TABLE no_such_table' );
		$found = Complaints::take();
		self::assertCount( 2, $found );
		self::assertStringStartsWith( 'A notice in ' . __FILE__, $found[0] );
		self::assertStringContainsString( 'DROP TABLE', $found[1] );
		$GLOBALS['wpdb']->query( 'SELECT nonsense' );
		self::assertStringContainsString( 'nonsense', Complaints::take()[0] );
	}
}
