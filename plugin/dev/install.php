<?php
/**
 * Installs WordPress into an empty database and prints the users with their passwords as JSON.
 *
 * Runs inside the new WordPress; the settings arrive as JSON in TROUSSEAU_DEV_INSTALL.
 */

$settings = json_decode( (string) getenv( 'TROUSSEAU_DEV_INSTALL' ), true );

require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';

$users = array();
foreach ( array( 'admin', 'alice', 'bob', 'carol' ) as $name ) {
	$login = wp_generate_password( 20, false );
	$email = $name . '@example.test';

	if ( $name === 'admin' ) {
		$id = wp_install( 'Trousseau', $name, $email, true, '', $login )['user_id'];
	} else {
		$id = wp_insert_user(
			array(
				'user_login' => $name,
				'user_pass'  => $login,
				'user_email' => $email,
				'role'       => 'subscriber',
			)
		);
	}

	$created        = WP_Application_Passwords::create_new_application_password( $id, array( 'name' => 'development' ) );
	$users[ $name ] = array(
		'id'       => $id,
		'username' => $name,
		'email'    => $email,
		'password' => $created[0],
		'login'    => $login,
	);
}

update_option( 'permalink_structure', '/%postname%/' );
update_option( 'timezone_string', 'UTC' );
$GLOBALS['wp_rewrite']->init();

if ( $settings['plugins'] ) {
	$result = activate_plugin( 'trousseau/trousseau.php' );
	if ( is_wp_error( $result ) ) {
		throw new RuntimeException( $result->get_error_message() );
	}
}
if ( ! wp_get_theme( $settings['theme'] )->exists() ) {
	throw new RuntimeException( 'no such theme: ' . $settings['theme'] );
}
switch_theme( $settings['theme'] );

// The next request writes them again, with every post type known.
delete_option( 'rewrite_rules' );

echo json_encode( $users );
