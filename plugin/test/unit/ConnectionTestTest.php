<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Admin\ConnectionTest;
use Trousseau\Service\ServiceError;
use Trousseau\Service\Unavailable;

final class ConnectionTestTest extends UnitTestCase {

	/** The facts about a service that answers and refuses the credentials. */
	private const REFUSED = array(
		'credentials'         => true,
		'secure'              => true,
		'passwords_available' => true,
		'header_arrived'      => true,
		'accepted_here'       => false,
	);

	private static function refused( array $facts = array() ): array {
		return $facts + self::REFUSED + array(
			'configured' => true,
			'health'     => array( 'status' => 'healthy' ),
			'answer'     => ServiceError::of( 401, 'No' ),
		);
	}

	public function test_an_address_is_completed_or_refused(): void {
		$typed = array(
			'https://items.example'      => null,
			'http://localhost:8000'      => null,
			'items.example'              => array( 'address_lacks_scheme', 'https://items.example' ),
			'localhost:8000'             => array( 'address_lacks_scheme', 'http://localhost:8000' ),
			'192.168.0.2'                => array( 'address_lacks_scheme', 'http://192.168.0.2' ),
			'https://a:b@items.example'  => array( 'not_an_address', '' ),
			'https://items.example/?a=b' => array( 'not_an_address', '' ),
			'mailto:a@items.example'     => array( 'not_an_address', '' ),
		);
		foreach ( $typed as $address => $fault ) {
			self::assertSame( $fault, ConnectionTest::fault_of_address( $address ), $address );
		}
	}

	public function test_each_fact_leads_to_one_finding(): void {
		$found = array(
			array( array( 'configured' => false ), 'not_configured' ),
			array( array( 'health' => new Unavailable( 'cURL error 7' ) ), 'unreachable' ),
			array( array( 'health' => ServiceError::of( 403, '' ) ), 'key_refused' ),
			array( array( 'health' => ServiceError::of( 404, '' ) ), 'not_the_service' ),
			array( array( 'health' => array( 'status' => 'starting' ) ), 'not_the_service' ),
			array( array( 'answer' => array() ), 'connected' ),
			array( array( 'answer' => ServiceError::of( 403, 'No' ) ), 'key_refused' ),
			array( array( 'answer' => ServiceError::of( 429, 'No', 30 ) ), 'too_many_failures' ),
			array( array( 'answer' => ServiceError::of( 502, 'No' ) ), 'host_unreachable' ),
			array( array( 'answer' => ServiceError::of( 500, 'No' ) ), 'service_fails' ),
			array( array( 'credentials' => false ), 'no_credentials' ),
			array( array( 'accepted_here' => true ), 'refused_elsewhere' ),
			array( array( 'passwords_available' => false ), 'passwords_switched_off' ),
			array( array( 'passwords_available' => false, 'secure' => false ), 'passwords_need_https' ),
			array( array( 'header_arrived' => null ), 'site_does_not_answer_itself' ),
			array( array( 'header_arrived' => false ), 'header_dropped' ),
			array( array(), 'wrong_password' ),
		);
		foreach ( $found as list( $facts, $finding ) ) {
			self::assertSame( $finding, ConnectionTest::diagnose( self::refused( $facts ) )[0], json_encode( array_keys( $facts ) ) );
		}
		self::assertSame( array( 'unreachable', 'cURL error 7' ), ConnectionTest::diagnose( self::refused( array( 'health' => new Unavailable( 'cURL error 7' ) ) ) ) );
	}

	public function test_each_finding_has_words_of_its_own(): void {
		$findings = array(
			'connected',
			'not_an_address',
			'address_lacks_scheme',
			'not_configured',
			'unreachable',
			'not_the_service',
			'key_refused',
			'no_credentials',
			'wrong_password',
			'passwords_need_https',
			'passwords_switched_off',
			'header_dropped',
			'site_does_not_answer_itself',
			'refused_elsewhere',
			'account_lacks_rights',
			'account_not_trusted',
			'account_of_network',
			'too_many_failures',
			'host_unreachable',
			'service_fails',
		);
		self::assertCount( count( $findings ), array_unique( array_map( array( ConnectionTest::class, 'words' ), $findings ) ) );
	}
}
