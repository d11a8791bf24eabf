<?php

declare(strict_types=1);

namespace Trousseau\Admin;

use Trousseau\Giving\UninvitedGifts;
use Trousseau\Giving\UninvitedLimits;
use Trousseau\Giving\UninvitedScreen;
use Trousseau\Lists\Registries;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\HealthCheck;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Keys;
use Trousseau\Platform\Language;
use Trousseau\Platform\Mail;
use Trousseau\Platform\MetaList;
use Trousseau\Platform\Request;
use Trousseau\Platform\Settings;
use Trousseau\Platform\Tables;
use Trousseau\Plugin;
use Trousseau\Privacy\GiverRetention;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;
use const Trousseau\VERSION;

/**
 * The checks for a site's administrator, each once: Site Health, the settings page and `wp trousseau doctor` show the same. Some
 * ask the service about itself. A finding has one of WordPress's urgencies, `good`, `recommended` or
 * `critical`, or is `unknown` before the connection stands.
 * Each check is a method that returns urgency, words, and the cure where there is one.
 */
final class HealthChecks {

	/** Checks that ask the service or this very site, and take their time; and the others. */
	private const SLOW  = array( 'connection', 'account', 'versions', 'clock', 'reservations', 'surprises' );
	private const QUICK = array( 'jobs', 'mail', 'keys', 'givers', 'uninvited', 'visitors' );

	/** Seconds by which clocks may differ, since reservations last ran out, and by which an email may be late. */
	private const MOST_APART = 60;
	private const MOST_LATE  = 5 * MINUTE_IN_SECONDS;
	private const MAIL_LATE  = 2 * HOUR_IN_SECONDS;

	/** The service's answer about itself, empty without one, and the times before and after it. */
	private ?array $status  = null;
	private float $asked    = 0.0;
	private float $answered = 0.0;

	/** @var array{0: string, 1: string}|null The connection test's finding. */
	private ?array $connection = null;

	public function __construct(
		private readonly ConnectionTest $connection_test,
		private readonly GiverRetention $giver_retention,
		private readonly ItemService $item_service,
		private readonly JobsScreen $jobs_screen,
		private readonly JobQueue $job_queue,
		private readonly Mail $mail,
		private readonly MetaList $meta_list,
		private readonly Request $request,
		private readonly ServiceAccount $service_account,
		private readonly Tables $tables,
		private readonly UninvitedGifts $uninvited_gifts,
		private readonly UninvitedLimits $uninvited_limits,
	) {
	}

	/** @return string[] Those that take their time, with the ones of features. */
	public static function slow(): array {
		return array( ...self::SLOW, ...array_keys( Plugin::parts( HealthCheck::class ) ) );
	}

	public static function all(): array {
		return array( ...self::slow(), ...self::QUICK );
	}

	/** @return array{status: string, title: string, words: string, cure: string} */
	public function find( string $check ): array {
		$part                          = Plugin::parts( HealthCheck::class )[ $check ] ?? null;
		list( $status, $words, $cure ) = ( $part ? Plugin::get( $part )->find() : $this->$check() ) + array( '', '', '' );
		list( $well, $ill )            = $part ? $part::titles() : self::titles( $check );
		/* translators: %s: what would be well */
		$unknown = __( 'Not known yet: %s', 'trousseau' );
		$title   = match ( $status ) {
			'good'    => $well,
			'unknown' => sprintf( $unknown, $well ),
			default   => $ill,
		};
		return compact( 'status', 'title', 'words', 'cure' );
	}

	/** @return array<string, array{status: string, title: string, words: string, cure: string}> */
	public function find_all( ?array $checks = null ): array {
		$checks ??= self::all();
		return array_combine( $checks, array_map( array( $this, 'find' ), $checks ) );
	}

	private function status(): ?array {
		if ( $this->status === null ) {
			$this->asked = microtime( true );
			try {
				$this->status = $this->item_service->status();
			} catch ( ServiceError ) {
				$this->status = array();
			}
			$this->answered = microtime( true );
		}
		return isset( $this->status['version'] ) && strtotime( (string) ( $this->status['time'] ?? '' ) ) ? $this->status : null;
	}

	/** @return array{0: string, 1: string} The titles of a check where all is well, and where it isn't. */
	private static function titles( string $check ): array {
		return match ( $check ) {
			'connection'   => array( __( 'Trousseau can reach the service that stores the gifts', 'trousseau' ), __( 'Trousseau can’t use the service that stores the gifts', 'trousseau' ) ),
			'account'      => array( __( 'Trousseau’s account has the rights it needs and no more', 'trousseau' ), __( 'Trousseau’s account has too few rights or too many', 'trousseau' ) ),
			'versions'     => array( __( 'Trousseau’s versions are compatible', 'trousseau' ), __( 'Trousseau’s versions aren’t compatible', 'trousseau' ) ),
			'clock'        => array( __( 'The clocks of this site and of the gift service agree', 'trousseau' ), __( 'The clocks of this site and of the gift service differ', 'trousseau' ) ),
			'reservations' => array( __( 'Reservations end on time', 'trousseau' ), __( 'Reservations don’t end', 'trousseau' ) ),
			'surprises'    => array( __( 'Surprises are safe, and only owners and guests see a list’s gifts', 'trousseau' ), __( 'Anyone with an account can see and change all gifts, and surprises are spoiled', 'trousseau' ) ),
			'jobs'         => array( __( 'Trousseau’s background tasks run', 'trousseau' ), __( 'Trousseau’s background tasks are late or failing', 'trousseau' ) ),
			'mail'         => array( __( 'Emails to owners and guests are sent', 'trousseau' ), __( 'Emails to owners or guests aren’t sent', 'trousseau' ) ),
			'keys'         => array( __( 'Trousseau can read everything it has encrypted', 'trousseau' ), __( 'Trousseau can’t read everything it has encrypted', 'trousseau' ) ),
			'uninvited'    => array( __( 'Reservations by uninvited accounts look normal', 'trousseau' ), __( 'Uninvited accounts have reserved more gifts than usual', 'trousseau' ) ),
			'visitors'     => array( __( 'Limits apply to each guest separately', 'trousseau' ), __( 'Many guests may be sharing one limit', 'trousseau' ) ),
			default        => array( __( 'The names of guests are erased on time', 'trousseau' ), __( 'The names of guests aren’t erased on time', 'trousseau' ) ),
		};
	}

	private function connection(): array {
		list( $found, $detail ) = $this->tested();
		if ( in_array( $found, array( 'connected', 'account_lacks_rights', 'account_not_trusted' ), true ) ) {
			return array( 'good', ConnectionTest::words( 'connected' ) );
		}
		return array( 'critical', ConnectionTest::words( $found ), $detail );
	}

	private function account(): array {
		list( $found, $detail ) = $this->tested();
		$account                = ServiceAccount::named( Settings::value( Settings::USERNAME ) );
		return match ( true ) {
			in_array( $found, array( 'account_lacks_rights', 'account_not_trusted' ), true )
				=> array( 'critical', ConnectionTest::words( $found ), $detail ),
			$found !== 'connected'
				=> self::unknown(),
			$account && user_can( $account, 'manage_options' )
				=> array( 'recommended', __( 'The plugin uses an administrator’s account: anyone who gets its password can do everything on this site.', 'trousseau' ), __( 'Choose “Create account” under Settings → Trousseau, or run “wp trousseau role --account”.', 'trousseau' ) ),
			default
				=> array( 'good', __( 'It can manage everyone’s lists and nothing else.', 'trousseau' ) ),
		};
	}

	private function versions(): array {
		$status = $this->status();
		if ( ! $status ) {
			return self::unknown();
		}
		$minor = static fn( string $version ): string => implode( '.', array_slice( explode( '.', $version ), 0, 2 ) );
		/* translators: 1: version of the plugin, 2: version of the service, 3: version of WordPress, 4: version of PHP */
		$words = sprintf( __( 'The plugin’s version is %1$s, the service’s %2$s, WordPress’s %3$s and PHP’s %4$s.', 'trousseau' ), VERSION, $status['version'], get_bloginfo( 'version' ), PHP_VERSION );
		return $minor( $status['version'] ) === $minor( VERSION )
			? array( 'good', $words )
			: array( 'recommended', $words, __( 'Update the plugin and the service to the same minor version, the service first.', 'trousseau' ) );
	}

	private function clock(): array {
		$status = $this->status();
		if ( ! $status ) {
			return self::unknown();
		}
		// The least seconds by which the service's clock can differ from this machine's.
		$time  = (float) date_create_immutable( $status['time'] )->format( 'U.u' );
		$apart = (int) round( max( $this->asked - $time, $time - $this->answered, 0 ) );
		if ( $apart <= self::MOST_APART ) {
			return array( 'good', __( 'Reservations end on time, and emails about them name the right time.', 'trousseau' ) );
		}
		/* translators: %s: number of seconds */
		$words = sprintf( _n( 'They’re %s second apart, so emails name wrong times, and surprises end too early or too late.', 'They’re %s seconds apart, so emails name wrong times, and surprises end too early or too late.', $apart, 'trousseau' ), number_format_i18n( $apart ) );
		return array( 'recommended', $words, __( 'Keep both machines’ clocks in sync with NTP.', 'trousseau' ) );
	}

	private function reservations(): array {
		$status = $this->status();
		if ( ! $status ) {
			return self::unknown();
		}
		$last = $status['claims_expired_at'] ?? null;
		$late = $last === null ? null : strtotime( $status['time'] ) - strtotime( $last );
		$cure = __( 'Look for “expire claims” in the service’s log, and restart it.', 'trousseau' );
		if ( $late === null ) {
			return array( 'critical', __( 'The service has never checked for expired reservations.', 'trousseau' ), $cure );
		}
		/* translators: %s: a time such as “2 hours ago” */
		$words = sprintf( __( 'The service checked for expired reservations %s.', 'trousseau' ), Language::ago( time() - $late ) );
		return $late <= self::MOST_LATE ? array( 'good', $words ) : array( 'critical', $words, $cure );
	}

	private function surprises(): array {
		$status = $this->status();
		return match ( $status['item_access'] ?? '' ) {
			''         => self::unknown(),
			'registry' => array( 'good', __( 'The service shows and changes gifts only for the owners and guests of their list.', 'trousseau' ) ),
			default    => array( 'critical', __( 'The service shows all gifts of all lists to anyone who can log in here, with how many are given, and lets them change any.', 'trousseau' ), __( 'Start the service with ITEM_ACCESS=registry.', 'trousseau' ) ),
		};
	}

	private function jobs(): array {
		$cure = __( 'Set up a cron job that calls wp-cron.php, or “wp trousseau jobs run”, every minute. Tools → Trousseau lists the tasks.', 'trousseau' );
		if ( ! $this->tables->are_there() ) {
			return array( 'critical', __( 'The database has no tables for background tasks, so nothing is sent or remembered.', 'trousseau' ), __( 'Allow WordPress’s database user to create tables (CREATE), then load any page.', 'trousseau' ) );
		}
		$due_since = $this->job_queue->due_since( ...array_diff( array_keys( Plugin::parts( JobHandler::class ) ), array( Mail::JOB ) ) );
		if ( $due_since && $due_since < time() - self::MAIL_LATE ) {
			/* translators: %s: a time such as “2 hours ago” */
			return array( 'critical', sprintf( __( 'Tasks should have run %s, but WP-Cron isn’t running.', 'trousseau' ), Language::ago( $due_since ) ), $cure );
		}
		// Emails have a check of their own.
		$failed = array_filter( $this->jobs_screen->rows(), static fn( array $job ): bool => $job['is_failed'] && $job['handler'] !== Mail::JOB );
		if ( $failed ) {
			$last = end( $failed );
			/* translators: 1: a kind of work, 2: an error message */
			return array( 'recommended', sprintf( __( 'Some tasks failed after more than a day of attempts. %1$s: %2$s', 'trousseau' ), $last['kind'], $last['error'] ), __( 'Under Tools → Trousseau you can try them again or delete them.', 'trousseau' ) );
		}
		return array( 'good', __( 'Emails, pictures and messages to the service go out on time.', 'trousseau' ) );
	}

	private function mail(): array {
		$sent_at   = $this->mail->sent_at();
		$due_since = $this->job_queue->due_since( Mail::JOB );

		list( $failed, $trouble )     = $this->job_queue->failed_since( Mail::JOB, $sent_at );
		list( $trying_again, $error ) = $this->job_queue->trying_again( Mail::JOB );
		/* translators: %s: an error message */
		$why = $trouble . $error === '' ? '' : ' ' . sprintf( __( 'WordPress says: %s', 'trousseau' ), $trouble ?: $error );
		if ( $failed ) {
			/* translators: %s: number of mails */
			$words = sprintf( _n( '%s email to a guest or owner couldn’t be sent after more than a day of attempts.', '%s emails to guests or owners couldn’t be sent after more than a day of attempts.', $failed, 'trousseau' ), number_format_i18n( $failed ) );
			return array( 'critical', $words . $why, __( 'Check how this site sends email.', 'trousseau' ) );
		}
		if ( $trying_again ) {
			/* translators: %s: number of emails */
			$words = sprintf( _n( '%s email couldn’t be sent yet and will be tried again.', '%s emails couldn’t be sent yet and will be tried again.', $trying_again, 'trousseau' ), number_format_i18n( $trying_again ) );
			return array( 'recommended', $words . $why, __( 'Check how this site sends email.', 'trousseau' ) );
		}
		if ( $due_since && $due_since < time() - self::MAIL_LATE ) {
			/* translators: %s: a time such as “2 hours ago” */
			$words = sprintf( __( 'An email should have been sent %s, but WP-Cron isn’t running.', 'trousseau' ), Language::ago( $due_since ) );
			return array( 'critical', $words, __( 'Set up a cron job that calls wp-cron.php every minute.', 'trousseau' ) );
		}
		if ( ! $sent_at ) {
			return array( 'good', __( 'No emails to send yet.', 'trousseau' ) );
		}
		/* translators: %s: a time such as “2 hours ago” */
		return array( 'good', sprintf( __( 'The last one was sent %s.', 'trousseau' ), Language::ago( $sent_at ) ) );
	}

	private function keys(): array {
		if ( Keys::is_too_short() ) {
			return array( 'recommended', __( 'TROUSSEAU_KEY in wp-config.php has fewer than 32 characters and isn’t used. The site encrypts with the key in its database.', 'trousseau' ), __( 'Set it to at least 32 random characters.', 'trousseau' ) );
		}
		$count = $this->meta_list->count_unreadable() + (int) $this->service_account->is_password_unreadable();
		if ( $count === 0 ) {
			return array( 'good', __( 'Guests’ notes, drafts, addresses and links are encrypted with the site’s own key, independent of WordPress’s salts.', 'trousseau' ) );
		}
		/* translators: %s: number of values */
		$words = sprintf( _n( '%s value was encrypted with a key this site no longer has. It’s kept as it is.', '%s values were encrypted with a key this site no longer has. They’re kept as they are.', $count, 'trousseau' ), number_format_i18n( $count ) );
		return array( 'critical', $words, __( 'Add the former key to wp-config.php: define( \'TROUSSEAU_FORMER_KEYS\', array( \'…\' ) ); It is the former TROUSSEAU_KEY; or the option trousseau_key from a backup; or, if the salts changed under an older version of this plugin, the former AUTH_KEY directly followed by the former AUTH_SALT. If it’s lost for good, “wp trousseau forget-unreadable” deletes these values.', 'trousseau' ) );
	}

	private function givers(): array {
		$months = GiverRetention::months();
		if ( ! $months ) {
			return array( 'good', __( 'The settings keep guests’ names and addresses for as long as the service exists.', 'trousseau' ) );
		}
		/* translators: %s: number of months */
		$words = sprintf( _n( 'The names, addresses and messages of guests are kept for %s month after the event.', 'The names, addresses and messages of guests are kept for %s months after the event.', $months, 'trousseau' ), number_format_i18n( $months ) );
		return $this->giver_retention->is_late()
			? array( 'recommended', $words . ' ' . __( 'But the daily task that erases them hasn’t finished for two days.', 'trousseau' ), __( 'Is the connection working, and does a cron job call wp-cron.php? “wp trousseau expire” erases them now.', 'trousseau' ) )
			: array( 'good', $words );
	}

	/** WordPress shows every administrator the number of findings, so lists that are a surprise to any of them are left out. */
	private function uninvited(): array {
		$found = $this->uninvited_gifts->found( UninvitedLimits::limits(), Surprise::is_for_keeper( ... ) );
		if ( ! $found ) {
			return array( 'good', __( 'Uninvited guests can reserve some gifts at once. Beyond that, they have to confirm by email.', 'trousseau' ) );
		}
		$words = array();
		foreach ( array_slice( $found, 0, 20, true ) as $user => $taken ) {
			$titles = Language::list( array_map( static fn( int $id ): string => Registries::title( get_post( $id ) ), array_slice( $taken['registries'], 0, 5 ) ) );
			/* translators: 1: name of an account, 2: number of gifts and pieces, 3: names of lists */
			$words[] = sprintf( __( '%1$s: %2$s, from %3$s.', 'trousseau' ), UninvitedScreen::name( $user ), UninvitedScreen::count( $taken ), $titles );
		}
		/* translators: %s: number of accounts */
		$words[] = count( $found ) > 20 ? sprintf( __( 'And %s more.', 'trousseau' ), number_format_i18n( count( $found ) - 20 ) ) : '';
		return array( 'recommended', trim( implode( ' ', $words ) ), __( 'Check what they reserved under Settings → Trousseau. You can undo it all for an account there.', 'trousseau' ) );
	}

	/** The administrator's own request shows a proxy's header: strangers can send any. */
	private function visitors(): array {
		$header = $this->request->unread_header();
		$words  = match ( true ) {
			/* translators: %s: name of an HTTP header */
			$header !== ''                      => sprintf( __( 'A proxy in front of this site sends each visitor’s address in the header %s, which this site doesn’t read. So all visitors count as one, and share a limit of 20 gifts an hour.', 'trousseau' ), $header ),
			/* translators: %s: number of people */
			$this->uninvited_limits->share_an_address() => sprintf( __( 'Last week, more than %s people gave from one address in a day. If there’s a proxy in front of this site, all visitors share one limit of 20 gifts an hour.', 'trousseau' ), number_format_i18n( UninvitedLimits::PEOPLE ) ),
			default                             => '',
		};
		return $words === ''
			? array( 'good', __( 'No proxy seems to hide visitors’ addresses.', 'trousseau' ) )
			: array( 'recommended', $words, __( 'Make the web server take visitors’ addresses from the proxy: set_real_ip_from and real_ip_header in nginx, mod_remoteip in Apache. Or use the filter trousseau_visitor_address; the plugin’s readme shows how.', 'trousseau' ) );
	}

	public function tested(): array {
		return $this->connection ??= $this->connection_test->run();
	}

	private static function unknown(): array {
		return array( 'unknown', __( 'The service doesn’t say: it isn’t connected yet, or it’s older than this plugin.', 'trousseau' ) );
	}
}
