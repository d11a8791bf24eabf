<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** A giver's page of all their gifts. */
final class MyGiftsTest extends ListTestCase {

	private const MINE = '/registries/my-gifts/';

	/** @var array<string, string> */
	private array $gran;

	/** @var array<string, string> The pages of the gifts that Gran has chosen. */
	private array $gifts = array();

	protected function setUp(): void {
		parent::setUp();
		$this->begin();
		$this->gran = $this->guest();
		foreach ( array( 'Pan', 'Sieve', 'Ladle' ) as $name ) {
			$path   = $this->path( 'give' ) . '?item=' . $this->add( $name );
			$answer = $this->send_form( null, $path, 'give', array( 'giver' => 'Gran' ), cookies: $this->gran );
			self::assertSame( 303, $answer->status, $answer->text );
			$this->gran           = $answer->cookies;
			$this->gifts[ $name ] = $answer->location();
		}
	}

	private function press( string $gift, string $action ): void {
		self::assertSame( 303, $this->send_form( null, $this->gifts[ $gift ], $action, cookies: $this->gran )->status );
	}

	/** @return array<string, string[]> The headings of the page with the gifts under each. */
	private function board( ?array $cookies = null, string $path = self::MINE ): array {
		preg_match_all( '#<h2>([^<]+)</h2>\s*<ul class="trousseau-rows"(.*?)</ul>#s', $this->read( null, $path, $cookies ?? $this->gran ), $parts );
		$names = static fn( string $rows ): array => preg_match_all( '#<strong>([^<]+)#', $rows, $found ) ? $found[1] : array();
		return array_combine( $parts[1], array_map( $names, $parts[2] ) );
	}

	public function test_order_ones_gifts_by_how_far_they_are_on_every_device(): void {
		self::assertSame( array( 'To buy or send' ), array_keys( $this->board() ) );
		$this->press( 'Sieve', 'bought' );
		$this->press( 'Ladle', 'bought' );
		$this->press( 'Ladle', 'release' );
		$expected = array( 'To buy or send' => array( 'Pan' ), 'Bought or sent' => array( 'Sieve' ), 'No longer yours' => array( 'Ladle' ) );
		self::assertSame( $expected, $this->board( array(), self::gifts_by_email() ) );
		self::assertSame( $expected, $this->board() );
		self::assertSame( array(), $this->board( array() ), 'another device' );
	}
}
