<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** Tests of a list of alice's and its guests, with a service that stores what they give. */
abstract class ListTestCase extends GivingTestCase {

	protected FakeService $service;

	protected function setUp(): void {
		parent::setUp();
		$this->service = new FakeService( $this->outside );
	}

	/** What a surprise keeps from its owners. */
	public static function keeps(): array {
		return array( array( 'all' ), array( 'names' ) );
	}

	/** Makes a list to which Gran is invited, with these gifts. */
	protected function begin( array $meta = array(), string $status = 'private', array ...$gifts ): void {
		$this->list = $this->registry( 'alice', array( 'title' => 'Ann & Sam', 'meta' => $meta + array( 'registry_invitees' => wp_json_encode( array( self::GRAN ) ) ) ) + compact( 'status' ) );
		foreach ( $gifts as $gift ) {
			$this->add( ...$gift );
		}
	}

	protected function add( string $name, int $needed = 1 ): int {
		return $this->service->add( $this->list->id, compact( 'name' ) + array( 'url' => "https://shop.example/$name", 'quantity_needed' => $needed ) )->json['data']['id'];
	}

	protected function path( string $page ): string {
		return "/registries/{$this->list->id}/$page/";
	}

	/** The page on which a gift is given; without a number, the newest one. */
	protected function way_to( int|string|null $item = null ): string {
		return $this->path( 'give' ) . '?item=' . ( $item ?? array_key_last( $this->service->items ) );
	}

	/** Gives the newest gift by the form of its page, and returns the claim's number. */
	protected function give( array $cookies, array $fields = array() ): string {
		$answer = $this->send_form( null, $this->way_to(), 'give', $fields + array( 'giver' => 'Gran', 'count' => '1' ), cookies: $cookies );
		self::assertSame( 303, $answer->status, $answer->text );
		return (string) array_key_first( $this->service->claims );
	}
}
