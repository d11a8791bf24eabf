<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use WP_Error;
use WP_REST_Request;
use WP_REST_Users_Controller;

/** Keeps the plugin's own account as it is: nobody who has one of its passwords changes its profile or makes other passwords. */
final class ServiceAccountGuard {

	/** Forbids the account to change its own profile or passwords: with a leaked password someone could make another one unseen. */
	public static function keep_as_it_is( array $caps, string $cap, int $user_id, array $args ): array {
		// The REST API shows an account its own roles only with the right to edit it.
		$is_profile = $cap === 'edit_user' && ! ( defined( 'REST_REQUEST' ) && REST_REQUEST );
		// Other rights have other arguments.
		$is_kept = $is_profile || str_ends_with( $cap, '_app_password' ) || str_ends_with( $cap, '_app_passwords' );
		$is_own  = $is_kept && (int) ( $args[0] ?? 0 ) === $user_id;
		return $is_own && ServiceAccount::has_role( get_userdata( $user_id ) ) ? array( 'do_not_allow' ) : $caps;
	}

	/** Refuses such a change by the REST API. */
	public static function refuse_change( mixed $answer, array $handler, WP_REST_Request $request ): mixed {
		$is_users = is_array( $handler['callback'] ?? null ) && $handler['callback'][0] instanceof WP_REST_Users_Controller;
		return is_wp_error( $answer ) || ! $is_users || $request->get_method() === 'GET' || ! ServiceAccount::has_role( wp_get_current_user() ) ? $answer : new WP_Error(
			'rest_cannot_edit',
			__( 'Sorry, you are not allowed to do that.', 'trousseau' ),
			array( 'status' => 403 )
		);
	}

	/** Refuses to reset the password: the account has no address for the email. */
	public static function refuse_reset( mixed $allowed, int $user_id ): mixed {
		return ServiceAccount::has_role( get_userdata( $user_id ) ) ? false : $allowed;
	}
}
