<?php

declare(strict_types=1);

namespace Trousseau\Admin;

use Trousseau\Platform\Settings;

/** The first lines of the settings: the state of the connection, or the answer to its test, and the button that tests it as it is saved. */
final class ConnectionPanel {

	public function __construct( private readonly ConnectionState $connection_state, private readonly HealthChecks $health_checks ) {
	}

	/**
	 * The findings, once the button was pressed, or settings were saved with which the service hasn't answered yet.
	 *
	 * @return array{0: array{0: string, 1: string}, 1: array<string, array<string, string>>}|null The connection's, and those of the other checks.
	 */
	public function findings(): ?array {
		$is_new = isset( $_GET['settings-updated'] ) && Settings::connection()[0] !== '' && ! ConnectionState::is_connected() && ! get_settings_errors( Settings::BASE_URL );
		if ( ! $is_new && ! isset( $_GET['test'] ) ) {
			return null;
		}
		$result = $this->health_checks->tested();
		if ( $result[0] !== 'connected' ) {
			return array( $result, array() );
		}
		$this->connection_state->succeeded();
		return array( $result, $this->health_checks->find_all( array_diff( HealthChecks::all(), array( 'connection' ) ) ) );
	}

	public static function show( ?array $findings ): void {
		if ( ! $findings && Settings::connection()[0] === '' ) {
			return;
		}
		printf(
			'<div id="trousseau-result">%s</div><p><a class="button" id="trousseau-test" href="%s">%s</a> <span class="description">%s</span></p>',
			$findings ? self::result( ...$findings ) : self::untested(),
			esc_url( add_query_arg( 'test', '1', Settings::url() ) . '#trousseau-result' ),
			esc_html__( 'Test connection', 'trousseau' ),
			esc_html__( 'It tests what is saved, so save your changes first.', 'trousseau' )
		);
	}

	private static function untested(): string {
		$service = Settings::connection()[0];
		if ( ConnectionState::is_connected() ) {
			/* translators: %s: address of a service */
			return sprintf( '<p>%s</p>', esc_html( sprintf( __( 'The service at %s stores this site’s gifts.', 'trousseau' ), $service ) ) );
		}
		/* translators: %s: address of a service */
		$words = sprintf( __( 'The service at %s hasn’t answered with these settings yet. Test the connection to see why.', 'trousseau' ), $service );
		return sprintf( '<div class="notice inline notice-warning"><p>%s</p></div>', esc_html( $words ) );
	}

	/** The setting that a finding concerns: its field stands out. */
	public static function field( ?array $findings ): string {
		return match ( $findings[0][0] ?? '' ) {
			'not_an_address', 'address_lacks_scheme', 'unreachable', 'not_the_service' => Settings::BASE_URL,
			'key_refused'                      => Settings::API_KEY,
			'no_credentials', 'wrong_password' => Settings::APP_PASSWORD,
			default                            => '',
		};
	}

	/** @param array<string, array<string, string>> $others The findings of the other checks, once the connection stands. */
	private static function result( array $result, array $others ): string {
		list( $finding, $detail ) = $result;
		return sprintf(
			'<div class="notice inline notice-%s" id="trousseau-connection" data-finding="%s"><p>%s</p>%s</div>',
			$finding === 'connected' ? 'success' : 'error',
			esc_attr( $finding ),
			esc_html( ConnectionTest::words( $finding ) ),
			( $detail === '' ? '' : '<p><code>' . esc_html( $detail ) . '</code></p>' )
			. ( $finding === 'connected' ? '<p><a href="#trousseau-pages">' . esc_html__( 'View your pages', 'trousseau' ) . '</a></p>' : '' )
		) . implode( '', array_map( array( self::class, 'other' ), array_keys( $others ), $others ) );
	}

	private static function other( string $check, array $found ): string {
		return sprintf(
			'<div class="notice inline notice-%s" data-check="%s" data-status="%s"><p><strong>%s.</strong> %s %s</p></div>',
			array( 'good' => 'success', 'critical' => 'error' )[ $found['status'] ] ?? 'warning',
			esc_attr( $check ),
			esc_attr( $found['status'] ),
			esc_html( $found['title'] ),
			esc_html( $found['words'] ),
			esc_html( $found['cure'] )
		);
	}
}
