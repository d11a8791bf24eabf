<?php
/**
 * Sets a site up for a test, and reads its data: calls one of the functions below or of plugin-setup.php, or else the
 * function of WordPress with this name, with arguments from JSON, and returns its answer as JSON. set-up.ts has a typed
 * function for each.
 */

return static function ( string $name, array $arguments ): string {
	// Each file is loaded only once per process.
	static $fixtures = array();
	$wpdb            = $GLOBALS['wpdb'];

	$set_ups = array(
		// Calls several functions in this process, and returns the last one's answer.
		'in_turn'                  => static function ( array ...$calls ) use ( &$call ): mixed {
			foreach ( $calls as $one ) {
				$answer = $call( ...$one );
			}
			return $answer;
		},
		'set_options'              => static function ( array $values ): void {
			foreach ( $values as $name => $value ) {
				null === $value ? delete_option( $name ) : update_option( $name, $value );
			}
		},
		// Gives an option another value, in this process only.
		// Reads the table directly, without cache and filters.
		'stored_options'           => static fn( string $beginning ) => (object) array_column(
			$wpdb->get_results( $wpdb->prepare( "SELECT option_name, option_value FROM $wpdb->options WHERE option_name LIKE %s ORDER BY option_name", $wpdb->esc_like( $beginning ) . '%' ), ARRAY_N ),
			1,
			0
		),
		'rows'                     => static fn( string $table ) => $wpdb->get_results( "SELECT * FROM {$wpdb->prefix}$table" ),
		'add_post'                 => static fn( array $fields ) => wp_insert_post( wp_slash( $fields ), true ),
		'change_post'              => static fn( int $id, array $fields ) => wp_update_post( wp_slash( array( 'ID' => $id ) + $fields ), true ),
		// Writes directly to the table, without WordPress's rules and hooks.
		'store_post'               => static function ( int $id, array $fields ) use ( $wpdb ): void {
			$wpdb->update( $wpdb->posts, $fields, array( 'ID' => $id ) );
			clean_post_cache( $id );
		},
		'set_post_meta'            => static function ( int $id, array $values ): void {
			foreach ( $values as $name => $value ) {
				update_post_meta( $id, $name, wp_slash( $value ) );
			}
		},
		// Writes directly to the table, without the rules for the key.
		'store_meta'               => static function ( int $id, string $name, mixed $value ) use ( $wpdb ): void {
			$row = array(
				'post_id'  => $id,
				'meta_key' => $name,
			);
			$wpdb->delete( $wpdb->postmeta, $row );
			$wpdb->insert( $wpdb->postmeta, $row + array( 'meta_value' => maybe_serialize( $value ) ) );
			clean_post_cache( $id );
		},
		'add_user'                 => static function ( array $fields ) use ( &$call ) {
			$id = wp_insert_user( wp_slash( $fields ) );
			return is_wp_error( $id ) ? $id : array( $id, $call( 'add_application_password', $id )[0] );
		},
		'add_application_password' => static fn( int $user ) => WP_Application_Passwords::create_new_application_password( $user, array( 'name' => 'test' ) ),
		'change_rights'            => static function ( string $role, array $rights ): void {
			foreach ( $rights as $right => $is_given ) {
				$is_given ? get_role( $role )->add_cap( $right ) : get_role( $role )->remove_cap( $right );
			}
		},
		'end_sessions'             => static fn( int $user ) => WP_Session_Tokens::get_instance( $user )->destroy_all(),
		'can'                      => static fn( int $user, string $right, ?int $post = null ) => user_can( $user, $right, ...array_filter( array( $post ) ) ),
		// Makes this process's requests to such addresses fail.
		'be_offline'               => static fn( string $part = '' ) => add_filter( 'pre_http_request', static fn( $answer, $request, $url ) => str_contains( $url, $part ) ? new WP_Error( 'http_request_failed', 'away' ) : $answer, 10, 3 ),
		// Records the recipients and subjects of this process's emails in an option instead of sending them.
		'record_mails'             => static fn() => add_filter(
			'pre_wp_mail',
			static function ( $sent, array $mail ): bool {
				return update_option( 'test_mails', array( ...get_option( 'test_mails', array() ), array( $mail['to'], $mail['subject'], $mail['message'] ) ) );
			},
			10,
			2
		),
		// The file's bytes are in base64; without any, it is a single pixel.
		'add_picture'              => static function ( array $fields, int $parent, string $bytes = '' ): array {
			$dot  = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
			$file = wp_upload_bits( sanitize_title( $fields['post_title'] ) . ( $bytes ? '.jpg' : '.png' ), null, base64_decode( $bytes ?: $dot ) )['file'];
			$id   = wp_insert_attachment( wp_slash( $fields + array( 'post_mime_type' => $bytes ? 'image/jpeg' : 'image/png' ) ), $file, $parent );

			list( $width, $height ) = getimagesize( $file );
			wp_update_attachment_metadata(
				$id,
				array(
					'width'  => $width,
					'height' => $height,
					'file'   => _wp_relative_upload_path( $file ),
				)
			);
			return array(
				'id'   => $id,
				'file' => basename( $file ),
			);
		},
		// Calls everything that this WordPress offers over `rest` or `xmlrpc`; see crawl.php.
		'crawl'                    => static function ( string $what, array $about ): string {
			require_once __DIR__ . '/crawl.php';
			ob_start();
			"crawl_$what"( $about );
			return ob_get_clean();
		},
		'activate'                 => static function ( string $plugin, bool $on_all_sites = false ) {
			require_once ABSPATH . 'wp-admin/includes/plugin.php';
			return activate_plugin( "$plugin/$plugin.php", '', $on_all_sites );
		},
		// Installs plugin and theme from zips, replacing the links to this checkout.
		'install_zips'             => static function ( string $plugin, string $theme ): array {
			unlink( WP_PLUGIN_DIR . '/trousseau' );
			unlink( get_theme_root() . '/trousseau' );
			define( 'FS_METHOD', 'direct' );
			require_once ABSPATH . 'wp-admin/includes/admin.php';
			require_once ABSPATH . 'wp-admin/includes/class-wp-upgrader.php';
			$installed   = array(
				( new Plugin_Upgrader( new Automatic_Upgrader_Skin() ) )->install( $plugin ),
				( new Theme_Upgrader( new Automatic_Upgrader_Skin() ) )->install( $theme ),
			);
			$installed[] = activate_plugin( 'trousseau/trousseau.php' );
			switch_theme( 'trousseau' );
			return array( ...$installed, is_link( WP_PLUGIN_DIR . '/trousseau' ), wp_get_theme()->errors() );
		},
		'deactivate'               => static function ( string $plugin, bool $on_all_sites = false ): void {
			require_once ABSPATH . 'wp-admin/includes/plugin.php';
			deactivate_plugins( "$plugin/$plugin.php", false, $on_all_sites );
		},
		'next_post'                => static function ( int $number ) use ( $wpdb ): void {
			$wpdb->query( "ALTER TABLE $wpdb->posts AUTO_INCREMENT = $number" );
		},
		'databases'                => static fn() => $wpdb->get_col( 'SHOW DATABASES' ),
		// The theme as WordPress reads it.
		'theme_header'             => static function ( string $name ): array {
			$theme = wp_get_theme( $name );
			return array( $theme->errors(), $theme->is_block_theme(), $theme->get( 'Version' ), $theme->get( 'RequiresWP' ), $theme->get( 'RequiresPHP' ), $theme->get( 'TextDomain' ) );
		},
		'theme_json'               => static fn() => ( new WP_Theme_JSON( wp_json_file_decode( get_theme_file_path( 'theme.json' ), array( 'associative' => true ) ), 'theme' ) )->get_raw_data(),
		'patterns'                 => static fn() => array_column( WP_Block_Patterns_Registry::get_instance()->get_all_registered(), 'content', 'name' ),
		// The text that the plugin suggests for a site's privacy policy.
		'privacy_policy'           => static function (): string {
			require_once ABSPATH . 'wp-admin/includes/admin.php';
			require_once ABSPATH . 'wp-admin/includes/class-wp-privacy-policy-content.php';
			wp_set_current_user( 1 );
			set_current_screen( 'dashboard' );
			do_action( 'admin_init' );
			// The newest comes first, and older ones may follow.
			foreach ( WP_Privacy_Policy_Content::get_suggested_policy_text() as $one ) {
				if ( $one['plugin_name'] === 'Trousseau' ) {
					return $one['policy_text'];
				}
			}
			return '';
		},
		// A page of WordPress's personal data tools, by an `exporter` or an `eraser`.
		'personal_data'            => static function ( string $kind, string $address, int $page ) {
			require_once ABSPATH . 'wp-admin/includes/admin.php';
			// The administrator presses the button.
			wp_set_current_user( 1 );
			$all = apply_filters( "wp_privacy_personal_data_{$kind}s", array() );
			$answer = call_user_func( $all['trousseau']['callback'], $address, $page );
			return is_wp_error( $answer ) ? array( 'error' => $answer->get_error_message() ) : $answer;
		},
	);

	$call     = static function ( string $name, mixed ...$arguments ) use ( &$set_ups, &$call, &$fixtures ): mixed {
		// `mail.invite_many` is the function `invite_many` of plugin/test/fixtures/mail.php.
		if ( str_contains( $name, '.' ) ) {
			list( $file, $name ) = explode( '.', $name );
			$fixtures[ $file ] ??= require WP_PLUGIN_DIR . "/trousseau/test/fixtures/$file.php";
			return $fixtures[ $file ][ $name ]( ...$arguments );
		}
		return ( $set_ups[ $name ] ?? $name )( ...$arguments );
	};
	$set_ups += require __DIR__ . '/plugin-setup.php';

	$answer = $call( $name, ...$arguments );
	if ( is_wp_error( $answer ) ) {
		throw new RuntimeException( "$name: " . $answer->get_error_message() );
	}
	return wp_json_encode( $answer );
};
