<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Settings;
use WP_User;

/** Which accounts may create lists: those with a role chosen in the settings, and everyone who manages all lists. */
final class ListMakers {

	/** Stored for every role, also those that the site gets later. */
	private const EVERY_ROLE = '*';

	public static function includes( WP_User $user ): bool {
		return get_option( Settings::LIST_ROLES, self::EVERY_ROLE ) === self::EVERY_ROLE
			|| $user->has_cap( 'edit_others_registries' )
			|| array_filter( $user->roles, array( self::class, 'includes_role' ) );
	}

	public static function includes_role( string $role ): bool {
		$stored = (string) get_option( Settings::LIST_ROLES, self::EVERY_ROLE );
		return $stored === self::EVERY_ROLE || in_array( $role, explode( ',', $stored ), true );
	}

	/** @return array<string, string> The roles among which the settings choose, with their names. Administrators look after all lists. */
	public static function choices(): array {
		$roles = array_filter( wp_roles()->role_objects, static fn( object $role ): bool => $role->has_cap( 'read' ) && ! $role->has_cap( 'manage_options' ) && ! $role->has_cap( 'edit_others_registries' ) );
		return array_map( 'translate_user_role', array_intersect_key( wp_roles()->get_names(), $roles ) );
	}

	/** The value to store for the ticked boxes of a form; a form without them changes nothing. */
	public static function clean( mixed $ticked ): string {
		if ( ! is_array( $ticked ) ) {
			return is_string( $ticked ) ? $ticked : (string) get_option( Settings::LIST_ROLES, self::EVERY_ROLE );
		}
		$roles  = array_map( 'strval', array_keys( self::choices() ) );
		$chosen = array_filter( $roles, static fn( string $role ): bool => in_array( $role, $ticked, true ) );
		return $chosen === $roles ? self::EVERY_ROLE : implode( ',', $chosen );
	}
}
