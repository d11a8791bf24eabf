<?php
/**
 * Installs WordPress into an empty database and prints the users with their passwords as JSON.
 *
 * Runs inside the new WordPress.
 */

require_once ABSPATH . 'wp-admin/includes/upgrade.php';

// Doesn't send the email about the new site.
add_filter( 'pre_wp_mail', '__return_true' );
// WordPress would check that such addresses work by requesting its own page, which takes WebAssembly PHP eight seconds of CPU.
add_filter( 'pre_option_permalink_structure', static fn(): string => '/%postname%/' );

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

remove_all_filters( 'pre_option_permalink_structure' );
update_option( 'permalink_structure', '/%postname%/' );
update_option( 'timezone_string', 'UTC' );
$GLOBALS['wp_rewrite']->init();

echo json_encode( $users );
