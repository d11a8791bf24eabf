<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Service\Conflict;
use Trousseau\Service\Forbidden;
use Trousseau\Service\HttpClient;
use Trousseau\Service\Invalid;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use Trousseau\Service\TooMany;
use Trousseau\Service\Unavailable;

final class ItemServiceTest extends UnitTestCase {

	/** Status, body and headers of an answer, and the error that it is. */
	private const ERRORS = array(
		array( 400, '{"detail":"No"}', array(), Invalid::class ),
		array( 401, '{"detail":"No"}', array(), Forbidden::class ),
		array( 403, '{"detail":"No"}', array(), Forbidden::class ),
		array( 404, '{"detail":"No"}', array(), NotFound::class ),
		array( 404, '<html>Not found</html>', array(), Unavailable::class ),
		array( 404, '{"code":"rest_no_route"}', array(), Unavailable::class ),
		array( 405, '{"detail":"No"}', array(), Unavailable::class ),
		array( 409, '{"detail":"No"}', array(), Conflict::class ),
		array( 409, '{"detail":"No"}', array( 'retry-after' => '1' ), Unavailable::class ),
		array( 410, '{"detail":"No"}', array(), Unavailable::class ),
		array( 412, '{"detail":"No"}', array(), Conflict::class ),
		array( 413, '', array(), Invalid::class ),
		array( 415, '{"detail":"No"}', array(), Invalid::class ),
		array( 422, '{"detail":["no","text"]}', array(), Invalid::class ),
		array( 429, '{"detail":"No"}', array( 'retry-after' => '30' ), TooMany::class ),
		array( 500, '{"detail":"No"}', array(), Unavailable::class ),
		array( 502, '<html>', array(), Unavailable::class ),
		array( 503, '{"detail":"No"}', array( 'retry-after' => 'soon' ), Unavailable::class ),
		array( 302, '', array(), Unavailable::class ),
		array( 200, '<html>Sign in to the network</html>', array(), Unavailable::class ),
		array( 200, '', array(), Unavailable::class ),
		array( 200, '"text"', array(), Unavailable::class ),
	);

	private array $sent = array();

	/** @param array{0: int, 1: string, 2?: array<string, string>} ...$answers The last one answers all further requests. */
	private function client( array ...$answers ): ItemService {
		$transport = function ( string $url, array $arguments ) use ( &$answers ): array {
			$this->sent[] = array( $url, $arguments );
			$answer       = count( $answers ) > 1 ? array_shift( $answers ) : $answers[0];
			return array( 'status' => $answer[0], 'body' => $answer[1], 'headers' => $answer[2] ?? array() );
		};
		return new ItemService( new HttpClient( 'https://items.example/', 'gateway', 'ann', 'abcd', $transport ) );
	}

	private static function error_of( callable $call ): ServiceError {
		try {
			$call();
		} catch ( ServiceError $error ) {
			return $error;
		}
		self::fail( 'It returned.' );
	}

	public function test_an_answer_is_a_value_or_the_error_that_its_status_means_with_words_for_the_log_and_for_the_person(): void {
		self::assertSame( array( 'id' => 3 ), $this->client( array( 200, '{"id":3}' ) )->get_registry( 3 ) );
		$words = array();
		foreach ( self::ERRORS as list( $status, $body, $headers, $class ) ) {
			$error = self::error_of( fn() => $this->client( array( $status, $body, $headers ) )->get_registry( 3 ) );
			self::assertSame( array( $class, $status ), array( $error::class, $error->status ), "$status $body" );
			self::assertNotSame( '', $error->getMessage() );
			self::assertStringNotContainsString( 'No', str_replace( 'Nothing', '', $error->words() ) );
			self::assertDoesNotMatchRegularExpression( '/\d|service|gateway|status/', $error->words() );
			$words[ $error::class ] = $error->words();
		}
		self::assertCount( 6, $words );
		self::assertSame( 'Not that many.', ( new Conflict( 'Detail', 409, words: 'Not that many.' ) )->words() );
	}

	public function test_an_answer_of_another_server_in_its_place_is_none(): void {
		$calls = array(
			'get_item'             => array( 5 ),
			'create_item'          => array( array() ),
			'update_item'          => array( 5, array() ),
			'move_item'            => array( 5, 7, 8 ),
			'create_registry_item' => array( 7, array() ),
			'delete_registry_item' => array( 7, 5 ),
			'registry_items'       => array( 7 ),
			'list_items'           => array(),
			'add_invitees'         => array( 7, array( 'a@example.org' ) ),
			'remove_invitee'       => array( 7, 'a@example.org' ),
			'create_claim'         => array( 7, 5, array() ),
			'release_claim'        => array( 'c' ),
			'registry_claims'      => array( 7 ),
			'gifts_of'             => array( 'a@example.org' ),
			'erase_giver'          => array( 'a@example.org' ),
			'forget_givers'        => array( 7, 60 ),
		);
		foreach ( $calls as $call => $arguments ) {
			foreach ( array( '{"ok":true}', '[{"ok":true}]' ) as $body ) {
				self::assertInstanceOf( Unavailable::class, self::error_of( fn() => $this->client( array( 200, $body ) )->$call( ...$arguments ) ), "$call $body" );
			}
		}
	}

	public function test_a_page_that_waits_asks_again_until_the_service_knows_the_account(): void {
		$soon  = array( 503, '{"detail":"Soon"}', array( 'preference-applied' => 'wait=0' ) );
		$found = $this->client( $soon, $soon, array( 200, '[{"id":1}]', array( 'etag' => '"5-1"' ) ) )->registry_items_soon( 5, 2.0, true );
		self::assertSame( array( 'items' => array( array( 'id' => 1 ) ), 'etag' => '"5-1"' ), $found );
		self::assertCount( 3, $this->sent );
		foreach ( $this->sent as list( , $arguments ) ) {
			self::assertSame( array( 'wait=0', '0' ), array( $arguments['headers']['Prefer'], $arguments['headers']['Trousseau-Owner'] ) );
			self::assertLessThanOrEqual( 2.0, $arguments['timeout'] );
		}
		$this->sent = array();
		self::assertTrue( self::error_of( fn() => $this->client( $soon )->registry_items_soon( 5, 2.0, false ) )->is_soon );
		self::assertCount( 1, $this->sent );
	}

	public function test_a_write_is_told_to_this_site_and_a_failed_one_is_not(): void {
		$this->client( array( 204, '' ) )->delete_registry_item( 7, 5 );
		$this->client( array( 200, '{"data":{"id":5,"registry_id":8}}' ) )->update_item( 5, array( 'price' => 2 ) );
		$this->client( array( 200, '{"id":"c","state":"reserved","item_id":5,"registry_id":9}' ) )->update_claim( 'c', array() );
		self::error_of( fn() => $this->client( array( 409, '{"detail":"No"}' ) )->update_registry( 7, array() ) );
		$this->client( array( 200, '[]' ) )->list_items();
		self::assertSame( array( array( 'trousseau_written', 7 ), array( 'trousseau_written', 8 ), array( 'trousseau_written', 9 ) ), $GLOBALS['done'] );
	}

	public function test_gifts_come_in_pieces_of_a_hundred(): void {
		$claim = array( 'id' => 'x', 'state' => 'reserved', 'item_id' => 5 );
		$page  = array( 200, json_encode( array_fill( 0, 100, $claim ) ) );
		self::assertCount( 201, $this->client( $page, $page, array( 200, json_encode( array( $claim ) ) ) )->gifts_of( 'a+b@example.org' ) );
		self::assertSame( 'https://items.example/claims?email=a%2Bb%40example.org&with=item&limit=100&skip=200', $this->sent[2][0] );
		self::assertSame( array(), $this->client( array( 200, '[]' ) )->gifts( array( '../items' ) ) );
		self::assertCount( 3, $this->sent );
	}

	public function test_the_service_has_heard_of_a_deletion_where_it_says_so_itself(): void {
		$heard = array( array( 204, '', true ), array( 404, '{"detail":"Not found"}', true ), array( 409, '{"detail":"The host has it"}', true ), array( 404, 'Not found', false ), array( 500, '{"detail":"No"}', false ) );
		foreach ( $heard as list( $status, $body, $is_heard ) ) {
			self::assertSame( $is_heard, $this->client( array( $status, $body ) )->tell_deleted( 5, 0.2 ), "$status $body" );
		}
	}

	public function test_no_segment_leads_to_another_path(): void {
		foreach ( array( '..', '.', '' ) as $name ) {
			self::assertInstanceOf( NotFound::class, self::error_of( fn() => $this->client( array( 200, '{}' ) )->remove_invitee( 5, $name ) ) );
		}
		self::assertSame( array(), $this->sent );
	}
}
