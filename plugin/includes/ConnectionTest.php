<?php

declare(strict_types=1);

namespace Trousseau;

use WP_REST_Request;

/**
 * Says in words why the service can't be used. Facts are gathered by asking the service, and after a 401 this very site,
 * because one 401 has several causes; `diagnose()` turns them into one finding.
 */
final class ConnectionTest {

	public const ACTION = 'trousseau_test_connection';

	/** @return array{0: string, 1: string} What was found and the details to it. */
	public static function run(): array {
		$client = ApiClient::of_site();
		$facts  = array(
			'configured'  => $client->is_configured(),
			'credentials' => $client->has_credentials(),
		);
		if ( $facts['configured'] ) {
			$facts['health'] = $client->health();
			if ( is_array( $facts['health'] ) ) {
				$facts['answer'] = $client->list_registries( 0, 1 );
			}
		}
		if ( self::status_of( $facts['answer'] ?? null ) === 401 ) {
			$facts += self::ask_this_site();
		}
		return self::diagnose( $facts );
	}

	/**
	 * @param array<string, mixed> $facts configured, credentials, health, answer; after a 401 also secure,
	 *                                    passwords_available, header_arrived (null: unknown), accepted_here.
	 * @return array{0: string, 1: string}
	 */
	public static function diagnose( array $facts ): array {
		if ( ! $facts['configured'] ) {
			return array( 'not_configured', '' );
		}
		$health = $facts['health'];
		if ( is_wp_error( $health ) && $health->get_error_code() === 'api_unreachable' ) {
			return array( 'unreachable', $health->get_error_message() );
		}
		if ( self::status_of( $health ) === 403 ) {
			return array( 'key_refused', '' );
		}
		if ( ! is_array( $health ) || ( $health['status'] ?? null ) !== 'healthy' ) {
			return array( 'not_the_service', is_wp_error( $health ) ? $health->get_error_message() : '' );
		}
		$answer = $facts['answer'];
		if ( is_array( $answer ) ) {
			return array( 'connected', '' );
		}
		$detail = is_wp_error( $answer ) ? $answer->get_error_message() : '';
		switch ( self::status_of( $answer ) ) {
			case 401:
				return array( self::cause_of_401( $facts ), '' );
			case 403:
				return array( 'key_refused', '' );
			case 429:
				return array( 'too_many_failures', '' );
			case 502:
			case 504:
				return array( 'host_unreachable', $detail );
		}
		return array( 'service_fails', $detail );
	}

	/** @param array<string, mixed> $facts */
	private static function cause_of_401( array $facts ): string {
		return match ( true ) {
			! $facts['credentials']              => 'no_credentials',
			$facts['accepted_here']              => 'refused_elsewhere',
			! $facts['passwords_available']      => $facts['secure'] ? 'passwords_switched_off' : 'passwords_need_https',
			$facts['header_arrived'] === null    => 'site_does_not_answer_itself',
			! $facts['header_arrived']           => 'header_dropped',
			default                              => 'wrong_password',
		};
	}

	/** @return array<string, mixed> */
	private static function ask_this_site(): array {
		$user = get_user_by( 'login', Settings::value( Settings::USERNAME ) ) ?: get_user_by( 'email', Settings::value( Settings::USERNAME ) );
		// Basic authentication is base64.
		$header = 'Basic ' . base64_encode( Settings::value( Settings::USERNAME ) . ':' . Settings::value( Settings::APP_PASSWORD ) );
		$ask    = static fn( string $path ) => wp_remote_get(
			rest_url( $path ),
			array(
				'timeout'     => 10,
				'redirection' => 0,
				// As WordPress's own loopback requests do: a certificate for the public name may not fit here.
				'sslverify'   => apply_filters( 'https_local_ssl_verify', false ),
				'headers'     => array( 'Authorization' => $header ),
			)
		);
		$probe  = json_decode( wp_remote_retrieve_body( $ask( 'trousseau/v1/authorization' ) ), true );
		return array(
			'secure'              => is_ssl() || wp_get_environment_type() === 'local',
			'passwords_available' => $user ? wp_is_application_passwords_available_for_user( $user ) : wp_is_application_passwords_available(),
			'header_arrived'      => is_array( $probe ) && is_bool( $probe['arrived'] ?? null ) ? $probe['arrived'] : null,
			'accepted_here'       => wp_remote_retrieve_response_code( $ask( 'wp/v2/users/me' ) ) === 200,
		);
	}

	/**
	 * A public endpoint that tells whoever asks whether their own Authorization header reached PHP, and whom it signed
	 * in also the plugin's version: the service's doctor compares it with its own.
	 */
	public static function register_probe(): void {
		register_rest_route(
			'trousseau/v1',
			'/authorization',
			array(
				'methods'             => 'GET',
				'permission_callback' => '__return_true',
				'callback'            => static fn( WP_REST_Request $request ): array => array(
					'arrived' => isset( $_SERVER['PHP_AUTH_USER'] ) || $request->get_header( 'authorization' ) !== null,
				) + ( is_user_logged_in() ? array( 'version' => VERSION ) : array() ),
			)
		);
	}

	public static function handle(): void {
		if ( ! current_user_can( 'manage_options' ) ) {
			wp_die( esc_html__( 'Sorry, you are not allowed to do that.', 'trousseau' ), '', array( 'response' => 403 ) );
		}
		check_admin_referer( self::ACTION );
		set_transient( self::ACTION . get_current_user_id(), self::run(), MINUTE_IN_SECONDS );
		wp_safe_redirect( Settings::url(), 303 );
		exit;
	}

	public static function show_button(): void {
		printf( '<h2>%s</h2><form method="post" action="%s"><input type="hidden" name="action" value="%s">', esc_html__( 'Connection', 'trousseau' ), esc_url( admin_url( 'admin-post.php' ) ), esc_attr( self::ACTION ) );
		wp_nonce_field( self::ACTION );
		submit_button( __( 'Test the connection', 'trousseau' ), 'secondary' );
		echo '</form>';
	}

	public static function show_result(): void {
		$result = get_transient( self::ACTION . get_current_user_id() );
		if ( ! is_array( $result ) ) {
			return;
		}
		delete_transient( self::ACTION . get_current_user_id() );
		list( $finding, $detail ) = $result;
		printf(
			'<div class="notice notice-%s" id="trousseau-connection" data-finding="%s"><p>%s</p>%s</div>',
			$finding === 'connected' ? 'success' : 'error',
			esc_attr( $finding ),
			esc_html( self::words( $finding ) ),
			$detail === '' ? '' : '<p><code>' . esc_html( $detail ) . '</code></p>'
		);
	}

	public static function words( string $finding ): string {
		return match ( $finding ) {
			'connected'                   => __( 'The service answers and accepts the credentials.', 'trousseau' ),
			'not_configured'              => __( 'The address of the service is not set.', 'trousseau' ),
			'unreachable'                 => __( 'The service cannot be reached: nothing answers at its address.', 'trousseau' ),
			'not_the_service'             => __( 'Something answers at this address, but it is not the Trousseau item service, or it is not healthy.', 'trousseau' ),
			'key_refused'                 => __( 'The gateway refuses the gateway key: it is missing or wrong.', 'trousseau' ),
			'no_credentials'              => __( 'The service asks for credentials: set the user name and the application password.', 'trousseau' ),
			'wrong_password'              => __( 'The credentials are refused: the user name or the application password is wrong. Passwords for signing in do not work here; make an application password on the user’s profile page.', 'trousseau' ),
			'passwords_need_https'        => __( 'The credentials are refused because this site takes application passwords over HTTPS only. Serve it by HTTPS, or set WP_ENVIRONMENT_TYPE to “local” on a machine for development.', 'trousseau' ),
			'passwords_switched_off'      => __( 'The credentials are refused because application passwords are switched off on this site, usually by a security plugin. Allow them there.', 'trousseau' ),
			'header_dropped'              => __( 'The credentials are refused because this site’s web server drops the Authorization header before WordPress sees it. With Apache, set “CGIPassAuth On”, or SetEnvIf Authorization "(.*)" HTTP_AUTHORIZATION=$1.', 'trousseau' ),
			'site_does_not_answer_itself' => __( 'The credentials are refused, and this site cannot reach its own REST API to find out why.', 'trousseau' ),
			'refused_elsewhere'           => __( 'This site accepts the credentials, but the service refuses them: its HOST_URL may name another site, or a proxy in front of it drops the Authorization header.', 'trousseau' ),
			'too_many_failures'           => __( 'The service has seen too many failed sign-ins and refuses for a while. Try again in a few minutes.', 'trousseau' ),
			'host_unreachable'            => __( 'The service answers, but it cannot reach this site: check its HOST_URL.', 'trousseau' ),
			default                       => __( 'The service answers with an error.', 'trousseau' ),
		};
	}

	private static function status_of( mixed $answer ): int {
		return is_wp_error( $answer ) ? (int) ( $answer->get_error_data()['status'] ?? 0 ) : 0;
	}
}
