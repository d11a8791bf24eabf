<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Claims\Invitations;
use Trousseau\Support\Encryption;
use Trousseau\Support\Language;
use Trousseau\Support\PageAddress;
use Trousseau\Support\RateLimiter;
use Trousseau\Support\Request;
use Trousseau\Support\SignedToken;
use Trousseau\Support\Template;
use WP_Error;

/**
 * Mails: written when something happens, sent behind the pages by the site's clock, tried again where that fails. Until it
 * is sent a mail lies sealed in the database. Text and HTML come from one template each, which a theme may replace.
 */
final class Mail {

	public const HOOK = 'trousseau_send_mails';

	private const OPTION  = 'trousseau_mail_';
	private const FAILED  = 'trousseau_mails_failed';
	private const TROUBLE = 'trousseau_mails_trouble';
	private const SENT_AT = 'trousseau_mails_sent_at';
	private const REFUSED = 'trousseau_no_mail';
	private const BATCH   = 20;

	/** Seconds until a mail is tried again; after the last it has failed. */
	private const AGAIN = array( 60, 600, 3600, 6 * 3600, 24 * 3600 );

	/** Seconds after which somebody else sends a mail that is still being sent. */
	private const LEASE = 1800;

	/** Seconds that a mail waits while the service, or the list that it invites to, is away: less than until somebody looks again. */
	private const AWAY = HOUR_IN_SECONDS - MINUTE_IN_SECONDS;

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

	/** How many mails one statement stores. */
	private const AT_ONCE = 100;

	/** @var array<int, array<string, string>> How mails of invitations went in this round: registry → invitee → how. */
	private static array $told = array();

	/** What the templates say in somebody's own words. */
	private const OWN_WORDS = array( 'registry', 'gift', 'owner', 'note' );

	/** What this round has heard of a service that doesn't answer: to ask about each mail would cost the timeout once per mail. */
	private static ?WP_Error $away = null;

	/** The plain text of the mail that is being sent, and where its reader wants no more. */
	private static string $plain   = '';
	private static string $no_mail = '';

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
		$wpdb    = $GLOBALS['wpdb'];
		$locales = Language::of_readers( array_column( $mails, 'to' ) );
		$rows    = array();
		$first   = PHP_INT_MAX;
		foreach ( array_values( $mails ) as $place => $mail ) {
			$at     = ( $mail['at'] ?? 0 ) ?: time();
			$first  = min( $first, $at );
			$sealed = Encryption::seal(
				array(
					'to'       => $mail['to'],
					'template' => $mail['template'],
					'values'   => $mail['values'],
					'only'     => $mail['only'] ?? array(),
					'locale'   => $locales[ $place ],
					'tries'    => 0,
				)
			);
			array_push( $rows, self::name( $at, bin2hex( random_bytes( 8 ) ) ), $sealed );
		}
		$stored = array();
		foreach ( array_chunk( $rows, 2 * self::AT_ONCE ) as $some ) {
			$places   = implode( ', ', array_fill( 0, intdiv( count( $some ), 2 ), "(%s, %s, 'no')" ) );
			$stored[] = $wpdb->query( $wpdb->prepare( "INSERT INTO $wpdb->options (option_name, option_value, autoload) VALUES $places", $some ) );
		}
		self::wake( $first );
		return ! in_array( false, $stored, true );
	}

	/** Whatever became of the clock's last round: once an hour somebody looks. */
	public static function keep_going(): void {
		wp_next_scheduled( self::HOOK ) || wp_schedule_event( time(), 'hourly', self::HOOK );
	}

	/** Sends what is due. */
	public static function send_due(): void {
		self::$away = null;

		$wpdb = $GLOBALS['wpdb'];
		$rows = $wpdb->get_results( $wpdb->prepare( "SELECT option_name, option_value FROM $wpdb->options WHERE option_name LIKE %s AND option_name < %s ORDER BY option_name LIMIT %d", $wpdb->esc_like( self::OPTION ) . '%', self::due(), self::BATCH ) );
		foreach ( $rows as $row ) {
			$id   = substr( $row->option_name, -16 );
			$mail = Encryption::open( $row->option_value );
			if ( ! is_array( $mail ) ) {
				delete_option( $row->option_name ) && self::count_failed();
				continue;
			}
			// Whoever puts the row off sends the mail: two clocks at once send it once, and one that stops meanwhile loses none.
			$held = self::name( time() + self::LEASE, $id );
			if ( ! self::put_off( $row->option_name, $held, array( 'tries' => $mail['tries'] + 1 ) + $mail ) ) {
				continue;
			}
			$wait = self::deliver( $mail, $held );
			$at   = time() + $wait;
			if ( ! $wait ) {
				delete_option( $held );
			} elseif ( self::put_off( $held, self::name( $at, $id ), $mail ) ) {
				self::wake( $at );
			}
		}
		self::note_results();
		if ( count( $rows ) === self::BATCH ) {
			self::wake( time() );
		}
	}

	/** Notes at the invitations how the mails of this round went, by one write for each registry, even if a mail ended the round. */
	public static function note_results(): void {
		foreach ( self::$told as $registry => $how ) {
			unset( self::$told[ $registry ] );
			Invitations::mailed( $registry, $how );
		}
	}

	public static function refuse( string $address ): void {
		$hashes = (array) get_option( self::REFUSED, array() );
		update_option( self::REFUSED, array_values( array_unique( array( ...$hashes, Encryption::hash( 'no mail', strtolower( $address ) ) ) ) ), false );
	}

	public static function is_refused( string $address ): bool {
		return in_array( Encryption::hash( 'no mail', strtolower( $address ) ), (array) get_option( self::REFUSED, array() ), true );
	}

	/**
	 * For the site's keeper: how many could not be sent since one could, and why the last one couldn't; when one was sent
	 * last; how many should have left, and since when the first. Those that are planned are left out: each is about a gift,
	 * and the keeper may be the owner who is to be surprised.
	 *
	 * @return array{failed: int, trouble: string, sent_at: int, waiting: int, due_since: int}
	 */
	public static function state(): array {
		$wpdb = $GLOBALS['wpdb'];
		$rows = $wpdb->get_row( $wpdb->prepare( "SELECT COUNT(*) AS waiting, MIN( option_name ) AS first FROM $wpdb->options WHERE option_name LIKE %s AND option_name < %s", $wpdb->esc_like( self::OPTION ) . '%', self::due() ) );
		return array(
			'failed'    => (int) get_option( self::FAILED ),
			'trouble'   => (string) get_option( self::TROUBLE ),
			'sent_at'   => (int) get_option( self::SENT_AT ),
			'waiting'   => (int) $rows->waiting,
			'due_since' => $rows->waiting ? (int) substr( $rows->first, strlen( self::OPTION ), 11 ) : 0,
		);
	}

	/** What waits for an address is sent no more; how many those were. */
	public static function forget( string $address ): int {
		$wpdb  = $GLOBALS['wpdb'];
		$last  = 0;
		$count = 0;
		do {
			// By their numbers: the clock renames rows meanwhile.
			$rows = $wpdb->get_results( $wpdb->prepare( "SELECT option_id, option_value FROM $wpdb->options WHERE option_name LIKE %s AND option_id > %d ORDER BY option_id LIMIT 500", $wpdb->esc_like( self::OPTION ) . '%', $last ) );
			foreach ( $rows as $row ) {
				$mail   = Encryption::open( $row->option_value );
				$count += is_array( $mail ) && strcasecmp( $mail['to'], $address ) === 0 ? (int) $wpdb->delete( $wpdb->options, array( 'option_id' => $row->option_id ) ) : 0;
				$last   = (int) $row->option_id;
			}
		} while ( count( $rows ) === 500 );
		return $count;
	}

	/** Nothing that waits will be sent: lists of guests say so of their invitations. */
	public static function give_up(): void {
		$wpdb = $GLOBALS['wpdb'];
		foreach ( $wpdb->get_col( $wpdb->prepare( "SELECT option_value FROM $wpdb->options WHERE option_name LIKE %s", $wpdb->esc_like( self::OPTION ) . '%' ) ) as $sealed ) {
			$mail = Encryption::open( $sealed );
			is_array( $mail ) && self::tell( $mail['only'], Invitations::FAILED );
		}
		self::note_results();
	}

	/** Why a mail of ours could not be sent, without anybody's address. */
	public static function note_trouble( WP_Error $error ): void {
		if ( self::$plain !== '' ) {
			update_option( self::TROUBLE, mb_substr( (string) preg_replace( '/[^\s<>]+@[^\s<>]+/u', '…', $error->get_error_message() ), 0, 300 ), false );
		}
	}

	/** A mail in HTML says the same in plain text, and tells mail programs the way to no more. */
	public static function complete( object $mailer ): void {
		if ( self::$plain === '' ) {
			return;
		}
		$mailer->AltBody = self::$plain;
		// PHP's own way of sending would break so long a line into pieces that no program puts together.
		if ( $mailer->Mailer !== 'mail' ) {
			$mailer->addCustomHeader( 'List-Unsubscribe', '<' . self::$no_mail . '>' );
		}
	}

	/**
	 * A mail waits for another time. Its row is renamed and never another one written, so that there is always one of it.
	 *
	 * @param array<string, mixed> $mail
	 */
	private static function put_off( string $row, string $to, array $mail ): bool {
		$wpdb    = $GLOBALS['wpdb'];
		$after   = array(
			'option_name'  => $to,
			'option_value' => Encryption::seal( $mail ),
		);
		$is_mine = (bool) $wpdb->update( $wpdb->options, $after, array( 'option_name' => $row ) );
		wp_cache_delete( $row, 'options' );
		return $is_mine;
	}

	/** The names of mails that are due come before this one. */
	private static function due(): string {
		return self::name( time() + 1 );
	}

	private static function name( int $at, string $id = '' ): string {
		return self::OPTION . sprintf( '%011d', $at ) . "_$id";
	}

	private static function wake( int $at ): void {
		// Those for later are found by who looks once an hour: WordPress reads all its events with every page.
		$at < time() + HOUR_IN_SECONDS && wp_schedule_single_event( $at, self::HOOK, array( intdiv( $at, 60 ) ) );
	}

	/**
	 * Sends a mail, or gives it up.
	 *
	 * @param array<string, mixed> $mail As it is to be kept where it has to wait.
	 * @param string               $row  Goes as soon as the mail has left.
	 * @return int Seconds that it waits; 0: it is done with.
	 */
	private static function deliver( array &$mail, string $row ): int {
		$only = $mail['only'];
		// Since it was written somebody may have wanted no more, or have taken the invitation back.
		if ( ! self::is_wanted( $mail['to'], $mail['template'] ) ) {
			self::tell( $only, Invitations::FAILED );
			return 0;
		}
		if ( isset( $only['registry'] ) && ! Invitations::is_listed( $only['registry'], $only['invitee'] ) ) {
			return 0;
		}
		if ( isset( $only['registry'] ) && ! Invitations::registry( $only['registry'] ) ) {
			return self::AWAY;
		}
		if ( isset( $only['claim'] ) ) {
			$claim = self::$away ?? ClaimMails::still( $only['claim'], $only['state'], $only['expires'], $only['removed_at'] ?? 0 );
			if ( is_wp_error( $claim ) ) {
				self::$away = $claim->get_error_code() === 'api_error' ? null : $claim;
				return self::AWAY;
			}
			if ( ! $claim ) {
				return 0;
			}
			$mail['values']['quantity'] = (int) $claim['quantity'];
		}
		switch_to_locale( $mail['locale'] );
		$sent = $mail['tries'] <= count( self::AGAIN ) && self::hand_over( $mail['to'], $mail['template'], $mail['values'] );
		restore_previous_locale();
		if ( $sent ) {
			// Before anything else: what ends from here on must not send it again.
			delete_option( $row );
			delete_option( self::FAILED );
			delete_option( self::TROUBLE );
			update_option( self::SENT_AT, time(), false );
			self::tell( $only, Invitations::SENT );
			return 0;
		}
		$wait = self::AGAIN[ $mail['tries']++ ] ?? 0;
		$wait || self::count_failed();
		self::tell( $only, $wait && $mail['tries'] < 2 ? Invitations::WAITING : Invitations::FAILED );
		return $wait;
	}

	/**
	 * How the mail of an invitation fares, where it is one.
	 *
	 * @param array<string, mixed> $only
	 */
	private static function tell( array $only, string $how ): void {
		if ( isset( $only['registry'] ) ) {
			self::$told[ $only['registry'] ][ $only['invitee'] ] = $how;
		}
	}

	private static function count_failed(): void {
		update_option( self::FAILED, (int) get_option( self::FAILED ) + 1, false );
	}

	/** Whether somebody wants a mail: after “No more mails” they get only those that they ask for. */
	private static function is_wanted( string $to, string $template ): bool {
		return is_email( $to ) && ( ( self::CAUSES[ $template ] ?? '' ) === 'asked' || ! self::is_refused( $to ) );
	}

	/** @param array<string, mixed> $values */
	private static function hand_over( string $to, string $template, array $values ): bool {
		// What people wrote stands in sentences of the reader's language.
		foreach ( array_intersect_key( $values, array_flip( self::OWN_WORDS ) ) as $name => $text ) {
			// What stands on a line of its own may be a button: of their lines a note keeps those that are no addresses.
			$text            = preg_replace( $name === 'note' ? '/\s+(?=https?:)/iu' : '/\s+/u', ' ', (string) $text );
			$values[ $name ] = $name === 'gift' ? Language::times( (int) ( $values['quantity'] ?? 1 ), (string) $text ) : Language::isolate( (string) $text );
		}
		$values += array(
			'site'    => html_entity_decode( (string) get_bloginfo( 'name' ), ENT_QUOTES | ENT_HTML5, 'UTF-8' ),
			'no_mail' => PageAddress::of( 'no-mail', 0, array( 'of' => SignedToken::seal( 'no-mail', $to ) ) ),
		);
		// A template says its subject in the first line, then paragraphs; a line that is an address is a button.
		$lines   = explode( "\n", trim( Template::html( "mail/$template", $values ) ) );
		$subject = trim( (string) array_shift( $lines ) );
		$parts   = array_values( array_filter( array_map( 'trim', explode( "\n\n", trim( implode( "\n", array_map( 'trim', $lines ) ) ) ) ) ) );
		$frame   = $values + compact( 'subject', 'parts' );
		// Only while a mail of ours is sent: `complete` is asked about every mail of the site.
		self::$plain   = Template::html( 'mail/plain', $frame );
		self::$no_mail = $values['no_mail'];
		try {
			return wp_mail( $to, $subject, Template::html( 'mail/html', $frame ), array( 'Content-Type: text/html; charset=UTF-8' ) );
		} finally {
			self::$plain = '';
		}
	}
}
