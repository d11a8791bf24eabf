<?php
/**
 * Makes a network of a WordPress, as its own screens do, in two requests: before wp-config.php says that it is one, and
 * after it, with the folders of further sites as JSON in TROUSSEAU_DEV_SITES.
 */

if ( ! is_multisite() ) {
	require_once ABSPATH . 'wp-admin/includes/network.php';
	require_once ABSPATH . 'wp-admin/includes/upgrade.php';
	foreach ( $GLOBALS['wpdb']->tables( 'ms_global' ) as $name => $table ) {
		$GLOBALS['wpdb']->$name = $table;
	}
	install_network();
	$made = populate_network( 1, $_SERVER['HTTP_HOST'], get_option( 'admin_email' ), 'Trousseau', '/', false );
	if ( is_wp_error( $made ) ) {
		throw new RuntimeException( $made->get_error_message() );
	}
	return;
}
// The users' passwords were made before; a new network takes none until one is made in it.
update_network_option( null, WP_Application_Passwords::OPTION_KEY_IN_USE, true );
foreach ( json_decode( (string) getenv( 'TROUSSEAU_DEV_SITES' ), true ) as $folder ) {
	$made = wp_insert_site(
		array(
			'domain'  => $_SERVER['HTTP_HOST'],
			'path'    => "/$folder/",
			'title'   => $folder,
			'user_id' => get_user_by( 'login', 'admin' )->ID,
		)
	);
	if ( is_wp_error( $made ) ) {
		throw new RuntimeException( $made->get_error_message() );
	}
	// WordPress takes the port out of the address.
	$GLOBALS['wpdb']->update( $GLOBALS['wpdb']->blogs, array( 'domain' => $_SERVER['HTTP_HOST'] ), array( 'blog_id' => $made ) );
	clean_blog_cache( $made );
	update_blog_option( $made, 'siteurl', "http://{$_SERVER['HTTP_HOST']}/$folder" );
	update_blog_option( $made, 'home', "http://{$_SERVER['HTTP_HOST']}/$folder" );
	update_blog_option( $made, 'permalink_structure', '/%postname%/' );
	delete_blog_option( $made, 'rewrite_rules' );
}
