<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** Gifts that several pay for: the one who buys, whose role ends at a bad moment, and funds, which nobody buys. */
final class SharedGiftsTest extends GivingTestCase {

	protected function setUp(): void {
		parent::setUp();
		$this->item = array( 'name' => 'Pram', 'unit' => 'money', 'quantity_needed' => 52_000 ) + $this->item;
	}

	private function share( string $name, int $units, array $fields = array() ): string {
		$state = $fields['state'] ?? 'reserved';
		return $this->claim( $state, $fields + array( 'quantity' => $units, 'buys' => false, 'pay_to' => null, 'giver' => array( 'user_id' => null, 'name' => $name, 'email' => strtolower( $name ) . '@example.org' ) ) );
	}

	/** Looks at the list, and sends what is due soon. @return string[] Receiver and subject. */
	private function told( string ...$about ): array {
		$this->in_request( null, fn() => self::call( 'add_job', 'buyer', null, 0, (string) $this->list->id ) );
		$this->run_jobs( 'buyer' );
		$this->told = $this->sent( 0.01 );
		$named      = static fn( array $mail ): string => strtok( $mail['to'][0], '@' ) . ": $mail[subject]";
		$all        = array_map( $named, $this->told );
		sort( $all );
		return array_values( array_filter( $all, static fn( string $mail ): bool => ! $about || array_filter( $about, static fn( string $words ): bool => str_contains( $mail, $words ) ) ) );
	}

	/** @var array<string, mixed>[] The emails of the last look. */
	private array $told = array();

	private function text_to( string $name, string $subject ): string {
		$texts = array_filter( $this->told, static fn( array $mail ): bool => $mail['to'][0] === "$name@example.org" && str_contains( $mail['subject'], $subject ) );
		return (string) preg_replace( '/[\s\x{2068}\x{2069}]+/u', ' ', array_values( $texts )[0]['text'] ?? '' );
	}

	private function press( string $id, string $action ): Answer {
		return $this->send_form( null, self::page_of( $id ), $action );
	}

	public function test_the_one_who_buys_reads_that_another_way_to_pay_is_saved(): void {
		$path = self::page_of( $this->share( 'Bob', 30_000 ) );
		self::assertStringContainsString( 'Thank you! The others can see that someone is buying it', $this->after( $path, array( 'do' => 'buy', 'pay_to' => 'To Bob' ) ) );
		self::assertStringContainsString( 'Your changes are saved', $this->after( $path, array( 'do' => 'buy', 'pay_to' => 'To my office' ) ) );
	}

	public function test_nobody_steps_back_while_they_have_money_of_others(): void {
		$bob   = $this->share( 'Bob', 30_000, array( 'buys' => true, 'pay_to' => 'To Bob' ) );
		$carol = $this->share( 'Carol', 12_000 );
		$path  = self::page_of( $bob );
		$ways  = fn(): array => array_map( fn( string $action ): bool => self::button( $this->page( null, $path )->text, $action ) !== '', array( 'not-buy', 'release' ) );
		self::assertSame( array( true, true ), $ways() );
		self::assertSame( 303, $this->press( $carol, 'bought' )->status );
		self::assertSame( array( false, false ), $ways() );
		self::assertStringContainsString( 'Others have sent you €120', $this->page( null, $path )->text );
		// A form may be older.
		foreach ( array( 'not-buy', 'release' ) as $action ) {
			self::assert_refused( '/Others have sent you €120/', $this->page( null, $path, form: array( 'do' => $action ) ) );
			self::assertSame( array( true, 'reserved' ), array( $this->claims[ $bob ]['buys'], $this->claims[ $bob ]['state'] ) );
		}
		self::assertSame( 303, $this->press( $carol, 'got-back' )->status );
		self::assertSame( array( true, true ), $ways() );
		self::assertSame( 303, $this->page( null, $path, form: array( 'do' => 'not-buy' ) )->status );
	}

	public function test_if_the_role_becomes_free_all_the_same_one_email_tells_everybody(): void {
		$bob   = $this->share( 'Bob', 30_000, array( 'buys' => true, 'pay_to' => 'To Bob' ) );
		$carol = $this->share( 'Carol', 12_000 );
		$dave  = $this->share( 'Dave', 5_000 );
		$this->share( 'Gran', 1_000 );
		self::assertSame( array( 303, 303 ), array( $this->press( $carol, 'bought' )->status, $this->press( $dave, 'bought' )->status ) );
		$this->told();
		$this->claims[ $bob ] = array( 'state' => 'expired', 'buys' => false ) + $this->claims[ $bob ];
		self::assertSame( array( 'carol: Nobody is buying “Pram” at the moment', 'dave: Nobody is buying “Pram” at the moment', 'gran: Nobody is buying “Pram” at the moment' ), $this->told() );
		self::assertStringContainsString( 'If you’ve already sent them your share, please ask for it back', $this->text_to( 'carol', 'Nobody' ) );
	}

	public function test_a_fund_never_speaks_of_buying(): void {
		$this->item['url'] = $this->list->link;
		$bob               = $this->share( 'Bob', 30_000 );
		$carol             = $this->share( 'Carol', 22_000 );
		$give              = "/registries/{$this->list->id}/give/?item=1";
		foreach ( array( $this->list->link, $give, self::page_of( $bob ), self::page_of( $carol ) ) as $path ) {
			self::assertDoesNotMatchRegularExpression( '/\b(buy|bought)/i', self::words( $this->page( null, $path, $this->guest( 'bob@example.org' ) )->text ), $path );
		}
		self::assertSame( 422, $this->page( null, self::page_of( $bob ), form: array( 'do' => 'buy', 'pay_to' => 'To Bob' ) )->status );
		$this->item['quantity_purchased'] = 52_000;
		self::assertCount( 2, $this->told( 'is fully funded' ) );
		self::assertDoesNotMatchRegularExpression( '/\b(buy|bought)/i', $this->text_to( 'carol', 'fully funded' ) );

		// A program may say that somebody collects it: the money is still for the owners.
		$this->claims[ $bob ] = array( 'buys' => true, 'pay_to' => 'To Bob' ) + $this->claims[ $bob ];
		self::assertSame( array(), $this->told() );
		$words = self::words( $this->page( null, self::page_of( $carol ) )->text );
		self::assertStringContainsString( 'In an envelope', $words );
		self::assertDoesNotMatchRegularExpression( '/\b(buy|bought)|To Bob/i', $words );
		self::assertSame( 303, $this->press( $carol, 'bought' )->status );
		self::assertMatchesRegularExpression( '/sent/', self::words( $this->page( 'alice', "/registries/{$this->list->id}/given/" )->text ) );
	}

	public function test_a_fund_may_have_no_goal(): void {
		$stored = array();
		$store  = function ( array $request ) use ( &$stored ): array {
			$stored     = $request['body'];
			$this->item = $stored + $this->item;
			return array( 'data' => $this->item );
		};
		$this->outside->answer( 'POST /registries/*/items', $store, 201 );
		$this->outside->answer( 'PUT /items/1', $store );
		$gifts = "/registries/{$this->list->id}/gifts/";
		$fund  = array( 'do' => 'add', 'name' => 'Honeymoon', 'kind' => 'money', 'price' => '', 'pay_to' => 'In an envelope' );
		self::assertSame( 303, $this->page( 'alice', $gifts, form: $fund )->status );
		self::assertSame( array( 'money', 2_147_483_647 ), array( $stored['unit'], $stored['quantity_needed'] ) );
		self::assertSame( 422, $this->page( 'alice', $gifts, form: array( 'kind' => '', 'several' => '1' ) + $fund )->status, 'a thing has a price' );
		self::assertMatchesRegularExpression( '/<input(?=[^>]* name="price")(?=[^>]* value="")(?![^>]* required)/', $this->page( 'alice', "$gifts?item=1" )->text );

		$this->item['quantity_purchased'] = 12_000;
		$id                               = $this->share( 'Carol', 12_000 );
		$give                             = "/registries/{$this->list->id}/give/?item=1";
		$pages                            = array();
		foreach ( array( $this->list->link, $give, self::page_of( $id ) ) as $path ) {
			$page = $this->page( null, $path, $this->guest() )->text;
			self::assertStringNotContainsString( '21,474', $page, $path );
			self::assertStringNotContainsString( '<progress', $page, $path );
			$pages[] = self::words( $page );
		}
		self::assertStringContainsString( 'Any amount is welcome', $pages[0] );
		$pages[] = self::words( $this->after( self::page_of( $id ), array( 'do' => 'release' ) ) );
		self::assertStringContainsString( 'Your share is cancelled. Undo', $pages[3] );
		$this->claims[ $id ]['state'] = 'expired';
		$pages[]                      = self::words( $this->page( null, self::page_of( $id ) )->text );
		self::assertStringNotContainsString( 'this amount', implode( ' ', $pages ), 'the amount isn’t missing for anybody' );
		$this->claims[ $id ]['state'] = 'reserved';
		self::assertStringNotContainsString( 'still needed', $pages[1] );
		self::assertDoesNotMatchRegularExpression( '~€[\d,.]{4,} Other~', $pages[1] );
		self::assertStringNotContainsString( '21,474', $this->page( 'alice', $gifts )->text );
		$much = $this->page( null, $give, $this->guest(), form: array( 'do' => 'give', 'share' => 'own', 'amount' => '20000', 'giver' => 'Gran' ) );
		self::assertSame( 422, $much->status, 'nobody fills it alone' );
		update_post_meta( $this->list->id, 'registry_event_date', wp_date( 'Y-m-d' ) );
		$this->run_jobs( 'shares', 'mail' );
		self::assertSame( array(), $this->mails(), 'nothing is missing on the day' );

		self::assertSame( 303, $this->page( 'alice', $gifts, form: array( 'do' => 'change', 'item' => '1', 'price' => '500' ) + $fund )->status );
		self::assertSame( 50_000, $stored['quantity_needed'] );
	}
}
