<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Lists\Closing;
use Trousseau\Lists\Meta;

/** The four pages of a list's details. */
final class DetailsTest extends WordPressTestCase {

	private const PARTS = array(
		'about'    => array( 'title', 'occasion', 'other', 'date', 'story', 'currency' ),
		'privacy'  => array( 'status', 'surprise', 'until', 'keeps', 'extras' ),
		'delivery' => array( 'reserved', 'pay_to', 'delivery' ),
		'after'    => array( 'closes', 'goodbye' ),
	);

	private object $list;

	protected function setUp(): void {
		parent::setUp();
		$this->outside->answer( 'PATCH /registries/*' );
		$meta       = array( 'registry_owners' => '["bob"]', 'registry_event_date' => '2090-05-30', 'registry_surprise_until' => '2090-05-31', 'registry_currency' => 'EUR', 'registry_reserved_for' => '28' );
		$this->list = $this->registry( 'alice', array( 'title' => 'Us', 'content' => 'Once upon a time.', 'status' => 'private', 'meta' => $meta ) );
	}

	private function address( string $part ): string {
		return "/registries/{$this->list->id}/details/" . ( $part === '' ? '' : "?part=$part" );
	}

	/** @return array<string, string> The form of a page as a browser sends it. */
	private function opened( string $part ): array {
		$form = self::form_on( $this->page( 'alice', $this->address( $part ) ), 'change' );
		self::assertNotSame( array(), $form, $part );
		return $form;
	}

	/** @return array<string, string> All details as they are stored, by the fields that show them. */
	private function stored(): array {
		wp_cache_flush();
		$fields = array_merge( ...array_map( array( $this, 'opened' ), array_keys( self::PARTS ) ) );
		return array_intersect_key( $fields, array_flip( array_merge( ...array_values( self::PARTS ) ) ) );
	}

	public function test_each_page_has_its_own_fields_and_an_old_link_opens_the_first(): void {
		foreach ( array( '' => 'about', 'nowhere' => 'about' ) + array_combine( array_keys( self::PARTS ), array_keys( self::PARTS ) ) as $asked => $part ) {
			self::assertEqualsCanonicalizing( self::PARTS[ $part ], array_keys( array_diff_key( $this->opened( $asked ), array( 'do' => 1, 'opened' => 1 ) ) ), $asked );
		}
		self::assertStringNotContainsString( 'name="sure"', $this->page( 'alice', $this->address( 'about' ) )->text );
		self::assertStringContainsString( 'name="sure"', $this->page( 'alice', $this->address( 'after' ) )->text );
		self::assertStringContainsString( 'Tick the box', $this->page( 'alice', $this->address( 'after' ), form: array( 'do' => 'delete' ) )->text );
		self::assertSame( 'private', get_post_status( $this->list->id ) );
	}

	public function test_saving_one_page_leaves_the_others_as_they_are(): void {
		$changes = array(
			'delivery' => array( 'delivery' => 'Lime Street 1', 'pay_to' => 'paypal.me/us' ),
			'after'    => array( 'closes' => '2090-07-01', 'goodbye' => 'See you in spring.' ),
			'privacy'  => array( 'status' => 'link', 'surprise' => 'always', 'until' => '', 'extras' => 'yes' ),
			'about'    => array( 'title' => 'Us two', 'story' => 'Twice upon a time.' ),
		);
		foreach ( $changes as $part => $change ) {
			$before = $this->stored();
			$answer = $this->page( 'alice', $this->address( $part ), form: $change + $this->opened( $part ) );
			self::assertSame( 303, $answer->status, $answer->text );
			self::assertStringEndsWith( $part === 'about' ? '/details/' : "/details/?part=$part", $answer->headers['location'] ?? '' );
			self::assertEquals( $change + $before, $this->stored(), $part );
		}
	}

	public function test_a_new_date_moves_the_surprise_that_ends_after_it(): void {
		self::assertSame( 303, $this->page( 'alice', $this->address( '' ), form: array( 'date' => '2090-06-01' ) + $this->opened( '' ) )->status );
		wp_cache_flush();
		self::assertSame( '2090-06-02', Meta::surprise_until( $this->list->id ) );
		// An earlier one is asked about where it was typed.
		$asked = $this->page( 'alice', $this->address( '' ), form: array( 'date' => '2090-05-01' ) + $this->opened( '' ) );
		self::assertSame( 422, $asked->status );
		self::assertStringContainsString( 'name="end_surprise"', $asked->text );
		self::assertStringNotContainsString( 'name="status"', $asked->text );
	}

	public function test_what_another_page_rules_out_is_said_at_a_field_of_this_one(): void {
		$this->page( 'alice', $this->address( 'after' ), form: array( 'closes' => '2090-07-01' ) + $this->opened( 'after' ) );
		$late = $this->page( 'alice', $this->address( '' ), form: array( 'date' => '2090-08-01' ) + $this->opened( '' ) );
		self::assertSame( 422, $late->status );
		self::assertStringContainsString( 'id="trousseau-date-fault"', $late->text );
		wp_cache_flush();
		self::assertSame( '2090-07-01', Closing::day( $this->list->id ) );

		$this->page( 'alice', $this->address( 'privacy' ), form: array( 'surprise' => 'always' ) + $this->opened( 'privacy' ) );
		$this->page( 'alice', $this->address( '' ), form: array( 'date' => '' ) + $this->opened( '' ) );
		$undated = $this->page( 'alice', $this->address( 'privacy' ), form: array( 'surprise' => 'after' ) + $this->opened( 'privacy' ) );
		self::assertSame( 422, $undated->status );
		self::assertStringContainsString( 'id="trousseau-surprise-fault"', $undated->text );
	}

	public function test_a_form_that_was_opened_before_there_were_four_pages_keeps_all_its_fields(): void {
		$old = array_merge( ...array_map( array( $this, 'opened' ), array_keys( self::PARTS ) ) );
		self::assert_refused( '/Lime Street 1/', $this->page( 'alice', $this->address( '' ), form: array( 'title' => '', 'delivery' => 'Lime Street 1' ) + $old ) );
		self::assertSame( 303, $this->page( 'alice', $this->address( '' ), form: array( 'reserved' => 'day', 'delivery' => 'Lime Street 1' ) + $old )->status );
		self::assertSame( array( 'day', 'Lime Street 1' ), array( $this->stored()['reserved'], $this->stored()['delivery'] ) );
	}

	public function test_what_another_page_stores_is_never_a_fault_here(): void {
		wp_update_post( array( 'ID' => $this->list->id, 'post_title' => str_repeat( 'Us ', 90 ), 'post_content' => str_repeat( 'Once upon a time. ', 1200 ) ) );
		update_post_meta( $this->list->id, 'registry_event_type', str_repeat( 'Party ', 30 ) );
		$this->page( 'alice', $this->address( 'after' ), form: array( 'closes' => '2090-07-01' ) + $this->opened( 'after' ) );
		// A program moves the day behind it.
		update_post_meta( $this->list->id, 'registry_event_date', '2090-08-01' );
		foreach ( array( 'privacy' => array( 'status' => 'link' ), 'delivery' => array( 'reserved' => 'day' ) ) as $part => $change ) {
			$answer = $this->page( 'alice', $this->address( $part ), form: $change + $this->opened( $part ) );
			self::assertSame( 303, $answer->status, $part . self::words( $answer->text ) );
		}
		self::assertSame( 422, $this->page( 'alice', $this->address( '' ), form: $this->opened( '' ) )->status, 'there it is one' );
	}

	public function test_saving_another_page_leaves_a_story_byte_for_byte(): void {
		$story = "<!-- wp:paragraph -->\r\n<p>Once <strong>upon</strong>\ta time</p>\r\n<!-- /wp:paragraph -->\r\n\r\n<ul>\r\n<li>a</li>\r\n<li>b</li>\r\n</ul>";
		wp_update_post( wp_slash( array( 'ID' => $this->list->id, 'post_content' => $story ) ) );
		$before = get_post( $this->list->id )->post_content;
		foreach ( array( 'privacy', 'delivery', 'after', 'about' ) as $part ) {
			self::assertSame( 303, $this->page( 'alice', $this->address( $part ), form: $this->opened( $part ) )->status, $part );
			wp_cache_flush();
			self::assertSame( $before, get_post( $this->list->id )->post_content, $part );
		}
	}
}
