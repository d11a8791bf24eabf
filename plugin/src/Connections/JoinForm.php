<?php

declare(strict_types=1);

namespace Trousseau\Connections;

defined( 'ABSPATH' ) || exit;

use Trousseau\Admin\ConnectionState;
use Trousseau\Admin\ConnectionTest;
use Trousseau\Admin\SettingsSection;
use Trousseau\Platform\AdminAction;
use Trousseau\Platform\AdminForm;
use Trousseau\Platform\Form;
use Trousseau\Platform\Network;
use Trousseau\Platform\Settings;

/** The forms on the settings page that connect this site to a service, and disconnect it. */
final class JoinForm implements AdminAction, SettingsSection {

	public const ACTION = 'trousseau_join';
	public const LEAVE  = 'trousseau_leave';

	/** The field with the service's address: the page of a refusal shows it again. */
	public const ADDRESS = 'join-address';

	public function __construct(
		private readonly AdminForm $admin_form,
		private readonly Joining $joining,
	) {
	}

	public function show(): void {
		if ( ! current_user_can( 'create_users' ) || ConnectionState::is_connected() ) {
			return;
		}
		$chosen = Settings::chosen_service();
		$typed  = $this->admin_form->typed( Settings::url(), self::ADDRESS ) ?? '';
		// Below, the form with the address that was entered already is open.
		$is_folded = $chosen === '' && Settings::connection()[0] !== '';
		printf( $is_folded ? '<details%s><summary>%s</summary>' : '<h2%s>%s</h2>', $is_folded && $typed !== '' ? ' open' : '', esc_html__( 'Connect this site', 'trousseau' ) );
		echo AdminForm::open( self::ACTION );
		echo '<p>' . esc_html(
			$chosen === ''
				? __( 'A service stores the gifts of this site. Enter what the people who run it gave you, and we’ll do the rest.', 'trousseau' )
				/* translators: %s: address of a service */
				: sprintf( __( 'A service stores the gifts of this site. The people who run this site have chosen %s. Connect, and we’ll do the rest.', 'trousseau' ), $chosen )
		) . '</p>';
		echo '<table class="form-table" role="presentation">';
		echo $chosen !== '' ? '' : AdminForm::row( self::ADDRESS, __( 'Address of the service', 'trousseau' ), __( 'Such as https://gifts.example.org', 'trousseau' ), $typed );
		echo AdminForm::row( 'code', __( 'Code', 'trousseau' ), __( 'Leave it empty if you don’t have one.', 'trousseau' ) );
		echo AdminForm::row( 'key', __( 'Gateway key', 'trousseau' ), __( 'Only if you were given one.', 'trousseau' ), '', 'password' );
		echo '</table>';
		submit_button( __( 'Connect', 'trousseau' ), 'primary', 'join' );
		echo '</form>' . ( $is_folded ? '</details>' : '' );
	}

	public function handle(): void {
		if ( str_ends_with( current_filter(), self::LEAVE ) ) {
			$this->leave();
			return;
		}
		$form    = Form::with( wp_unslash( $_POST ) );
		$address = Settings::chosen_service() ?: rtrim( $form->text( self::ADDRESS ), '/' );
		$this->admin_form->check( self::ACTION, Settings::url(), array( 'manage_options', 'create_users' ), array( self::ADDRESS => $address ) );
		$fault = $address === '' ? array( 'not_configured', '' ) : ConnectionTest::fault_of_address( $address );
		// A gateway key goes only to the service that it was entered for.
		$is_same = str_starts_with( ( Settings::value( Settings::BASE_URL ) ?: $address ) . '/', "$address/" );
		$is_set  = $address === Settings::chosen_service();
		$key     = $form->text( 'key' ) ?: ( $is_same ? Settings::value( Settings::API_KEY ) : ( $is_set ? Settings::environment( Settings::API_KEY ) : '' ) );
		$outcome = $fault
			? array( 'done' => false, 'words' => trim( ConnectionTest::words( $fault[0] ) . ' ' . $fault[1] ) )
			: $this->joining->join( $address, $form->text( 'code' ), $key );
		$outcome['done'] || $this->admin_form->keep( Settings::url(), array( 'typed' => array( self::ADDRESS => $address ) ) );
		add_settings_error( Settings::BASE_URL, self::ACTION, esc_html( $outcome['words'] ), $outcome['done'] ? 'success' : 'error' );
		$this->admin_form->lead_on( Settings::url() . ( $outcome['done'] ? '#trousseau-pages' : '' ) );
	}

	/** A connection that the environment or the network names can't be ended here. */
	private static function may_leave(): bool {
		return (string) get_option( Settings::BASE_URL ) !== '' && Settings::environment( Settings::BASE_URL ) === '' && Network::service()['address'] === '';
	}

	public function show_below(): void {
		if ( ! current_user_can( 'create_users' ) || ! self::may_leave() ) {
			return;
		}
		$words = __( 'The lists stay on this site, and their gifts stay with the service. Nobody can give until you connect again to the same service: another one doesn’t have these gifts.', 'trousseau' );
		/* translators: 1: a command, 2: a command */
		$moving = sprintf( __( 'Moving to another service? Your gifts can come with you: ask the people who run this one to export your site (%1$s), and the people who run the new one to import it (%2$s). Then enter the new address above.', 'trousseau' ), 'npm run sites -- export', 'npm run sites -- import' );
		printf( '<h2>%s</h2>%s<p>%s</p><p>%s</p>', esc_html__( 'Disconnect this site', 'trousseau' ), AdminForm::open( self::LEAVE ), esc_html( $words ), esc_html( $moving ) );
		submit_button( __( 'Disconnect', 'trousseau' ), 'secondary', 'leave' );
		echo '</form>';
	}

	private function leave(): void {
		$this->admin_form->check( self::LEAVE, Settings::url(), array( 'manage_options', 'create_users' ) );
		self::may_leave() && $this->joining->leave();
		add_settings_error( Settings::BASE_URL, self::LEAVE, esc_html__( 'This site is disconnected. Its gifts stay with the service.', 'trousseau' ), 'success' );
		$this->admin_form->lead_on( Settings::url() );
	}
}
