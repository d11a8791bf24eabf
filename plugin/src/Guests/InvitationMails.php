<?php

declare(strict_types=1);

namespace Trousseau\Guests;

use Trousseau\Lists\Access;
use Trousseau\Lists\Accounts;
use Trousseau\Lists\Meta;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Mail;
use Trousseau\Platform\RateLimiter;
use WP_Post;

/** Sends invitations. */
final class InvitationMails {

	/** The most invitations a day by one account, enough for a full list and some again; and the most of them to one address. */
	private const A_DAY        = 1200;
	private const A_DAY_TO_ONE = 5;

	/** The most a day by an account whose lists no guest has opened yet, or else strangers could have the site send their words to anyone. */
	private const A_DAY_AT_FIRST = 25;
	private const MOST_DAYS      = 60;

	public function __construct(
		private readonly Accounts $accounts,
		private readonly Invitations $invitations,
		private readonly Mail $mail,
		private readonly RateLimiter $rate_limiter,
	) {
	}

	/**
	 * @param string|null           $note  The owner's note in the emails; null: the last one.
	 * @param array<string, string> $names Guest → the name that was typed with the address.
	 * @return string[] The guests to whom an email is on its way.
	 */
	public function send( WP_Post $post, array $guests, ?string $note, array $names = array() ): array {
		$accounts = $this->accounts->with_user_names( $guests );
		$to       = Accounts::addresses( $guests, $accounts );
		$by       = (string) get_current_user_id();
		$count    = $this->rate_limiter->how_many( 'invite', $by, count( $to ), self::A_DAY, DAY_IN_SECONDS );
		$some     = array_map( 'strtolower', array_slice( $to, 0, $count, true ) );
		$some     = array_intersect_key( $to, $this->rate_limiter->those_allowed( 'invite-one', array_map( static fn( string $address ): string => "$by $address", $some ), self::A_DAY_TO_ONE, DAY_IN_SECONDS ) );
		// Guests who have already opened an invitation to this list know who is writing.
		$known = array_filter( $some, static fn( $guest ): bool => Invitations::known( $post, (string) $guest )['opened'] > 0, ARRAY_FILTER_USE_KEY );
		$sent  = $this->mail->may_go( $known, 'invitation', 'known' ) + $this->mail->may_go( array_diff_key( $some, $known ), 'invitation' );
		$times = $this->times( $post, array_keys( $sent ) );
		$sent  = array_intersect_key( $sent, $times );
		foreach ( $times as $guest => $time ) {
			$before = Invitations::known( $post, (string) $guest );
			// It replaces the email that is waiting, so it must not come later.
			$times[ $guest ] = $before['mail'] === Invitations::WAITING ? min( $time, $before['at'] ) : $time;
		}
		$last = bin2hex( random_bytes( 8 ) );
		$new  = array();
		foreach ( array_keys( $to ) as $guest ) {
			if ( ! isset( $sent[ $guest ] ) && Invitations::known( $post, (string) $guest )['mail'] !== '' ) {
				// An earlier email was sent, or is on its way.
				continue;
			}
			$state         = array( 'mail' => isset( $sent[ $guest ] ) ? Invitations::WAITING : Invitations::FAILED, 'at' => $times[ $guest ] ?? 0 ?: time(), 'sending' => $last );
			$new[ $guest ] = array_filter( array( 'note' => $note, 'name' => $names[ $guest ] ?? null ), 'is_string' ) + $state;
		}
		$this->invitations->change( $post, $new );
		$notes = $this->invitations->notes_of( $post, array_map( 'strval', array_keys( $sent ) ) );
		$same  = array(
			'registry' => Registries::title( $post ),
			'owner'    => Registries::owner_name( $post ),
			'cover'    => (string) get_the_post_thumbnail_url( $post, 'medium_large' ),
		);
		$mails = array();
		foreach ( $sent as $guest => $address ) {
			$guest     = (string) $guest;
			$is_member = isset( $accounts[ Meta::invitee_key( $guest ) ] );
			$mails[]   = array(
				'to'       => $address,
				'template' => 'invitation',
				'values'   => $same + array(
					'note'      => $notes[ $guest ]['note'],
					'is_member' => $is_member,
					'link'      => $is_member ? (string) get_permalink( $post ) : $this->invitations->link( $post, $guest ),
				),
				'only'     => array( 'registry' => $post->ID, 'invitee' => $guest, 'sending' => $last ),
				'at'       => $times[ $guest ],
			);
		}
		if ( $mails && ! $this->mail->queue( $mails, $post->ID ) ) {
			$this->invitations->mailed( $post->ID, array_fill_keys( array_keys( $sent ), Invitations::FAILED ) );
			return array();
		}
		return array_map( 'strval', array_keys( $sent ) );
	}

	/** @return array<int|string, int> Guest → the time of the email, 0 for now: a new account's invitations are spread over days. */
	private function times( WP_Post $post, array $guests ): array {
		if ( Access::looks_after_all() || $this->invitations->have_been_opened( (int) $post->post_author ) ) {
			return array_fill_keys( $guests, 0 );
		}
		$times = array();
		for ( $day = 0; $guests && $day < self::MOST_DAYS; ++$day ) {
			$count  = $this->rate_limiter->how_many( 'invite-first', (string) $post->post_author, count( $guests ), self::A_DAY_AT_FIRST, DAY_IN_SECONDS, $day );
			$times += array_fill_keys( array_splice( $guests, 0, $count ), $day ? ( intdiv( time(), DAY_IN_SECONDS ) + $day ) * DAY_IN_SECONDS : 0 );
		}
		return $times;
	}
}
