<?php

declare(strict_types=1);

namespace Trousseau\Giving;

use Trousseau\Guests\Guest;
use Trousseau\Lists\Access;
use Trousseau\Lists\Meta;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\Form;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Lock;
use Trousseau\Platform\Mail;
use Trousseau\Platform\RateLimiter;
use Trousseau\Platform\Request;
use Trousseau\Service\Claim;
use WP_Post;

/**
 * All limits for giving from a public registry without an invitation, in their order. People with an account mark some gifts at once,
 * confirm more by email, and have to be invited beyond that; all others confirm by email.
 */
final class UninvitedLimits {

	private const AT_ONCE = 'at once';
	private const BY_MAIL = 'by mail';
	private const REFUSED = 'refused';

	/** Visitors who confirm by email are counted by their network: one person may have any number of addresses. */
	private const UNKNOWN = 'without an account';

	/**
	 * Gifts and pieces: of one account at one registry, and its gifts at all registries in a week; of all accounts at one registry in a day;
	 * of a network's visitors without an account in a day.
	 */
	private const LIMITS = array(
		self::AT_ONCE => array( 'gifts' => 4, 'pieces' => 12, 'everywhere' => 10, 'of_all' => 15 ),
		self::BY_MAIL => array( 'gifts' => 10, 'pieces' => 30, 'everywhere' => 25, 'of_all' => 60 ),
		self::UNKNOWN => array( 'gifts' => 20, 'pieces' => 60, 'everywhere' => 60 ),
	);

	/** The most people who give from one address in a day before the site's administrator is told. */
	public const PEOPLE = 15;

	private const SHARED = 'shared_address';

	public function __construct(
		private readonly Guest $guest,
		private readonly KeptValues $kept_values,
		private readonly Lock $lock,
		private readonly Mail $mail,
		private readonly RateLimiter $rate_limiter,
		private readonly Request $request,
		private readonly UninvitedGifts $uninvited_gifts,
	) {
	}

	/** Whether the visitor has an account, but no invitation to this registry. */
	public function is_uninvited( WP_Post $post ): bool {
		return is_user_logged_in() && ! Access::belongs_to( $post, get_current_user_id() ) && $this->guest->of( $post ) === '';
	}

	/**
	 * The giver of so many pieces, who may have to confirm by email. Null where a limit is reached, which the form says. A form that is sent
	 * again is counted once and has the same answer.
	 */
	public function admitted( Form $form, WP_Post $post, int $item_id, Giver $giver, int $pieces, string $key ): ?Giver {
		if ( ! $giver->is_known && $form->is_by_a_machine( $this->lock ) ) {
			$form->fault( '', __( 'Something went wrong. Please try again.', 'trousseau' ) );
			return null;
		}
		// A form that is sent again because the service failed or refused it isn't counted twice.
		$form_id  = strtolower( $giver->email ) . " $key";
		$is_again = $this->rate_limiter->so_far( 'admitted', $form_id, DAY_IN_SECONDS ) > 0
			&& $this->rate_limiter->allows( 'again', $form_id, 20, HOUR_IN_SECONDS );
		if ( ! $giver->is_known && ! $is_again && ! $this->allows_another( $post, $giver ) ) {
			$form->fault( '', __( 'A lot of gifts were chosen in a short time. Please come back in an hour, or log in.', 'trousseau' ) );
			return null;
		}
		$way = match ( true ) {
			! $giver->is_known        => $this->rate_limiter->once( 'unknown', "$post->ID $pieces $key", DAY_IN_SECONDS, fn(): string => $this->allows( self::UNKNOWN, $this->request->visitor(), $post->ID, 1, $pieces ) ? self::BY_MAIL : self::REFUSED ),
			$this->is_uninvited( $post ) => $this->rate_limiter->once( 'uninvited', "$giver->user_id $post->ID $item_id $pieces $key", DAY_IN_SECONDS, fn(): string => $this->counted( $giver->user_id, $post->ID, 1, $pieces ) ),
			default                   => self::AT_ONCE,
		};
		if ( $way === self::REFUSED || ( $way === self::BY_MAIL && ! is_email( $giver->email ) ) ) {
			$form->fault( '', self::refusal() );
			return null;
		}
		$is_new = $way === self::BY_MAIL && ! $is_again;
		if ( $is_new && ! $this->mail->may_go( array( $giver->email ), 'claim-confirm' ) ) {
			$form->fault( '', __( 'We can’t send an email to this address today, so nothing is reserved. Use another email, log in, or try again tomorrow.', 'trousseau' ) );
			return null;
		}
		$is_new && $this->rate_limiter->allows( 'admitted', $form_id, 1, DAY_IN_SECONDS );
		return $way === self::BY_MAIL ? new Giver( $giver->user_id, $giver->name, $giver->email, is_known: false ) : $giver;
	}

	/** Whether a visitor without an account or invitation may give in this hour; counts it. */
	private function allows_another( WP_Post $post, Giver $giver ): bool {
		$from   = $this->request->visitor();
		$email  = strtolower( $giver->email );
		$limits = array(
			'give'           => array( $from, 20 ),
			'give-mail-from' => array( "$email $from", 5 ),
			'give-mail'      => array( $email, 10 ),
			'give-at'        => array( (string) $post->ID, 60 ),
		);
		foreach ( $limits as $what => list( $who, $most ) ) {
			if ( ! $this->rate_limiter->allows( $what, $who, $most, HOUR_IN_SECONDS ) ) {
				return false;
			}
		}
		$this->note_address( $post, $giver );
		return true;
	}

	/**
	 * Notices that many people without an account give from one address: a proxy may hide theirs, and all of them share one limit. A list that is
	 * to surprise an administrator is left out: the finding would tell that something was given.
	 */
	private function note_address( WP_Post $post, Giver $giver ): void {
		$from   = $this->request->visitor();
		$is_new = ! Surprise::is_for_keeper( $post ) && $this->rate_limiter->allows( 'person-at', "$from " . strtolower( $giver->email ), 1, DAY_IN_SECONDS );
		if ( $is_new && ! $this->rate_limiter->allows( 'people-at', $from, self::PEOPLE, DAY_IN_SECONDS ) ) {
			$this->kept_values->set( self::SHARED, 1, WEEK_IN_SECONDS );
		}
	}

	/** Whether that happened in the last week. */
	public function share_an_address(): bool {
		return $this->kept_values->get( self::SHARED ) !== null;
	}

	/** Whether a gift may become larger. Gifts of invited people always may. */
	public function may_add( Claim $claim, int $pieces ): bool {
		$user = $claim->user_id;
		$post = get_post( $claim->registry_id );
		// The owners may have taken the invitation back, or made the list private.
		if ( ! $post || ! Givers::is_let_in( $post, $claim ) ) {
			return false;
		}
		if ( ! $user ) {
			$is_guest = Meta::invitee( $claim->registry_id, $claim->email ) !== '';
			return $is_guest || $this->allows( self::UNKNOWN, $this->request->visitor(), $claim->registry_id, 0, $pieces );
		}
		return ! $this->uninvited_gifts->has( $user, $claim->id )
			|| $this->counted( $user, $claim->registry_id, 0, $pieces ) === self::AT_ONCE;
	}

	/** Whether the visitor's next gift will probably have to be confirmed: others may give before they press. */
	public function is_to_confirm( WP_Post $post ): bool {
		return $this->is_uninvited( $post ) && ! $this->is_within( self::AT_ONCE, self::counters( self::AT_ONCE, (string) get_current_user_id(), $post->ID, 1, 1 ) );
	}

	public static function refusal(): string {
		return __( 'You’ve chosen a lot from this list, so this one wasn’t reserved. Ask the owners to invite you. Then you can give as much as you like.', 'trousseau' );
	}

	/** Counts an account's gift, or added pieces of one, and returns the way in which they may be given. */
	private function counted( int $user, int $registry, int $gifts, int $pieces ): string {
		return match ( true ) {
			! $this->allows( self::BY_MAIL, (string) $user, $registry, $gifts, $pieces ) => self::REFUSED,
			! $this->allows( self::AT_ONCE, (string) $user, $registry, $gifts, $pieces ) => self::BY_MAIL,
			default => self::AT_ONCE,
		};
	}

	/** Whether one more gift, or so many added pieces of one, is within the limits of a way; counts it. What one limit refuses uses up no other. */
	private function allows( string $way, string $who, int $registry, int $gifts, int $pieces ): bool {
		$counters = self::counters( $way, $who, $registry, $gifts, $pieces );
		if ( ! $this->is_within( $way, $counters ) ) {
			return false;
		}
		foreach ( $counters as $what => list( $name, $most, $seconds, $by ) ) {
			if ( ! $this->rate_limiter->allows( "$way $what", $name, $most, $seconds, $by ) ) {
				return false;
			}
		}
		return true;
	}

	private function is_within( string $way, array $counters ): bool {
		foreach ( $counters as $what => list( $name, $most, $seconds, $by ) ) {
			if ( $this->rate_limiter->so_far( "$way $what", $name, $seconds ) + $by > $most ) {
				return false;
			}
		}
		return true;
	}

	/**
	 * The limits that more gifts, or added pieces of one, come up against.
	 *
	 * @return array<string, array{0: string, 1: int, 2: int, 3: int}> Limit → the name under which it is counted, the most, the seconds of its span, and how many more.
	 */
	private static function counters( string $way, string $who, int $registry, int $gifts, int $pieces ): array {
		$most     = self::limits( $way );
		$span     = $way === self::UNKNOWN ? DAY_IN_SECONDS : WEEK_IN_SECONDS;
		$counters = array(
			'pieces'     => array( "$who $registry", $most['pieces'], $span, $pieces ),
			'gifts'      => array( "$who $registry", $most['gifts'], $span, $gifts ),
			'everywhere' => array( $who, $most['everywhere'], $span, $gifts ),
			'of_all'     => array( (string) $registry, $most['of_all'] ?? 0, DAY_IN_SECONDS, $gifts ),
		);
		return array_filter( array_intersect_key( $counters, self::LIMITS[ $way ] ), static fn( array $counter ): bool => $counter[3] > 0 );
	}

	/** @return array<string, int> By default those beyond which the site's administrator is told of an account. */
	public static function limits( string $way = self::AT_ONCE ): array {
		/** Filters the limits for people whom nobody invited: “at once”, “by email” with a confirmation, or “without an account”. */
		return array_map( 'intval', (array) apply_filters( 'trousseau_uninvited_limits', self::LIMITS[ $way ], $way ) + self::LIMITS[ $way ] );
	}
}
