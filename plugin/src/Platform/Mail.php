<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** Queues emails. Each is written when something happens, waits encrypted in the queue, and is sent in the background by `MailDelivery`. */
final class Mail {

	public const JOB = 'mail';

	/** The letters of their keys that name whose turn it is: an email that someone has asked for comes first, then lists and people take turns. */
	public const TURN = 10;

	/** Kept values: the time of the last email, and the addresses that want none. */
	private const SENT_AT = 'mails_sent_at';
	private const REFUSED = 'no_mail_';

	/** The emails that an address gets once, and the time for which the site remembers that it was sent. */
	private const ONCE     = 'mailed_';
	private const ONCE_FOR = 2 * YEAR_IN_SECONDS;

	/**
	 * Emails a day to one address, by cause; planned emails don't count. `own`: about the person's own gifts. `asked`: someone
	 * typed the address, the person or a stranger. `known`: about lists that they own, have opened or give from. `stranger`:
	 * other invitations. Each cause has its own number, so that strangers can't use up the others.
	 */
	private const A_DAY = array(
		'own'      => 60,
		'asked'    => 30,
		'known'    => 30,
		'stranger' => 20,
	);

	/** The most of `asked` from one network, so that a stranger leaves the rest to the person. */
	private const ASKED_FROM_ONE = 10;

	private const CAUSES = array(
		'claim-confirm'   => 'asked',
		'my-gifts'        => 'asked',
		'invitations'     => 'asked',
		'finish-list'     => 'asked',
		'claim-reserved'  => 'own',
		'claim-purchased' => 'own',
		'claim-released'  => 'own',
		'claim-got'       => 'own',
		'thank-you'       => 'own',
		'invitation'      => 'stranger',
		'owner'           => 'stranger',
		'offer'           => 'stranger',
		'approval'        => 'stranger',
	);

	public function __construct(
		private readonly JobQueue $job_queue,
		private readonly KeptValues $kept_values,
		private readonly RateLimiter $rate_limiter,
		private readonly Request $request,
	) {
	}

	/**
	 * @param array<string, mixed>  $values The template's variables.
	 * @param int                   $at     The time when it is due; 0: now.
	 * @param array<string, mixed>  $only   `claim`, `state` and `expires`: only while that gift hasn't changed, `removed_at` and `got_elsewhere`: only
	 *                                      while it is off its list, or its owners have it, since that time; `share`: registry and item of a share,
	 *                                      whose email says how things stand when it is sent; `gone`: a registry, only while it is
	 *                                      deleted; `released`: a cancelled gift, only while nobody has pressed “Undo”; `registry` and
	 *                                      `invitee`: the invitation that it is; `invited`: only if its reader is invited to a list.
	 * @param int                   $list   The registry whose people it is for; 0: it is for its reader alone.
	 * @return bool Whether it is on its way: false where the reader wants no emails, or has had the most of a day.
	 */
	public function send( string $to, string $template, array $values, int $at = 0, array $only = array(), int $list = 0 ): bool {
		$may = $at ? $this->is_wanted( $to, $template ) : (bool) $this->may_go( array( $to ), $template );
		return $may && $this->queue( array( compact( 'to', 'template', 'values', 'only', 'at' ) ), $list );
	}

	/**
	 * Counts an email to each address, and returns the addresses to which it may go now.
	 *
	 * @param string $cause The cause, where it isn't the template's own.
	 * @return string[] With the same keys.
	 */
	public function may_go( array $addresses, string $template, string $cause = '' ): array {
		$this->kept_values->read_ahead( array_map( array( self::class, 'refusal' ), array_values( $addresses ) ) );
		$cause  = $cause ?: self::CAUSES[ $template ] ?? 'known';
		$wanted = array_map( 'strtolower', array_filter( $addresses, fn( string $to ): bool => $this->is_wanted( $to, $template ) ) );
		if ( $cause === 'asked' ) {
			$from   = array_map( fn( string $to ): string => "$to " . $this->request->visitor(), $wanted );
			$wanted = array_intersect_key( $wanted, $this->rate_limiter->those_allowed( 'mail-from', $from, self::ASKED_FROM_ONE, DAY_IN_SECONDS ) );
		}
		return array_intersect_key( $addresses, $this->rate_limiter->those_allowed( "mail-$cause", $wanted, self::A_DAY[ $cause ], DAY_IN_SECONDS ) );
	}

	/**
	 * Stores emails that may go, many by one statement. Returns whether all of them are stored.
	 *
	 * @param array<string, mixed>[] $mails `to`, `template`, `values`, and where they are wanted `only` and `at`.
	 * @param int                    $list  As for `send`.
	 */
	public function queue( array $mails, int $list = 0 ): bool {
		$locales = $this->languages_of( array_column( $mails, 'to' ) );
		$jobs    = array();
		foreach ( array_values( $mails ) as $place => $mail ) {
			$jobs[] = array( array( 'locale' => $locales[ $place ] ) + $mail + array( 'only' => array() ), $mail['at'] ?? 0, self::turn( $mail, $list ) );
		}
		return $this->job_queue->add_many( self::JOB, $jobs );
	}

	/** The languages in which people read their emails, with the same keys: that of their account, or else the site's. */
	private function languages_of( array $addresses ): array {
		$wpdb = $GLOBALS['wpdb'];
		$ids  = array();
		foreach ( array_chunk( $addresses, 1000 ) as $some ) {
			$places = implode( ', ', array_fill( 0, count( $some ), '%s' ) );
			$ids   += array_column( $wpdb->get_results( $wpdb->prepare( "SELECT ID, LOWER( user_email ) AS email FROM $wpdb->users WHERE user_email IN ( $places )", $some ) ), 'ID', 'email' );
		}
		cache_users( array_values( $ids ) );
		return array_map( static fn( string $address ): string => isset( $ids[ strtolower( $address ) ] ) ? get_user_locale( (int) $ids[ strtolower( $address ) ] ) : get_locale(), $addresses );
	}

	/** Sends the emails planned for a registry's people at once. */
	public function hasten( int $list ): void {
		$this->job_queue->hasten( self::JOB, self::turn_of( $list ) );
	}

	private static function turn_of( int $list ): string {
		return sprintf( '%0' . self::TURN . 'd', $list );
	}

	private static function turn( array $mail, int $list ): string {
		return match ( true ) {
			( self::CAUSES[ $mail['template'] ] ?? '' ) === 'asked' => str_repeat( JobQueue::FIRST, self::TURN ),
			$list > 0 => self::turn_of( $list ),
			default   => substr( 'p' . Encryption::hex( 'turn', strtolower( $mail['to'] ) ), 0, self::TURN ),
		};
	}

	/**
	 * Stores an email that an address gets once for an occasion: it is one job as long as it waits, and remembered once it is sent.
	 *
	 * @param array<string, mixed> $only As for `send`; `shares`: registry and gift, only while the email is still true of them.
	 */
	public function send_once( string $to, string $template, string $about, array $only ): void {
		$only += array( 'once' => self::once( $to ) . $about );
		if ( $this->is_wanted( $to, $template ) && ! $this->was_sent( $only['once'] ) ) {
			$values = array();
			$locale = $this->languages_of( array( $to ) )[0];
			$this->job_queue->add_once( self::JOB, compact( 'to', 'template', 'values', 'only', 'locale' ), time(), $only['once'] );
		}
	}

	public function was_sent( string $once ): bool {
		return $this->kept_values->get( $once, true ) !== null;
	}

	public function note_sent_once( string $once ): void {
		$this->kept_values->set( $once, 1, self::ONCE_FOR );
	}

	private static function once( string $address ): string {
		return self::ONCE . Encryption::hex( 'mailed', strtolower( $address ) ) . '_';
	}

	/** Records that an address has unsubscribed. */
	public function refuse( string $address ): void {
		$this->kept_values->add( self::refusal( $address ), 1 );
	}

	/** Takes that back. */
	public function allow( string $address ): void {
		$this->kept_values->delete( self::refusal( $address ) );
	}

	public function is_refused( string $address ): bool {
		return $this->kept_values->get( self::refusal( $address ) ) !== null;
	}

	/** The name of the mark that an address wants no emails. */
	private static function refusal( string $address ): string {
		return self::REFUSED . Encryption::hex( 'no mail', strtolower( $address ) );
	}

	/** The time at which an email was sent last; 0: never. */
	public function sent_at(): int {
		return (int) $this->kept_values->get( self::SENT_AT );
	}

	public function note_sent(): void {
		$this->kept_values->set( self::SENT_AT, time() );
	}

	/** Deletes the emails that wait for an address and the marks of those that were sent, and returns how many were waiting. */
	public function forget( string $address ): int {
		foreach ( $this->kept_values->all( self::once( $address ) ) as $name => $mark ) {
			$this->kept_values->delete( $name );
		}
		$count = 0;
		foreach ( $this->job_queue->payloads( self::JOB ) as $id => $mail ) {
			$count += is_array( $mail ) && strcasecmp( $mail['to'], $address ) === 0 ? (int) $this->job_queue->delete( $id ) : 0;
		}
		return $count;
	}

	/** Whether an address wants an email: after “Unsubscribe” it gets only those that its reader asks for. */
	public function is_wanted( string $to, string $template ): bool {
		return is_email( $to ) && ( ( self::CAUSES[ $template ] ?? '' ) === 'asked' || ! $this->is_refused( $to ) );
	}
}
