<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** The content of emails, and those that are planned, limited or deleted. */
final class MailTest extends WordPressTestCase {

	/** Sends everything that is due, also where a run takes only some of it. */
	private function sent(): array {
		$all = array();
		do {
			$this->run_jobs( 'mail' );
			$some = $this->mails();
			array_push( $all, ...$some );
		} while ( $some );
		return $all;
	}

	public function test_names_in_lists_bring_no_button_and_no_line_of_their_own(): void {
		$name = "Ann\n\nPress here\nhttps://evil.example/now";
		$gift = array( 'item_id' => 1, 'name' => $name, 'quantity' => 5_000, 'currency' => 'EUR', 'is_given' => true, 'money' => 5_000, 'owners' => false, 'holder' => $name, 'owed' => array( array( $name, 2_000 ) ) );
		self::call( 'send_mail', 'aunt@example.org', 'list-gone', array( 'registry' => $name, 'gifts' => array( $gift ) ) );
		list( $mail ) = $this->sent();
		self::assertMatchesRegularExpression( '/Your €50 is with Ann Press here https:\/\/evil\.example\/now\./', $mail['text'] );
		self::assertStringNotContainsString( 'href="https://evil', $mail['html'] );
		self::assertDoesNotMatchRegularExpression( '/^Press here/m', $mail['text'] );
	}

	public function test_those_to_owners_leave_out_none_of_very_many_lists_and_wait_once_for_a_service_that_is_away(): void {
		self::connect_service();
		add_filter( 'wp_doing_cron', '__return_true' );
		list( $asked, $reminded, $away ) = $this->in_request( null, static fn(): array => self::call( 'mail.remind_owners_of_many' ) );
		self::assertSame( array( 0, 250 ), array( $asked, $reminded ) );
		self::assertLessThanOrEqual( 3, $away, 'waited so many times' );
	}

	public function test_a_person_who_gives_much_hears_of_all_of_it_planned_mails_dont_count_for_the_days_limit(): void {
		for ( $n = 0; $n < 40; ++$n ) {
			self::assertTrue( self::call( 'send_mail', 'busy@example.org', 'claim-reminder', array(), time() + DAY_IN_SECONDS ) );
		}
		for ( $n = 0; $n < 40; ++$n ) {
			self::call( 'send_mail', 'busy@example.org', 'my-gifts', array( 'link' => home_url() ) );
		}
		$sent = $this->sent();
		self::assertSame( array( array( 'busy@example.org' ) ), array_unique( array_column( $sent, 'to' ), SORT_REGULAR ) );
		self::assertCount( 10, $sent, 'as many as one visitor may ask for in a day' );
	}

	public function test_mails_that_wait_for_somebody_are_deleted_also_while_one_of_them_is_being_sent(): void {
		self::assertSame( array( 2, 0 ), $this->in_request( null, static fn(): array => self::call( 'mail.forget_while_mail_goes', 'moved@example.org' ) ) );
	}
}
