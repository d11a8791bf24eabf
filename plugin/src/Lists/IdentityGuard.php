<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Network;
use WP_Error;
use WP_REST_Request;
use WP_REST_Users_Controller;

/**
 * Lists name guests and owners, so nobody may take a name or an address of someone else. WordPress confirms addresses by
 * email, except in two places that are closed here; a user name belongs to the first person who takes it.
 */
final class IdentityGuard {

	public function __construct( private readonly Meta $meta, private readonly Network $network ) {
	}

	/** Refuses a new user name that is someone else's e-mail address. */
	public static function refuse_foreign_name( WP_Error $errors, string $login, string $email ): WP_Error {
		if ( is_email( $login ) && strcasecmp( $login, $email ) !== 0 ) {
			$errors->add( 'trousseau_foreign_name', __( 'You can only use an email as your user name if it’s your own.', 'trousseau' ) );
		}
		return $errors;
	}

	/** Takes a user name that nobody had off the lists of guests and owners, on all of a network's sites, when a person takes it by any form. */
	public function drop_old_invitations( int $user_id ): void {
		$name = mb_strtolower( get_userdata( $user_id )->user_login ?? '' );
		if ( $name !== '' && ! str_contains( $name, '@' ) ) {
			$keys = array( Meta::INVITEES, Meta::OWNERS );
			$drop = function () use ( $name, $keys ): void {
				foreach ( $this->meta->naming( array( $name ), ...$keys ) as $id ) {
					array_map( fn( string $key ) => $this->meta->remove( $id, $key, array( $name ) ), $keys );
				}
			};
			$this->network->on_sites( Network::has_plugin(), $drop, fn( array $sites ): array => $this->meta->sites_naming( $sites, $name, $keys ) );
		}
	}

	/**
	 * Refuses to change one's own address by the REST API, which, unlike the profile page, doesn't confirm it by email. This also holds for
	 * people without a list: they could take the address of someone who is invited, or will be.
	 */
	public static function refuse_unconfirmed_address( mixed $response, array $handler, WP_REST_Request $request ): mixed {
		$users = is_array( $handler['callback'] ) && $handler['callback'][0] instanceof WP_REST_Users_Controller;
		if ( $response !== null || ! $users || $request->get_method() === 'GET' || ! isset( $request['email'] ) || current_user_can( 'edit_users' ) ) {
			return $response;
		}
		$user = get_userdata( (int) ( $request['id'] ?? get_current_user_id() ) );
		if ( ! $user || strcasecmp( $user->user_email, (string) $request['email'] ) === 0 ) {
			return $response;
		}
		return new WP_Error( 'trousseau_unconfirmed_address', __( 'Change your email on your profile page, where you can confirm it.', 'trousseau' ), array( 'status' => 403 ) );
	}
}
