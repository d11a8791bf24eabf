<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Encryption;
use Trousseau\Platform\Form;
use Trousseau\Platform\Lock;
use WP_User;

/** The account that someone makes behind a link in their email, which has shown that the address is theirs. */
final class OwnAccount {

	/** The user name, with a number behind it or none, of someone who gave no name. */
	public const NAMELESS = 'owner';

	private const NO_PASSWORD = '_trousseau_no_password';

	public const SHORTEST_PASSWORD = 8;
	private const LONGEST_PASSWORD = 200;

	public function __construct( private readonly Lock $lock ) {
	}

	/** Whether people can make accounts here that may make lists. */
	public static function is_offered(): bool {
		$role = (string) get_option( 'default_role' );
		return get_option( 'users_can_register' ) && ! empty( get_role( $role )->capabilities['read'] ) && ListMakers::includes_role( $role );
	}

	/**
	 * Makes an account with the site's usual role, and signs in to it; its owner may choose a password later. A second press finds the account of
	 * the first. Returns false where the address has another account, or WordPress refuses this one.
	 */
	public function make( string $address, string $name = '', string $password = '' ): bool {
		$user = $this->lock->alone( 'account-' . Encryption::hex( 'account', mb_strtolower( $address ) ), 30, fn(): ?WP_User => $this->found_or_made( $address, $name, $password ) );
		if ( ! $user ) {
			return false;
		}
		wp_set_current_user( $user->ID );
		wp_set_auth_cookie( $user->ID, $password === '' );
		do_action( 'wp_login', $user->user_login, $user );
		return true;
	}

	/** The password in a form; one that is too short or too long gets a fault. */
	public static function typed_password( Form $form ): string {
		$password = $form->needs( 'password', self::LONGEST_PASSWORD );
		if ( mb_strlen( $password ) < self::SHORTEST_PASSWORD ) {
			/* translators: %s: number of characters */
			$form->fault( 'password', sprintf( __( 'Use at least %s characters.', 'trousseau' ), number_format_i18n( self::SHORTEST_PASSWORD ) ) );
		}
		return $password;
	}

	/** Whether someone made their account here and has chosen no password yet. */
	public static function lacks_password( int $user_id ): bool {
		return (bool) get_user_meta( $user_id, self::NO_PASSWORD, true );
	}

	/** Gives the current user, who stays signed in, the first password of their own. */
	public function choose_password( string $password ): void {
		wp_set_password( wp_slash( $password ), get_current_user_id() );
		$this->note_password( wp_get_current_user() );
		wp_set_auth_cookie( get_current_user_id(), true );
	}

	/** Notes that someone has a password now, also by the way of WordPress's own email. */
	public function note_password( WP_User $user ): void {
		delete_user_meta( $user->ID, self::NO_PASSWORD );
	}

	private function found_or_made( string $address, string $name, string $password ): ?WP_User {
		$found = get_user_by( 'email', $address );
		if ( $found ) {
			$is_new = strtotime( "$found->user_registered UTC" ) > time() - MINUTE_IN_SECONDS;
			return $is_new && ( $password === '' ? self::lacks_password( $found->ID ) : wp_check_password( wp_slash( $password ), $found->user_pass, $found->ID ) ) ? $found : null;
		}
		// WordPress takes slashed values, the password included: its own forms send it so.
		$made = wp_insert_user(
			wp_slash(
				array(
					'user_login'   => self::free_login( $name ),
					'user_pass'    => $password === '' ? wp_generate_password( 32 ) : $password,
					'user_email'   => $address,
					'display_name' => $name,
					'nickname'     => $name,
					'first_name'   => $name,
					'role'         => (string) get_option( 'default_role' ),
					'meta_input'   => $password === '' ? array( self::NO_PASSWORD => '1' ) : array(),
				)
			)
		);
		return is_wp_error( $made ) ? null : ( get_userdata( $made ) ?: null );
	}

	/** A user name that nobody has: WordPress makes public addresses of it, so it holds nothing of an email address. */
	private static function free_login( string $name ): string {
		$plain   = substr( (string) preg_replace( '/[^a-z0-9]/', '', strtolower( remove_accents( $name ) ) ), 0, 30 ) ?: self::NAMELESS;
		$login   = $plain;
		$illegal = array_map( 'strtolower', (array) apply_filters( 'illegal_user_logins', array() ) );
		while ( strlen( $login ) < 4 || username_exists( $login ) || in_array( $login, $illegal, true ) ) {
			$login = $plain . random_int( 1000, 999_999 );
		}
		return $login;
	}
}
