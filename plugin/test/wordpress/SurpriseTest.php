<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Lists\Meta;

/** A surprise that would end earlier: the owner is asked first. */
final class SurpriseTest extends WordPressTestCase {

	private object $list;
	private string $day;

	protected function setUp(): void {
		parent::setUp();
		$this->outside->answer( 'PATCH /registries/*' );
		$this->day  = gmdate( 'Y-m-d', time() + 30 * DAY_IN_SECONDS );
		$meta       = array( 'registry_event_date' => $this->day, 'registry_surprise_until' => $this->after( $this->day ) );
		$this->list = $this->registry( 'alice', array( 'title' => 'Us', 'status' => 'private' ) + compact( 'meta' ) );
	}

	private function after( string $day ): string {
		return gmdate( 'Y-m-d', (int) strtotime( "$day UTC" ) + DAY_IN_SECONDS );
	}

	private function until(): string {
		wp_cache_flush();
		return Meta::surprise_until( $this->list->id );
	}

	private function save( array $fields, array $files = array() ): Answer {
		$form = $fields + array( 'do' => 'save', 'keeps' => 'all', 'title' => 'Us', 'occasion' => 'wedding', 'date' => $this->day, 'surprise' => 'after', 'status' => 'private' );
		return $this->page( 'alice', "/registries/{$this->list->id}/details/", form: $form, files: $files );
	}

	/** @return array<string, array{0: array<string, string>, 1: string, 2: string}> The fields, the value that says yes, and the end that is stored then. */
	private function changes(): array {
		$soon = gmdate( 'Y-m-d', time() + 10 * DAY_IN_SECONDS );
		$past = gmdate( 'Y-m-d', time() - 300 * DAY_IN_SECONDS );
		return array(
			'a mistyped year' => array( array( 'date' => $past ), $this->after( $past ), $this->after( $past ) ),
			'an earlier day'  => array( array( 'date' => $soon ), $this->after( $soon ), $this->after( $soon ) ),
			'a chosen day'    => array( array( 'surprise' => 'day', 'until' => $soon ), $soon, $soon ),
			'no surprise'     => array( array( 'surprise' => 'no' ), 'end', '' ),
			'only names'      => array( array( 'keeps' => 'names' ), $this->until(), $this->until() ),
		);
	}

	public function test_a_change_that_would_end_or_shorten_a_surprise_asks_first(): void {
		$before = $this->until();
		foreach ( $this->changes() as $what => list( $fields, $yes, $after ) ) {
			$asked = $this->save( $fields );
			self::assert_refused( '/would see (who gives what|right away how many)/', $asked, $what );
			self::assertStringContainsString( "name=\"end_surprise\" value=\"$yes\"", $asked->text, $what );
			self::assertSame( 422, $this->save( $fields + array( 'end_surprise' => '2001-01-01' ) )->status, "$what, yes to another change" );
			self::assertSame( $before, $this->until(), $what );

			self::assertSame( 303, $this->save( $fields + array( 'end_surprise' => 'no', 'other' => '' ) )->status, $what );
			self::assertSame( $before, $this->until(), "$what, no" );
			self::assertFalse( Meta::surprise_keeps_names_only( $this->list->id ), "$what, no" );

			self::assertSame( 303, $this->save( $fields + array( 'end_surprise' => $yes ) )->status, $what );
			self::assertSame( $after, $this->until(), "$what, yes" );
			self::assertSame( isset( $fields['keeps'] ), Meta::surprise_keeps_names_only( $this->list->id ), "$what, yes" );
			update_post_meta( $this->list->id, Meta::SURPRISE_UNTIL, $before );
			update_post_meta( $this->list->id, Meta::SURPRISE_KEEPS, '' );
		}
	}

	public function test_a_picture_that_came_with_the_change_is_stored_before_the_question(): void {
		$file = wp_tempnam();
		copy( dirname( __DIR__, 3 ) . '/theme/screenshot.png', $file );
		self::assertSame( 422, $this->save( array( 'surprise' => 'no' ), array( 'picture' => $file ) )->status );
		wp_cache_flush();
		self::assertTrue( has_post_thumbnail( $this->list->id ), 'a browser doesn’t send the file again by itself' );
	}

	public function test_the_service_is_told_when_the_day_begins_where_the_site_is(): void {
		$path = "/wp/v2/registry/{$this->list->id}";
		update_post_meta( $this->list->id, Meta::SURPRISE_UNTIL, '2027-06-13' );
		foreach ( array( 'America/Los_Angeles' => '2027-06-13T07:00:00Z', 'Europe/Berlin' => '2027-06-12T22:00:00Z', '' => '2027-06-13T00:00:00Z' ) as $zone => $begins ) {
			update_option( 'timezone_string', $zone );
			self::assertSame( $begins, $this->rest( 'admin', 'GET', "$path?context=edit&_fields=registry_surprise_ends" )->json['registry_surprise_ends'] );
		}
		self::assertArrayNotHasKey( 'registry_surprise_ends', $this->rest( 'alice', 'GET', $path )->json );
		update_post_meta( $this->list->id, Meta::SURPRISE_UNTIL, 'always' );
		self::assertNull( $this->rest( 'admin', 'GET', "$path?context=edit" )->json['registry_surprise_ends'] );
	}

	public function test_a_change_that_shows_nothing_earlier_asks_nothing(): void {
		$later = gmdate( 'Y-m-d', time() + 60 * DAY_IN_SECONDS );
		foreach ( array( array(), array( 'title' => 'Us two' ), array( 'date' => $later ), array( 'surprise' => 'always' ) ) as $fields ) {
			self::assertSame( 303, $this->save( $fields )->status );
		}
		update_post_meta( $this->list->id, Meta::SURPRISE_UNTIL, gmdate( 'Y-m-d', time() - DAY_IN_SECONDS ) );
		self::assertSame( 303, $this->save( array( 'surprise' => 'no' ) )->status, 'it is over' );
	}
}
