<?php
/**
 * Turns a WordPress into a network, as its own screens do, in two requests: one before wp-config.php declares a network, and
 * one after it. TROUSSEAU_DEV_SITES has the folders of further sites as JSON.
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
// A new network accepts application passwords only once this option is set; the users' passwords already exist.
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
	// WordPress removes the port from the address, so this adds it again.
	$GLOBALS['wpdb']->update( $GLOBALS['wpdb']->blogs, array( 'domain' => $_SERVER['HTTP_HOST'] ), array( 'blog_id' => $made ) );
	clean_blog_cache( $made );
	update_blog_option( $made, 'siteurl', "http://{$_SERVER['HTTP_HOST']}/$folder" );
	update_blog_option( $made, 'home', "http://{$_SERVER['HTTP_HOST']}/$folder" );
	update_blog_option( $made, 'permalink_structure', '/%postname%/' );
	delete_blog_option( $made, 'rewrite_rules' );
}
