<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/**
 * Gifts that several pay for when something is amiss: money is missing on the day, or nobody buys any more. Each giver is told once.
 * at-once.test.ts has several processes, and the service's notices.
 */
final class GoalTest extends ListTestCase {

	private const MISSED = 'the goal wasn’t reached';
	private const NOBODY = 'Nobody is buying';

	private static function day( string $zone = 'UTC', int $ago = 1 ): string {
		return ( new \DateTimeImmutable( "-$ago days", new \DateTimeZone( $zone ) ) )->format( 'Y-m-d' );
	}

	/** Makes a list with a pram of 520 €, to which these give shares. @return array<string, string> The numbers of their claims. */
	private function pram( array $shares, array $meta = array(), array $also = array() ): array {
		$this->begin( $meta + array( 'registry_currency' => 'EUR', 'registry_invitees' => '["bob","carol"]', 'registry_pay_to' => 'In an envelope', 'registry_event_date' => self::day() ) );
		$item = $this->service->add( $this->list->id, $also + array( 'name' => 'Pram', 'url' => 'https://shop.example/pram', 'unit' => 'money', 'quantity_needed' => 52_000 ) )->json['data']['id'];
		return array_combine( array_keys( $shares ), array_map( fn( string $name ): string => $this->share( $item, $name, $shares[ $name ] ), array_keys( $shares ) ) );
	}

	private function share( int $item, string $name, int $quantity ): string {
		return $this->service->give( $item, compact( 'quantity' ) + array( 'giver' => array( 'user_id' => self::user( $name ), 'name' => $name, 'email' => "$name@example.test" ) ) )->json['id'];
	}

	private function set( string $id, array $changes ): void {
		$this->service->claims[ $id ] = $changes + $this->service->claims[ $id ];
	}

	private function round(): void {
		delete_post_meta( $this->list->id, '_trousseau_shares_looked' );
		$this->run_jobs( 'shares' );
	}

	/** The texts of the new emails with these words in their subjects, by their readers. @return array<string, string> */
	private function told( string $about ): array {
		$mails = array_filter( $this->sent( 0.01 ), static fn( array $mail ): bool => str_contains( $mail['subject'], $about ) );
		$told  = array_combine( array_map( static fn( array $mail ): string => strtok( $mail['to'][0], '@' ), $mails ), array_map( static fn( array $mail ): string => self::words( $mail['text'] ), $mails ) );
		self::assertCount( count( $mails ), $told, 'one for each' );
		ksort( $told );
		return $told;
	}

	/** The only way to a gift in an email. */
	private static function gift_in( string $text ): string {
		self::assertSame( 1, preg_match_all( '#https?://\S+/registries/gift/\S+#', $text, $found ) );
		return $found[0][0];
	}

	/** Presses a button, and reads what comes of it. */
	private function press( string $login, string $path, string $action ): string {
		$answer = $this->send_form( $login, $path, $action );
		self::assertSame( 303, $answer->status, $answer->text );
		return self::words( $this->page( $login, $answer->location(), $answer->cookies )->text );
	}

	private static function waiting( string $kind ): int {
		return count( array_filter( self::call( 'rows', 'trousseau_jobs' ), static fn( array $job ): bool => str_contains( $job['unique_key'], $kind ) ) );
	}

	public function test_each_giver_is_told_once_and_may_cancel_what_is_not_sent(): void {
		$claims = $this->pram( array( 'bob' => 10_000, 'carol' => 5000 ) );
		$this->set( $claims['carol'], array( 'state' => 'purchased' ) );
		$this->round();
		$this->round();
		$asked = $this->told( self::MISSED );
		self::assertSame( array( 'bob', 'carol' ), array_keys( $asked ) );
		self::assertMatchesRegularExpression( '/cancel it on the page below.*View your share of €100/', $asked['bob'] );
		self::assertStringContainsString( 'ask the person you sent it to', $asked['carol'] );
		$this->round();
		self::assertSame( array(), $this->told( self::MISSED ), 'once' );

		self::assertStringContainsString( 'Only the person who has the money can return it', $this->see( 'carol', self::gift_in( $asked['carol'] ) ) );
		$this->press( 'carol', self::gift_in( $asked['carol'] ), 'got-back' );
		$this->press( 'bob', self::gift_in( $asked['bob'] ), 'release' );
		self::assertSame( array( 'released', 'released' ), array_column( $this->service->claims, 'state' ) );
	}

	public function test_the_one_who_buys_is_told_what_is_missing_pays_it_or_lets_somebody_else_buy_and_is_asked_nothing(): void {
		$claims = $this->pram( array( 'bob' => 10_000, 'carol' => 5000 ) );
		$this->set( $claims['bob'], array( 'buys' => true, 'pay_to' => 'To Bob' ) );
		$this->round();
		$told = $this->told( self::MISSED );
		self::assertMatchesRegularExpression( '/You’re buying it: please pay the rest.*View your share of €100/', $told['bob'] );
		self::assertStringContainsString( 'cancel it on the page below', $told['carol'] );
		$page = $this->see( 'bob', self::gift_in( $told['bob'] ) );
		self::assertMatchesRegularExpression( '/€150 of €520 promised.*€370 is missing\. If you pay it yourself.*I’ve bought it.*Let someone else buy it.*Cancel my share/', $page );
	}

	/** @return array<string, array> Shares, the list's and the gift's fields, and changes of carol's claim. */
	public function untroubled(): array {
		return array(
			'before the day' => array( array( 'bob' => 10_000 ), array( 'registry_event_date' => self::day( 'UTC', -3 ) ) ),
			'without a day'  => array( array( 'bob' => 10_000 ), array( 'registry_event_date' => '' ) ),
			'full'           => array( array( 'bob' => 52_000 ) ),
			'bought'         => array( array( 'bob' => 10_000, 'carol' => 5000 ), array(), array(), array( 'buys' => true, 'state' => 'purchased' ) ),
			'pieces'         => array( array( 'bob' => 1 ), array(), array( 'unit' => null, 'quantity_needed' => 4 ) ),
		);
	}

	/** @dataProvider untroubled */
	public function test_nobody_is_asked( array $shares, array $meta = array(), array $gift = array(), array $changes = array() ): void {
		$claims = $this->pram( $shares, $meta, $gift );
		$changes && $this->set( $claims['carol'], $changes );
		$this->round();
		self::assertSame( array(), $this->told( self::MISSED ) );
	}

	public function test_the_day_begins_where_the_site_is(): void {
		$there = 'Pacific/Kiritimati';
		$this->pram( array( 'bob' => 10_000 ), array( 'registry_event_date' => self::day( $there, 0 ) ) );
		update_option( 'timezone_string', 'Etc/GMT+12' );
		$this->round();
		self::assertSame( array(), $this->told( self::MISSED ) );
		update_option( 'timezone_string', $there );
		$this->round();
		self::assertSame( array( 'bob' ), array_keys( $this->told( self::MISSED ) ) );
	}

	public function test_an_email_that_waits_is_not_sent_once_the_gift_is_full(): void {
		$this->pram( array( 'bob' => 10_000 ) );
		$this->round();
		self::assertSame( 1, self::waiting( 'goal-missed' ) );
		$this->share( 1, 'carol', 42_000 );
		self::assertSame( array(), $this->told( self::MISSED ) );
		self::assertSame( 0, self::waiting( 'goal-missed' ) );
	}

	/**
	 * @testWith ["all"]
	 *           ["names"]
	 */
	public function test_owners_who_are_to_be_surprised_learn_nothing( string $keeps ): void {
		$this->pram( array( 'bob' => 10_000 ), array( 'registry_surprise_until' => 'always', 'registry_surprise_keeps' => $keeps ) );
		$seen   = fn(): array => array_map( fn( string $page ): string => $this->see( 'alice', $this->path( $page ) ), array( 'given', 'gifts', 'details', 'people' ) );
		$before = $seen();
		$this->round();
		$asked = $this->told( self::MISSED );
		self::assertSame( array( 'bob' ), array_keys( $asked ) );
		$bobs = self::gift_in( $asked['bob'] );
		self::assertSame( $before, $seen() );
		self::assertStringNotContainsString( 'Pram', $this->page( 'alice', $bobs )->text );
	}

	public function test_others_hear_once_that_the_buyer_took_a_share_back_and_not_once_somebody_else_buys(): void {
		$look   = function (): void {
			$this->in_request( null, fn() => self::call( 'add_job', 'buyer', null, 0, (string) $this->list->id ) );
			$this->run_jobs( 'buyer' );
		};
		$claims = $this->pram( array( 'bob' => 10_000, 'carol' => 5000 ), array( 'registry_event_date' => '' ) );
		$this->set( $claims['carol'], array( 'buys' => true ) );
		$look();
		$this->press( 'carol', self::page_of( $claims['carol'] ), 'release' );
		$look();
		self::assertSame( 1, self::waiting( 'no-buyer' ) );
		$this->set( $claims['bob'], array( 'buys' => true ) );
		self::assertSame( array(), $this->told( self::NOBODY ) );
		$look();
		$this->set( $claims['bob'], array( 'buys' => false ) );
		$look();
		self::assertSame( array(), $this->told( self::NOBODY ), 'nobody else gives' );
	}

	public function test_erasing_a_person_takes_the_marks_of_their_emails(): void {
		$this->pram( array( 'bob' => 10_000 ) );
		$this->round();
		$this->told( self::MISSED );
		$marks  = static fn(): int => count( array_filter( array_column( self::call( 'rows', 'trousseau_values' ), 'name' ), static fn( string $name ): bool => str_starts_with( $name, 'mailed_' ) ) );
		$before = $marks();
		$this->outside->answer( 'DELETE /claims?*', array( 'erased' => 0 ) );
		$this->in_request( 'admin', static fn() => self::call( 'personal_data', 'eraser', 'bob@example.test', 1 ) );
		self::assertLessThan( $before, $marks() );
	}
}
