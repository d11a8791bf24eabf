<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Lists\OwnAccount;
use Trousseau\Lists\RegistryForm;
use Trousseau\Plugin;

/** The people who may make lists, and public lists that wait for approval. */
final class ApprovalTest extends WordPressTestCase {

	private const WAITS = 'Your list isn’t public yet';

	private function details( string $login, int $id, array $changes ): Answer {
		$fields = $this->in_request( $login, static fn(): array => Plugin::get( RegistryForm::class )->of( get_post( $id ) )->typed() );
		return $this->page( $login, "/registries/$id/details/", form: array( 'do' => 'change' ) + $changes + $fields );
	}

	private static function id_of( string $title ): int {
		return (int) $GLOBALS['wpdb']->get_var( $GLOBALS['wpdb']->prepare( "SELECT ID FROM {$GLOBALS['wpdb']->posts} WHERE post_title = %s AND post_type = 'registry'", $title ) );
	}

	/** @return array<string, array{0: callable(self): void}> Ways in which alice wants a list named Ours to be public. */
	public function ways(): array {
		$begun = static fn( self $test ): int => $test->registry( 'alice', array( 'title' => 'Ours' ) )->id;
		return array(
			'a new one by the REST API' => array( static fn( self $test ) => $test->registry( 'alice', array( 'title' => 'Ours', 'status' => 'publish', 'slug' => 'ours' ) ) ),
			'a change by the REST API'  => array( static fn( self $test ) => $test->rest( 'alice', 'POST', '/wp/v2/registry/' . $begun( $test ), array( 'status' => 'publish' ) ) ),
			'the page for a new list'   => array( static fn( self $test ) => $test->page( 'alice', '/registries/new/', form: array( 'do' => 'make', 'title' => 'Ours', 'occasion' => 'wedding', 'currency' => 'EUR', 'status' => 'publish', 'surprise' => 'no' ) ) ),
			'Details'                   => array( static fn( self $test ) => $test->details( 'alice', $begun( $test ), array( 'status' => 'publish' ) ) ),
			'XML-RPC'                   => array( static fn( self $test ) => $test->xmlrpc( 'alice', 'wp.newPost', array( 'post_type' => 'registry', 'post_title' => 'Ours', 'post_status' => 'publish' ) ) ),
			'the screen without blocks' => array(
				static function ( self $test ) use ( $begun ): void {
					$id  = $begun( $test );
					$run = static function () use ( $id ): void {
						$_POST    = array( 'post_ID' => $id, 'post_type' => 'registry', 'post_title' => 'Ours', 'content' => '', 'post_status' => 'publish', 'original_post_status' => 'private', 'visibility' => 'public', 'publish' => 'Publish', 'post_author' => get_current_user_id(), 'user_ID' => get_current_user_id() );
						$_REQUEST = $_POST;
						edit_post();
					};
					$test->in_request( 'alice', $run, 'POST', '/wp-admin/post.php' );
				},
			),
		);
	}

	/** @dataProvider ways */
	public function test_a_list_that_is_to_be_public_waits_as_a_private_one( callable $publish ): void {
		update_option( 'trousseau_approval', '1' );
		$publish( $this );
		$id   = self::id_of( 'Ours' );
		$post = get_post( $id );
		self::assertSame( 'private', $post->post_status );
		self::assertMatchesRegularExpression( '/-[a-z0-9]{10}$/', $post->post_name, 'nobody guesses it' );
		self::assertSame( 'private', $this->rest( 'admin', 'GET', "/wp/v2/registry/$id?context=edit" )->json['status'], 'as the service is told' );
		foreach ( array( null, 'carol' ) as $stranger ) {
			self::assertSame( 404, $this->page( $stranger, "/?p=$id&post_type=registry" )->status );
			self::assertStringNotContainsString( 'Ours', $this->page( $stranger, '/registry/' )->text );
		}
		self::assertStringContainsString( self::WAITS, $this->page( 'alice', "/registries/$id/details/" )->text );
		$mails = $this->sent();
		self::assertSame( array( array( get_option( 'admin_email' ) ) ), array_column( $mails, 'to' ) );
		self::assertStringContainsString( "/registries/$id/details/", $mails[0]['text'] );
		self::assertMatchesRegularExpression( '/^From: "?' . get_option( 'blogname' ) . '"? </m', $mails[0]['headers'], 'not in the name of whoever asks' );

		self::assertSame( 303, $this->page( 'alice', "/registries/$id/details/", form: array( 'do' => 'approve' ) )->status );
		self::assertSame( 'private', get_post_status( $id ), 'nobody approves their own' );
		self::assertSame( 303, $this->page( 'admin', "/registries/$id/details/", form: array( 'do' => 'approve' ) )->status );
		self::assertSame( 'publish', get_post_status( $id ) );
		self::assertStringContainsString( 'Ours', $this->page( null, '/registry/' )->text );
		self::assertStringNotContainsString( self::WAITS, $this->page( 'alice', "/registries/$id/details/" )->text );
	}

	public function test_it_waits_until_its_owner_or_an_administrator_decides_otherwise(): void {
		update_option( 'trousseau_approval', '1' );
		$make = fn(): int => $this->registry( 'alice', array( 'title' => 'Ours', 'status' => 'publish', 'meta' => array( 'registry_invitees' => '["bob"]' ) ) )->id;
		$says = fn( string $login, int $id, string $words ): bool => str_contains( $this->page( $login, "/registries/$id/details/" )->text, $words );
		$menu = fn( string $login ): string => $this->in_request( $login, static function (): string {
			$GLOBALS['menu'] = array( 26 => array( 'Gift lists', 'edit_registries', 'edit.php?post_type=registry' ) );
			do_action( 'admin_menu', '' );
			return $GLOBALS['menu'][26][0];
		}, 'GET', '/wp-admin/' );
		$id   = $make();
		self::assertSame( 200, $this->page( 'bob', get_permalink( $id ) )->status, 'who is invited' );
		$this->details( 'alice', $id, array( 'title' => 'Ours, too' ) );
		$this->details( 'admin', $id, array( 'title' => 'Ours, again' ) );
		self::assertSame( array( 'private', true ), array( get_post_status( $id ), $says( 'alice', $id, self::WAITS ) ), 'other changes decide nothing' );
		self::assertCount( 1, $this->sent(), 'one mail' );
		self::assertStringContainsString( '1 gift list is waiting for your approval.', $menu( 'admin' ) );
		self::assertStringNotContainsString( 'waiting', $menu( 'alice' ) );

		$this->details( 'alice', $id, array( 'status' => 'private' ) );
		self::assertFalse( $says( 'alice', $id, self::WAITS ), 'her wish is over' );
		$second = $make();
		$this->rest( 'alice', 'POST', "/wp/v2/registry/$second", array( 'status' => 'private' ) );
		self::assertFalse( $says( 'alice', $second, self::WAITS ) );
		$third = $make();
		$this->page( 'admin', "/registries/$third/details/", form: array( 'do' => 'leave-private' ) );
		self::assertSame( array( 'private', false ), array( get_post_status( $third ), $says( 'alice', $third, self::WAITS ) ) );
		$fourth = $make();
		self::assertSame( 'publish', $this->rest( 'admin', 'POST', "/wp/v2/registry/$fourth", array( 'status' => 'publish' ) )->json['status'] );
		self::assertFalse( metadata_exists( 'post', $fourth, '_trousseau_waits' ) );
	}

	public function test_a_list_that_an_administrator_has_planned_stays_planned_when_its_owner_saves_it(): void {
		update_option( 'trousseau_approval', '1' );
		$id = $this->registry( 'alice', array( 'title' => 'Ours', 'status' => 'private' ) )->id;
		self::assertSame( 200, $this->rest( 'admin', 'POST', "/wp/v2/registry/$id", array( 'status' => 'future', 'date' => '2090-01-01T00:00:00' ) )->status );
		self::assertSame( 303, $this->details( 'alice', $id, array( 'title' => 'Ours, too' ) )->status );
		self::assertSame( array( 'future', 'Ours, too' ), array( get_post_status( $id ), get_the_title( $id ) ) );
		self::assertStringContainsString( 'Ours, too', $this->read( 'alice', '/registries/mine/' ) );
		// Nobody plans a list of their own without approval.
		$other = $this->registry( 'alice', array( 'title' => 'Another', 'status' => 'future', 'date' => '2090-01-01T00:00:00' ) )->id;
		self::assertSame( 'private', get_post_status( $other ) );
	}

	public function test_one_owner_does_not_use_up_the_emails_about_the_lists_of_others(): void {
		update_option( 'trousseau_approval', '1' );
		$id = $this->registry( 'alice', array( 'title' => 'Mine', 'status' => 'publish' ) )->id;
		for ( $times = 0; $times < 20; ++$times ) {
			foreach ( array( 'private', 'publish' ) as $status ) {
				$this->rest( 'alice', 'POST', "/wp/v2/registry/$id", compact( 'status' ) );
			}
		}
		$this->registry( 'bob', array( 'title' => 'Bob’s big day', 'status' => 'publish' ) );
		// One run sends twenty.
		self::assertStringContainsString( 'Bob’s big day', implode( "\n", array_column( array( ...$this->sent(), ...$this->sent() ), 'subject' ) ) );
	}

	public function test_approval_is_on_where_anybody_can_register_until_the_settings_say_otherwise_lists_that_are_public_stay_so_and_a_password_is_no_way_around(): void {
		$made = fn(): string => get_post_status( $this->registry( 'alice', array( 'title' => 'Ours', 'status' => 'publish' ) )->id );
		self::assertSame( 'publish', $made() );
		update_option( 'users_can_register', 1 );
		self::assertSame( 'private', $made() );
		$words = 'An administrator of this site has to approve it first';
		self::assertStringContainsString( $words, $this->read( null, '/registries/new/' ), 'to those without an account, too' );
		update_option( 'trousseau_approval', '' );
		self::assertSame( 'publish', $made() );
		$public = $this->registry( 'alice', array( 'title' => 'Old', 'status' => 'publish' ) )->id;
		update_option( 'trousseau_approval', '1' );
		$this->details( 'alice', $public, array( 'title' => 'New' ) );
		$this->rest( 'alice', 'POST', "/wp/v2/registry/$public", array( 'title' => 'Newer', 'status' => 'publish' ) );
		self::assertSame( 'publish', get_post_status( $public ) );
		$this->details( 'alice', $public, array( 'status' => 'private' ) );
		$this->details( 'alice', $public, array( 'status' => 'publish' ) );
		self::assertSame( 'private', get_post_status( $public ), 'public anew' );

		$locked = $this->registry( 'alice', array( 'title' => 'Locked', 'status' => 'publish', 'password' => 'secret' ) )->id;
		self::assertSame( 'publish', get_post_status( $locked ), 'is in no list' );
		$this->rest( 'alice', 'POST', "/wp/v2/registry/$locked", array( 'password' => '' ) );
		self::assertSame( 'private', get_post_status( $locked ) );
		$planned = $this->registry( 'alice', array( 'title' => 'In time', 'status' => 'future', 'date' => '2036-01-01T00:00:00' ) )->id;
		self::assertSame( 'private', get_post_status( $planned ) );
		$this->page( 'admin', "/registries/$planned/details/", form: array( 'do' => 'approve' ) );
		self::assertSame( 'future', get_post_status( $planned ), 'on its day' );
		self::assertSame( 'publish', get_post_status( $this->registry( 'admin', array( 'title' => 'Of the house', 'status' => 'publish' ) )->id ) );
	}

	public function test_lists_are_made_by_the_roles_in_the_settings_and_stay_with_their_owners(): void {
		self::user( 'author', 'author' );
		$own = $this->registry( 'alice', array( 'title' => 'Hers' ) )->id;
		$this->store_settings( array( 'trousseau_list_roles' => array( '', 'author' ) ) );
		self::assertSame( 'author', get_option( 'trousseau_list_roles' ) );
		$boxes = $this->admin_page( 'admin', 'options-general.php', 'trousseau' );
		self::assertMatchesRegularExpression( '/value="author" checked/', $boxes );
		self::assertDoesNotMatchRegularExpression( '/value="(subscriber" checked|administrator"|trousseau_service")/', $boxes );

		$refused = $this->rest( 'alice', 'POST', '/wp/v2/registry', array( 'title' => 'More' ) );
		self::assertSame( array( 403, 'trousseau_limit' ), array( $refused->status, $refused->code() ) );
		self::assertInstanceOf( \IXR_Error::class, $this->xmlrpc( 'alice', 'wp.newPost', array( 'post_type' => 'registry', 'post_title' => 'More', 'post_status' => 'private' ) ) );
		self::assertFalse( $this->in_request( 'alice', static fn(): bool => current_user_can( get_post_type_object( 'registry' )->cap->create_posts ) ) );
		self::assertStringContainsString( 'Your account can’t create lists on this site', $this->page( 'alice', '/registries/new/', form: array( 'do' => 'make', 'title' => 'More', 'status' => 'private' ) )->text );
		self::assertSame( 0, self::id_of( 'More' ) );
		$mine = $this->page( 'alice', '/registries/mine/' )->text;
		self::assert_shows( 'Hers', $mine, hides: '/registries/new/' );
		self::assertSame( 200, $this->rest( 'alice', 'POST', "/wp/v2/registry/$own", array( 'title' => 'Hers still' ) )->status );
		foreach ( array( 'author', 'admin' ) as $login ) {
			$this->registry( $login, array( 'title' => 'Of a role' ) );
		}
		update_option( 'users_can_register', 1 );
		self::assertFalse( OwnAccount::is_offered() );

		$this->store_settings( array( 'trousseau_list_roles' => array( '', 'subscriber', 'contributor', 'author', 'editor' ) ) );
		self::assertSame( '*', get_option( 'trousseau_list_roles' ), 'also of roles to come' );
		$this->registry( 'alice', array( 'title' => 'More' ) );
		delete_option( 'trousseau_list_roles' );
		$this->store_settings( array( 'trousseau_list_roles' => array( '' ) ) );
		self::assertSame( '', get_option( 'trousseau_list_roles' ), 'nobody, also the first time' );
	}
}
