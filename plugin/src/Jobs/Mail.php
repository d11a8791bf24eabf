<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Claims\Invitations;
use Trousseau\Support\Encryption;
use Trousseau\Support\JobQueue;
use Trousseau\Support\KeptValues;
use Trousseau\Support\Language;
use Trousseau\Support\RateLimiter;
use Trousseau\Support\Request;

/** Mails: written when something happens, and sent behind the pages by `MailDelivery`. Until then each lies encrypted in the queue. */
final class Mail {

	/** Their jobs in the queue. */
	public const JOB = 'mail';

	/** Values: how many mails the version before had given up, when the last one was sent, and the addresses that want none. */
	private const FAILED  = 'mails_failed';
	private const TROUBLE = 'mails_trouble';
	private const SENT_AT = 'mails_sent_at';
	private const REFUSED = 'no_mail_';

	/**
	 * Mails a day to one address, by cause; planned mails don't count. `own`: about the person's own gifts. `asked`: somebody
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
		'claim-reserved'  => 'own',
		'claim-purchased' => 'own',
		'claim-released'  => 'own',
		'invitation'      => 'stranger',
	);

	/**
	 * @param array<string, mixed>  $values What the template says.
	 * @param int                   $at     When it is due; 0: now.
	 * @param array<string, mixed>  $only   `claim`, `state` and `expires`: only while that gift is as it was;
	 *                                      `removed_at`: only while it is off its list since then; `registry` and
	 *                                      `invitee`: whose invitation it is.
	 * @return bool Whether it is on its way: not where the reader wants no mails, or has had enough of them today.
	 */
	public static function send( string $to, string $template, array $values, int $at = 0, array $only = array() ): bool {
		$may = $at ? self::is_wanted( $to, $template ) : (bool) self::may_go( array( $to ), $template );
		return $may && self::queue( array( compact( 'to', 'template', 'values', 'only', 'at' ) ) );
	}

	/**
	 * The addresses to which a mail may go now; it is counted for them.
	 *
	 * @param string[] $addresses
	 * @param string   $cause     Who causes it, where that isn't what the template says.
	 * @return string[] With the same keys.
	 */
	public static function may_go( array $addresses, string $template, string $cause = '' ): array {
		KeptValues::read_ahead( array_map( array( self::class, 'refusal' ), $addresses ) );
		$cause  = $cause ?: self::CAUSES[ $template ] ?? 'known';
		$wanted = array_map( 'strtolower', array_filter( $addresses, static fn( string $to ): bool => self::is_wanted( $to, $template ) ) );
		if ( $cause === 'asked' ) {
			$from   = array_map( static fn( string $to ): string => "$to " . Request::visitor(), $wanted );
			$wanted = array_intersect_key( $wanted, RateLimiter::those_allowed( 'mail-from', $from, self::ASKED_FROM_ONE, DAY_IN_SECONDS ) );
		}
		return array_intersect_key( $addresses, RateLimiter::those_allowed( "mail-$cause", $wanted, self::A_DAY[ $cause ], DAY_IN_SECONDS ) );
	}

	/**
	 * Stores mails that may go, many by one statement.
	 *
	 * @param array<string, mixed>[] $mails `to`, `template`, `values`, and where they are wanted `only` and `at`.
	 * @return bool Whether all of them are stored.
	 */
	public static function queue( array $mails ): bool {
		$locales = Language::of_readers( array_column( $mails, 'to' ) );
		$jobs    = array();
		foreach ( array_values( $mails ) as $place => $mail ) {
			$payload = array(
				'to'       => $mail['to'],
				'template' => $mail['template'],
				'values'   => $mail['values'],
				'only'     => $mail['only'] ?? array(),
				'locale'   => $locales[ $place ],
			);
			$jobs[]  = array( $payload, $mail['at'] ?? 0 );
		}
		return ( new JobQueue() )->add_many( self::JOB, $jobs );
	}

	/** An address wants no more mails. */
	public static function refuse( string $address ): void {
		KeptValues::add( self::refusal( $address ), 1 );
	}

	public static function is_refused( string $address ): bool {
		return KeptValues::get( self::refusal( $address ) ) !== null;
	}

	/** How many addresses want no mails. */
	public static function refused(): int {
		return KeptValues::count( self::REFUSED );
	}

	private static function refusal( string $address ): string {
		return self::REFUSED . Encryption::hex( 'no mail', strtolower( $address ) );
	}

	/**
	 * For the site's keeper: how many could not be sent since one could, and why the last one couldn't; when one was sent
	 * last; how many should have left, and since when the first. Those that are planned are left out: each is about a gift,
	 * and the keeper may be the owner who is to be surprised.
	 *
	 * @return array{failed: int, trouble: string, sent_at: int, waiting: int, due_since: int}
	 */
	public static function state(): array {
		$queue   = new JobQueue();
		$sent_at = (int) KeptValues::get( self::SENT_AT );

		list( $failed, $trouble )    = $queue->failed_since( self::JOB, $sent_at );
		list( $waiting, $due_since ) = $queue->waiting( self::JOB );
		return array(
			'failed'    => $failed + (int) KeptValues::get( self::FAILED ),
			'trouble'   => $trouble !== '' ? $trouble : (string) KeptValues::get( self::TROUBLE ),
			'sent_at'   => $sent_at,
			'waiting'   => $waiting,
			'due_since' => $due_since,
		);
	}

	public static function note_sent(): void {
		KeptValues::delete( self::FAILED );
		KeptValues::delete( self::TROUBLE );
		KeptValues::set( self::SENT_AT, time() );
	}

	/** What waits for an address is sent no more; how many those were. */
	public static function forget( string $address ): int {
		$queue = new JobQueue();
		$count = 0;
		foreach ( $queue->payloads( self::JOB ) as $id => $mail ) {
			$count += is_array( $mail ) && strcasecmp( $mail['to'], $address ) === 0 ? (int) $queue->delete( $id ) : 0;
		}
		return $count;
	}

	/** Nothing that waits will be sent: lists of guests say so of their invitations. */
	public static function give_up(): void {
		foreach ( ( new JobQueue() )->payloads( self::JOB ) as $mail ) {
			is_array( $mail ) && MailDelivery::tell( $mail['only'], Invitations::FAILED );
		}
		MailDelivery::note_results();
	}

	/** Whether somebody wants a mail: after “No more mails” they get only those that they ask for. */
	public static function is_wanted( string $to, string $template ): bool {
		return is_email( $to ) && ( ( self::CAUSES[ $template ] ?? '' ) === 'asked' || ! self::is_refused( $to ) );
	}
}
