<?php

declare(strict_types=1);

namespace Trousseau\Admin;

use Trousseau\Platform\Encryption;
use Trousseau\Platform\Settings;
use WP_Application_Passwords;
use WP_Error;
use WP_REST_Request;
use WP_REST_Users_Controller;
use WP_Session_Tokens;
use WP_User;

/** The account that the plugin uses for the service, with a role that may manage registries and nothing else. */
final class ServiceAccount {

	public const ROLE = 'trousseau_service';

	public const CAPABILITIES = array( 'read', 'edit_others_registries', 'delete_others_registries', 'read_private_registries' );

	private const LOGIN = 'trousseau-service';

	/** Names the program to people who look at the application password. */
	private const APP_ID = 'b1c0c8a4-6c1f-4d0e-9a53-7a1f0f0c9d11';

	/** Makes the role anew with just these rights, however someone has changed it. */
	public function renew_role(): void {
		remove_role( self::ROLE );
		$this->add_role();
	}

	public function add_role(): void {
		add_role( self::ROLE, __( 'Trousseau service', 'trousseau' ), array_fill_keys( self::CAPABILITIES, true ) );
	}

	/** @return string[] The rights that the plugin needs and an account lacks. */
	public static function missing_rights( WP_User $user ): array {
		return array_values( array_filter( self::CAPABILITIES, static fn( string $capability ): bool => ! $user->has_cap( $capability ) ) );
	}

	/** The account that a setting names. */
	public static function named( string $name ): ?WP_User {
		return get_user_by( 'login', $name ) ?: get_user_by( 'email', $name ) ?: null;
	}

	/** The setting of the service that makes it believe the account. */
	public static function admin_roles( ?WP_User $user = null ): string {
		return 'ADMIN_ROLES=' . implode( ',', array_unique( array( 'administrator', ...( $user ? $user->roles : array( self::ROLE ) ) ) ) );
	}

	/** Removes the account and the role, for when the plugin is deleted. */
	public function remove(): void {
		require_once ABSPATH . 'wp-admin/includes/user.php';
		require_once ABSPATH . 'wp-admin/includes/ms.php';
		// The account owns nothing; content that someone has handed to it goes to an administrator.
		$heir = get_users( array( 'role' => 'administrator', 'number' => 1, 'orderby' => 'ID', 'fields' => 'ID' ) )[0] ?? null;
		foreach ( self::accounts() as $user ) {
			// The button made those of its name.
			if ( preg_match( '/^' . self::LOGIN . '(-[a-z0-9]{6})?$/D', $user->user_login ) ) {
				wp_delete_user( $user->ID, $heir ? (int) $heir : null );
				is_multisite() && ! get_blogs_of_user( $user->ID, true ) && wpmu_delete_user( $user->ID );
			}
		}
		// Other accounts that have only this role lose everything without it.
		$this->close();
		remove_role( self::ROLE );
	}

	/** @return WP_User[] Accounts that have this role and no other: a person who has a second role keeps their password. */
	private static function accounts(): array {
		$users = get_users( array( 'role' => self::ROLE ) );
		return array_values( array_filter( $users, static fn( WP_User $user ): bool => array_values( $user->roles ) === array( self::ROLE ) ) );
	}

	public function is_password_unreadable(): bool {
		$wpdb = $GLOBALS['wpdb'];
		return Encryption::is_unreadable( $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM $wpdb->options WHERE option_name = %s", Settings::APP_PASSWORD ) ) );
	}

	/** After the password is stored, since WordPress loads most options with each page of the site. */
	public function load_password_alone(): void {
		$wpdb = $GLOBALS['wpdb'];
		$wpdb->update( $wpdb->options, array( 'autoload' => 'no' ), array( 'option_name' => Settings::APP_PASSWORD ) );
		wp_cache_delete( 'alloptions', 'options' );
	}

	/** Makes the account, or a new password for the one that is there, and enters them in the settings. */
	public function make(): WP_User|WP_Error {
		if ( ! wp_is_application_passwords_available() ) {
			return new WP_Error( 'no_passwords', __( 'Application passwords are turned off on this site, usually by a security plugin, or because it doesn’t use HTTPS.', 'trousseau' ) );
		}
		$this->add_role();
		// The account is found by its role, which only administrators give: anyone could have registered under its name.
		$user = self::accounts()[0] ?? $this->create();
		if ( is_wp_error( $user ) ) {
			return $user;
		}
		$this->end_access( $user );
		$made = WP_Application_Passwords::create_new_application_password( $user->ID, array( 'name' => 'Trousseau', 'app_id' => self::APP_ID ) );
		if ( is_wp_error( $made ) ) {
			return $made;
		}
		update_option( Settings::USERNAME, $user->user_login );
		update_option( Settings::APP_PASSWORD, $made[0] );
		return $user;
	}

	/** Ends the access of the accounts that have this role and no other, or of the one with this name; they stay. */
	public function close( ?string $name = null ): void {
		foreach ( self::accounts() as $user ) {
			if ( $name === null || $user->user_login === $name ) {
				$this->end_access( $user );
			}
		}
	}

	private function create(): WP_User|WP_Error {
		$login = self::LOGIN;
		while ( username_exists( $login ) ) {
			$login = self::LOGIN . '-' . strtolower( wp_generate_password( 6, false ) );
		}
		$id = wp_insert_user(
			array(
				'user_login'   => $login,
				// Nobody signs in with this password, and no email is sent about it.
				'user_pass'    => wp_generate_password( 64 ),
				'user_email'   => '',
				'display_name' => __( 'Trousseau service', 'trousseau' ),
				'role'         => self::ROLE,
			)
		);
		return is_wp_error( $id ) ? $id : get_userdata( $id );
	}

	/** Ends all passwords and sessions, and removes the address: a person who had learnt one of them could have made others. The account stays. */
	private function end_access( WP_User $user ): void {
		WP_Application_Passwords::delete_all_application_passwords( $user->ID );
		WP_Session_Tokens::get_instance( $user->ID )->destroy_all();
		delete_user_meta( $user->ID, '_new_email' );
		// WordPress's functions would email about the change to an address that someone else may have entered.
		$wpdb = $GLOBALS['wpdb'];
		$wpdb->update( $wpdb->users, array( 'user_email' => '' ), array( 'ID' => $user->ID ) );
		wp_set_password( wp_generate_password( 64 ), $user->ID );
	}

	private static function has_role( WP_User|false $user ): bool {
		return $user && in_array( self::ROLE, $user->roles, true );
	}

	/** Forbids the account to change its own profile or passwords: with a leaked password someone could make another one unseen. */
	public static function keep_as_it_is( array $caps, string $cap, int $user_id, array $args ): array {
		// The REST API shows an account its own roles only with the right to edit it.
		$is_profile = $cap === 'edit_user' && ! ( defined( 'REST_REQUEST' ) && REST_REQUEST );
		// Other rights have other arguments.
		$is_kept = $is_profile || str_ends_with( $cap, '_app_password' ) || str_ends_with( $cap, '_app_passwords' );
		$is_own  = $is_kept && (int) ( $args[0] ?? 0 ) === $user_id;
		return $is_own && self::has_role( get_userdata( $user_id ) ) ? array( 'do_not_allow' ) : $caps;
	}

	/** Refuses such a change by the REST API. */
	public static function refuse_change( mixed $answer, array $handler, WP_REST_Request $request ): mixed {
		$is_users = is_array( $handler['callback'] ?? null ) && $handler['callback'][0] instanceof WP_REST_Users_Controller;
		return is_wp_error( $answer ) || ! $is_users || $request->get_method() === 'GET' || ! self::has_role( wp_get_current_user() ) ? $answer : new WP_Error(
			'rest_cannot_edit',
			__( 'Sorry, you are not allowed to do that.', 'trousseau' ),
			array( 'status' => 403 )
		);
	}

	/** Refuses to reset the password: the account has no address for the email. */
	public static function refuse_reset( mixed $allowed, int $user_id ): mixed {
		return self::has_role( get_userdata( $user_id ) ) ? false : $allowed;
	}
}
