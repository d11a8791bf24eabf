<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Admin\HealthChecks;
use Trousseau\Guests\Invitations;
use Trousseau\Lists\GiftNotes;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Encryption;
use Trousseau\Platform\Keys;
use Trousseau\Platform\Settings;
use Trousseau\Plugin;
use Trousseau\Thanks\DeliveryAddress;

/** The key of the site's encryption: it outlives WordPress's salts, and what it doesn't open is neither empty nor overwritten. */
final class KeysTest extends WordPressTestCase {

	private object $list;

	protected function setUp(): void {
		parent::setUp();
		$this->list = $this->registry( 'alice', array( 'title' => 'Us', 'status' => 'private', 'meta' => array( 'registry_invitees' => '["rose@example.test"]' ) ) );
	}

	private static function sealed_with( string $secret, mixed $value ): string {
		$nonce = random_bytes( SODIUM_CRYPTO_SECRETBOX_NONCEBYTES );
		return base64_encode( $nonce . sodium_crypto_secretbox( wp_json_encode( $value ), $nonce, sodium_crypto_generichash( "trousseau sealed $secret" ) ) );
	}

	private static function shuffle_salts(): void {
		add_filter( 'salt', static fn( string $salt ): string => strrev( $salt ) );
	}

	private function guests_link(): string {
		return $this->in_request( 'alice', fn(): string => Plugin::get( Invitations::class )->link( get_post( $this->list->id ), 'rose@example.test' ) );
	}

	private function finding(): array {
		return $this->in_request( 'admin', static fn(): array => Plugin::get( HealthChecks::class )->find( 'keys' ) );
	}

	private function address_of_list(): string {
		return $this->in_request( 'alice', fn(): string => DeliveryAddress::value( $this->list->id ) );
	}

	public function test_new_salts_change_nothing_and_what_guests_may_read_is_not_encrypted(): void {
		$link = $this->guests_link();
		$this->in_request( 'alice', fn() => Plugin::get( DeliveryAddress::class )->store( $this->list->id, '1 Main Street' ) );
		update_option( Settings::APP_PASSWORD, 'abcd efgh' );
		self::shuffle_salts();
		self::assertSame( 200, $this->page( null, $link )->status );
		self::assertSame( '1 Main Street', $this->address_of_list() );
		self::assertSame( 'abcd efgh', get_option( Settings::APP_PASSWORD ) );
		self::assertSame( 'good', $this->finding()['status'] );
		$post = get_post( $this->list->id );
		$this->in_request( 'alice', static fn() => Plugin::get( GiftNotes::class )->put( $post, 5, 'Küche “1”', true, array( 5 ) ) );
		self::assertSame( array( 5 => array( 'section' => 'Küche “1”', 'most_wanted' => true ) ), json_decode( get_post_meta( $post->ID, '_trousseau_gift_notes', true ), true ) );
		self::assertSame( array( 5 => 'Küche “1”' ), $this->in_request( null, static fn(): array => GiftNotes::sections( $post ) ) );
	}

	public function test_what_an_older_version_sealed_with_the_salts_is_read_and_sealed_anew_as_it_is_written(): void {
		update_post_meta( $this->list->id, '_trousseau_delivery', self::sealed_with( wp_salt( 'auth' ), array( '1 Main Street' ) ) );
		update_post_meta( $this->list->id, '_trousseau_gift_notes', self::sealed_with( wp_salt( 'auth' ), array( 5 => array( 'section' => 'Kitchen' ) ) ) );
		self::assertSame( '1 Main Street', $this->address_of_list() );
		$this->in_request( 'alice', fn() => Plugin::get( DeliveryAddress::class )->store( $this->list->id, '2 Main Street' ) );
		$this->in_request( 'alice', fn() => Plugin::get( GiftNotes::class )->put( get_post( $this->list->id ), 6, 'Garden' ) );
		self::shuffle_salts();
		self::assertSame( '2 Main Street', $this->address_of_list() );
		self::assertSame( array( 6 => 'Garden', 5 => 'Kitchen' ), $this->in_request( 'alice', fn(): array => GiftNotes::sections( get_post( $this->list->id ) ) ) );
	}

	public function test_a_value_that_no_key_opens_is_said_and_never_overwritten_and_a_long_name_of_letters_is_none(): void {
		foreach ( array( 'Alexandra Elisabeth Katharina Hohenberger und Maximilian Schwarzenberg', str_repeat( 'Anna und Ben ', 8 ) ) as $name ) {
			$this->in_request( 'alice', fn() => Plugin::get( Registries::class )->name_owner( get_post( $this->list->id ), $name ) );
			self::assertSame( 'good', $this->finding()['status'], $name );
		}
		$link   = $this->guests_link();
		$values = array();
		foreach ( array( '_trousseau_guests', '_trousseau_delivery', '_trousseau_drafts', '_trousseau_gift_notes' ) as $key ) {
			$values[ $key ] = self::sealed_with( 'a key that is lost', array( 'x' ) );
			update_post_meta( $this->list->id, $key, $values[ $key ] );
		}
		$words = 'Part of this list can’t be read right now';
		self::assert_each( 1, array( 'gifts', 'details', 'guests' ), fn( string $name ): int => substr_count( $this->page( 'alice', "/registries/{$this->list->id}/$name/" )->text, $words ) );
		$refused = $this->page( null, $link );
		self::assertSame( 503, $refused->status );
		self::assert_shows( $words, $refused->text, hides: 'has ended' );

		$form = array( 'do' => 'add', 'name' => 'Jug', 'address' => 'https://shop.example/jug', 'quantity' => '1', 'draft' => '1', 'key' => str_repeat( 'k', 22 ) );
		self::assertSame( 1, substr_count( $this->page( 'alice', "/registries/{$this->list->id}/gifts/", form: $form )->text, $words ) );
		wp_update_post( array( 'ID' => $this->list->id, 'post_title' => 'Us two' ) );
		foreach ( $values as $key => $value ) {
			self::assertSame( $value, get_post_meta( $this->list->id, $key, true ), $key );
		}

		$found = $this->finding();
		self::assertSame( 'critical', $found['status'] );
		self::assertStringStartsWith( '4 values', $found['words'] );
		self::assertStringContainsString( 'TROUSSEAU_FORMER_KEYS', $found['cure'] );
	}

	public function test_the_browsers_extension_is_told_in_words(): void {
		$this->outside->answer( 'GET /registries/*/items', array( array( 'id' => 5, 'registry_id' => $this->list->id, 'name' => 'Jug' ) ) );
		update_post_meta( $this->list->id, '_trousseau_removed', self::sealed_with( 'a key that is lost', array( 'x' ) ) );
		$form = array( 'do' => 'remove', 'list' => (string) $this->list->id, 'item' => '5', 'nonce' => $this->nonce_for( 'alice', 'trousseau-extension' ) );
		// WordPress ends PHP after JSON, unless it is for a script of its own.
		add_filter( 'wp_doing_ajax', '__return_true' );
		$answer = $this->page( 'alice', '/registries/add/?extension=1', form: $form );
		self::assertStringContainsString( 'Nothing has been deleted', $answer->json['problem'] ?? $answer->text );
	}

	public function test_the_password_is_sealed_loads_only_where_it_is_needed_and_stays_stored_and_the_key_is_the_one_of_the_database_of_two_first_requests_one_makes_it(): void {
		$row = $GLOBALS['wpdb']->get_row( $GLOBALS['wpdb']->prepare( "SELECT option_value, autoload FROM {$GLOBALS['wpdb']->options} WHERE option_name = %s", Settings::APP_PASSWORD ) );
		self::assertSame( 'secret', Encryption::open( $row->option_value ) );
		self::assertSame( 'no', $row->autoload );
		self::assertArrayNotHasKey( Settings::APP_PASSWORD, wp_load_alloptions() );

		$sealed = self::sealed_with( 'a key that is lost', 'secret' );
		$wpdb   = $GLOBALS['wpdb'];
		$wpdb->update( $wpdb->options, array( 'option_value' => $sealed ), array( 'option_name' => Settings::APP_PASSWORD ) );
		wp_cache_delete( Settings::APP_PASSWORD, 'options' );
		self::assertSame( '', get_option( Settings::APP_PASSWORD ) );
		update_option( Settings::APP_PASSWORD, '' );
		self::assertSame( 'critical', $this->finding()['status'] );
		update_option( Settings::APP_PASSWORD, 'typed anew' );
		self::assertSame( array( 'typed anew', 'good' ), array( get_option( Settings::APP_PASSWORD ), $this->finding()['status'] ) );
		$own = Keys::own();
		foreach ( array( str_repeat( 'k', 40 ), false ) as $stale ) {
			$found = $this->in_request(
				null,
				static function () use ( $stale ): string {
					wp_cache_set( Keys::OPTION, $stale, 'options' );
					return Keys::own();
				}
			);
			self::assertSame( $own, $found );
		}
		delete_option( Keys::OPTION );
		$other = $this->in_request(
			null,
			static function (): string {
				// Another process stores one after this one has found none.
				add_filter( 'query', static function ( string $statement ): string {
					if ( str_contains( $statement, 'INSERT IGNORE' ) ) {
						remove_all_filters( 'query' );
						$GLOBALS['wpdb']->insert( $GLOBALS['wpdb']->options, array( 'option_name' => Keys::OPTION, 'option_value' => str_repeat( 'k', 40 ), 'autoload' => 'no' ) );
					}
					return $statement;
				} );
				return Keys::own();
			}
		);
		self::assertNotSame( $own, $other );
		self::assertSame( str_repeat( 'k', 40 ), $other );
	}
}
