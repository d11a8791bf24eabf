<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** The plugin's client of the item service for other plugins, word for word as it promises. */
final class ClientTest extends WordPressTestCase {

	private const ACCOUNT = array( Outside::SERVICE, 'gateway-key', 'ann', 'abcd efgh' );

	protected function setUp(): void {
		parent::setUp();
		foreach ( array( 'GET', 'POST', 'PUT', 'PATCH', 'DELETE' ) as $method ) {
			$this->outside->answer( "$method /*", new \stdClass() );
		}
	}

	/** The result of a call; a \WP_Error as error, message and data. */
	private static function ask( string $method, mixed ...$given ): mixed {
		return self::call( 'api', self::ACCOUNT, $method, ...$given );
	}

	private function request( string $method, mixed ...$given ): array {
		$this->outside->requests = array();
		self::ask( $method, ...$given );
		self::assertCount( 1, $this->outside->requests );
		return $this->outside->requests[0];
	}

	/** @return array<string, array{0: mixed[], 1: string, 2?: mixed}> Method and arguments, method and path, body. */
	public function endpoints(): array {
		$ids   = array( str_repeat( 'x', 22 ), '../items', str_pad( 'Y-_1', 22, '0' ) );
		$cases = array(
			array( array( 'welcome' ), 'GET /' ),
			array( array( 'health' ), 'GET /health' ),
			array( array( 'list_items', 20, 10 ), 'GET /items?skip=20&limit=10' ),
			array( array( 'get_item', 7 ), 'GET /items/7' ),
			array( array( 'create_item', array( 'name' => 'n', 'url' => 'https://a.example/' ) ), 'POST /items', array( 'name' => 'n', 'url' => 'https://a.example/' ) ),
			array( array( 'update_item', 7, array( 'price' => null ) ), 'PUT /items/7', array( 'price' => null ) ),
			array( array( 'update_item', 7, array() ), 'PUT /items/7', array() ),
			array( array( 'move_item', 7, 3, 4 ), 'POST /items/7/move', array( 'registry_id' => 4 ) ),
			array( array( 'delete_item', 7 ), 'DELETE /items/7' ),
			array( array( 'list_registries' ), 'GET /registries?skip=0&limit=100' ),
			array( array( 'get_registry', 3 ), 'GET /registries/3' ),
			array( array( 'create_registry', array( 'title' => 't' ) ), 'POST /registries', array( 'title' => 't' ) ),
			array( array( 'update_registry', 3, array( 'status' => 'publish' ) ), 'PATCH /registries/3', array( 'status' => 'publish' ) ),
			array( array( 'delete_registry', 3 ), 'DELETE /registries/3' ),
			array( array( 'lookup', 'https://shop.example/pan' ), 'POST /lookups', array( 'url' => 'https://shop.example/pan' ) ),
			array( array( 'registry_items', 3 ), 'GET /registries/3/items' ),
			array( array( 'create_registry_item', 3, array( 'name' => 'n' ) ), 'POST /registries/3/items', array( 'name' => 'n' ) ),
			array( array( 'delete_registry_item', 3, 7 ), 'DELETE /registries/3/items/7' ),
			array( array( 'invitees', 3 ), 'GET /registries/3/invitees' ),
			array( array( 'add_invitees', 3, array( 'bob' ) ), 'POST /registries/3/invitees', array( 'invitees' => array( 'bob' ) ) ),
			array( array( 'remove_invitee', 3, 'ann b@x/y.test' ), 'DELETE /registries/3/invitees/ann%20b%40x%2Fy.test' ),
			array( array( 'affiliate', 3, 7 ), 'GET /registries/3/items/7/affiliate' ),
			array( array( 'set_affiliate', 3, 7, 'https://aff.example/1' ), 'PUT /registries/3/items/7/affiliate', array( 'affiliate_url' => 'https://aff.example/1', 'affiliate_status' => 'active' ) ),
			array( array( 'clear_affiliate', 3, 7 ), 'DELETE /registries/3/items/7/affiliate' ),
			array( array( 'create_claim', 3, 7, array( 'quantity' => 2, 'state' => 'reserved' ) ), 'POST /registries/3/items/7/claims', array( 'quantity' => 2, 'state' => 'reserved' ) ),
			array( array( 'registry_claims', 3 ), 'GET /registries/3/claims' ),
			array( array( 'claims_of', 'a+b@x.test', 20, 10 ), 'GET /claims?email=a%2Bb%40x.test&skip=20&limit=10' ),
			array( array( 'gifts_of', 'a+b@x.test' ), 'GET /claims?email=a%2Bb%40x.test&with=item&limit=100&skip=0' ),
			array( array( 'gifts', $ids ), "GET /claims?ids=$ids[0],$ids[2]&with=item" ),
			array( array( 'get_claim', 'c/1' ), 'GET /claims/c%2F1' ),
			array( array( 'update_claim', 'c1', array( 'state' => 'purchased' ) ), 'PATCH /claims/c1', array( 'state' => 'purchased' ) ),
			array( array( 'release_claim', 'c1' ), 'DELETE /claims/c1' ),
			array( array( 'erase_giver', 'a+b@x.test' ), 'DELETE /claims?email=a%2Bb%40x.test' ),
		);
		return array_combine( array_map( static fn( array $case ): string => $case[0][0] . ' ' . json_encode( array_slice( $case[0], 1 ) ), $cases ), $cases );
	}

	/** @dataProvider endpoints */
	public function test_reaches_every_endpoint_by_its_method_and_path( array $call, string $line, mixed $body = null ): void {
		$request = $this->request( ...$call );
		self::assertSame( array( $line, $body ), array( "$request[method] $request[path]", $request['body'] ) );
		self::assertSame( ! in_array( $line, array( 'GET /', 'GET /health' ), true ), isset( $request['headers']['authorization'] ) );
	}

	public function test_sends_json_waits_ten_seconds_and_tells_for_whom_a_shops_page_is_looked_up_by_a_word_that_names_nobody(): void {
		update_option( 'dev_patience', 1 );
		$request = $this->request( 'create_item', array( 'name' => 'Kännchen "blau"', 'url' => 'https://shop.example/k' ) );
		$headers = $request['headers'];
		self::assertSame( array( 'application/json', 'gateway-key', 'Basic ' . base64_encode( 'ann:abcd efgh' ) ), array( $headers['content-type'], $headers['x-api-key'], $headers['authorization'] ) );
		self::assertEquals( 10, $request['timeout'] );
		self::assertEquals( 10, $this->request( 'get_registry', 1 )['timeout'] );
		$word = fn( string $login ): string => $this->in_request( $login, fn(): string => $this->request( 'lookup', 'https://shop.example/pan' )['headers']['trousseau-for'] );
		self::assertMatchesRegularExpression( '/^[0-9a-f]{20}$/D', $word( 'alice' ) );
		self::assertSame( $word( 'alice' ), $word( 'alice' ) );
		self::assertNotSame( $word( 'alice' ), $word( 'bob' ) );
	}

	public function test_maps_statuses_404_to_null_204_to_true_redirects_which_are_not_followed_and_400_and_above_to_api_error_all_else_to_the_body(): void {
		$this->outside->answer( 'GET /registries/1', array( 1, 2 ) );
		self::assertSame( array( 1, 2 ), self::ask( 'get_registry', 1 ) );
		$this->outside->answer( 'GET /registries/1', array( 'id' => 1 ), 201 );
		self::assertSame( array( 'id' => 1 ), self::ask( 'get_registry', 1 ) );
		$this->outside->answer( 'GET /registries/1', array( 'detail' => 'Registry not found' ), 404 );
		self::assertNull( self::ask( 'get_registry', 1 ) );
		$this->outside->answer( 'GET /registries/1', '<html>Not found</html>', 404 );
		self::assertNull( self::ask( 'get_registry', 1 ) );
		foreach ( array( 302, 400, 401, 403, 409, 412, 422, 429, 500, 503 ) as $status ) {
			$this->outside->answer( 'GET /registries/1', array( 'detail' => "Fault $status" ), $status, array( 'retry-after' => '9', 'location' => Outside::SERVICE . '/elsewhere' ) );
			self::assertSame( array( 'error' => 'api_error', 'message' => "Fault $status", 'data' => array( 'status' => $status ) ), self::ask( 'get_registry', 1 ) );
			self::assertSame( 0, end( $this->outside->requests )['redirection'] );
		}
		$this->outside->answer( 'DELETE /registries/1', '', 204 );
		self::assertTrue( self::ask( 'delete_registry', 1 ) );
		$this->outside->answer( 'POST /registries/3/items/7/claims', array( 'detail' => '0 left' ), 409 );
		self::assertSame( array( 'error' => 'api_error', 'message' => '0 left', 'data' => array( 'status' => 409 ) ), self::ask( 'create_claim', 3, 7, array( 'quantity' => 2 ), 'key' ) );
		self::assertCount( 16, $this->outside->requests, 'none is tried again' );
	}

	public function test_reads_an_item_out_of_its_envelope_and_many_in_order_and_says_when_it_is_not_configured_when_a_gift_lacks_something_and_when_nothing_answers(): void {
		$item = array( 'id' => 7, 'name' => 'Pan' );
		foreach ( array( array( 'success' => true, 'data' => $item, 'message' => 'ok' ), $item ) as $body ) {
			$this->outside->answer( 'GET /items/7', $body );
			self::assertSame( $item, self::ask( 'get_item', 7 ) );
		}
		$this->outside->answer( 'GET /items/*', static fn( array $request ): array => array( 'data' => array( 'id' => (int) basename( $request['path'] ) ) ) );
		$this->outside->answer( 'GET /items/2', array( 'detail' => 'Item not found' ), 404 );
		$this->outside->answer( 'GET /items/3', array( 'detail' => 'Internal error' ), 500 );
		self::assertSame( array( array( 'id' => 9 ), array( 'id' => 4 ), array( 'id' => 1 ) ), self::ask( 'get_items', array( 9, 2, 4, 3, 1 ) ) );
		$this->outside->requests = array();
		foreach ( array( array( 'name' => 'n' ), array( 'url' => 'https://a.example/' ), array( 'name' => '', 'url' => 'https://a.example/' ) ) as $item ) {
			self::assertSame( 'api_invalid_item', self::ask( 'create_item', $item )['error'] );
		}
		self::assertSame( array(), $this->outside->asked() );
		self::assertSame( 'api_not_configured', self::call( 'api', array( '' ), 'get_item', 1 )['error'] );
		self::assertSame( 'api_not_configured', self::call( 'api', array( '' ), 'create_item', array() )['error'] );
		self::assertSame( 'api_not_configured', self::call( 'api', array( '' ), 'get_items', array( 1, 2 ) )['error'] );
		self::assertSame( array(), $this->outside->asked() );
		$this->outside->answer( 'GET /items/1', new \WP_Error( 'http_request_failed', 'refused' ) );
		self::assertSame( 'api_unreachable', self::ask( 'get_item', 1 )['error'] );
	}

	public function test_a_key_and_the_state_that_was_read_go_along_and_nowhere_else(): void {
		$sent = function ( string $method, mixed ...$given ): array {
			$headers = $this->request( $method, ...$given )['headers'];
			return array( $headers['idempotency-key'] ?? null, $headers['if-match'] ?? null );
		};
		self::assertSame( array( 'once-1', null ), $sent( 'create_claim', 3, 7, array( 'quantity' => 1 ), 'once-1' ) );
		self::assertSame( array( 'once-2', null ), $sent( 'create_registry_item', 3, array( 'name' => 'n' ), 'once-2' ) );
		self::assertSame( array( null, '"c1-4"' ), $sent( 'update_claim', 'c1', array( 'quantity' => 2 ), '"c1-4"' ) );
		self::assertSame( array( null, '"c1-4"' ), $sent( 'release_claim', 'c1', '"c1-4"' ) );
		self::assertSame( array( null, '"7-0"' ), $sent( 'update_item', 7, array( 'price' => 1 ), '"7-0"' ) );
		self::assertSame( array( null, null ), $sent( 'create_claim', 3, 7, array( 'quantity' => 1 ) ) );
	}

	/** The request of the site's own client with these variables of the environment and these options, or its answer where it asks nobody. */
	private function ask_with( array $environment, array $options ): mixed {
		$this->outside->requests = array();
		foreach ( array( 'base_url', 'api_key', 'username', 'app_password' ) as $name ) {
			delete_option( "trousseau_$name" );
			putenv( 'TROUSSEAU_' . strtoupper( $name ) . ( isset( $environment[ $name ] ) ? "=$environment[$name]" : '' ) );
			isset( $options[ $name ] ) && update_option( "trousseau_$name", $options[ $name ] );
		}
		try {
			$answer = self::call( 'api', null, 'get_registry', 1 );
			return $this->outside->requests[0] ?? $answer;
		} finally {
			array_map( 'putenv', array( 'TROUSSEAU_BASE_URL', 'TROUSSEAU_API_KEY', 'TROUSSEAU_USERNAME', 'TROUSSEAU_APP_PASSWORD' ) );
		}
	}

	public function test_settings_come_from_the_option_first_from_the_environment_second(): void {
		$environment = array( 'base_url' => Outside::SERVICE . '/', 'api_key' => 'env-key', 'username' => 'env-user', 'app_password' => 'env-password' );
		$this->outside->answer( 'GET https://own.example/*' );
		self::assertSame( 'api_not_configured', $this->ask_with( array(), array() )['error'] );
		$request = $this->ask_with( $environment, array() );
		self::assertSame( Outside::SERVICE . '/registries/1', $request['url'] );
		self::assertSame( array( 'env-key', 'Basic ' . base64_encode( 'env-user:env-password' ) ), array( $request['headers']['x-api-key'], $request['headers']['authorization'] ) );

		$request = $this->ask_with( $environment, array( 'base_url' => 'https://own.example/', 'api_key' => 'own-key', 'username' => 'own-user', 'app_password' => 'own-password' ) );
		self::assertSame( 'https://own.example/registries/1', $request['url'] );
		self::assertSame( array( 'own-key', 'Basic ' . base64_encode( 'own-user:own-password' ) ), array( $request['headers']['x-api-key'], $request['headers']['authorization'] ) );

		$request = $this->ask_with( array(), array( 'base_url' => 'https://own.example', 'username' => 'own-user' ) );
		self::assertArrayNotHasKey( 'authorization', $request['headers'], 'never half of the credentials' );
		self::assertArrayNotHasKey( 'x-api-key', $request['headers'] );
	}
}
