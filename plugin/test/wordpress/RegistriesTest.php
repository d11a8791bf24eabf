<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Lists\Registries;
use Trousseau\Lists\RegistryDraft;
use Trousseau\Lists\RegistryImport;
use Trousseau\Platform\Cookie;
use Trousseau\Plugin;

/** Registries: who may do what, what meta may hold, and that no page shows who is invited. */
final class RegistriesTest extends WordPressTestCase {

	public function test_every_signed_in_user_has_the_rights_whatever_their_role_and_an_account_without_one_has_none(): void {
		add_role( 'guest_of_another_plugin', 'Guest', array( 'read' => true ) );
		$dora   = self::user( 'dora', 'guest_of_another_plugin' );
		$rights = array(
			array( $dora, 'publish_registries', true ),
			array( $dora, 'edit_others_registries', false ),
			array( $dora, 'edit_posts', false ),
			array( 0, 'edit_registries', false ),
			array( self::user( 'admin' ), 'delete_others_registries', true ),
		);
		foreach ( $rights as list( $user, $right, $may ) ) {
			self::assertSame( $may, user_can( $user, $right ), $right );
		}
		$roles = array_diff_key( get_option( 'wp_user_roles' ), array( 'trousseau_service' => true ) );
		self::assertArrayHasKey( 'subscriber', $roles );
		self::assertStringNotContainsString( 'registr', wp_json_encode( $roles ) );
		$nora    = self::user( 'nora', '' );
		$refused = $this->rest( 'nora', 'POST', '/wp/v2/registry', array( 'title' => 'x', 'status' => 'publish' ) );
		self::assertSame( array( 403, 'rest_cannot_create' ), array( $refused->status, $refused->code() ) );
		wp_update_user( array( 'ID' => $nora, 'role' => 'subscriber' ) );
		self::assertSame( 201, $this->rest( 'nora', 'POST', '/wp/v2/registry', array( 'title' => 'x' ) )->status );
	}

	public function test_only_permitted_users_read_and_write_a_registry_over_rest(): void {
		$expected = array(
			// The statuses of a view, of one to edit, of a change and of a deletion, by user.
			'private' => array(
				'bob'   => array( 200, 200, 403, 403 ),
				'carol' => array( 403, 403, 403, 403 ),
				''      => array( 401, 401, 401, 401 ),
			),
			'publish' => array(
				'bob'   => array( 200, 200, 403, 403 ),
				'carol' => array( 200, 403, 403, 403 ),
				''      => array( 200, 401, 401, 401 ),
			),
			'draft'   => array(
				'bob'   => array( 403, 403, 403, 403 ),
				'carol' => array( 403, 403, 403, 403 ),
				''      => array( 401, 401, 401, 401 ),
			),
		);
		foreach ( $expected as $status => $by_user ) {
			$path = '/wp/v2/registry/' . $this->registry( 'alice', array( 'title' => 'P', 'status' => $status, 'meta' => array( 'registry_invitees' => '["BOB"]' ) ) )->id;
			self::assertTrue( user_can( self::user( 'admin' ), 'delete_post', (int) basename( $path ) ), $status );
			foreach ( $by_user + array( 'admin' => array( 200, 200 ), 'alice' => array( 200, 200, 200, 200 ) ) as $login => $statuses ) {
				$requests = array( array( 'GET', $path ), array( 'GET', "$path?context=edit" ), array( 'POST', $path, array( 'title' => 'x' ) ), array( 'DELETE', "$path?force=true" ) );
				$answers  = array_map( fn( array $request ): int => $this->rest( $login ?: null, ...$request )->status, array_slice( $requests, 0, count( $statuses ) ) );
				self::assertSame( $statuses, $answers, "$login at the $status one" );
			}
			self::assertNull( get_post( (int) basename( $path ) ), 'its owner has deleted it' );
		}
	}

	public function test_an_invitee_by_email_address_whatever_the_case_reads_the_whole_registry_without_its_password_and_nobody_passes_for_one(): void {
		$path = '/wp/v2/registry/' . $this->registry( 'alice', array( 'title' => 'Ann & Bob', 'status' => 'publish', 'password' => 'knock', 'meta' => array( 'registry_invitees' => '["Carol@Example.TEST"]' ) ) )->id . '?context=edit';
		$seen = $this->rest( 'carol', 'GET', $path )->json;
		self::assertSame( 'Ann &amp; Bob', $seen['title']['raw'] );
		self::assertSame( '["Carol@Example.TEST"]', $seen['meta']['registry_invitees'] );
		self::assertArrayNotHasKey( 'password', $seen );
		self::assertSame( 'knock', $this->rest( 'alice', 'GET', $path )->json['password'] );
		$id   = $this->registry( 'alice', array( 'title' => 'By address', 'status' => 'private', 'meta' => array( 'registry_invitees' => '["erin@example.test"]' ) ) )->id;
		$bob  = self::user( 'bob' );
		$seen = fn(): int => $this->rest( 'bob', 'GET', "/wp/v2/registry/$id?context=edit" )->status;
		foreach ( array( 'me', (string) $bob, 'ME' ) as $me ) {
			$this->rest( 'bob', 'POST', "/wp/v2/users/$me", array( 'email' => 'erin@example.test' ) );
			self::assertSame( 403, $seen(), $me );
		}
		$refused = $this->rest( 'bob', 'PATCH', '/wp/v2/users/me', array( 'email' => 'Erin@example.test' ) );
		self::assertSame( array( 403, 'trousseau_unconfirmed_address' ), array( $refused->status, $refused->code() ) );
		self::assertSame( 200, $this->rest( 'bob', 'POST', '/wp/v2/users/me', array( 'email' => 'bob@example.test', 'description' => 'Still Bob' ) )->status );

		update_option( 'users_can_register', 1 );
		$register = fn( string $login, string $email ): mixed => $this->in_request( null, static fn(): mixed => register_new_user( $login, $email ), 'POST', '/wp-login.php?action=register' );
		self::assertInstanceOf( \WP_Error::class, $register( 'erin@example.test', 'mallory@example.test' ) );
		self::assertFalse( username_exists( 'erin@example.test' ) );
		self::assertIsInt( $register( 'frida@example.test', 'frida@example.test' ) );
		self::assertIsInt( $register( 'gustav', 'gustav@example.test' ) );

		self::assertSame( 200, $this->rest( 'admin', 'POST', "/wp/v2/users/$bob", array( 'email' => 'erin@example.test' ) )->status );
		self::assertSame( 200, $seen() );
	}

	public function test_a_new_registry_is_its_makers_own_and_private_by_rest_and_xmlrpc_unless_they_say_otherwise(): void {
		self::user( 'alice' );
		$status = fn( array $fields ): string => get_post_status( (int) $this->xmlrpc( 'alice', 'wp.newPost', array( 'post_type' => 'registry', 'post_title' => 'New' ) + $fields ) );
		foreach ( array( '' => 'private', 'publish' => 'publish', 'draft' => 'draft' ) as $said => $is ) {
			$made = $this->rest( 'alice', 'POST', '/wp/v2/registry', array_filter( array( 'title' => 'New', 'status' => $said ) ) );
			self::assertSame( array( $is, $is ), array( $made->json['status'], $status( array_filter( array( 'post_status' => $said ) ) ) ), "“{$said}”" );
		}
		$forged = $this->rest( 'alice', 'POST', '/wp/v2/registry', array( 'title' => 'x', 'author' => self::user( 'bob' ) ) );
		self::assertSame( array( 403, 'rest_cannot_edit_others' ), array( $forged->status, $forged->code() ) );
		self::assertSame( 401, $this->rest( null, 'POST', '/wp/v2/registry', array( 'title' => 'x' ) )->status );
	}

	public function test_meta_that_cannot_be_used_is_refused_and_nothing_is_stored(): void {
		$refused = array(
			'registry_item_ids'       => array( 'rubbish', '{"a":1}', '[1,"2"]', '[0]', '', array( 1, 2 ), wp_json_encode( range( 1, 1001 ) ) ),
			'registry_invitees'       => array( '["ok", 5]', '["  "]', wp_json_encode( array( str_repeat( 'x', 255 ) ) ), wp_json_encode( array_map( 'strval', range( 1, 1001 ) ) ) ),
			'registry_event_date'     => array( '2027-02-30', '30.05.2027', 20270530 ),
			'registry_currency'       => array( 'eur', 'EURO' ),
			'trousseau_reserved_for'  => array( '15' ),
			'registry_surprise_until' => array( 'soon', '2027-02-30' ),
			'registry_event_type'     => array( str_repeat( 'x', 101 ) ),
			'registry_pay_to'         => array( str_repeat( 'x', 301 ) ),
		);
		$id      = $this->registry( 'alice', array( 'title' => 'Kept', 'meta' => array( 'registry_event_type' => 'Wedding' ) ) )->id;
		foreach ( $refused as $key => $values ) {
			foreach ( $values as $value ) {
				foreach ( array( '/wp/v2/registry', "/wp/v2/registry/$id" ) as $path ) {
					$answer = $this->rest( 'alice', 'POST', $path, array( 'title' => 'Lost', 'meta' => array( $key => $value ) ) );
					self::assertSame( array( 400, is_string( $value ) ? 'rest_invalid_param' : 'rest_invalid_type' ), array( $answer->status, $answer->code() ), "$key " . substr( wp_json_encode( $value ), 0, 60 ) );
				}
			}
		}
		self::assertCount( 1, get_posts( array( 'post_type' => 'registry', 'post_status' => 'any', 'numberposts' => -1, 'fields' => 'ids' ) ) );
		$kept = $this->rest( 'alice', 'GET', "/wp/v2/registry/$id?context=edit" )->json;
		self::assertSame( array( 'Kept', 'Wedding' ), array( $kept['title']['raw'], $kept['meta']['registry_event_type'] ) );
	}

	public function test_stories_their_versions_and_a_lists_custom_fields_have_limits(): void {
		update_option( 'dev_limits', array( 'bytes_of_a_story' => 1000, 'revisions_of_a_story' => 3 ) );
		$id   = $this->registry( 'alice', array( 'title' => 'Told', 'status' => 'publish' ) )->id;
		$tell = fn( string $content ): Answer => $this->rest( 'alice', 'POST', "/wp/v2/registry/$id", compact( 'content' ) );
		$long = $tell( str_repeat( 'x', 1001 ) );
		self::assertSame( array( 403, 'trousseau_limit' ), array( $long->status, $long->code() ) );
		self::assertStringContainsString( 'This story is too long. Use at most 1,000 B, 400 blocks and 200 pictures.', $long->json['message'] );
		self::assertSame( 200, $tell( 'Short' )->status );
		$may = static fn( string $field ): bool => current_user_can( 'add_post_meta', $id, $field );
		// A test of autosaves before this one has made WordPress store no revisions in this process.
		$found = static fn(): array => array( wp_revisions_to_keep( get_post( $id ) ), $may( 'anything' ), $may( 'registry_event_type' ), wp_update_post( array( 'ID' => $id, 'post_content' => str_repeat( 'x', 1001 ) ) ) );
		self::assertSame( array( 3, false, true, 0 ), $this->in_request( 'alice', $found ) );
	}

	public function test_meta_is_cleaned_when_written_and_complete_when_read(): void {
		$long = str_repeat( 'é', 241 ) . '@example.test';
		$odd  = 'Ann "A" O\'Neil \\ 🎁@example.test';
		$meta = array(
			'registry_item_ids'       => '[3, 1, 3, 9007199254740991]',
			'registry_invitees'       => wp_json_encode( array( ' Bob ', 'bob', $odd, $long, 'ÄNNE@example.test', 'änne@example.test', '12@example.test', 'Bob@example.test' ) ),
			'registry_event_type'     => str_repeat( '&lt;', 100 ),
			'registry_event_date'     => '2028-02-29',
			'registry_currency'       => 'CHF',
			'registry_surprise_until' => 'always',
		);
		$made = $this->registry( 'alice', array( 'title' => 'Clean' ) + compact( 'meta' ) );
		self::assertSame( '[3,1,9007199254740991]', $made->meta['registry_item_ids'] );
		self::assertSame( array( 'Bob', $odd, $long, 'ÄNNE@example.test', '12@example.test', 'Bob@example.test' ), json_decode( $made->meta['registry_invitees'], true ) );
		self::assertSame( array( str_repeat( '&lt;', 100 ), '2028-02-29', 'CHF', 'always' ), array( $made->meta['registry_event_type'], $made->meta['registry_event_date'], $made->meta['registry_currency'], $made->meta['registry_surprise_until'] ) );

		$again = $this->rest( 'alice', 'POST', "/wp/v2/registry/$made->id", array( 'meta' => $made->meta ) );
		self::assertSame( array( 200, $made->meta ), array( $again->status, $again->json['meta'] ) );
		$empty   = array(
			'registry_item_ids'       => '[]',
			'registry_invitees'       => null,
			'registry_event_type'     => '',
			'registry_event_date'     => '',
			'registry_currency'       => '',
			'registry_surprise_until' => '',
			'trousseau_reserved_for'  => '',
		);
		$cleared = $this->rest( 'alice', 'POST', "/wp/v2/registry/$made->id", array( 'meta' => $empty ) )->json['meta'];
		// Newer versions of WordPress add a key of their own.
		unset( $cleared['footnotes'] );
		self::assertEquals( array( 'registry_invitees' => '[]', 'registry_owners' => '[]', 'registry_surprise_keeps' => '', 'registry_pay_to' => '' ) + $empty, $cleared );
	}

	public function test_values_of_an_older_version_or_another_plugin_are_read_tolerantly_and_may_be_sent_back(): void {
		$id     = $this->registry( 'alice', array( 'title' => 'Old', 'status' => 'private' ) )->id;
		$guests = array_map( static fn( int $number ): string => "guest$number", range( 1, 1001 ) );
		$stored = array(
			array( 'registry_item_ids', 'rubbish', '[]' ),
			array( 'registry_item_ids', array( '5', 6, 'x' ), '[5,6]' ),
			array( 'registry_item_ids', range( 1, 1001 ), wp_json_encode( range( 1, 1000 ) ) ),
			array( 'registry_invitees', array( 'bob', 7, ' bob ' ), '["bob"]' ),
			array( 'registry_invitees', '"bob"', '[]' ),
			array( 'registry_invitees', $guests, wp_json_encode( array_slice( $guests, 0, 1000 ) ) ),
			array( 'registry_event_date', 'soon', '' ),
			array( 'registry_event_date', '2027-02-29', '' ),
			array( 'registry_event_date', "2028-02-29\n", '' ),
			array( 'registry_event_type', array( 'x' ), '' ),
			array( 'registry_currency', 'francs', '' ),
			array( 'trousseau_reserved_for', 'for ever', '' ),
			array( 'trousseau_reserved_for', 'day', 'day' ),
			array( 'registry_pay_to', " In an <b>envelope</b>\n", 'In an envelope' ),
			array( 'registry_pay_to', 'Ann &amp; Bob <3', 'Ann &amp; Bob <3' ),
			array( 'registry_pay_to', array( 'x' ), '' ),
			array( 'registry_surprise_until', 'soon', 'always' ),
			array( 'registry_surprise_until', '2027-05-30', '2027-05-30' ),
			array( 'registry_surprise_until', false, '' ),
		);
		foreach ( $stored as list( $key, $value, $read ) ) {
			self::call( 'store_meta', $id, $key, $value );
			$answer = $this->rest( 'alice', 'GET', "/wp/v2/registry/$id?context=edit" );
			self::assertSame( array( 200, $read ), array( $answer->status, $answer->json['meta'][ $key ] ), $key );
			self::assertSame( 200, $this->rest( 'alice', 'POST', "/wp/v2/registry/$id", array( 'meta' => array( $key => $read ) ) )->status, "$key $read" );
		}
	}

	public function test_the_site_shows_public_registries_to_all_private_ones_to_owner_administrator_and_invitees(): void {
		$open   = $this->registry( 'alice', array( 'title' => 'Open house', 'status' => 'publish' ) );
		$closed = $this->registry( 'alice', array( 'title' => 'Closed circle', 'status' => 'private', 'meta' => array( 'registry_invitees' => '["bob"]' ) ) );
		foreach ( array( null, 'carol', 'alice', 'bob', 'admin' ) as $login ) {
			$is_invited = ! in_array( $login, array( null, 'carol' ), true );
			foreach ( array( $closed->link, "/?registry=$closed->id", "/?registry=$closed->slug", "/?p=$closed->id&post_type=registry" ) as $path ) {
				$page = $this->visit( $login, $path );
				self::assertSame( $is_invited ? 200 : 404, $page->status, "$login $path" );
				self::assertSame( $is_invited, str_contains( $page->text, 'Closed circle' ), "$login $path" );
			}
			if ( $login === 'alice' ) {
				self::assertMatchesRegularExpression( "/<meta name='robots' content='[^']*noindex/", $page->text );
				self::assertDoesNotMatchRegularExpression( '/<meta (property="og:|name="description")/', $page->text, 'nothing is told where its address is sent on' );
			}
			self::assertSame( 200, $this->page( $login, $open->link )->status );
			$archive = $this->page( $login, '/registry/' )->text;
			self::assertStringContainsString( 'Open house', $archive );
			self::assertStringNotContainsString( 'Closed circle', $archive, 'the archive is the public list for everybody' );
		}
	}

	public function test_people_who_have_nothing_to_do_with_lists_find_the_site_as_it_is_and_those_who_sign_in_come_back_to_where_they_were_or_to_their_lists(): void {
		self::user( 'nina' );
		$list = $this->registry( 'alice', array( 'title' => 'Ours', 'status' => 'publish', 'meta' => array( 'registry_owners' => '["bob"]' ) ) )->link;
		$page = get_permalink( self::post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Of the site' ) ) );
		$seen = fn( ?string $login, string $path ): array => array_map( fn( string $word ): bool => str_contains( $this->page( $login, $path )->text, $word ), array( ' admin-bar ', 'rel="manifest"' ) );
		foreach ( array( $page, '/' ) as $path ) {
			self::assertSame( array( true, false ), $seen( 'nina', $path ), $path );
			self::assertSame( array( true, false ), $seen( 'admin', $path ), $path );
			self::assertSame( array( false, false ), $seen( null, $path ), $path );
			self::assert_each( array( false, false ), array( 'alice', 'bob' ), static fn( string $owner ): array => $seen( $owner, $path ) );
		}
		foreach ( array( 'nina', 'alice' ) as $login ) {
			self::assertSame( array( false, true ), $seen( $login, '/registries/mine/' ), $login );
			self::assertSame( array( false, false ), $seen( $login, $list ), $login );
		}
		self::assertSame( array( false, false ), $seen( null, '/registries/new/' ), 'for accounts' );
		$arrive   = fn( string $login, string $asked = '' ): string => $this->in_request( null, static fn(): string => apply_filters( 'login_redirect', $asked === '' ? admin_url() : $asked, $asked, get_user_by( 'login', $login ) ), 'POST', '/wp-login.php' );
		$registry = home_url( '/registry/some/' );
		$this->registry( 'alice', array( 'title' => 'Ours', 'status' => 'private', 'meta' => array( 'registry_owners' => '["bob"]', 'registry_invitees' => '["carol"]' ) ) );
		self::assert_each( home_url( '/registries/mine/' ), array( 'alice', 'bob', 'nina' ), $arrive );
		self::assertSame( $registry, $arrive( 'alice', $registry ) );
		self::assertSame( admin_url(), $arrive( 'admin' ) );
		add_filter( 'login_redirect', static fn(): string => home_url( '/members/' ), 9 );
		self::assertSame( array( home_url( '/members/' ), home_url( '/registries/mine/' ), home_url( '/registries/mine/' ) ), array( $arrive( 'nina' ), $arrive( 'alice' ), $arrive( 'carol' ) ), 'another plugin leads those without a list' );
	}

	public function test_the_list_whose_day_comes_next_is_the_first_of_ones_own_and_of_others_and_days_that_are_over_are_last(): void {
		$days = array( 'Later' => '2098-05-01', 'Sooner' => '2097-12-31', 'Whenever' => '', 'Long ago' => '2019-01-01', 'Just over' => '2020-06-01', 'Today' => wp_date( 'Y-m-d' ) );
		foreach ( $days as $title => $day ) {
			$this->registry( 'alice', array( 'title' => $title, 'status' => 'private', 'meta' => array( 'registry_event_date' => $day, 'registry_invitees' => '["bob"]' ) ) );
		}
		$order = array( 'Today', 'Sooner', 'Later', 'Whenever', 'Just over', 'Long ago' );
		$seen  = function ( string $login ) use ( $order ): array {
			preg_match_all( '/<a href="[^"]*">(' . implode( '|', $order ) . ')</', $this->read( $login, '/registries/mine/' ), $found );
			return $found[1];
		};
		self::assert_each( $order, array( 'alice', 'bob' ), $seen );
		update_user_meta( self::user( 'alice' ), '_trousseau_no_password', 1 );
		preg_match_all( '/<form class="([^"]*)".*?name="do" value="(\w+)"/s', $this->read( 'alice', '/registries/mine/' ), $forms );
		self::assertSame( array_fill_keys( array( 'password', 'import' ), 'trousseau-form is-quiet' ), array_combine( $forms[2], $forms[1] ), 'one main button: a list' );
	}

	public function test_a_guest_finds_their_lists_however_many_others_have_guests_with_a_name_like_theirs_and_a_begun_list_that_nobody_came_back_for_is_gone_after_a_week(): void {
		$this->registry( 'alice', array( 'title' => 'For Bob', 'status' => 'private', 'date' => '2020-01-01T00:00:00', 'meta' => array( 'registry_invitees' => '["bob"]' ) ) );
		for ( $n = 0; $n < 101; ++$n ) {
			self::post( array( 'post_type' => 'registry', 'post_status' => 'publish', 'post_author' => self::user( 'admin' ), 'post_title' => 'Other', 'meta_input' => array( 'registry_invitees' => '["bobby@example.org"]' ) ) );
		}
		$page = $this->page( 'bob', '/registries/mine/' )->text;
		self::assert_shows( 'For Bob', $page, hides: '>Other<' );
		for ( $n = 0; $n < 501; ++$n ) {
			Plugin::get( RegistryDraft::class )->keep( array( 'title' => "List $n" ) );
			Plugin::get( Cookie::class )->clear( 'draft' );
		}
		self::call( 'age_values', 'draft_', 2 * WEEK_IN_SECONDS, 1 );
		$this->run_jobs( 'sweep' );
		$left = array_filter( self::call( 'rows', 'trousseau_values' ), static fn( array $row ): bool => str_starts_with( $row['name'], 'draft_' ) );
		self::assertCount( 500, $left );
		self::assertGreaterThan( 1000 * ( time() + WEEK_IN_SECONDS - DAY_IN_SECONDS ), min( array_column( $left, 'expires_at' ) ) );
	}

	public function test_no_public_answer_of_the_site_holds_a_guest_or_anything_of_a_private_registry(): void {
		self::user( 'hiddenguest' );
		$secrets = array( 'secret.guest@leak.test', 'hiddenguest', '987654321', 'Whisperwood', 'Murmur' );
		$meta    = array( 'registry_invitees' => '["secret.guest@leak.test", "hiddenguest"]', 'registry_item_ids' => '[987654321]' );
		$open    = $this->registry( 'alice', array( 'title' => 'Leaky', 'content' => 'Findable story', 'status' => 'publish', 'meta' => $meta ) );
		$closed  = $this->registry( 'alice', array( 'title' => 'Whisperwood', 'slug' => 'behind-the-door', 'content' => 'Murmur, a findable story', 'status' => 'private', 'meta' => $meta ) );
		$this->rest( 'alice', 'POST', "/wp/v2/registry/$open->id", array( 'content' => 'Findable story, revised' ) );
		$revision = $this->in_request( 'alice', static fn(): int => _wp_put_post_revision( $open->id ) );
		self::assertSame( array(), array_intersect( array_keys( get_post_custom( $revision ) ), array( 'registry_invitees', 'registry_item_ids' ) ) );

		// The searches are for parts of the words: a page repeats the text that was searched for.
		$pages = array( '/', '/registry/', '/?s=story', '/?s=secret.gu', '/?s=whisperw', '/feed/', '/registry/feed/', '/?feed=atom&post_type=registry', '/comments/feed/', '/author/alice/', '/registries/new/', '/registries/mine/', '/registries/my-gifts/', '/registries/add/' );
		$rest  = array( '/', '/wp/v2/types/registry', '/wp/v2/users', '/wp/v2/search?search=story&subtype=any', '/wp/v2/search?search=whisperw', '/wp/v2/search?search=secret.gu', '/wp/v2/registry', '/wp/v2/registry?context=embed', '/wp/v2/registry?context=edit', '/wp/v2/registry?_embed=1', '/wp/v2/registry?search=whisperw', '/wp/v2/registry?meta_key=registry_invitees&orderby=meta_value', "/wp/v2/registry?slug=$closed->slug" );
		// StrangersTest.php asks at the addresses of private ones.
		array_push( $pages, $open->link, "{$open->link}embed/", "{$open->link}feed/", "/?p=$open->id&post_type=registry&preview=true", "/?registry=$open->id" );
		foreach ( array( 'gifts', 'guests', 'given', 'details', 'give' ) as $page ) {
			$pages[] = "/registries/$open->id/$page/";
		}
		array_push( $rest, '/oembed/1.0/embed?url=' . rawurlencode( $open->link ), "/wp/v2/registry/$open->id/revisions/$revision?context=edit" );
		foreach ( array( 'view', 'embed', 'edit' ) as $context ) {
			array_push( $rest, "/wp/v2/registry/$open->id?context=$context", "/wp/v2/registry/$open->id/revisions?context=$context", "/wp/v2/registry/$open->id/autosaves?context=$context" );
		}
		$seen = 0;
		foreach ( array( null, 'carol' ) as $login ) {
			$answers = array_merge(
				array_combine( $pages, array_map( fn( string $path ): Answer => $this->page( $login, $path ), $pages ) ),
				array_combine( $rest, array_map( fn( string $path ): Answer => $this->rest( $login, 'GET', $path ), $rest ) ),
				$this->in_request( $login, array( self::class, 'sitemaps' ) )
			);
			foreach ( $answers as $path => $answer ) {
				self::assertLessThan( 500, $answer->status, $path );
				$seen += (int) ( $answer->status === 200 && str_contains( $answer->text, 'Leaky' ) );
				foreach ( str_contains( $path, $closed->slug ) ? $secrets : array( ...$secrets, $closed->slug ) as $secret ) {
					self::assertFalse( str_contains( $answer->text, $secret ), "$login: $path shows $secret" );
				}
			}
		}
		self::assertGreaterThan( 20, $seen, 'the public registry itself was seen: the search did look somewhere' );
		self::assertSame( 404, $this->rest( null, 'GET', '/oembed/1.0/embed?url=' . rawurlencode( $closed->link ) )->status );
		self::assertSame( 200, $this->rest( null, 'GET', '/oembed/1.0/embed?url=' . rawurlencode( $open->link ) )->status );
	}

	/** @return array<string, Answer> The lists of addresses in the sitemaps, which WordPress writes as XML. */
	public static function sitemaps(): array {
		$answers = array();
		foreach ( wp_sitemaps_get_server()->registry->get_providers() as $name => $provider ) {
			foreach ( array_keys( $provider->get_object_subtypes() ) ?: array( '' ) as $subtype ) {
				$answers[ "sitemap $name $subtype" ] = new Answer( 200, wp_json_encode( $provider->get_url_list( 1, $subtype ), JSON_UNESCAPED_SLASHES ) );
			}
		}
		self::assertStringContainsString( '/registry/', $answers['sitemap posts registry']->text );
		return $answers;
	}

	public function test_the_meta_keys_stay_out_of_custom_fields_and_blocks(): void {
		$id = $this->registry( 'alice', array( 'title' => 'Fields', 'meta' => array( 'registry_invitees' => '["bob"]' ) ) )->id;
		add_post_meta( $id, 'own_field', 'shown' );
		self::assertTrue( is_protected_meta( 'registry_invitees', 'post' ) );
		$theme = static function () use ( $id ): void {
			query_posts( "post_type=registry&p=$id&post_status=any" );
			the_post();
			the_meta();
		};
		self::assertStringNotContainsString( 'registry_', $this->printed( 'admin', $theme ) );
		$box = $this->printed( 'admin', static fn() => post_custom_meta_box( get_post( $id ) ), "/wp-admin/post.php?post=$id&action=edit" );
		self::assertStringContainsString( 'own_field', $box );
		self::assertDoesNotMatchRegularExpression( '/name="meta\[\d+\]\[key\]"[^>]*registry_invitees/', $box );

		$bound   = static fn( string $key ): string => "<!-- wp:paragraph {\"metadata\":{\"bindings\":{\"content\":{\"source\":\"core/post-meta\",\"args\":{\"key\":\"$key\"}}}}} --><p>unbound</p><!-- /wp:paragraph -->";
		$content = $bound( 'registry_invitees' ) . $bound( 'registry_item_ids' ) . $bound( '_trousseau_guests' );
		$link    = $this->registry( 'alice', array( 'title' => 'Bound', 'status' => 'publish', 'content' => $content, 'meta' => array( 'registry_invitees' => '["grandmother@family.test"]', 'registry_item_ids' => '[424242]' ) ) )->link;
		foreach ( array( null, 'bob', 'alice' ) as $login ) {
			$text = $this->page( $login, $link )->text;
			self::assertStringContainsString( 'Bound', $text );
			self::assertDoesNotMatchRegularExpression( '/grandmother|424242/', $text );
		}
	}

	public function test_a_new_list_begins_in_the_currency_of_its_owners_newest_list_or_else_in_the_sites_and_goes_to_the_account_that_its_visitor_makes_and_to_no_other(): void {
		$begins_in = fn( ?string $login ): string => self::form_on( $this->page( $login, '/registries/new/' ), 'make' )['currency'];
		self::assertSame( array( 'USD', 'USD' ), array( $begins_in( null ), $begins_in( 'carol' ) ) );
		$this->registry( 'carol', array( 'title' => 'First', 'meta' => array( 'registry_currency' => 'SEK' ) ) );
		self::assertSame( array( 'USD', 'SEK' ), array( $begins_in( null ), $begins_in( 'carol' ) ) );
		$form  = array( 'do' => 'make', 'title' => 'Begun', 'occasion' => 'wedding', 'currency' => 'EUR', 'status' => 'private', 'surprise' => 'no' );
		$begun = $this->page( null, '/registries/new/', form: $form )->cookies;
		self::assertNotSame( array(), $begun );
		$draft_of = fn( ?string $maker, string $login ): string => $this->in_request(
			$maker,
			static function () use ( $begun, $login ): string {
				$_COOKIE = $begun;
				return (string) get_user_meta( self::user( $login ), '_trousseau_draft', true );
			}
		);
		self::assertSame( '', $draft_of( 'admin', 'somebody' ) );
		self::assertNotSame( '', $draft_of( null, 'newlywed' ) );
	}

	public function test_a_new_list_that_the_database_refuses_loses_nothing_that_was_typed(): void {
		$form   = array( 'title' => 'Typed words' ) + self::form_on( $this->page( 'alice', '/registries/new/' ), 'make' );
		$errors = $GLOBALS['wpdb']->suppress_errors();
		add_filter( 'query', array( LockTest::class, 'write_nothing' ) );
		try {
			$answer = $this->page( 'alice', '/registries/new/', form: $form );
		} finally {
			remove_filter( 'query', array( LockTest::class, 'write_nothing' ) );
			$GLOBALS['wpdb']->suppress_errors( $errors );
			Complaints::take();
		}
		self::assertSame( 422, $answer->status );
		self::assertSame( 'Typed words', self::form_on( $answer, 'make' )['title'] );
	}

	public function test_a_fault_in_the_form_of_a_new_list_is_all_that_its_page_says(): void {
		$page = $this->send_form( 'alice', '/registries/new/', 'make', array( 'title' => 'Ours', 'surprise' => 'day', 'until' => '' ) );
		self::assert_refused( '/Choose the date from which you’d like to see everything/', $page );
		self::assertStringNotContainsString( 'couldn’t create your list', $page->text );
	}

	public function test_a_file_whose_gifts_cannot_be_stored_makes_no_list(): void {
		add_filter( 'query', static fn( string $statement ): string => preg_match( '/^INSERT.*_jobs\b.*import /s', $statement ) ? '' : $statement );
		$this->outside->answer( 'DELETE /registries/*', '', 204 );
		$made = $this->in_request( 'alice', static fn() => Plugin::get( RegistryImport::class )->begin( '{"format":"trousseau-registry-1","title":"Afar","items":[{"name":"Pan","url":"https://shop.example/"}]}', self::user( 'alice' ) ) );
		self::assertStringStartsWith( 'We couldn’t create your list right now', $made->get_error_message() );
		self::assertSame( array(), get_posts( array( 'post_type' => 'registry', 'post_status' => 'any' ) ) );
	}

	public function test_the_form_of_a_new_list_that_is_sent_twice_makes_one_list(): void {
		$form  = array( 'title' => 'Once' ) + self::form_on( $this->page( 'alice', '/registries/new/' ), 'make' );
		$press = fn( array $form ): int => $this->page( 'alice', '/registries/new/', form: $form )->status;
		self::assertSame( 422, $press( array( 'title' => '' ) + $form ) );
		self::assert_each( 303, array( 'pressed', 'pressed again' ), static fn(): int => $press( $form ) );
		self::assertCount( 1, get_posts( array( 'post_type' => 'registry', 'post_status' => 'any', 'title' => 'Once' ) ) );
	}

	public function test_a_list_that_comes_back_from_the_trash_is_where_it_was_and_as_it_was(): void {
		foreach ( array( 'private', 'publish' ) as $status ) {
			$list = $this->registry( 'alice', array( 'title' => 'Ann & Sam', 'status' => $status ) );
			$act  = fn( string $what ) => $this->in_request( 'admin', static fn() => $what( $list->id ), 'POST', '/wp-admin/edit.php' );
			$act( 'wp_trash_post' );
			self::assertSame( 'trash', get_post_status( $list->id ) );
			$act( 'wp_untrash_post' );
			$now = get_post( $list->id );
			self::assertSame( array( $status, $list->slug ), array( $now->post_status, $now->post_name ) );
		}
	}

	public function test_whoever_publishes_a_list_is_no_author_to_strangers(): void {
		$id = self::user( 'alice' );
		$this->registry( 'alice', array( 'title' => 'Ours', 'status' => 'publish', 'password' => 'secret' ) );
		foreach ( array( '/wp/v2/users', '/wp/v2/users?has_published_posts=registry' ) as $path ) {
			self::assertNotContains( $id, array_column( $this->rest( null, 'GET', $path )->json, 'id' ), $path );
		}
		self::assertSame( array( 401, 200 ), array( $this->rest( null, 'GET', "/wp/v2/users/$id" )->status, $this->rest( 'admin', 'GET', "/wp/v2/users/$id" )->status ) );
		self::post( array( 'post_author' => $id, 'post_status' => 'publish', 'post_title' => 'Hers' ) );
		self::assertSame( 200, $this->rest( null, 'GET', "/wp/v2/users/$id" )->status );
	}

	public function test_a_private_list_whose_name_has_no_letters_has_an_address(): void {
		self::assertSame( 200, $this->page( 'alice', $this->registry( 'alice', array( 'title' => ':-)' ) )->link )->status );
	}

	public function test_a_gift_without_a_shop_is_known_by_its_lists_address_as_it_is_and_as_it_was(): void {
		$list = $this->registry( 'alice', array( 'title' => 'Ann & Sam' ) );
		$id   = $list->id;
		$real = (string) get_post_permalink( $id, false, true );
		$own  = array( $real, str_replace( 'http:', 'https:', $real ), home_url( "/?post_type=registry&p=$id" ) );
		self::assert_each( true, $own, static fn( string $url ): bool => Registries::is_own_address( $url, $id ) );
		$foreign = array( "{$real}x/", str_replace( $list->slug, "$list->slug-2", $real ), 'https://shop.example/' . ltrim( (string) wp_parse_url( $real, PHP_URL_PATH ), '/' ), home_url( "/?post_type=registry&p={$id}0" ), "$real?x", home_url( '/' ) );
		self::assert_each( false, $foreign, static fn( string $url ): bool => Registries::is_own_address( $url, $id ) );
		update_option( 'trousseau_slugs', array( 'lists' => array( 'wunschliste' ) ) );
		self::assertTrue( Registries::is_own_address( $real, $id ) );
		$moved = "https://former.example/blog/?post_type=registry&p=$id";
		self::assertSame( array( true, false ), array( Registries::is_own_address( $moved, $id, false ), Registries::is_own_address( $moved, $id ) ) );
		wp_update_post( array( 'ID' => $id, 'post_name' => 'ours' ) );
		self::assertTrue( Registries::is_own_address( $real, $id ), 'by its former slug' );
	}

	public function test_a_file_that_is_sent_twice_makes_one_list(): void {
		$file = wp_tempnam();
		file_put_contents( $file, '{"format":"trousseau-registry-1","title":"Afar","items":[]}' );
		$this->outside->answer( 'GET /registries/*', array( 'id' => 1 ) );
		$form  = self::form_on( $this->page( 'alice', '/registries/mine/' ), 'import' );
		$press = fn( array $form ): Answer => $this->page( 'alice', '/registries/mine/', form: $form, files: array( 'file' => $file ) );
		self::assert_each( 303, array( 'pressed', 'pressed again' ), static fn(): int => $press( $form )->status );
		$made  = static fn( string $title ): int => count( get_posts( array( 'post_type' => 'registry', 'post_status' => 'any' ) + compact( 'title' ) ) );
		file_put_contents( $file, '{"format":"trousseau-registry-1","title":"Near","items":[]}' );
		self::assertSame( array( 1, 303, 1 ), array( $made( 'Afar' ), $press( $form )->status, $made( 'Near' ) ), 'another file by the form of the page before' );
		$form = self::form_on( $this->page( 'alice', '/registries/mine/' ), 'import' );
		file_put_contents( $file, '{"format":"trousseau-registry-1","title":"\\u0000","items":[]}' );
		self::assertSame( 422, $press( $form )->status, 'no name' );
		file_put_contents( $file, '{"format":"trousseau-registry-2"}' );
		self::assert_each( 422, array( 'refused', 'refused again' ), static fn(): int => $press( $form )->status );
	}

	public function test_the_toolbar_offers_to_edit_no_page_of_ours_and_without_permalinks_an_unknown_list_is_not_found(): void {
		$edits = fn( string $path ): bool => $this->in_request(
			'admin',
			static function (): bool {
				require_once ABSPATH . WPINC . '/class-wp-admin-bar.php';
				$GLOBALS['wp']->main();
				$bar = new \WP_Admin_Bar();
				$bar->add_node( array( 'id' => 'edit', 'title' => 'Edit Page' ) );
				do_action( 'admin_bar_menu', $bar );
				return (bool) $bar->get_node( 'edit' );
			},
			'GET',
			$path
		);
		self::assertFalse( $edits( '/registries/mine/' ) );
		self::assertTrue( $edits( '/' ) );
		self::assertSame( array( 'error' => '404' ), apply_filters( 'request', array( 'registry' => 'nothing-there' ) ) );
		$probe = array( 'registry' => 'MTc5NTc2.c2lnbmVk' );
		self::assertSame( $probe, apply_filters( 'request', $probe ) );
	}

	public function test_a_guest_reads_no_more_where_another_plugin_answers_with_an_array(): void {
		$made   = $this->registry( 'alice', array( 'title' => 'Ours', 'status' => 'private', 'meta' => array( 'registry_invitees' => '["bob"]', 'registry_pay_to' => 'In an envelope' ) ) );
		$answer = static fn( \WP_REST_Response $response ): array => $response->get_data();
		add_filter( 'rest_prepare_registry', $answer );
		$seen   = $this->rest( 'bob', 'GET', "/wp/v2/registry/$made->id?context=edit" );
		remove_filter( 'rest_prepare_registry', $answer );
		self::assertSame( array( 200, '' ), array( $seen->status, $seen->json['meta']['registry_pay_to'] ) );
	}
}
