<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\AdminAction;
use Trousseau\Platform\AdminForm;
use Trousseau\Platform\Settings;

/** The button of the settings that tests the connection, and the answer below it. */
final class ConnectionPanel implements AdminAction {

	public const ACTION = 'trousseau_test_connection';

	/** @var array{result?: array{0: string, 1: string}, others?: array<string, array<string, string>>, typed?: array<string, mixed>}|null What is kept for this page, once it was read. */
	private ?array $kept = null;

	public function __construct(
		private readonly AdminForm $admin_form,
		private readonly ConnectionState $connection_state,
		private readonly ConnectionTest $connection_test,
		private readonly HealthChecks $health_checks,
	) {
	}

	public function handle(): void {
		$form = wp_unslash( $_POST );
		// Secrets are never kept for the next page.
		$typed = array_intersect_key( $form, array_flip( array( Settings::BASE_URL, Settings::USERNAME ) ) );
		$this->admin_form->check( Settings::PAGE . '-options', Settings::url(), array( 'manage_options' ), $typed );
		$settings = Settings::typed_connection( $form );
		$result   = $this->connection_test->run( $settings );
		$others   = array();
		if ( $result[0] === 'connected' ) {
			$this->connection_state->succeeded( $settings );
			$others = $this->health_checks->find_with( $settings, $result );
		}
		if ( $this->admin_form->is_by_script() ) {
			wp_send_json( array( 'html' => self::result( $result, $others ) ) );
		}
		$this->admin_form->keep( Settings::url(), compact( 'result', 'others', 'typed' ) );
		wp_safe_redirect( Settings::url() . '#trousseau-result', 303 );
		exit;
	}

	/** The text that stood in a field which was tested, or refused: it isn't stored. */
	public function typed( string $name ): ?string {
		$value = $this->kept()['typed'][ $name ] ?? null;
		return is_string( $value ) ? $value : null;
	}

	private function kept(): array {
		return $this->kept ??= $this->admin_form->kept( Settings::url() );
	}

	/** Shows the button in the form of the settings, whose values it tests. */
	public function show_button(): void {
		$kept   = $this->kept();
		$result = $kept['result'] ?? null;
		printf(
			'<h2>%s</h2><p><button type="submit" class="button" id="trousseau-test" formaction="%s" name="action" value="%s">%s</button></p><div id="trousseau-result" aria-live="polite">%s</div>',
			esc_html__( 'Connection', 'trousseau' ),
			esc_url( admin_url( 'admin-post.php' ) ),
			esc_attr( self::ACTION ),
			esc_html__( 'Test connection', 'trousseau' ),
			// The result is escaped where it is made.
			$result ? self::result( $result, $kept['others'] ?? array() ) . '<p>' . esc_html__( 'Testing doesn’t save anything. Save your changes afterwards, and enter passwords again.', 'trousseau' ) . '</p>' : ''
		);
	}

	/**
	 * @param array{0: string, 1: string}          $result
	 * @param array<string, array<string, string>> $others The findings of the other checks, once the connection stands.
	 */
	private static function result( array $result, array $others ): string {
		list( $finding, $detail ) = $result;
		$words                    = ConnectionTest::words( $finding );
		if ( $finding === 'too_many_failures' && $detail !== '' ) {
			/* translators: %s: number of seconds */
			$words  = sprintf( __( 'The service has seen too many failed logins. Try again in %s seconds.', 'trousseau' ), number_format_i18n( (int) $detail ) );
			$detail = '';
		}
		return sprintf(
			'<div class="notice inline notice-%s" id="trousseau-connection" data-finding="%s"><p>%s</p>%s</div>',
			$finding === 'connected' ? 'success' : 'error',
			esc_attr( $finding ),
			esc_html( $words ),
			( $detail === '' ? '' : '<p><code>' . esc_html( $detail ) . '</code></p>' )
			. ( $finding === 'connected' ? '<p><a href="#trousseau-pages">' . esc_html__( 'View your pages', 'trousseau' ) . '</a></p>' : '' )
		) . implode( '', array_map( array( self::class, 'other' ), array_keys( $others ), $others ) );
	}

	/** @param array<string, string> $found */
	private static function other( string $check, array $found ): string {
		$kinds = array(
			'good'     => 'success',
			'critical' => 'error',
		);
		return sprintf(
			'<div class="notice inline notice-%s" data-check="%s" data-status="%s"><p><strong>%s.</strong> %s %s</p></div>',
			$kinds[ $found['status'] ] ?? 'warning',
			esc_attr( $check ),
			esc_attr( $found['status'] ),
			esc_html( $found['title'] ),
			esc_html( $found['words'] ),
			esc_html( $found['cure'] )
		);
	}
}
