<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** Tests of giving, with a service that has one list, its gifts and its claims. */
abstract class GivingTestCase extends WordPressTestCase {

	protected const GRAN = 'gran@example.org';

	/** @var array<string, array<string, mixed>> The service's claims by their ids. */
	protected array $claims = array();

	/** @var array<string, array<string, mixed>> Those that belong to nobody any more. */
	protected array $former = array();

	/** @var array<string, mixed> The one gift on the list. */
	protected array $item;

	private int $last = 0;

	protected object $list;

	protected function setUp(): void {
		parent::setUp();
		$this->item = array( 'id' => 1, 'registry_id' => 0, 'name' => 'Pan', 'url' => 'https://shop.example/1', 'price' => null, 'description' => '', 'retailer' => '', 'image_url' => '', 'quantity_needed' => 1, 'quantity_purchased' => 0 );
		$this->outside->answer( 'GET /registries/*/items', fn(): array => array( $this->item ) );
		$this->outside->answer( 'GET /items/1', fn(): array => array( 'data' => $this->item ) );
		$this->outside->answer( 'GET /registries/*/claims', fn(): array => array( 'claims' => array_values( $this->claims ), 'concealed_until' => null ) );
		$this->outside->answer( 'GET /claims?*', fn(): array => array_values( array_map( fn( array $claim ): array => array( 'item' => $this->item ) + $claim, $this->claims ) ) );
		$this->outside->answer( 'GET /claims/*', fn( array $request ): array => ( $this->claims + $this->former )[ basename( $request['path'] ) ] );
		$this->outside->answer( 'PATCH /claims/*', fn( array $request ): array => $this->change( basename( $request['path'] ), $request['body'] ) );
		$this->list                = $this->registry( 'alice', array( 'title' => 'Ann & Bob', 'status' => 'private', 'meta' => array( 'registry_currency' => 'EUR', 'registry_pay_to' => 'In an envelope', 'registry_invitees' => wp_json_encode( array( self::GRAN, 'bob@example.org', 'carol@example.org', 'dave@example.org' ) ) ) ) );
		$this->item['registry_id'] = $this->list->id;
	}

	protected function change( string $id, array $changes ): array {
		$seconds             = $changes['expires_in'] ?? null;
		$this->claims[ $id ] = ( $seconds ? array( 'expires_at' => gmdate( 'c', time() + $seconds ) ) : array() ) + array_diff_key( $changes, array( 'expires_in' => 0 ) ) + $this->claims[ $id ];
		return $this->claims[ $id ];
	}

	protected function claim( string $state, array $fields = array() ): string {
		$id                  = str_pad( (string) ++$this->last, 22, 'x', STR_PAD_LEFT );
		$giver               = array( 'user_id' => null, 'name' => 'Gran', 'email' => self::GRAN );
		$expires_at          = gmdate( 'c', time() + ( $state === 'pending' ? HOUR_IN_SECONDS : 14 * DAY_IN_SECONDS ) );
		$this->claims[ $id ] = self::claim_with( $fields + compact( 'id', 'state', 'giver', 'expires_at' ) + array( 'registry_id' => $this->list->id ) );
		return $id;
	}

	protected static function cookie( string $name, string $value ): array {
		list( $name, $value ) = explode( '=', self::call( 'cookie', $name, $value ), 2 );
		return array( $name => $value );
	}

	/** @return array<string, string> The cookie of a device that has opened the invitation. */
	protected function guest( string $email = self::GRAN ): array {
		$link = $this->in_request( null, fn(): string => self::call( 'guest_link', $this->list->id, $email ) );
		parse_str( (string) wp_parse_url( $link, PHP_URL_QUERY ), $query );
		return self::cookie( 'guest', self::call( 'read_signed', 'invitation', $query['for'] ) );
	}

	/** The gifts that the giver of a claim sees by the link that an email brought them. */
	protected static function gifts_by_email( string $email = self::GRAN ): string {
		return '/registries/my-gifts/?of=' . self::call( 'seal', 'my-gifts', ( time() + HOUR_IN_SECONDS ) . " $email" );
	}

	protected static function page_of( string $claim ): string {
		return html_entity_decode( self::call( 'claim_link', $claim ) );
	}

	/** The giver's page after a press, on a device that opens the list and isn't the giver's. */
	protected function after( string $path, array $form ): string {
		$answer = $this->page( null, $path, form: $form );
		self::assertSame( 303, $answer->status );
		return $this->page( null, $path, array_intersect_key( $answer->cookies, self::cookie( 'message', '' ) ) + $this->guest( 'dave@example.org' ) )->text;
	}

	/** The address to which a page's button sends this action; nothing where there is none. */
	protected static function button( string $page, string $action ): string {
		return preg_match( '/<form class="[^"]*"[^>]* action="([^"]*)"[^>]*><input type="hidden" name="do" value="' . $action . '">/', $page, $found ) ? html_entity_decode( $found[1] ) : '';
	}
}
