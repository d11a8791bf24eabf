<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\AdminAction;
use Trousseau\Platform\AdminForm;
use Trousseau\Platform\Settings;

/** The button of the settings that makes the plugin's own account. */
final class ServiceAccountButton implements AdminAction {

	public const ACTION = 'trousseau_make_account';

	public function __construct( private readonly AdminForm $admin_form, private readonly ServiceAccount $service_account ) {
	}

	public static function show(): void {
		if ( ! current_user_can( 'create_users' ) ) {
			return;
		}
		echo '<h2>' . esc_html__( 'Account', 'trousseau' ) . '</h2>' . AdminForm::open( self::ACTION );
		/* translators: %s: a setting of the service */
		$hint = sprintf( __( 'Creates an account that can manage lists and nothing else, with an application password, and enters both above. Start the service with %s.', 'trousseau' ), '<code>' . esc_html( ServiceAccount::admin_roles() ) . '</code>' );
		echo '<p>' . wp_kses( $hint, array( 'code' => array() ) ) . '</p>';
		submit_button( __( 'Create account', 'trousseau' ), 'secondary' );
		echo '</form>';
	}

	public function handle(): void {
		$this->admin_form->check( self::ACTION, Settings::url(), array( 'manage_options', 'create_users' ) );
		$user                 = $this->service_account->make();
		list( $words, $kind ) = is_wp_error( $user )
			? array( $user->get_error_message(), 'error' )
			/* translators: 1: user name, 2: a setting of the service */
			: array( sprintf( __( 'The account %1$s has been created and entered below, with its application password. Start the service with %2$s, then test the connection.', 'trousseau' ), $user->user_login, ServiceAccount::admin_roles() ), 'success' );
		add_settings_error( Settings::USERNAME, self::ACTION, $words, $kind );
		$this->admin_form->lead_on( Settings::url() );
	}
}
