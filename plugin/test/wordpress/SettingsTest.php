<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Platform\Settings;

/** The settings page, and the connection test with the causes that it tells apart. */
final class SettingsTest extends WordPressTestCase {

	private const PAGE    = array( 'options-general.php', 'trousseau' );
	private const SECRETS = array( 'trousseau_api_key' => 'gate-key-1234', 'trousseau_app_password' => 'abcd efgh ijkl' );

	protected function setUp(): void {
		parent::setUp();
		array_map( 'delete_option', array( 'trousseau_base_url', 'trousseau_username', 'trousseau_app_password' ) );
	}

	protected function tearDown(): void {
		putenv( 'TROUSSEAU_USERNAME' );
		parent::tearDown();
	}

	private function shown(): string {
		return $this->admin_page( 'admin', ...self::PAGE );
	}

	/** The fields that a browser sends with the form, with changes by somebody; null: without this field. */
	private function fields( array $changes = array() ): array {
		preg_match_all( '/<input(?=[^>]*\sname="(trousseau_\w+)")(?=[^>]*\svalue="([^"]*)")([^>]*)>/', $this->shown(), $inputs, PREG_SET_ORDER );
		$fields = array();
		foreach ( $inputs as list( , $name, $value, $tag ) ) {
			if ( ! str_contains( $tag, 'type="checkbox"' ) || preg_match( '/\schecked\b/', $tag ) ) {
				$fields[ $name ] = html_entity_decode( $value, ENT_QUOTES );
			}
		}
		return array_filter( $changes + $fields, 'is_string' );
	}

	public function test_stores_the_settings_keeps_a_secret_that_is_left_empty_shows_none_and_clears_one_when_asked(): void {
		putenv( 'TROUSSEAU_USERNAME=from-env' );
		$this->store_settings( $this->fields( array( 'trousseau_base_url' => Outside::SERVICE . '/', 'trousseau_username' => ' admin ' ) + self::SECRETS ) );
		self::assertSame( array( Outside::SERVICE, 'admin' ), array( get_option( 'trousseau_base_url' ), get_option( 'trousseau_username' ) ) );
		$this->outside->answer( 'GET /*', array(), 404 );
		$saved = $this->shown();
		foreach ( self::SECRETS as $name => $secret ) {
			self::assertSame( $secret, get_option( $name ) );
			self::assertStringNotContainsString( $secret, $saved, 'never echoed' );
		}
		self::assertMatchesRegularExpression( '/id="trousseau_api_key" name="trousseau_api_key" value=""[^>]*> <strong>Saved/', $saved );

		$this->store_settings( $this->fields( array( 'trousseau_username' => 'other', 'trousseau_anonymous_giving' => '1' ) ) );
		self::assertSame( array( 'gate-key-1234', '1' ), array( get_option( 'trousseau_api_key' ), get_option( 'trousseau_anonymous_giving' ) ) );

		$this->store_settings( $this->fields( array( 'trousseau_username' => '', 'trousseau_api_key_clear' => '1', 'trousseau_anonymous_giving' => null ) ) );
		self::assertSame( array( '', 'abcd efgh ijkl', '' ), array( get_option( 'trousseau_api_key' ), get_option( 'trousseau_app_password' ), get_option( 'trousseau_anonymous_giving' ) ) );
		$cleared = $this->shown();
		self::assertStringContainsString( 'placeholder="from-env"', $cleared );
		self::assertMatchesRegularExpression( '/name="trousseau_api_key" value=""[^>]*> <strong>Not set/', $cleared );
	}

	public function test_every_setting_is_on_the_page_since_storing_it_clears_those_that_are_not_and_visitors_give_until_somebody_says_otherwise(): void {
		foreach ( Settings::ALL as $name ) {
			self::assertMatchesRegularExpression( "/<input[^>]*\\sname=\"$name(\\[\\])?\"/", $this->shown(), $name );
		}
		$is_checked = fn(): bool => isset( $this->fields()['trousseau_anonymous_giving'] );
		self::assertTrue( $is_checked() );
		$this->store_settings( $this->fields( array( 'trousseau_anonymous_giving' => null ) ) );
		self::assertFalse( $is_checked() );
		$this->store_settings( $this->fields( array( 'trousseau_anonymous_giving' => '1' ) ) );
		self::assertTrue( $is_checked() );
	}

	public function test_refuses_an_address_that_is_none_and_keeps_the_old_one_and_tells_of_mails_that_could_not_be_sent(): void {
		$is_told = fn(): bool => str_contains( $this->shown(), '2 emails to guests or owners couldn’t be sent' );
		self::assertFalse( $is_told() );
		self::call( 'send_mail', 'ben@example.test', 'my-gifts', array( 'link' => home_url() ) );
		self::call( 'send_mail', 'cem@example.test', 'my-gifts', array( 'link' => home_url() ) );
		$GLOBALS['wpdb']->query( "UPDATE {$GLOBALS['wpdb']->prefix}trousseau_jobs SET failed_at = 5000 WHERE handler = 'mail'" );
		self::assertTrue( $is_told() );
		self::call( 'send_mail', 'ann@example.test', 'my-gifts', array( 'link' => home_url() ) );
		self::assertCount( 1, $this->sent() );
		self::assertFalse( $is_told() );
		$this->outside->answer( 'GET /*', array(), 404 );
		update_option( 'trousseau_base_url', Outside::SERVICE );
		foreach ( array( 'javascript:alert(1)', 'ftp://items.example', 'mailto:items@items.example', 'https://user:word@items.example', 'https://items.example/?key=1' ) as $wrong ) {
			$said = $this->store_settings( $this->fields( array( 'trousseau_base_url' => $wrong ) ) );
			self::assertStringContainsString( 'must start with http:// or https://', implode( $said ), $wrong );
			self::assertStringEndsWith( " $wrong", implode( $said ) );
			self::assertSame( Outside::SERVICE, get_option( 'trousseau_base_url' ), $wrong );
		}
		$meant = array(
			'items.example'      => 'https://items.example',
			'items.example/api'  => 'https://items.example/api',
			'items.example:8443' => 'https://items.example:8443',
			'localhost:8000'     => 'http://localhost:8000',
			'127.0.0.1:8000'     => 'http://127.0.0.1:8000',
		);
		foreach ( $meant as $typed => $address ) {
			$said = implode( $this->store_settings( $this->fields( array( 'trousseau_base_url' => $typed ) ) ) );
			self::assertStringContainsString( 'needs https:// or http:// at the start', $said, $typed );
			self::assertStringEndsWith( "Did you mean this? $address", $said, $typed );
			self::assertStringContainsString( "name=\"trousseau_base_url\" value=\"$typed\"", $this->shown(), 'stands there still' );
			self::assertSame( Outside::SERVICE, get_option( 'trousseau_base_url' ), $typed );
		}
		$this->store_settings( $this->fields( array( 'trousseau_base_url' => 'https://items.example/api//' ) ) );
		self::assertSame( 'https://items.example/api', get_option( 'trousseau_base_url' ) );
		$this->store_settings( $this->fields( array( 'trousseau_base_url' => '' ) ) );
		self::assertSame( '', get_option( 'trousseau_base_url' ) );
	}

	/** Saves changes and presses “Test connection”. Returns the page that follows. */
	private function press( array $changes = array() ): string {
		$this->store_settings( $this->fields( $changes ) );
		return $this->admin_page( 'admin', ...self::PAGE, query: '&test=1' );
	}

	/** @return string[] The finding, its words and its detail. */
	private function find( array $changes = array() ): array {
		self::assertSame( 1, preg_match( '/data-finding="([^"]*)"><p>(.*?)<\/p>(?:<p><code>(.*?)<\/code>)?/', $this->press( $changes ), $found ) );
		return array_slice( $found, 1 ) + array( '', '', '' );
	}

	/** The settings name a service that is sound but for its answer about registries. */
	private function connected( int $status = 200, array $headers = array() ): void {
		$this->connect_service();
		update_option( 'trousseau_api_key', 'gate' );
		$this->outside->answer( 'GET /*', $status === 200 ? array() : array( 'detail' => 'said the service' ), $status, $headers );
		$this->outside->answer( 'GET /health', array( 'status' => 'healthy', 'service' => 'trousseau-api' ) );
		// A probe whether a cache keeps private pages.
		$this->outside->answer( 'GET ' . home_url( '/registry/*' ), '', 500 );
	}

	public function test_the_connection_test_finds_a_service_that_answers_and_the_settings_can_be_mended_whatever_answers_at_the_address(): void {
		$this->connected();
		self::assertSame( array( 'connected', 'The service accepts this site’s credentials.', '' ), $this->find() );
		$asked = array_values( array_filter( $this->outside->requests, static fn( array $request ): bool => $request['path'] === '/status' ) );
		self::assertSame( array( 'Basic ' . base64_encode( 'admin:secret' ), 'gate' ), array( $asked[0]['headers']['authorization'], $asked[0]['headers']['x-api-key'] ) );
		self::assertStringNotContainsString( 'data-finding', $this->shown(), 'only after the press' );
		foreach ( array( array( 'total' => 0 ), array( 1 ), array( null ) ) as $answer ) {
			$this->outside->answer( 'GET /claims*', $answer );
			self::assertStringContainsString( 'name="trousseau_base_url"', $this->press() );
		}
	}

	public function test_an_administrator_is_reminded_until_the_service_has_answered_with_the_present_settings(): void {
		$notice = fn( string $login = 'admin' ): string => $this->printed( $login, static fn() => array( set_current_screen( 'dashboard' ), do_action( 'admin_notices' ) ), '/wp-admin/index.php' );
		self::assertStringContainsString( 'id="trousseau-setup"', $notice() );
		self::assertStringNotContainsString( 'trousseau-setup', $notice( 'alice' ), 'nothing to be done by an owner' );
		$this->connected();
		self::assertStringContainsString( 'nearly ready', $notice(), 'stored, and not tried' );
		$this->page( null, $this->registry( 'alice', array( 'title' => 'Open', 'status' => 'publish' ) )->link );
		self::assertMatchesRegularExpression( '/is ready[^<]*<a href="[^"]*page=trousseau#trousseau-pages"/', $notice() );
		self::assertStringContainsString( 'id="trousseau-pages"', $this->shown() );
		self::assertStringNotContainsString( 'trousseau-setup', $notice(), 'the pages have been seen' );
		update_option( 'trousseau_app_password', 'second' );
		self::assertStringContainsString( 'trousseau-setup', $notice() );
		$this->press();
		self::assertStringNotContainsString( 'trousseau-setup', $notice() );
	}

	public function test_the_connection_test_tells_apart_why_no_service_answers(): void {
		self::assertSame( 'not_configured', $this->find()[0] );
		$this->connected();
		$this->outside->answer( 'GET /health', new \WP_Error( 'http_request_failed', 'cURL error 7: refused' ) );
		list( $finding, , $reason ) = $this->find();
		self::assertSame( array( 'unreachable', 'cURL error 7: refused' ), array( $finding, $reason ) );
		foreach ( array( array( '<html>A blog</html>', 200 ), array( array( 'status' => 'ok' ), 200 ), array( array(), 200 ), array( '<html>', 404 ) ) as list( $body, $status ) ) {
			$this->outside->answer( 'GET /health', $body, $status );
			self::assertSame( 'not_the_service', $this->find()[0] );
		}
		$this->connected( 403 );
		self::assertSame( 'key_refused', $this->find()[0] );
		$this->outside->answer( 'GET /*', '<html>403 Forbidden</html>', 403 );
		self::assertSame( 'key_refused', $this->find()[0] );
		$this->connected( 429, array( 'retry-after' => '1042' ) );
		self::assertStringContainsString( 'Try again in a few minutes', $this->find()[1] );
		foreach ( array( 429 => 'too_many_failures', 502 => 'host_unreachable', 504 => 'host_unreachable', 500 => 'service_fails', 503 => 'service_fails' ) as $status => $finding ) {
			$this->connected( $status );
			self::assertSame( $finding, $this->find()[0], (string) $status );
		}
	}

	public function test_the_state_of_the_connection_comes_first_beside_the_field_that_it_concerns_and_one_address_is_asked_for(): void {
		$this->connected();
		$GLOBALS['current_screen'] = \WP_Screen::get( 'settings_page_trousseau' );
		$this->outside->answer( 'GET /health', new \WP_Error( 'http_request_failed', 'cURL error 7: refused' ) );
		$page = $this->press();
		self::assertLessThan( strpos( $page, '<form' ), strpos( $page, 'data-finding="unreachable"' ) );
		self::assertStringNotContainsString( 'nearly ready', $page );
		self::assertMatchesRegularExpression( '/<tr class="form-invalid">(?:(?!<tr).)*name="trousseau_base_url"/s', $page );
		self::assertMatchesRegularExpression( '/<details><summary>Connect this site<(?:(?!<\/details>).)*name="join-address"/s', $page );
		self::assertStringContainsString( 'has these pages. They show', $page );
		$this->outside->answer( 'GET /health', array( 'status' => 'healthy', 'service' => 'trousseau-api' ) );
		self::call( 'send_mail', 'ben@example.test', 'my-gifts', array( 'link' => home_url() ) );
		$GLOBALS['wpdb']->query( "UPDATE {$GLOBALS['wpdb']->prefix}trousseau_jobs SET failed_at = 5000 WHERE handler = 'mail'" );
		$page = $this->press();
		self::assertSame( 1, substr_count( $page, 'email to a guest or owner couldn’t be sent' ) );
		self::assertLessThan( strpos( $page, 'couldn’t be sent' ), strpos( $page, 'data-finding="connected"' ) );
	}

	public function test_settings_are_tested_once_they_are_saved_until_the_service_has_answered_with_them(): void {
		$this->connected();
		$saved = fn(): string => $this->admin_page( 'admin', ...self::PAGE, query: '&settings-updated=true' );
		self::assertStringContainsString( 'data-finding="connected"', $saved() );
		self::assertStringNotContainsString( 'data-finding', $saved() );
		$this->store_settings( $this->fields( array( 'trousseau_app_password' => 'typed word' ) ) );
		self::assertStringContainsString( 'data-finding="connected"', $saved() );
		$asked = array_filter( $this->outside->requests, static fn( array $request ): bool => $request['path'] === '/status' );
		self::assertSame( 'Basic ' . base64_encode( 'admin:typed word' ), end( $asked )['headers']['authorization'] );
		$this->store_settings( $this->fields( array( 'trousseau_base_url' => '' ) ) );
		self::assertStringNotContainsString( 'data-finding', $saved() );
	}

	public function test_the_connection_test_tells_apart_whose_credentials_are_rejected(): void {
		$this->connected( 401 );
		$this->outside->answer( 'GET ' . rest_url( 'trousseau/v1/authorization' ), array( 'arrived' => true ) );
		$this->outside->answer( 'GET ' . rest_url( 'wp/v2/users/me' ), array(), 401 );
		self::assertSame( 'wrong_password', $this->find( array( 'trousseau_app_password' => 'typed wrongly' ) )[0] );
		self::assertSame( 'Basic ' . base64_encode( 'admin:typed wrongly' ), end( $this->outside->requests )['headers']['authorization'] );
		$this->outside->answer( 'GET ' . rest_url( 'wp/v2/users/me' ), array(), 200 );
		self::assertSame( 'refused_elsewhere', $this->find()[0] );
		$this->outside->answer( 'GET ' . rest_url( 'wp/v2/users/me' ), array(), 401 );
		self::assertSame( 'wrong_password', $this->find( array( 'trousseau_username' => 'nobody-here' ) )[0] );
		foreach ( array( array( array( 'arrived' => false ), 'header_dropped' ), array( new \WP_Error( 'closed', 'closed' ), 'site_does_not_answer_itself' ) ) as list( $probe, $finding ) ) {
			$this->outside->answer( 'GET ' . rest_url( 'trousseau/v1/authorization' ), $probe );
			self::assertSame( $finding, $this->find()[0] );
		}
		add_filter( 'wp_is_application_passwords_available', '__return_false' );
		self::assertSame( 'passwords_switched_off', $this->find()[0] );
		$GLOBALS['trousseau_environment'] = 'production';
		self::assertSame( 'passwords_need_https', $this->find()[0] );
		unset( $GLOBALS['trousseau_environment'] );
		self::assertSame( 'no_credentials', $this->find( array( 'trousseau_app_password_clear' => '1' ) )[0] );
	}
}
