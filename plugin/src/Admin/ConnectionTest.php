<?php

declare(strict_types=1);

namespace Trousseau\Admin;

use Trousseau\Platform\Request;
use Trousseau\Platform\Settings;
use Trousseau\Service\HttpClient;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;
use WP_REST_Request;
use WP_User;
use const Trousseau\VERSION;

/** Finds out why the service can't be used, and says it in words. */
final class ConnectionTest {

	/** The address of the probe among the plugin's own in the REST API. */
	public const PROBE = 'authorization';

	/**
	 * @param string[]|null $settings The settings in the fields; the site's own when absent.
	 * @return array{0: string, 1: string} The finding and its details.
	 */
	public function run( ?array $settings = null ): array {
		$settings ??= Settings::connection();
		$url        = rtrim( $settings[0], '/' );
		$fault      = $url === '' ? array( 'not_configured', '' ) : self::fault_of_address( $url );
		if ( $fault ) {
			return $fault;
		}
		$client = new ItemService( new HttpClient( ...$settings ) );
		try {
			$health = $client->health();
		} catch ( ServiceError $error ) {
			return match ( $error->status ) {
				0       => array( 'unreachable', $error->getMessage() ),
				403     => array( 'key_refused', '' ),
				503     => array( 'not_served', $error->getMessage() ),
				default => array( 'not_the_service', $error->getMessage() ),
			};
		}
		if ( ( $health['status'] ?? null ) !== 'healthy' ) {
			return array( 'not_the_service', '' );
		}
		try {
			$client->list_registries( 0, 1 );
		} catch ( ServiceError $error ) {
			return match ( $error->status ) {
				401      => array( $this->cause_of_401( $settings[2], $settings[3] ), '' ),
				403      => array( 'key_refused', '' ),
				429      => array( 'too_many_failures', '' ),
				502, 504 => array( 'host_unreachable', $error->getMessage() ),
				default  => array( 'service_fails', $error->getMessage() ),
			};
		}
		return self::what_account_lacks( $client, ServiceAccount::named( $settings[2] ) );
	}

	/** @return array{0: string, 1: string}|null The fault of a typed address; null: none. */
	public static function fault_of_address( string $url ): ?array {
		if ( Settings::is_base_url( $url ) ) {
			return null;
		}
		// A name without a dot, or a number, is a machine nearby.
		$is_near = preg_match( '/^([\w-]+|[\d.]+|\[.*\])([:\/]|$)/', $url );
		$meant   = ( $is_near ? 'http://' : 'https://' ) . $url;
		return ! preg_match( '/^[a-z][a-z.+-]*:(?!\d)/i', $url ) && Settings::is_base_url( $meant )
			? array( 'address_lacks_scheme', $meant )
			: array( 'not_an_address', '' );
	}

	/**
	 * Finds the rights that the account lacks: the site and the service must both let it look after all registries.
	 *
	 * @param WP_User|null $account Null: it is no account of this site.
	 */
	private static function what_account_lacks( ItemService $client, ?WP_User $account ): array {
		$missing = $account ? ServiceAccount::missing_rights( $account ) : array();
		if ( $missing ) {
			return array( 'account_lacks_rights', implode( ', ', $missing ) );
		}
		try {
			// The address is nobody's: only the right to ask about it counts.
			$client->claims_of( 'nobody@trousseau.invalid', 0, 1 );
		} catch ( ServiceError $error ) {
			if ( $error->status === 403 ) {
				return array( 'account_not_trusted', ServiceAccount::admin_roles( $account ) );
			}
		}
		// The service of any other site would believe the account, too, and show that site's gifts.
		return array( $account && is_multisite() && is_super_admin( $account->ID ) ? 'account_of_network' : 'connected', '' );
	}

	/** Asks this very site, since one 401 has several causes. */
	private function cause_of_401( string $username, string $password ): string {
		if ( $username === '' || $password === '' ) {
			return 'no_credentials';
		}
		$header = 'Basic ' . base64_encode( $username . ':' . $password );
		$ask    = static fn( string $path ) => wp_remote_get(
			rest_url( $path ),
			array(
				'timeout'     => 10,
				'redirection' => 0,
				// WordPress's own loopback requests do the same: a certificate for the public name may not fit here.
				'sslverify'   => apply_filters( 'https_local_ssl_verify', false ),
				'headers'     => array( 'Authorization' => $header ),
			)
		);
		if ( wp_remote_retrieve_response_code( $ask( 'wp/v2/users/me' ) ) === 200 ) {
			return 'refused_elsewhere';
		}
		$user = ServiceAccount::named( $username );
		if ( ! ( $user ? wp_is_application_passwords_available_for_user( $user ) : wp_is_application_passwords_available() ) ) {
			return is_ssl() || wp_get_environment_type() === 'local' ? 'passwords_switched_off' : 'passwords_need_https';
		}
		$probe = json_decode( wp_remote_retrieve_body( $ask( Request::ROUTES . '/' . self::PROBE ) ), true );
		return match ( $probe['arrived'] ?? null ) {
			true    => 'wrong_password',
			false   => 'header_dropped',
			default => 'site_does_not_answer_itself',
		};
	}

	/**
	 * Tells anyone whether their Authorization header reached PHP. Callers who are signed in also get the plugin's version, which the
	 * service's doctor compares with its own.
	 */
	public function probe( WP_REST_Request $request ): array {
		$arrived = isset( $_SERVER['PHP_AUTH_USER'] ) || $request->get_header( 'authorization' ) !== null;
		return array( 'arrived' => $arrived ) + ( is_user_logged_in() ? array( 'version' => VERSION ) : array() );
	}

	public static function words( string $finding ): string {
		return match ( $finding ) {
			'connected'                   => __( 'The service accepts this site’s credentials.', 'trousseau' ),
			'not_an_address'              => __( 'The service’s address must start with http:// or https://, without a user name, password or query.', 'trousseau' ),
			'address_lacks_scheme'        => __( 'The service’s address needs https:// or http:// at the start. Did you mean this?', 'trousseau' ),
			'not_configured'              => __( 'Enter the address of the service.', 'trousseau' ),
			'unreachable'                 => __( 'The service can’t be reached: there’s no answer at its address.', 'trousseau' ),
			'not_the_service'             => __( 'Something answers at this address, but it isn’t the Trousseau item service, or it doesn’t know this site.', 'trousseau' ),
			'not_served'                  => __( 'The service answers, but isn’t serving this site right now. If this doesn’t change, ask the people who run it.', 'trousseau' ),
			'key_refused'                 => __( 'The gateway rejects the gateway key. It’s missing or wrong.', 'trousseau' ),
			'no_credentials'              => __( 'The service needs credentials: enter the user name and the application password.', 'trousseau' ),
			'wrong_password'              => __( 'The service rejects the user name or the application password. Login passwords don’t work here: create an application password on the user’s profile page.', 'trousseau' ),
			'passwords_need_https'        => __( 'The credentials are rejected because this site only accepts application passwords over HTTPS. Use HTTPS, or set WP_ENVIRONMENT_TYPE to “local” on a development machine.', 'trousseau' ),
			'passwords_switched_off'      => __( 'The credentials are rejected because application passwords are turned off on this site, usually by a security plugin. Turn them on there.', 'trousseau' ),
			'header_dropped'              => __( 'The credentials are rejected because this site’s web server removes the Authorization header before WordPress sees it. With Apache, set “CGIPassAuth On”, or SetEnvIf Authorization "(.*)" HTTP_AUTHORIZATION=$1.', 'trousseau' ),
			'site_does_not_answer_itself' => __( 'The credentials are rejected, and this site can’t reach its own REST API to find out why.', 'trousseau' ),
			'refused_elsewhere'           => __( 'This site accepts the credentials, but the service rejects them. Its HOST_URL may name another site, or a proxy in front of it removes the Authorization header.', 'trousseau' ),
			'account_lacks_rights'        => __( 'The service accepts the account, but on this site the account can’t manage everyone’s lists, so their gifts can’t be shown. It needs the rights below. “Create account” creates one that has them.', 'trousseau' ),
			'account_not_trusted'         => __( 'The service accepts the account, but doesn’t let it manage everyone’s lists, so their gifts can’t be shown. Start the service with the setting below.', 'trousseau' ),
			'account_of_network'          => __( 'The service accepts the account, but the account manages every site of this network, so we can’t tell whether the service belongs to this site. “Create account” creates one for this site alone.', 'trousseau' ),
			'too_many_failures'           => __( 'The service has seen too many failed logins. Try again in a few minutes.', 'trousseau' ),
			'host_unreachable'            => __( 'The service answers, but can’t reach this site. Check its HOST_URL.', 'trousseau' ),
			default                       => __( 'The service answered with an error.', 'trousseau' ),
		};
	}
}
