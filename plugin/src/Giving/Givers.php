<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Guests\Guest;
use Trousseau\Guests\Invitations;
use Trousseau\Lists\Accounts;
use Trousseau\Platform\Cookie;
use WP_Post;

/** Recognises a giver by the account, the invitation or the device. */
final class Givers {

	private const COOKIE = 'giver';

	public function __construct( private readonly Cookie $cookie, private readonly Guest $guest ) {
	}

	/** The giver whom the site knows, before anything is typed. */
	public function of_visitor( WP_Post $post ): Giver {
		if ( is_user_logged_in() ) {
			$user = wp_get_current_user();
			return new Giver( $user->ID, Accounts::display_name( $user ), $user->user_email, true );
		}
		$invitee = $this->guest->of( $post );
		$name    = mb_substr( $this->cookie->read( self::COOKIE ), 0, Accounts::LONGEST_NAME ) ?: Invitations::name_of( $post, $invitee );
		return is_email( $invitee ) ? new Giver( 0, $name, $invitee, true ) : new Giver( 0, $name, '', false );
	}

	public function remember( Giver $giver ): void {
		if ( ! $giver->user_id ) {
			$this->cookie->set( self::COOKIE, $giver->name, YEAR_IN_SECONDS );
		}
	}
}
