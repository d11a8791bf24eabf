<?php

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

use WP_Application_Passwords;
use WP_Error;
use WP_User;

/** The account in whose name the plugin asks the service: a role that looks after registries and may do nothing else. */
final class ServiceAccount {

	public const ROLE   = 'trousseau_service';
	public const ACTION = 'trousseau_make_account';

	public const CAPABILITIES = array( 'read', 'edit_others_registries', 'delete_others_registries', 'read_private_registries' );

	private const LOGIN = 'trousseau-service';

	/** Marks the application password that the plugin made. */
	private const APP_ID = 'b1c0c8a4-6c1f-4d0e-9a53-7a1f0f0c9d11';

	/** With just these rights, whatever somebody has made of the role. */
	public static function renew_role(): void {
		remove_role( self::ROLE );
		self::add_role();
	}

	public static function add_role(): void {
		add_role( self::ROLE, __( 'Trousseau service', 'trousseau' ), array_fill_keys( self::CAPABILITIES, true ) );
	}

	/**
	 * What an account lacks of all that the plugin needs.
	 *
	 * @return string[]
	 */
	public static function missing_rights( WP_User $user ): array {
		return array_values( array_filter( self::CAPABILITIES, static fn( string $capability ): bool => ! $user->has_cap( $capability ) ) );
	}

	/** The account of this site that a setting names. */
	public static function named( string $name ): ?WP_User {
		return get_user_by( 'login', $name ) ?: get_user_by( 'email', $name ) ?: null;
	}

	/** The setting of the service that makes it believe the account. */
	public static function admin_roles( ?WP_User $user = null ): string {
		return 'ADMIN_ROLES=' . implode( ',', array_unique( array( 'administrator', ...( $user ? $user->roles : array( self::ROLE ) ) ) ) );
	}

	public static function show_button(): void {
		if ( ! current_user_can( 'create_users' ) ) {
			return;
		}
		printf( '<h2>%s</h2><form method="post" action="%s"><input type="hidden" name="action" value="%s">', esc_html__( 'Account', 'trousseau' ), esc_url( admin_url( 'admin-post.php' ) ), esc_attr( self::ACTION ) );
		wp_nonce_field( self::ACTION );
		/* translators: %s: a setting of the service */
		$hint = sprintf( __( 'Makes an account that may look after registries and nothing else, with an application password, and enters both above. The service must be started with %s.', 'trousseau' ), '<code>' . esc_html( self::admin_roles() ) . '</code>' );
		echo '<p>' . wp_kses( $hint, array( 'code' => array() ) ) . '</p>';
		submit_button( __( 'Make the account', 'trousseau' ), 'secondary' );
		echo '</form>';
	}

	public static function handle(): void {
		ScreenForm::check( self::ACTION, Settings::url(), array( 'manage_options', 'create_users' ) );
		$user = self::make();
		if ( is_wp_error( $user ) ) {
			add_settings_error( Settings::USERNAME, self::ACTION, $user->get_error_message() );
		} else {
			/* translators: 1: user name, 2: a setting of the service */
			$words = sprintf( __( 'The account %1$s is made and entered below, with its application password. Start the service with %2$s, then test the connection.', 'trousseau' ), $user->user_login, self::admin_roles() );
			add_settings_error( Settings::USERNAME, self::ACTION, $words, 'success' );
		}
		set_transient( 'settings_errors', get_settings_errors(), 30 );
		wp_safe_redirect( add_query_arg( 'settings-updated', 'true', Settings::url() ), 303 );
		exit;
	}

	/** What deleting the plugin takes along: an account without its role may do nothing. */
	public static function remove(): void {
		foreach ( get_users( array( 'role' => self::ROLE ) ) as $user ) {
			self::drop_passwords( $user->ID );
		}
		remove_role( self::ROLE );
	}

	/** Makes the account, or a new password for the one that is there, and enters them in the settings. */
	public static function make(): WP_User|WP_Error {
		if ( ! wp_is_application_passwords_available() ) {
			return new WP_Error( 'no_passwords', __( 'Application passwords are switched off on this site, usually by a security plugin, or because it is not served by HTTPS.', 'trousseau' ) );
		}
		self::add_role();
		$user = self::existing() ?? self::create();
		if ( is_wp_error( $user ) ) {
			return $user;
		}
		self::drop_passwords( $user->ID );
		$made = WP_Application_Passwords::create_new_application_password(
			$user->ID,
			array(
				'name'   => 'Trousseau',
				'app_id' => self::APP_ID,
			)
		);
		if ( is_wp_error( $made ) ) {
			return $made;
		}
		update_option( Settings::USERNAME, $user->user_login );
		update_option( Settings::APP_PASSWORD, $made[0] );
		return $user;
	}

	/** By its role, which only administrators give: anybody could have registered under its name. */
	private static function existing(): ?WP_User {
		$query = array(
			'role'   => self::ROLE,
			'number' => 1,
		);
		return get_users( $query )[0] ?? null;
	}

	private static function create(): WP_User|WP_Error {
		$login = self::LOGIN;
		while ( username_exists( $login ) ) {
			$login = self::LOGIN . '-' . strtolower( wp_generate_password( 6, false ) );
		}
		$id = wp_insert_user(
			array(
				'user_login'   => $login,
				// Nobody signs in with it, and no mail about it goes anywhere.
				'user_pass'    => wp_generate_password( 64 ),
				'user_email'   => '',
				'display_name' => __( 'Trousseau service', 'trousseau' ),
				'role'         => self::ROLE,
			)
		);
		return is_wp_error( $id ) ? $id : get_userdata( $id );
	}

	private static function drop_passwords( int $user_id ): void {
		foreach ( WP_Application_Passwords::get_user_application_passwords( $user_id ) as $password ) {
			if ( ( $password['app_id'] ?? '' ) === self::APP_ID ) {
				WP_Application_Passwords::delete_application_password( $user_id, $password['uuid'] );
			}
		}
	}
}
