<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Giving\SecretGifts;
use Trousseau\Lists\Meta;
use Trousseau\Lists\Registries;
use Trousseau\Plugin;
use Trousseau\Thanks\DeliveryAddress;

/** People's data by WordPress's own tools: taken along, forgotten in time, and what becomes of registries whose owner's account is deleted. */
final class PersonalDataTest extends WordPressTestCase {

	/** A list with gifts of these names, numbered from 1, which the service answers. */
	private function list_of( string $owner, string $title, array $meta = array(), string ...$gifts ): int {
		$id    = $this->registry( $owner, array( 'title' => $title, 'status' => 'private', 'meta' => $meta ) )->id;
		$items = array();
		foreach ( $gifts as $place => $name ) {
			$items[] = array( 'image_url' => wp_upload_dir()['baseurl'] . "/$name.jpg", 'id' => $place + 1, 'registry_id' => $id, 'name' => $name, 'url' => 'https://shop.example/x', 'quantity_needed' => 9, 'quantity_purchased' => 0, 'is_active' => true );
		}
		$this->outside->answer( "GET /registries/$id/items", $items );
		return $id;
	}

	private static function claim( int $registry, string $name, ?string $email, ?int $user_id = null ): array {
		return self::claim_with( array( 'id' => substr( md5( "$registry $name" ), 0, 22 ), 'registry_id' => $registry, 'state' => 'purchased', 'giver' => compact( 'name', 'email', 'user_id' ), 'message' => "Love from $name" ) );
	}

	private function gave( string $email, array $claims = array(), string $account = '', int $skip = 0 ): void {
		$this->outside->answer( 'GET /claims?email=' . rawurlencode( $email ) . "$account&skip=$skip&limit=100", $claims );
	}

	/** One page of WordPress's tools, as the keeper of the site who presses the button gets it. */
	private function ask( string $kind, string $email, int $page = 1 ): mixed {
		return $this->in_request( 'admin', static fn(): mixed => call_user_func( apply_filters( "wp_privacy_personal_data_{$kind}s", array() )['trousseau']['callback'], $email, $page ) );
	}

	/** @return array<string, array<string, string>[]> Group → entries, each with its values by their names. */
	private function groups_of( string $email ): array {
		$answer = $this->ask( 'exporter', $email );
		self::assertTrue( $answer['done'] );
		$groups = array();
		foreach ( $answer['data'] as $entry ) {
			$groups[ substr( $entry['group_id'], strlen( 'trousseau-' ) ) ][] = array_column( $entry['data'], 'value', 'name' );
		}
		return $groups;
	}

	public function test_is_taken_along_an_owners_registries_a_guests_invitations_a_givers_gifts_with_and_without_an_account(): void {
		list( $alice, $bob ) = array( self::user( 'alice' ), self::user( 'bob' ) );

		$id = $this->list_of( 'alice', 'Ann <3 Bob', array( 'registry_event_date' => '2027-06-12', 'registry_invitees' => '["BOB","aunt@example.org","other@example.org"]' ), 'Copper kettle', 'Linen' );
		$this->gave( 'alice@example.test', array(), "&user_id=$alice" );
		$this->gave( 'aunt@example.org', array( self::claim( $id, 'Aunt May', 'Aunt@Example.org' ) ) );
		$this->gave( 'bob@example.test', array( self::claim( $id, 'Bobby', null, $bob ), self::claim( $id, 'Bob', 'bob@example.test' ) ), "&user_id=$bob" );
		$this->gave( 'nobody@example.org' );

		$owner = $this->groups_of( 'alice@example.test' );
		self::assertArrayNotHasKey( 'gifts', $owner );

		list( $own ) = $owner['registries'];
		self::assertSame( array( 'Ann &lt;3 Bob', '2027-06-12', "Copper kettle<br />\nLinen" ), array( $own['Name'], $own['Date'], $own['Gifts'] ) );
		self::assertStringContainsString( 'aunt@example.org', $own['Guests'] );
		self::assertStringContainsString( 'uploads/Linen.jpg', $own['Pictures of gifts'] );

		$guest = $this->groups_of( 'aunt@example.org' );
		self::assertSame( array( 'invitations', 'gifts' ), array_keys( $guest ) );
		self::assertSame( array( 'Ann &lt;3 Bob', 'aunt@example.org' ), array( $guest['invitations'][0]['Gift list'], $guest['invitations'][0]['Invited as'] ) );
		self::assertCount( 1, $guest['invitations'] );

		list( $gift ) = $guest['gifts'];
		self::assertSame( array( 'Copper kettle', 'Aunt May', 'Love from Aunt May', 'Bought' ), array( $gift['Gift'], $gift['Your name'], $gift['Message'], $gift['State'] ) );
		self::assertDoesNotMatchRegularExpression( '/Bobby|other@|Linen/', wp_json_encode( $guest ) );

		$member = $this->groups_of( 'bob@example.test' );
		self::assertSame( array( 'Bobby', 'Bob' ), array_column( $member['gifts'], 'Your name' ) );
		self::assertSame( 'bob', $member['invitations'][0]['Invited as'] );
		self::assertSame( array(), $this->groups_of( 'nobody@example.org' ) );
	}

	public function test_is_erased_everywhere_and_nobody_elses_with_it(): void {
		$dora = self::user( 'dora' );
		$this->outside->answer( 'DELETE /claims?*', array( 'erased' => 2 ) );
		$this->gave( 'dora@example.test', array(), "&user_id=$dora" );
		$list = $this->list_of( 'alice', 'Big day', array( 'registry_invitees' => '["dora","DORA@example.test","eve@example.org"]' ) );
		$own  = $this->list_of( 'dora', 'Dora’s own' );
		foreach ( array( 'dora@example.test', 'eve@example.org' ) as $to ) {
			self::call( 'send_mail', $to, 'my-gifts', array( 'link' => home_url() ), time() + DAY_IN_SECONDS );
		}
		update_user_meta( $dora, '_trousseau_draft', str_repeat( 'a', 32 ) );
		self::call( 'keep_value', 'draft_' . str_repeat( 'a', 32 ), 'begun' );
		$erased = $this->ask( 'eraser', 'dora@example.test' );
		self::assertSame( array( true, false, true ), array( $erased['items_removed'], $erased['items_retained'], $erased['done'] ) );
		self::assertStringStartsWith( '1 of their lists was moved to the trash', implode( $erased['messages'] ) );
		self::assertSame( array( "DELETE /claims?email=dora%40example.test&user_id=$dora" ), $this->outside->asked( 'DELETE' ) );
		self::assertSame( array( '["eve@example.org"]', 'trash', null, '' ), array( get_post_meta( $list, 'registry_invitees', true ), get_post_status( $own ), self::kept( 'draft_' . str_repeat( 'a', 32 ) ), get_user_meta( $dora, '_trousseau_draft', true ) ) );
		self::assertSame( array( array( 'eve@example.org' ) ), array_column( $this->sent( 1000 ), 'to' ) );
		self::assertSame( array(), $this->groups_of( 'dora@example.test' ) );
	}

	public function test_a_guest_who_is_invited_while_another_is_erased_stays_invited(): void {
		$list = $this->list_of( 'alice', 'Big day', array( 'registry_invitees' => '["eve@example.org"]' ) );
		$this->gave( 'eve@example.org', array( self::claim( $list, 'Eve', 'eve@example.org' ) ) );
		// Another process stores the next guest while the service erases this one.
		$erase = static function () use ( $list ): array {
			$wpdb = $GLOBALS['wpdb'];
			$wpdb->update( $wpdb->postmeta, array( 'meta_value' => '["eve@example.org","new@example.org"]' ), array( 'post_id' => $list, 'meta_key' => 'registry_invitees' ) );
			return array( 'erased' => 1 );
		};
		$this->outside->answer( 'DELETE /claims?*', $erase );
		$this->ask( 'eraser', 'eve@example.org' );
		self::assertSame( '["new@example.org"]', get_post_meta( $list, 'registry_invitees', true ) );
	}

	public function test_an_erased_authors_list_goes_to_the_first_co_owner_without_their_data(): void {
		$this->outside->answer( 'DELETE /claims?*', array( 'erased' => 0 ) );
		$this->outside->answer( 'PATCH /registries/*' );
		list( $alice, $bob ) = array( self::user( 'alice' ), self::user( 'bob' ) );
		$this->gave( 'alice@example.test', array(), "&user_id=$alice" );
		$meta  = array( 'registry_owners' => '["nobody@example.org","bob","carol"]', 'registry_pay_to' => 'Alice, DE89 3704 0044 0532 0130 00' );
		$ours  = $this->list_of( 'alice', 'Ours', $meta );
		$alone = $this->list_of( 'alice', 'Mine', array( 'registry_owners' => '["nobody@example.org"]' ) );
		$this->in_request( 'alice', static fn() => Plugin::get( DeliveryAddress::class )->store( $ours, 'Alice, 1 Main Street' ) );
		$this->in_request( 'alice', static fn() => Plugin::get( Registries::class )->name_owner( get_post( $ours ), 'Alice Moore' ) );

		$answer = $this->ask( 'eraser', 'alice@example.test' );
		self::assertSame( array( true, true, true ), array( $answer['items_removed'], $answer['items_retained'], $answer['done'] ) );
		self::assertMatchesRegularExpression( '/1 list with other owners was kept.*Ours.*1 of their lists was moved to the trash/s', implode( ' ', $answer['messages'] ) );
		self::assertSame( array( $bob, 'private' ), array( (int) get_post( $ours )->post_author, get_post_status( $ours ) ) );
		self::assertSame( array( 'nobody@example.org', 'carol' ), array_values( Meta::owner_list( $ours ) ) );
		self::assertSame( array( '', '', '' ), array( Meta::pay_to( $ours ), DeliveryAddress::value( $ours ), Registries::owner_name( get_post( $ours ) ) ) );
		self::assertSame( 'trash', get_post_status( $alone ) );
		self::assertSame( array( 'bob@example.test: The list “Ours” is yours now' ), self::about( $this->sent() ) );
		$this->outside->requests = array();
		self::assertFalse( $this->ask( 'eraser', 'alice@example.test' )['items_removed'] );
	}

	public function test_comes_in_pages_and_does_not_tell_a_surprised_owner_that_somebody_typed_their_address(): void {
		$id    = $this->list_of( 'alice', 'Many gifts', array(), 'Spoon' );
		$gifts = array_map( static fn( int $n ): array => self::claim( $id, "Gift $n", 'many@example.org' ), range( 0, 100 ) );
		$this->gave( 'many@example.org', array_slice( $gifts, 0, 100 ) );
		$this->gave( 'many@example.org', array_slice( $gifts, 100 ), skip: 100 );
		$first  = $this->ask( 'exporter', 'many@example.org' );
		$second = $this->ask( 'exporter', 'many@example.org', 2 );
		self::assertSame( array( 100, false, 1, true ), array( count( $first['data'] ), $first['done'], count( $second['data'] ), $second['done'] ) );
		$carol = self::user( 'carol' );
		$id    = $this->list_of( 'carol', 'Hush', array( 'registry_surprise_until' => 'always' ), 'Copper kettle' );
		$this->gave( 'carol@example.test', array( self::claim( $id, 'Prankster', 'carol@example.test' ) ), "&user_id=$carol" );
		$exported = $this->groups_of( 'carol@example.test' );
		self::assertCount( 1, $exported['registries'] );
		self::assertStringNotContainsString( 'Prankster', wp_json_encode( $exported ) );
	}

	public function test_tells_an_administrator_no_surprise_and_runs_no_script_of_others(): void {
		$id = $this->list_of( 'admin', 'Hush', array( 'registry_surprise_until' => 'always', 'registry_invitees' => '["aunt@example.org"]' ), 'Copper kettle' );
		$this->gave( 'aunt@example.org', array( self::claim( $id, 'Aunt May', 'aunt@example.org' ) ) );
		Plugin::get( SecretGifts::class )->add( get_post( $id ), 'aunt@example.org', 'Aunt May', 'A weekend' );
		$exported = $this->groups_of( 'aunt@example.org' );
		self::assertSame( array( 'invitations' ), array_keys( $exported ) );
		self::assertDoesNotMatchRegularExpression( '/May|weekend/', wp_json_encode( $exported ) );

		$this->outside->answer( 'DELETE /claims?*', array( 'erased' => 0 ) );
		$this->outside->answer( 'PATCH /registries/*' );
		$alice = self::user( 'alice' );
		self::user( 'bob' );
		$this->list_of( 'alice', '&lt;img src=x onerror=alert(1)&gt;', array( 'registry_owners' => '["bob"]' ) );
		$this->gave( 'alice@example.test', array(), "&user_id=$alice" );
		$words = implode( $this->ask( 'eraser', 'alice@example.test' )['messages'] );
		self::assert_shows( '&lt;img src=x', $words, hides: '<img' );
	}

	public function test_is_never_half_erased_without_the_service_it_says_so(): void {
		$id = $this->list_of( 'alice', 'Stays', array( 'registry_invitees' => '["alice@example.org"]' ) );
		$this->outside->answer( '* /*', new \WP_Error( 'http_request_failed', 'away' ) );
		foreach ( array( 'exporter', 'eraser' ) as $kind ) {
			$answer = $this->ask( $kind, 'alice@example.test' );
			self::assertInstanceOf( \WP_Error::class, $answer );
			self::assertStringContainsString( 'Try again once the service answers', $answer->get_error_message() );
		}
		self::assertSame( array( 'private', '["alice@example.org"]' ), array( get_post_status( $id ), get_post_meta( $id, 'registry_invitees', true ) ) );
	}

	public function test_the_months_are_a_setting_and_stand_in_the_policy_that_is_suggested(): void {
		$this->outside->answer( 'GET /*', array(), 404 );
		$shown = function (): string {
			preg_match( '/id="trousseau_keep_givers" name="trousseau_keep_givers" value="(\d+)" min="0" max="120"/', $this->admin_page( 'admin', 'options-general.php', 'trousseau' ), $field );
			return $field[1] ?? '';
		};
		self::assertSame( '12', $shown() );
		foreach ( array( array( '6', '6' ), array( '-3', '0' ), array( '', '12' ), array( '9999', '120' ), array( 'x', '12' ) ) as list( $typed, $stored ) ) {
			$this->store_settings( array( 'trousseau_keep_givers' => $typed ) );
			self::assertSame( $stored, $shown(), $typed );
		}
		$text = fn(): string => $this->in_request( 'admin', static fn(): string => self::call( 'privacy_policy' ) );
		self::assertStringContainsString( 'erased 12 months after the event', $text() );
		update_option( 'trousseau_keep_givers', '0' );
		self::assertStringContainsString( 'kept until you ask us to erase them', $text() );
	}

	/** @return string[] The requests by which a round of the daily work has givers forgotten. */
	private function round(): array {
		$this->outside->requests = array();
		$this->run_jobs( 'retention' );
		return $this->outside->asked( 'DELETE' );
	}

	private static function kept( string $name ): mixed {
		return self::call( 'kept_value', $name );
	}

	public function test_in_time_only_registries_whose_day_is_long_over_are_looked_at_each_once_a_month_and_givers_of_a_deleted_one_are_forgotten_as_long_after_its_deletion(): void {
		$this->outside->answer( 'DELETE /claims?*', array( 'erased' => 0 ) );
		$old = function ( string $day ): int {
			$id = $this->list_of( 'alice', 'List', array( 'registry_event_date' => $day ) );
			self::call( 'store_post', $id, array( 'post_date_gmt' => '2020-01-01 00:00:00' ) );
			return $id;
		};

		list( $over, , $endless ) = array( $old( '2020-06-12' ), $old( '2999-06-12' ), $old( '' ) );

		$asked = $this->round();
		$year  = time() - strtotime( '-12 months' );
		preg_match_all( '/registry_id=(\d+)&unchanged_for=(\d+)/', implode( "\n", $asked ), $found );
		self::assertSame( array( (string) $over, (string) $endless ), $found[1] );
		foreach ( $found[2] as $seconds ) {
			self::assertEqualsWithDelta( $year, (int) $seconds, 3 * DAY_IN_SECONDS );
		}
		self::assertSame( array(), $this->round(), 'looked at already' );
		update_post_meta( $over, '_trousseau_givers_forgotten', (string) ( time() - 31 * DAY_IN_SECONDS ) );
		self::assertCount( 1, $this->round() );
		$this->outside->answer( 'DELETE /claims?*', array( 'erased' => 1 ) );
		$this->outside->answer( 'DELETE /registries/*', '', 204 );
		$id = $this->list_of( 'alice', 'Deleted' );
		$this->list_of( 'alice', 'Beside it' );
		$this->in_request( 'alice', static fn() => wp_delete_post( $id, true ) );
		$this->run_jobs( 'deletion' );
		self::assertContains( "DELETE /registries/$id", $this->outside->asked() );
		self::assertSame( array(), $this->round() );
		self::call( 'keep_value', "gone_$id", (string) ( time() - 367 * DAY_IN_SECONDS ) );
		self::assertSame( array( "DELETE /claims?registry_id=$id&unchanged_for=0" ), $this->round() );
		self::assertNull( self::kept( "gone_$id" ) );
	}

	public function test_in_time_a_run_forgets_more_than_one_batch_of_givers_nothing_is_lost_where_the_service_is_away(): void {
		foreach ( range( 0, 24 ) as $n ) {
			self::call( 'keep_value', 'gone_' . ( 900_000 + $n ), '1' );
		}
		$left = static fn(): int => count( array_filter( array_column( self::call( 'rows', 'trousseau_values' ), 'name' ), static fn( string $name ): bool => str_starts_with( $name, 'gone_9000' ) ) );
		$this->outside->answer( 'DELETE /claims?*', new \WP_Error( 'http_request_failed', 'away' ) );
		$this->round();
		self::assertSame( array( null, 25 ), array( self::kept( 'forgotten_at' ), $left() ) );
		$this->outside->answer( 'DELETE /claims?*', array( 'erased' => 1 ) );
		self::call( 'make_due', 'retention' );
		self::assertCount( 25, $this->round() );
		self::assertGreaterThan( time() - MINUTE_IN_SECONDS, self::kept( 'forgotten_at' ) );
		self::assertSame( 0, $left() );
	}

	public function test_an_owners_account_hands_registries_on_or_takes_them_with_it_where_that_is_asked_and_the_service_hears_of_each(): void {
		list( $hal, $ida ) = array( self::user( 'hal' ), self::user( 'ida' ) );

		$id   = $this->list_of( 'hal', 'Hal’s', array( 'registry_invitees' => '["bob"]' ), 'Copper kettle' );
		$path = "/wp/v2/registry/$id?context=edit";
		self::assertSame( 403, $this->rest( 'ida', 'GET', $path )->status );
		$this->in_request( 'admin', static fn() => wp_delete_user( $hal, $ida ), 'POST', '/wp-admin/users.php' );
		$read = $this->rest( 'ida', 'GET', $path );
		self::assertSame( array( 200, $ida, '["bob"]' ), array( $read->status, $read->json['author'], $read->json['meta']['registry_invitees'] ) );
		self::assertSame( 200, $this->rest( 'ida', 'POST', "/wp/v2/registry/$id", array( 'title' => 'Ida’s' ) )->status );
		self::assertSame( 200, $this->rest( 'bob', 'GET', "/wp/v2/registry/$id" )->status );
		self::assertSame( array(), $this->outside->asked( 'DELETE' ), 'its gifts and those who give them stay' );
		$words = fn( int $user ): string => html_entity_decode( $this->printed( 'admin', static fn() => do_action( 'delete_user_form', wp_get_current_user(), array( $user ) ), '/wp-admin/users.php?action=delete' ), ENT_QUOTES );
		self::assertSame( '', $words( self::user( 'jan' ) ) );
		$gil   = self::user( 'gil' );
		$lists = array( $this->list_of( 'gil', 'Gil & Guy' ), $this->list_of( 'gil', 'Second' ) );
		self::assertMatchesRegularExpression( '/This content includes gift lists: (Gil & Guy, Second|Second, Gil & Guy)\./', $words( $gil ) );
		$this->outside->answer( 'DELETE /registries/*', '', 204 );
		$this->in_request( 'admin', static fn() => wp_delete_user( $gil ), 'POST', '/wp-admin/users.php' );
		$this->run_jobs( 'deletion' );
		foreach ( $lists as $id ) {
			self::assertNull( get_post( $id ) );
			self::assertContains( "DELETE /registries/$id", $this->outside->asked() );
		}
	}
}
