<?php

declare(strict_types=1);

namespace Trousseau\Page;

defined( 'ABSPATH' ) || exit;

use Trousseau\ApiClient;
use Trousseau\Form;
use Trousseau\Guest;
use Trousseau\Language;
use Trousseau\Mail;
use Trousseau\Message;
use Trousseau\Meta;
use Trousseau\Page;
use Trousseau\PageRouter;
use Trousseau\Registry;
use Trousseau\Template;
use Trousseau\Throttle;

/** Whom an owner invites, how each invitation fares, and the address to share. */
final class Guests extends Page {

	private const MAX_NOTE = 1000;
	private const MAX_NAME = 100;

	public function title(): string {
		return __( 'Your guests', 'trousseau' );
	}

	public function address(): string {
		return PageRouter::address( 'guests', $this->post->ID );
	}

	public function obstacle(): string {
		return $this->unless_owner();
	}

	public function form(): Form {
		return new Form( array( 'owner' => Registry::owner_name( $this->post ) ) );
	}

	public function html( Form $form ): string {
		return Template::html( 'owner', Mine::head( $this->post, 'guests' ) ) . Template::html(
			'guests',
			array(
				// The buttons of a guest send none of the fields.
				'form'      => $form->action === 'invite' ? $form : $this->form(),
				'address'   => $this->address(),
				'guests'    => $this->guests(),
				'permalink' => (string) get_permalink( $this->post ),
				'name'      => Registry::title( $this->post ),
				'is_public' => $this->post->post_status === 'publish',
			)
		);
	}

	public function handle( Form $form ): ?string {
		$guest = $form->text( 'guest' );
		switch ( $form->action ) {
			case 'invite':
				return $this->invite( $form );
			case 'again':
				if ( ! in_array( $guest, Meta::invitees( $this->post->ID ), true ) || ! $this->mail( $guest ) ) {
					$form->fault( '', __( 'That mail could not be sent: at most three a day to one guest.', 'trousseau' ) );
					return null;
				}
				/* translators: %s: guest */
				Message::keep( sprintf( __( 'The invitation is on its way to %s again.', 'trousseau' ), Language::isolate( $guest ) ) );
				return $this->address();
			case 'take-back':
				$left = ApiClient::of_site()->remove_invitee( $this->post->ID, $guest );
				if ( ! is_array( $left ) ) {
					$form->fault( '', $this->may_not_change_now( $left ) );
					return null;
				}
				Guest::forget( $this->post, $guest );
				/* translators: %s: guest */
				Message::keep( sprintf( __( '%s is no longer invited. Their link opens nothing any more.', 'trousseau' ), Language::isolate( $guest ) ) );
				return $this->address();
		}
		return null;
	}

	private function invite( Form $form ): ?string {
		$note = $form->needs( 'note', self::MAX_NOTE );
		$form->needs( 'owner', self::MAX_NAME );
		$owner = $form->text( 'owner' );
		// Who corrects the name need not invite anybody.
		$named  = isset( $form->typed()['owner'] ) && $owner !== Registry::owner_name( $this->post );
		$typed  = preg_split( '/[\s,;]*[\n,;]+[\s,;]*/u', $form->lines( 'guests' ), -1, PREG_SPLIT_NO_EMPTY );
		$guests = array();
		$wrong  = array();
		foreach ( $typed as $entry ) {
			$name = self::entry( trim( $entry ) );
			if ( $name === '' ) {
				$wrong[] = trim( $entry );
			} else {
				$guests[ mb_strtolower( $name ) ] = $name;
			}
		}
		if ( $wrong ) {
			/* translators: %s: what was typed */
			$form->fault( 'guests', sprintf( __( 'Nobody has this name or address: %s. Nobody was invited yet. Correct it and press again.', 'trousseau' ), Language::list( $wrong ) ) );
		} elseif ( ! $guests && ! $named ) {
			$form->fault( 'guests', __( 'Type at least one address or user name.', 'trousseau' ) );
		}
		if ( ! $form->is_sound() ) {
			return null;
		}
		$stored = $guests ? ApiClient::of_site()->add_invitees( $this->post->ID, array_values( $guests ) ) : array();
		if ( ! is_array( $stored ) ) {
			$form->fault( '', $this->may_not_change_now( $stored ) );
			return null;
		}
		if ( $named ) {
			Registry::name_owner( $this->post, $owner );
		}
		// The service has written the list through another request.
		wp_cache_delete( $this->post->ID, 'post_meta' );
		// Also who is on the list already, but has had no mail: the answer to the press before this one may have been lost.
		$new = array_filter( $guests, fn( string $guest ): bool => Guest::note( $this->post, $guest )['mail'] === '' );
		foreach ( $new as $guest ) {
			Guest::change( $this->post, $guest, array( 'note' => $note ) );
			$this->mail( $guest );
		}
		if ( ! $guests ) {
			Message::keep( __( 'Your changes are kept.', 'trousseau' ) );
			return $this->address();
		}
		/* translators: %s: number of guests */
		Message::keep( $new ? sprintf( _n( '%s guest is invited. The mail is on its way.', '%s guests are invited. Their mails are on their way.', count( $new ), 'trousseau' ), number_format_i18n( count( $new ) ) ) : __( 'They are invited already.', 'trousseau' ) );
		return $this->address();
	}

	/** As it is stored: an address, or the name of an account; nothing when it is neither. */
	private static function entry( string $typed ): string {
		// “Ann <ann@example.org>”, as address books write it.
		$typed = preg_match( '/<([^<>\s]+@[^<>\s]+)>$/', $typed, $found ) ? $found[1] : $typed;
		if ( str_contains( $typed, '@' ) ) {
			return is_email( $typed ) ? $typed : '';
		}
		$user = get_user_by( 'login', $typed );
		return $user ? $user->user_login : '';
	}

	private function mail( string $guest ): bool {
		$user    = str_contains( $guest, '@' ) ? null : get_user_by( 'login', $guest );
		$address = $user ? $user->user_email : $guest;
		if ( ! Throttle::allows( 'invite', $this->post->ID . ' ' . mb_strtolower( $guest ), 3, DAY_IN_SECONDS ) || ! Throttle::allows( 'invite', (string) get_current_user_id(), 500, DAY_IN_SECONDS ) ) {
			return false;
		}
		Guest::mailed( $this->post->ID, $guest, Guest::WAITING );
		Mail::send(
			$address,
			'invitation',
			array(
				'registry' => Registry::title( $this->post ),
				'owner'    => Registry::owner_name( $this->post ),
				'note'     => Guest::note( $this->post, $guest )['note'],
				'is_member' => (bool) $user,
				'link'     => $user ? (string) get_permalink( $this->post ) : Guest::link( $this->post, $guest ),
			),
			0,
			array(
				'registry' => $this->post->ID,
				'invitee'  => $guest,
			)
		);
		return true;
	}

	/** @return array<int, array<string, mixed>> */
	private function guests(): array {
		$giving = array();
		if ( ! Meta::is_surprise( $this->post->ID ) ) {
			$answer = ApiClient::of_site()->registry_claims( $this->post->ID );
			foreach ( is_array( $answer ) ? $answer['claims'] : array() as $claim ) {
				if ( in_array( $claim['state'], array( 'reserved', 'purchased' ), true ) ) {
					$giving[ mb_strtolower( (string) $claim['giver']['email'] ) ] = true;
				}
			}
		}
		$rows = array();
		foreach ( Meta::invitees( $this->post->ID ) as $guest ) {
			$note   = Guest::note( $this->post, $guest );
			$user   = str_contains( $guest, '@' ) ? null : get_user_by( 'login', $guest );
			$email  = mb_strtolower( $user ? $user->user_email : $guest );
			$rows[] = array(
				'name'  => $guest,
				'state' => isset( $giving[ $email ] ) ? __( 'gives something', 'trousseau' ) : self::state( $note ),
				'link'  => $user ? '' : Guest::link( $this->post, $guest ),
			);
		}
		return $rows;
	}

	private static function state( array $note ): string {
		if ( $note['opened'] ) {
			/* translators: %s: date */
			return sprintf( __( 'opened the list on %s', 'trousseau' ), Language::day( $note['opened'] ) );
		}
		return match ( $note['mail'] ) {
			Guest::SENT    => __( 'mail sent', 'trousseau' ),
			Guest::WAITING => __( 'mail is on its way', 'trousseau' ),
			Guest::FAILED  => __( 'the mail could not be delivered', 'trousseau' ),
			default        => __( 'invited', 'trousseau' ),
		};
	}
}
