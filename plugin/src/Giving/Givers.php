<?php

declare(strict_types=1);

namespace Trousseau\Giving;

use Trousseau\Gifts\BoughtForAll;
use Trousseau\Gifts\GotElsewhere;
use Trousseau\Guests\Guest;
use Trousseau\Guests\Invitations;
use Trousseau\Lists\Access;
use Trousseau\Lists\Accounts;
use Trousseau\Lists\Closing;
use Trousseau\Lists\ListLink;
use Trousseau\Lists\Meta;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\Cookie;
use Trousseau\Platform\Form;
use Trousseau\Platform\Settings;
use Trousseau\Service\Claim;
use WP_Post;

/** Who may give from a registry, which givers it is still open to, and who this visitor is: known by their account, invitation or device. */
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
		$name    = mb_substr( $this->cookie->read( self::COOKIE ), 0, Accounts::LONGEST_NAME ) ?: Invitations::known( $post, $invitee )['name'];
		return is_email( $invitee ) ? new Giver( 0, $name, $invitee, true ) : new Giver( 0, $name, '', false );
	}

	/** The giver completed from a form, whose fields count only where the site knows nothing better. */
	public function of_form( WP_Post $post, Form $form ): Giver {
		$known = $this->of_visitor( $post );
		return $known->user_id ? $known : new Giver( 0, mb_substr( $form->text( 'giver' ), 0, Accounts::LONGEST_NAME ), $known->is_known ? $known->email : $form->text( 'email' ), $known->is_known );
	}

	public function remember( Giver $giver ): void {
		if ( ! $giver->user_id ) {
			$this->cookie->set( self::COOKIE, $giver->name, YEAR_IN_SECONDS );
		}
	}

	/**
	 * Allows signed-in readers and invited guests, except an owner who is to be surprised; other visitors of public registries where
	 * the site allows it, who confirm by email. A list that is closed takes nothing more.
	 */
	public function is_allowed( WP_Post $post ): bool {
		return Access::can_read( $post ) && ! Closing::is_over( $post ) && ! Surprise::is_for_viewer( $post )
			&& ( is_user_logged_in() || $this->guest->of( $post ) !== '' || Settings::is_on( Settings::ANONYMOUS_GIVING ) );
	}

	/** Why a gift can't be given by anyone, in words; empty if it can. */
	public static function obstacle( WP_Post $post, int $item_id ): string {
		return match ( true ) {
			Closing::is_over( $post )                       => __( 'This list is closed, so you can’t give anything from it any more.', 'trousseau' ),
			GotElsewhere::has( $post->ID, $item_id )        => __( 'They already have this. Choose something else?', 'trousseau' ),
			BoughtForAll::takes_no_more( $post, $item_id ) => __( 'A guest has bought it for everyone. Choose something else?', 'trousseau' ),
			default                                         => '',
		};
	}

	/** Whether a giver may still see the list. */
	public static function is_let_in( WP_Post $post, Claim $claim ): bool {
		return $post->post_status === 'publish' || ListLink::is_on( $post ) || self::is_invited( $post, $claim );
	}

	public static function is_invited( WP_Post $post, Claim $claim ): bool {
		return Meta::invitee( $post->ID, $claim->email ) !== '' || ( $claim->user_id && Access::belongs_to( $post, $claim->user_id ) );
	}
}
