<?php

declare(strict_types=1);

namespace Trousseau\Guests;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Access;
use Trousseau\Lists\Page;
use Trousseau\Lists\Registries;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Mail;
use Trousseau\Platform\SignedToken;
use Trousseau\Platform\Template;

/**
 * The page to which the link in an invitation leads: its button makes this device the guest's. A browser with scripts presses it
 * by itself; programs that only look at links open nothing.
 */
final class InvitationPage extends Page {

	public const TOKEN = 'for';

	public function __construct( private readonly Guest $guest, private readonly Invitations $invitations, private readonly Mail $mail ) {
	}

	public function title(): string {
		return $this->guest() ? __( 'You’re invited', 'trousseau' ) : __( 'This link doesn’t work', 'trousseau' );
	}

	public function obstacle(): string {
		return $this->guest() ? '' : FlashMessage::note( __( 'This invitation has expired, or its link isn’t complete. Have it resent, or ask the people who invited you.', 'trousseau' ), 'is-problem' ) . self::lost_invitation( new Form() );
	}

	public function html( Form $form ): string {
		list( $post, $invitee ) = $this->guest();
		return Template::html(
			'invitation',
			array(
				'registry' => Registries::title( $post ),
				'owner'    => Registries::owner_name( $post ),
				'picture'  => (string) get_the_post_thumbnail_url( $post, 'large' ),
				'guest'    => $invitee,
				'address'  => $this->address(),
				'account'  => self::is_shut_out( $post ) ? wp_get_current_user()->display_name : '',
				'at_once'  => $form->action === '' && ( is_user_logged_in() ? $this->guest->listed_as( $post ) === $invitee : in_array( $this->guest->of( $post ), array( '', $invitee ), true ) ),
			)
		);
	}

	public function handle( Form $form ): ?string {
		list( $post, $invitee ) = $this->guest();
		$is_shut_out            = self::is_shut_out( $post );
		// An owner or administrator who tries a guest's link isn't that guest.
		if ( current_user_can( 'edit_post', $post->ID ) && $this->guest->listed_as( $post ) !== $invitee ) {
			return (string) get_permalink( $post );
		}
		// Someone who logged in after opening this page is asked before being logged out.
		if ( $is_shut_out && $form->action !== 'switch' ) {
			return null;
		}
		$this->guest->remember( "$post->ID " . $this->invitations->note( $post, $invitee )['id'] );
		$this->invitations->change( $post, array( $invitee => array( 'opened' => time() ) ) );
		$is_shut_out && wp_logout();
		// Other invitations may have waited for a first guest to open the list.
		$this->mail->hasten( $post->ID );
		return (string) get_permalink( $post );
	}

	/** Whether the visitor's account keeps a private list closed for them: an invitation opens it while nobody is logged in. */
	private static function is_shut_out( \WP_Post $post ): bool {
		return is_user_logged_in() && $post->post_status === 'private' && ! Access::can_read( $post );
	}

	/** @return array{0: \WP_Post, 1: string}|null */
	private function guest(): ?array {
		return Invitations::behind( SignedToken::read( 'invitation', $this->token() ) );
	}
}
