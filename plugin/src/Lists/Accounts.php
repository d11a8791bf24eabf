<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use WP_User;

/** What registries need to know of the site's accounts. */
final class Accounts {

	/** The most characters of a person's name that the service accepts. */
	public const LONGEST_NAME = 100;

	/** The name of an account's owner as plain text: WordPress keeps it with entities. */
	public static function display_name( WP_User $user ): string {
		return mb_substr( html_entity_decode( $user->display_name, ENT_QUOTES | ENT_HTML5, 'UTF-8' ), 0, self::LONGEST_NAME );
	}

	/** The name that the person behind an account goes by; empty where they have only a user name or an address. */
	public static function own_name( WP_User $user ): string {
		$name = self::display_name( $user );
		return is_email( $name ) || ( $name === $user->user_login && $user->first_name === '' ) ? '' : $name;
	}

	/** The name by which an account's fellow owners know it: the address where this site had to make a user name up. */
	public static function name_among_owners( WP_User $user ): string {
		$is_made_up = preg_match( '/^' . OwnAccount::NAMELESS . '\d*$/', $user->user_login ) && self::own_name( $user ) === '';
		return $is_made_up ? $user->user_email : self::display_name( $user );
	}

	/** Stores a person's name in their account if it has none. */
	public static function take_name( WP_User $user, string $name ): void {
		if ( $name !== '' && self::own_name( $user ) === '' ) {
			wp_update_user( wp_slash( array( 'ID' => $user->ID, 'first_name' => $name, 'nickname' => $name, 'display_name' => $name ) ) );
		}
	}

	/** @return string[] The names by which a user is invited. An address never counts as a user name, nor a user name as an address. */
	public static function invited_as( WP_User $user ): array {
		$login   = str_contains( $user->user_login, '@' ) ? '' : $user->user_login;
		$address = str_contains( $user->user_email, '@' ) ? $user->user_email : '';
		return array_values( array_filter( array( $login, $address ), static fn( string $name ): bool => $name !== '' ) );
	}

	/** @return array<int|string, string> The email addresses of guests by their entries: that of the account with a user name, as `with_user_names` finds it, or else the entry itself. */
	public static function addresses( array $guests, array $accounts ): array {
		return array_combine( $guests, array_map( static fn( string $guest ): string => $accounts[ Meta::invitee_key( $guest ) ]->user_email ?? $guest, $guests ) );
	}

	/** @return array<string, object> The accounts with these user names, by the keys of invitations. The database ignores accents, an invitation doesn't. */
	public function with_user_names( array $names ): array {
		// A user name has at most 60 characters.
		$names = array_filter( $names, static fn( string $name ): bool => mb_strlen( $name ) <= 60 && ! str_contains( $name, '@' ) );
		$found = $names ? get_users( array( 'blog_id' => 0, 'login__in' => array_unique( $names ), 'fields' => array( 'ID', 'user_login', 'user_email' ) ) ) : array();
		return array_combine( array_map( static fn( object $user ): string => Meta::invitee_key( $user->user_login ), $found ), $found );
	}
}
