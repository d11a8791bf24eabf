<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Settings;
use WP_Application_Passwords;
use WP_Error;
use WP_REST_Request;
use WP_REST_Users_Controller;
use WP_Session_Tokens;
use WP_User;

/** The account in whose name the plugin asks the service: a role that looks after registries and may do nothing else. */
final class ServiceAccount {

	public const ROLE   = 'trousseau_service';
	public const ACTION = 'trousseau_make_account';

	public const CAPABILITIES = array( 'read', 'edit_others_registries', 'delete_others_registries', 'read_private_registries' );

	private const LOGIN = 'trousseau-service';

	/** Tells people by which program the application password is used. */
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
		AdminForm::check( self::ACTION, SettingsPage::url(), array( 'manage_options', 'create_users' ) );
		$user = self::make();
		if ( is_wp_error( $user ) ) {
			add_settings_error( Settings::USERNAME, self::ACTION, $user->get_error_message() );
		} else {
			/* translators: 1: user name, 2: a setting of the service */
			$words = sprintf( __( 'The account %1$s is made and entered below, with its application password. Start the service with %2$s, then test the connection.', 'trousseau' ), $user->user_login, self::admin_roles() );
			add_settings_error( Settings::USERNAME, self::ACTION, $words, 'success' );
		}
		AdminForm::lead_on( SettingsPage::url() );
	}

	/** Removes the account and the role, for when the plugin is deleted. */
	public static function remove(): void {
		require_once ABSPATH . 'wp-admin/includes/user.php';
		require_once ABSPATH . 'wp-admin/includes/ms.php';
		// Nothing is theirs; should somebody have handed them something, it isn't lost with them.
		$heir = get_users( array( 'role' => 'administrator', 'number' => 1, 'orderby' => 'ID', 'fields' => 'ID' ) )[0] ?? null;
		foreach ( self::made() as $user ) {
			wp_delete_user( $user->ID, $heir ? (int) $heir : null );
			is_multisite() && ! get_blogs_of_user( $user->ID, true ) && wpmu_delete_user( $user->ID );
		}
		// Another account that somebody gave the role may do nothing without it.
		foreach ( get_users( array( 'role' => self::ROLE ) ) as $user ) {
			self::lock_out( $user );
		}
		remove_role( self::ROLE );
	}

	/** @return WP_User[] Accounts that the button made, and nobody has given anything else to do. */
	public static function made(): array {
		$is_ours = static fn( WP_User $user ): bool => array_values( $user->roles ) === array( self::ROLE ) && preg_match( '/^' . self::LOGIN . '(-[a-z0-9]{6})?$/D', $user->user_login );
		return array_values( array_filter( get_users( array( 'role' => self::ROLE ) ), $is_ours ) );
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
		self::lock_out( $user );
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

	/** Ends all passwords and sessions: a person who had learnt one of them could have made others, and signed in. */
	private static function lock_out( WP_User $user ): void {
		WP_Application_Passwords::delete_all_application_passwords( $user->ID );
		WP_Session_Tokens::get_instance( $user->ID )->destroy_all();
		delete_user_meta( $user->ID, '_new_email' );
		// Without the mails that WordPress sends about it: they would go to an address that somebody may have entered.
		$wpdb = $GLOBALS['wpdb'];
		$wpdb->update( $wpdb->users, array( 'user_email' => '' ), array( 'ID' => $user->ID ) );
		wp_set_password( wp_generate_password( 64 ), $user->ID );
	}

	/**
	 * The account may not change its own profile or passwords: with a leaked password somebody could make another one unseen.
	 *
	 * @param string[] $caps
	 * @param mixed[]  $args
	 * @return string[]
	 */
	public static function keep_as_it_is( array $caps, string $cap, int $user_id, array $args ): array {
		// The REST API shows somebody's own roles by the right to edit.
		$is_profile = $cap === 'edit_user' && ! ( defined( 'REST_REQUEST' ) && REST_REQUEST );
		// Other rights come with other arguments.
		$is_kept = $is_profile || str_ends_with( $cap, '_app_password' ) || str_ends_with( $cap, '_app_passwords' );
		$is_own  = $is_kept && (int) ( $args[0] ?? 0 ) === $user_id;
		return $is_own && self::is_one( get_userdata( $user_id ) ) ? array( 'do_not_allow' ) : $caps;
	}

	/**
	 * The same by the REST API.
	 *
	 * @param array<string, mixed> $handler
	 */
	public static function refuse_change( mixed $answer, array $handler, WP_REST_Request $request ): mixed {
		$is_users = is_array( $handler['callback'] ?? null ) && $handler['callback'][0] instanceof WP_REST_Users_Controller;
		return is_wp_error( $answer ) || ! $is_users || $request->get_method() === 'GET' || ! self::is_one( wp_get_current_user() ) ? $answer : new WP_Error(
			'rest_cannot_edit',
			__( 'Sorry, you are not allowed to do that.', 'trousseau' ),
			array( 'status' => 403 )
		);
	}

	/** Nobody reads the mails of an account that has no address. */
	public static function refuse_reset( mixed $allowed, int $user_id ): mixed {
		return self::is_one( get_userdata( $user_id ) ) ? false : $allowed;
	}

	private static function is_one( WP_User|false $user ): bool {
		return $user && in_array( self::ROLE, $user->roles, true );
	}
}
