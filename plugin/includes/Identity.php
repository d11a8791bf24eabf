<?php

declare(strict_types=1);

namespace Trousseau;

use WP_Error;
use WP_REST_Request;
use WP_REST_Users_Controller;

/**
 * Invitations name guests by e-mail address, so nobody may pass for an address that is not theirs. WordPress confirms
 * addresses by mail, with two exceptions that are closed here.
 */
final class Identity {

	/** Who registers may not take somebody's e-mail address for a user name. */
	public static function refuse_foreign_name( WP_Error $errors, string $login, string $email ): WP_Error {
		if ( is_email( $login ) && strcasecmp( $login, $email ) !== 0 ) {
			$errors->add( 'trousseau_foreign_name', __( 'An e-mail address can be your user name only if it is your own.', 'trousseau' ) );
		}
		return $errors;
	}

	/** The REST API changes one's own address without asking there; the profile page sends a mail first. */
	public static function refuse_unconfirmed_address( mixed $response, array $handler, WP_REST_Request $request ): mixed {
		$users = is_array( $handler['callback'] ) && $handler['callback'][0] instanceof WP_REST_Users_Controller;
		if ( $response !== null || ! $users || $request->get_method() === 'GET' || ! isset( $request['email'] ) || current_user_can( 'edit_users' ) ) {
			return $response;
		}
		$user = get_userdata( (int) ( $request['id'] ?? get_current_user_id() ) );
		if ( ! $user || strcasecmp( $user->user_email, (string) $request['email'] ) === 0 ) {
			return $response;
		}
		return new WP_Error( 'trousseau_unconfirmed_address', __( 'Change your e-mail address on your profile page, where it is confirmed.', 'trousseau' ), array( 'status' => 403 ) );
	}
}
