<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** The site's answers to the browser's extension: a person's lists, a gift, and taking it off again. */
final class ExtensionAnswerTest extends ListTestCase {

	private const GIFT = array(
		'address'     => 'https://www.teaco.example/p/teapot?colour=blue',
		'name'        => 'Blue Teapot',
		'description' => "Colour: Blue\nFor two",
		'image'       => 'https://www.teaco.example/teapot.jpg',
		'retailer'    => 'Tea & Co',
		'price'       => '43.9',
		'currency'    => 'EUR',
	);

	private int $status = 0;

	protected function setUp(): void {
		parent::setUp();
		$this->begin( array( 'registry_currency' => 'EUR', 'registry_invitees' => '[]' ) );
		// WordPress ends PHP after JSON, unless it is for a script of its own.
		add_filter( 'wp_doing_ajax', '__return_true' );
	}

	private function ask( ?string $login, array $form = array(), array $server = array( 'HTTP_ORIGIN' => 'chrome-extension://abcdefghijklmnop', 'HTTP_SEC_FETCH_SITE' => 'none' ) ): ?array {
		$answer       = $this->page( $login, '/registries/add/?extension=1', server: $server, form: $form );
		$this->status = $answer->status;
		return $answer->json;
	}

	/** A gift for the list, with the nonce and the key that the extension has read. */
	private function form( string $login = 'alice' ): array {
		$account = $this->ask( $login )['account'];
		return array( 'list' => (string) $this->list->id, 'nonce' => $account['nonce'], 'key' => $account['key'] ) + self::GIFT;
	}

	public function test_every_page_names_the_door_which_tells_a_persons_own_lists_and_nobody_elses_and_nothing_to_a_page_of_another_site(): void {
		self::assertStringContainsString( '<link rel="trousseau-add" href="' . home_url( '/registries/add/' ) . '">', $this->page( null, '/' )->text );
		self::post( array( 'post_type' => 'registry', 'post_title' => 'Draft', 'post_status' => 'draft', 'post_author' => self::user( 'alice' ) ) );
		$shared = $this->registry( 'alice', array( 'title' => 'Shared', 'status' => 'private', 'meta' => array( 'registry_owners' => '["bob"]' ) ) )->id;
		$lists  = fn( string $login ): array => array_column( $this->ask( $login )['account']['lists'], 'name', 'id' );
		self::assertEqualsCanonicalizing( array( 'Ann & Bob', 'Ann & Sam', 'Shared' ), $lists( 'alice' ) );
		self::assertSame( array( array( $shared => 'Shared' ), array() ), array( $lists( 'bob' ), $lists( 'carol' ) ) );
		$signed_out = $this->ask( null );
		self::assertNull( $signed_out['account'] );
		self::assertStringContainsString( 'wp-login.php?redirect_to=', $signed_out['sign_in'] );
		self::assertNull( $this->ask( 'alice', array(), array( 'HTTP_ORIGIN' => 'https://shop.example' ) ) );
		self::assertSame( 403, $this->status );
	}

	public function test_a_gift_goes_on_the_list_as_the_shop_shows_it_once_for_a_press_and_is_taken_off_again(): void {
		$form = $this->form();
		$one  = $this->ask( 'alice', $form );
		self::assertSame( array( 201, '' ), array( $this->status, $one['note'] ) );
		self::assertSame( $one['id'], $this->ask( 'alice', $form )['id'] );
		self::assertCount( 1, $this->service->items );
		$item = $this->service->items[ $one['id'] ];
		self::assertSame( array( self::GIFT['name'], self::GIFT['address'], 43.9, self::GIFT['description'], self::GIFT['retailer'], self::GIFT['image'] ), array( $item['name'], $item['url'], $item['price'], $item['description'], $item['retailer'], $item['image_url'] ) );
		self::assertSame( 'Blue Teapot', self::form_on( $this->page( 'alice', $one['address'] ), 'change' )['name'] );
		$this->ask( 'alice', $this->form() );
		self::assertCount( 2, $this->service->items, 'a new press adds one more' );
		foreach ( array( 'pressed', 'pressed again' ) as $press ) {
			$this->ask( 'alice', array( 'do' => 'remove', 'item' => (string) $one['id'] ) + $form );
			self::assertSame( 200, $this->status, $press );
		}
		self::assertCount( 1, $this->service->items );
		$answer = $this->ask( 'alice', array( 'currency' => 'USD' ) + $this->form() );
		self::assertStringContainsString( 'your list uses EUR', $answer['note'] );
		self::assertNull( $this->service->items[ $answer['id'] ]['price'] );
		$german = static fn(): string => 'de_DE';
		add_filter( 'determine_locale', $german );
		$answer = $this->ask( 'alice', array( 'price' => '1.299', 'currency' => '' ) + $this->form() );
		remove_filter( 'determine_locale', $german );
		self::assertSame( 1299.0, (float) $this->service->items[ $answer['id'] ?? 0 ]['price'], 'as the person’s language writes it' );
	}

	public function test_a_gift_whose_answer_was_lost_goes_on_the_other_list_that_the_person_chooses_then_and_a_service_that_is_away_is_told_apart_from_a_refusal(): void {
		$other = $this->registry( 'alice', array( 'title' => 'New home', 'status' => 'private' ) )->id;
		$form  = $this->form();
		$this->ask( 'alice', $form );
		foreach ( array( 'pressed', 'pressed again' ) as $press ) {
			$this->ask( 'alice', array( 'list' => (string) $other ) + $form );
			self::assertSame( array( array( 'Blue Teapot' ), array( 'Blue Teapot' ) ), array( $this->service->names( $this->list->id ), $this->service->names( $other ) ), $press );
		}
		$form                   = $this->form();
		$this->outside->is_away = true;
		self::assertGreaterThan( 10, strlen( $this->ask( 'alice', $form )['problem'] ) );
		self::assertSame( 503, $this->status );
		$this->outside->is_away = false;
		$this->ask( 'alice', $form );
		self::assertSame( 201, $this->status );
	}

	public function test_nothing_is_stored_without_the_nonce_for_another_sites_page_or_on_a_list_of_others(): void {
		$form    = $this->form();
		$foreign = $this->form( 'carol' );
		$refused = array(
			'no nonce'               => array( 403, 'alice', array( 'nonce' => '' ) + $form ),
			'another’s nonce'        => array( 403, 'alice', array( 'nonce' => $foreign['nonce'] ) + $form ),
			'a shop’s page'          => array( 403, 'alice', $form, array( 'HTTP_ORIGIN' => 'https://shop.example', 'HTTP_SEC_FETCH_SITE' => 'cross-site' ) ),
			'a frame without origin' => array( 403, 'alice', $form, array( 'HTTP_ORIGIN' => 'null', 'HTTP_SEC_FETCH_SITE' => '' ) ),
			'signed out'             => array( 403, null, $form ),
			'another’s list'         => array( 404, 'carol', $foreign ),
			'no list'                => array( 404, 'alice', array( 'list' => '0' ) + $form ),
			'no name'                => array( 422, 'alice', array( 'name' => ' ' ) + $form ),
			'no price'               => array( 422, 'alice', array( 'price' => 'cheap' ) + $form ),
		);
		foreach ( $refused as $what => $asked ) {
			$this->ask( ...array_slice( $asked, 1 ) );
			self::assertSame( $asked[0], $this->status, $what );
		}
		self::assertSame( array(), $this->service->items );
		self::assertNull( $this->ask( null, $form )['account'], 'the extension learns that nobody is signed in' );
		$fresh = $this->ask( 'alice', array( 'nonce' => 'old' ) + $form )['account']['nonce'];
		$this->ask( 'alice', array( 'nonce' => $fresh ) + $form );
		self::assertSame( 201, $this->status );
	}
}
