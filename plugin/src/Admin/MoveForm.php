<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Encryption;
use Trousseau\Support\KeptValues;
use Trousseau\Support\Settings;

/** The form of the settings that moves this site with all its gifts to another service, by one press. */
final class MoveForm {

	public const ACTION = 'trousseau_move';

	/** The field with the new service's address: the page of a refusal shows it again. */
	private const ADDRESS = 'move-address';

	/** The end of the last move: its keeper's browser may have stopped waiting. */
	private const OUTCOME = 'moved';

	public function __construct(
		private readonly AdminForm $admin_form,
		private readonly ConnectionPanel $connection_panel,
		private readonly KeptValues $kept_values,
		private readonly Moving $moving,
	) {
	}

	/** Only a service for many sites hands one of them over. */
	private static function may_move(): bool {
		return current_user_can( 'create_users' ) && JoinForm::may_leave() && preg_match( Joining::OF_ONE_SITE, Settings::value( Settings::BASE_URL ) );
	}

	/** Says once how the last move ended. */
	public function show_outcome(): void {
		$outcome = current_user_can( 'create_users' ) ? Encryption::open( $this->kept_values->get( self::OUTCOME ) ) : null;
		if ( is_array( $outcome ) && $this->kept_values->delete( self::OUTCOME ) ) {
			printf( '<div class="notice notice-%s" id="trousseau-moved" role="status"><p style="overflow-wrap:anywhere">%s</p></div>', $outcome['done'] ? 'success' : 'error', esc_html( $outcome['words'] ) );
		}
	}

	public function show(): void {
		if ( ! self::may_move() || ! ConnectionState::is_connected() ) {
			return;
		}
		$chosen = Settings::chosen_service();
		$known  = $chosen !== '' && ! str_starts_with( Settings::value( Settings::BASE_URL ), "$chosen/" ) ? $chosen : '';
		printf(
			'<h2 id="trousseau-move">%s</h2>%s<p>%s</p><p>%s</p><table class="form-table" role="presentation">',
			esc_html__( 'Move to another service', 'trousseau' ),
			AdminForm::open( self::ACTION ),
			esc_html__( 'Takes all gifts, and who gives what, to another service for many sites. Enter what you were given by the people who run that one. Links in mails stay valid.', 'trousseau' ),
			esc_html__( 'It takes from ten seconds to a few minutes. Meanwhile everybody sees the lists and nobody can change anything. If something goes wrong, everything stays as it is.', 'trousseau' )
		);
		echo AdminForm::row( self::ADDRESS, __( 'Address of the new service', 'trousseau' ), __( 'Such as https://gifts.example.org', 'trousseau' ), $this->connection_panel->typed( self::ADDRESS ) ?? $known );
		echo AdminForm::row( 'move-code', __( 'Code', 'trousseau' ), __( 'Leave it empty if you have none.', 'trousseau' ) );
		echo AdminForm::row( 'move-key', __( 'Gateway key', 'trousseau' ), __( 'Only where you were given one.', 'trousseau' ), '', 'password' );
		echo '</table>';
		submit_button( __( 'Move everything', 'trousseau' ), 'secondary', 'move' );
		echo '</form>';
	}

	public function handle(): void {
		$form    = wp_unslash( $_POST );
		$typed   = static fn( string $name ): string => is_string( $form[ $name ] ?? null ) ? trim( $form[ $name ] ) : '';
		$address = rtrim( $typed( self::ADDRESS ), '/' );
		$this->admin_form->check( self::ACTION, Settings::url(), array( 'manage_options', 'create_users' ), array( self::ADDRESS => $address ) );
		$fault = $address === '' ? array( 'not_configured', '' ) : ConnectionTest::fault_of_address( $address );
		if ( $fault ) {
			$this->end( false, trim( ConnectionTest::words( $fault[0] ) . ' ' . $fault[1] ), $address );
		}
		if ( ! self::may_move() ) {
			$this->end( false, __( 'This site can’t be moved here any more: its connection has changed meanwhile.', 'trousseau' ), $address );
		}
		try {
			$this->end( true, $this->moving->move( $address, $typed( 'move-code' ), $typed( 'move-key' ) ?: Settings::environment( Settings::API_KEY ) ) );
		} catch ( MoveFailed $failure ) {
			$this->end( false, $failure->getMessage(), $address );
		}
	}

	private function end( bool $done, string $words, string $address = '' ): never {
		$done || $this->connection_panel->keep( array( 'typed' => array( self::ADDRESS => $address ) ) );
		$this->kept_values->set( self::OUTCOME, Encryption::seal( compact( 'done', 'words' ) ), DAY_IN_SECONDS );
		wp_safe_redirect( Settings::url(), 303 );
		exit;
	}
}
