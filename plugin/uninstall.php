<?php
/**
 * Deleting the plugin keeps registries and settings, unless the settings ask for their removal.
 * Items stay in the item service in either case.
 */

declare(strict_types=1);

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

require_once __DIR__ . '/includes/Network.php';
require_once __DIR__ . '/includes/PostType.php';
require_once __DIR__ . '/includes/ServiceAccount.php';
require_once __DIR__ . '/includes/Settings.php';

$trousseau_remove = static function (): void {
	// What was only kept for speed or for a while goes in any case: a mail would be sent long after its time.
	$db   = $GLOBALS['wpdb'];
	$all  = (bool) get_option( Trousseau\Settings::REMOVE_DATA );
	$more = $all ? array( 'trousseau_gone_', 'trousseau_followed' ) : array();
	foreach ( array( 'trousseau_gifts_', 'trousseau_turn_', 'trousseau_trouble', 'trousseau_deleted_', 'trousseau_connected', 'trousseau_page_rules', 'trousseau_mail_', 'trousseau_mails_', 'trousseau_forgotten_at', 'trousseau_draft_', 'trousseau_typed_', 'trousseau_import_', 'trousseau_picture_', 'trousseau_affiliate_round', 'trousseau_affiliate_found', '_transient_trousseau_count_', '_transient_timeout_trousseau_count_', ...$more ) as $kept ) {
		$like = $db->esc_like( $kept ) . '%';
		array_map( 'delete_option', $db->get_col( $db->prepare( "SELECT option_name FROM $db->options WHERE option_name LIKE %s", $like ) ) );
	}

	if ( $all ) {
		$posts = get_posts(
			array(
				'post_type'   => Trousseau\PostType::NAME,
				'post_status' => array_keys( get_post_stati() ),
				'numberposts' => -1,
				'fields'      => 'ids',
			)
		);
		foreach ( $posts as $post ) {
			wp_delete_post( $post, true );
		}
		array_map( 'delete_option', array( ...Trousseau\Settings::ALL, 'trousseau_no_mail', 'trousseau_affiliate_rules' ) );
		delete_metadata( 'user', 0, '_trousseau_draft', '', true );
		$pictures = wp_upload_dir( null, false )['basedir'] . '/trousseau';
		array_map( 'wp_delete_file', glob( "$pictures/*.jpg" ) ?: array() );
		is_dir( $pictures ) && rmdir( $pictures );
		Trousseau\ServiceAccount::remove();
	}
};
Trousseau\Network::on_sites( true, $trousseau_remove );
