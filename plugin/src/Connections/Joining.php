<?php

declare(strict_types=1);

namespace Trousseau\Connections;

defined( 'ABSPATH' ) || exit;

use Trousseau\Admin\ConnectionState;
use Trousseau\Admin\ConnectionTest;
use Trousseau\Admin\ServiceAccount;
use Trousseau\Platform\Encryption;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Network;
use Trousseau\Platform\Postponed;
use Trousseau\Platform\Settings;
use Trousseau\Service\Conflict;
use Trousseau\Service\HttpClient;
use Trousseau\Service\ServiceError;
use WP_REST_Response;

/** Adds this site to a service for many sites, which reads the proof of it at this site's own address. */
final class Joining extends JobHandler {

	/** Its job on a site of a network, and the outcome of the last attempt, in words. */
	public const JOB     = 'join';
	public const OUTCOME = 'trousseau_join_outcome';

	/** The end of the address that a service has for one site. */
	public const OF_ONE_SITE = '~/sites/[\w-]{22}$~D';

	/** A service, the secret with which this site joins it again, and whether the service has said so, sealed. It stays when the site is disconnected. */
	public const SECRET = 'trousseau_join_secret';

	/** The token's name among the kept values, and in the REST API. */
	public const TOKEN = 'joining';

	public function __construct(
		private readonly ConnectionState $connection_state,
		private readonly ConnectionTest $connection_test,
		private readonly KeptValues $kept_values,
		private readonly ServiceAccount $service_account,
	) {
	}

	/**
	 * Adds this site, unless the address is that of a service of one site or of a site that was added already, makes the account in whose name the plugin asks, and tests the connection.
	 *
	 * @return array{done: bool, words: string, wait: int} Seconds to wait, where the service named them.
	 */
	public function join( string $address, string $code = '', string $key = '' ): array {
		try {
			$base = $this->ask( $address, $code, $key );
		} catch ( ServiceError $error ) {
			if ( $error->status !== 404 || ! $this->is_of_one_site( $address, $key ) ) {
				return self::failure( self::reason( $error ), $error->retry_after );
			}
			$base = $address;
		}
		if ( $base === '' ) {
			return self::failure( ConnectionTest::words( 'not_the_service' ) );
		}
		update_option( Settings::BASE_URL, $base );
		$key !== '' ? update_option( Settings::API_KEY, $key ) : delete_option( Settings::API_KEY );
		$user = $this->service_account->make();
		if ( is_wp_error( $user ) ) {
			return self::failure( $user->get_error_message() );
		}
		list( $finding, $detail ) = $this->connection_test->run();
		if ( $finding !== 'connected' ) {
			return self::failure( trim( ConnectionTest::words( $finding ) . ' ' . $detail ) );
		}
		$this->connection_state->succeeded();
		return array(
			'done'  => true,
			'words' => get_option( 'users_can_register' )
				? __( 'This site is connected. People can create their lists now.', 'trousseau' )
				: __( 'This site is connected. People with an account can create their lists now. Visitors can sign up once you allow it under Settings → General.', 'trousseau' ),
			'wait'  => 0,
		);
	}

	/** Disconnects this site from its service: its account's password and the settings are deleted. The service keeps the gifts. */
	public function leave(): void {
		$this->service_account->close( Settings::value( Settings::USERNAME ) );
		array_map( 'delete_option', Settings::CONNECTION );
	}

	/** Shows a random token at this site's own address to anyone, where a service reads it: it is useful only for this site's own request. */
	public function answer(): WP_REST_Response {
		$token = $this->kept_values->get( self::TOKEN, true );
		return new WP_REST_Response( $token === null ? array() : array( 'token' => $token ), $token === null ? 404 : 200, array( 'Cache-Control' => 'no-store' ) );
	}

	/**
	 * Asks a service to take this site, which shows a token while this request runs.
	 *
	 * @param array<string, string> $also What the request carries besides the address and the token.
	 */
	private function prove( string $address, string $key, array $also ): mixed {
		$token = rtrim( strtr( base64_encode( random_bytes( 32 ) ), '+/', '-_' ), '=' );
		$this->kept_values->set( self::TOKEN, $token, 10 * MINUTE_IN_SECONDS );
		try {
			return ( new HttpClient( $address, $key ) )->ask( 'POST', '/sites', array( 'url' => untrailingslashit( home_url() ), 'token' => $token ) + array_filter( $also ) );
		} finally {
			$this->kept_values->delete( self::TOKEN );
		}
	}

	/**
	 * The secret with which this site joins the same service again, even if the first answer was lost. Empty if its secret is another
	 * service's.
	 */
	private function secret( string $address ): string {
		$option = get_option( self::SECRET );
		$kept   = Encryption::open( $option );
		if ( is_array( $kept ) && ( $kept[0] ?? '' ) === $address ) {
			return (string) ( $kept[1] ?? '' );
		}
		$is_free = ! $option || ( is_array( $kept ) && ( $kept[2] ?? true ) === false );
		return $is_free ? $this->keep( $address, bin2hex( random_bytes( 16 ) ), false ) : '';
	}

	private function keep( string $address, string $secret, bool $is_known ): string {
		$sealed = Encryption::seal( array( $address, $secret, $is_known ) );
		update_option( self::SECRET, $sealed, false );
		return $secret;
	}

	/** Whether a service of one site answers there, which takes no others. A network's service is for all its sites. */
	private function is_of_one_site( string $address, string $key ): bool {
		return Network::service()['address'] !== $address && $this->connection_test->run( array( $address, $key, '', '' ) )[0] === 'no_credentials';
	}

	/**
	 * The address that the service gives this site, which it adds unless it has it; '' where it gives none.
	 *
	 * @throws ServiceError Where it refuses.
	 */
	private function ask( string $address, string $code, string $key ): string {
		if ( preg_match( self::OF_ONE_SITE, $address ) ) {
			return $address;
		}
		$secret = $this->secret( $address );
		try {
			$answer = $this->prove( $address, $key, compact( 'code', 'secret' ) );
		} catch ( Conflict $error ) {
			if ( $code === '' ) {
				throw $error;
			}
			// Whoever runs the service has given this site a new secret, which people enter as a code.
			$secret = $code;
			$answer = $this->prove( $address, $key, compact( 'secret' ) );
		}
		$answer = is_array( $answer ) ? array_filter( $answer, 'is_string' ) : array();
		$base   = $answer['base_url'] ?? '';
		$secret = $answer['secret'] ?? $secret;
		if ( $secret !== '' ) {
			$this->keep( $address, $secret, $base !== '' );
		}
		return Settings::is_base_url( $base ) ? $base : '';
	}

	/**
	 * Adds this site of a network to the network's service, as a job does it.
	 *
	 * @throws Postponed         Where the service names a time to wait.
	 * @throws \RuntimeException Where this attempt has failed.
	 */
	public function run( Job $job ): void {
		$service = Network::service();
		if ( $service['address'] === '' || ConnectionState::is_connected() ) {
			return;
		}
		$outcome = $this->join( $service['address'], $service['code'], $service['key'] );
		update_option( self::OUTCOME, $outcome['words'], false );
		if ( $outcome['wait'] ) {
			throw new Postponed( $outcome['wait'], $outcome['words'] );
		}
		if ( ! $outcome['done'] ) {
			throw new \RuntimeException( $outcome['words'] );
		}
	}

	private static function failure( string $words, int $wait = 0 ): array {
		return array( 'done' => false, 'words' => $words, 'wait' => $wait );
	}

	public static function words(): string {
		return __( 'Connect to the service', 'trousseau' );
	}

	private static function reason( ServiceError $error ): string {
		$status = $error->status;
		$words  = match ( true ) {
			$status === 0                                => __( 'The service can’t be reached. Check its address.', 'trousseau' ),
			$status < 300                                => ConnectionTest::words( 'not_the_service' ),
			$status < 400                                => __( 'This address redirects to another one. Enter the one that your browser shows.', 'trousseau' ),
			$status === 403                              => __( 'The service rejects this site: the code or gateway key is missing or wrong, the code was already used, or another site answers at this site’s address. Ask the people who run the service for a new code.', 'trousseau' ),
			in_array( $status, array( 404, 405 ), true ) => __( 'There’s no service at this address that accepts new sites. The people who run it have to allow sites to join.', 'trousseau' ),
			$status === 409                              => __( 'The service already has a site with this address, and this site doesn’t have its secret. Ask the people who run the service for a new one, and enter it as the code.', 'trousseau' ),
			$status === 422                              => __( 'The service can’t accept this site’s address.', 'trousseau' ),
			$status === 429                              => __( 'The service has seen too many attempts. Try again later.', 'trousseau' ),
			in_array( $status, array( 502, 504 ), true ) => __( 'The service can’t reach this site. Its address must be open to the internet.', 'trousseau' ),
			default                                      => __( 'The service answered with an error.', 'trousseau' ),
		};
		// The service's own words say more where it has looked at this site, and where the network fails.
		$explains = $status === 0 || $status === 422 || $status >= 500;
		return $explains ? "$words (" . preg_replace( '/^url: /', '', $error->getMessage() ) . ')' : $words;
	}
}
