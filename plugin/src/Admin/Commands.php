<?php

declare(strict_types=1);

namespace Trousseau\Admin;

use Trousseau\Lists\GiftLists;
use Trousseau\Lists\PostType;
use Trousseau\Lists\RegistryExport;
use Trousseau\Lists\RegistryImport;
use Trousseau\Platform\JobRunner;
use Trousseau\Platform\MetaList;
use Trousseau\Platform\Settings;
use Trousseau\Platform\Tables;
use Trousseau\Privacy\GiverRetention;
use Trousseau\Service\ServiceError;
use WP_CLI;

/** Looks after gift registries. */
final class Commands {

	/** Seconds for which one run of `jobs run` goes on at most: the next one comes after a minute. */
	private const RUN_FOR = 50;

	public function __construct(
		private readonly Tables $tables,
		private readonly GiftLists $gift_lists,
		private readonly GiverRetention $giver_retention,
		private readonly HealthChecks $health_checks,
		private readonly JobsScreen $jobs_screen,
		private readonly JobRunner $job_runner,
		private readonly MetaList $meta_list,
		private readonly RegistryExport $registry_export,
		private readonly RegistryImport $registry_import,
		private readonly ServiceAccount $service_account,
	) {
	}

	/**
	 * Checks connection, account, versions, clocks, email and what happens by itself, and says how to cure what is wrong.
	 *
	 * The same as under Tools → Site Health. Ends with 1 where something is wrong.
	 *
	 * ## OPTIONS
	 *
	 * [--format=<format>]
	 * : How it is said.
	 * ---
	 * default: lines
	 * options:
	 *   - lines
	 *   - json
	 * ---
	 */
	public function doctor( array $names, array $options ): void {
		$found = $this->health_checks->find_all();
		if ( $options['format'] === 'json' ) {
			WP_CLI::line( (string) wp_json_encode( $found, JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES ) );
		} else {
			foreach ( $found as list( 'status' => $status, 'title' => $title, 'words' => $words, 'cure' => $cure ) ) {
				$mark = array( 'good' => 'ok   ', 'recommended' => 'warn ', 'critical' => 'FAIL ' )[ $status ] ?? '-    ';
				WP_CLI::line( "$mark $title. $words" . ( $cure === '' ? '' : "\n      → $cure" ) );
			}
		}
		if ( array_intersect( array_column( $found, 'status' ), array( 'critical', 'unknown' ) ) ) {
			WP_CLI::halt( 1 );
		}
	}

	/**
	 * Writes a registry to standard output, as its owner's “Save the list as a file” does.
	 *
	 * ## OPTIONS
	 *
	 * <registry>
	 * : Its number or the last part of its address.
	 *
	 * [--as=<kind>]
	 * : Everything, or the gifts as a table.
	 * ---
	 * default: json
	 * options:
	 *   - json
	 *   - csv
	 * ---
	 *
	 * ## EXAMPLES
	 *
	 *     wp trousseau export 42 > ann-and-bob.json
	 */
	public function export( array $names, array $options ): void {
		// People with a shell on the site may read every registry.
		$post = ctype_digit( $names[0] ) ? PostType::find( (int) $names[0] ) : get_page_by_path( sanitize_title( $names[0] ), OBJECT, PostType::NAME );
		/* translators: %s: number or address of a registry */
		$post || WP_CLI::error( sprintf( __( 'There’s no list %s.', 'trousseau' ), $names[0] ) );
		try {
			$items = $this->gift_lists->current_items( $post );
		} catch ( ServiceError $error ) {
			WP_CLI::error( $error->getMessage() );
		}
		WP_CLI::line( $this->registry_export->written( $post, $items, $options['as'] ) );
	}

	/**
	 * Makes a private registry of a file that `export` or an owner has saved, here or on another site.
	 *
	 * ## OPTIONS
	 *
	 * <file>
	 * : The file, or - for standard input.
	 *
	 * --owner=<user>
	 * : The owner of the new registry: number, user name or address.
	 */
	public function import( array $names, array $options ): void {
		$owner = ( new WP_CLI\Fetchers\User() )->get_check( $options['owner'] );
		$file  = $names[0] === '-' ? 'php://stdin' : $names[0];
		/* translators: %s: name of a file */
		$names[0] === '-' || is_readable( $file ) || WP_CLI::error( sprintf( __( 'Can’t read the file %s.', 'trousseau' ), $file ) );
		$id = $this->registry_import->begin( (string) file_get_contents( $file ), $owner->ID );
		is_wp_error( $id ) && WP_CLI::error( $id );
		$post = get_post( $id );
		// The command goes on while gifts are stored; the queue stores the rest.
		$done  = -1;
		$state = RegistryImport::state( $post );
		while ( $state && $done < $state['done'] && $state['done'] < $state['total'] ) {
			$done = $state['done'];
			$this->registry_import->advance( $id, JobRunner::SECONDS );
			$state = RegistryImport::state( $post );
		}
		if ( $state ) {
			/* translators: 1: number of gifts, 2: number of gifts in the file */
			$state['done'] < $state['total'] && WP_CLI::warning( sprintf( __( '%1$s of %2$s gifts are saved. The others will follow in the background.', 'trousseau' ), number_format_i18n( $state['done'] ), number_format_i18n( $state['total'] ) ) );
			/* translators: %s: names of gifts */
			$state['refused'] && WP_CLI::warning( sprintf( __( 'These gifts couldn’t be saved: %s.', 'trousseau' ), implode( ', ', $state['refused'] ) ) );
			/* translators: %s: user names */
			$state['guests'] && WP_CLI::warning( sprintf( __( 'These guests had accounts on the other site: %s. Invite them by email.', 'trousseau' ), implode( ', ', $state['guests'] ) ) );
		}
		/* translators: 1: number of a registry, 2: user name */
		WP_CLI::success( sprintf( __( 'List %1$d has been created. It belongs to %2$s and is private.', 'trousseau' ), $id, $owner->user_login ) );
	}

	/**
	 * Forgets at once whom the daily round would forget: givers whose time is over.
	 *
	 * Reservations whose time is over need nobody: the service ends them by itself.
	 */
	public function expire( array $names ): void {
		if ( ! GiverRetention::months() ) {
			WP_CLI::success( __( 'The settings keep the names of guests forever.', 'trousseau' ) );
			return;
		}
		$count = 0;
		do {
			try {
				$count += $this->giver_retention->forget_some( $left, microtime( true ) + JobRunner::SECONDS );
			} catch ( ServiceError $error ) {
				WP_CLI::error( $error->getMessage() );
			}
		} while ( $left );
		/* translators: %s: number of gifts */
		WP_CLI::success( sprintf( _n( 'The name on %s gift was erased.', 'The names on %s gifts were erased.', $count, 'trousseau' ), number_format_i18n( $count ) ) );
	}

	/**
	 * Deletes what was encrypted with a key that this site has lost for good.
	 *
	 * Site Health says whether there is any, and how a former key makes it readable again. What is deleted here was
	 * notes about guests, links, drafts, delivery addresses and the like; gifts and givers are kept by the service.
	 *
	 * ## OPTIONS
	 *
	 * [--yes]
	 * : Doesn't ask first.
	 *
	 * @subcommand forget-unreadable
	 */
	public function forget_unreadable( array $names, array $options ): void {
		$is_password_lost = $this->service_account->is_password_unreadable();

		$count = $this->meta_list->count_unreadable() + (int) $is_password_lost;
		/* translators: %s: number of values */
		$count && WP_CLI::confirm( sprintf( _n( 'Delete %s unreadable value?', 'Delete %s unreadable values?', $count, 'trousseau' ), number_format_i18n( $count ) ), $options );
		$count && $this->meta_list->count_unreadable( true );
		$is_password_lost && delete_option( Settings::APP_PASSWORD );
		/* translators: %s: number of values */
		WP_CLI::success( sprintf( _n( '%s value deleted.', '%s values deleted.', $count, 'trousseau' ), number_format_i18n( $count ) ) );
	}

	/**
	 * Makes the role of the plugin's account anew, with the rights that it needs and no others.
	 *
	 * ## OPTIONS
	 *
	 * [--account]
	 * : Make the account too, or a new application password for the one that is there, and enter both in the settings.
	 */
	public function role( array $names, array $options ): void {
		$this->service_account->renew_role();
		/* translators: 1: name of a role, 2: names of rights */
		WP_CLI::line( sprintf( __( 'The role %1$s can: %2$s.', 'trousseau' ), ServiceAccount::ROLE, implode( ', ', ServiceAccount::CAPABILITIES ) ) );
		if ( isset( $options['account'] ) ) {
			$user = $this->service_account->make();
			is_wp_error( $user ) && WP_CLI::error( $user );
			/* translators: %s: user name */
			WP_CLI::line( sprintf( __( 'The account %s has a new application password, and the settings use it.', 'trousseau' ), $user->user_login ) );
		}
		/* translators: %s: a setting of the service */
		WP_CLI::success( sprintf( __( 'Start the service with %s.', 'trousseau' ), ServiceAccount::admin_roles() ) );
	}

	/**
	 * Lists the background tasks that have failed or are late, or runs all that are due.
	 *
	 * For the machine's own cron: `wp trousseau jobs run` every minute.
	 *
	 * ## OPTIONS
	 *
	 * [<action>]
	 * : The action; without one, the list.
	 * ---
	 * default: list
	 * options:
	 *   - list
	 *   - run
	 * ---
	 *
	 * [--format=<format>]
	 * : How the list is said.
	 * ---
	 * default: table
	 * options:
	 *   - table
	 *   - json
	 * ---
	 */
	public function jobs( array $names, array $options ): void {
		if ( ( $names[0] ?? 'list' ) === 'list' ) {
			$jobs = array_map( static fn( array $job ): array => array( 'due' => gmdate( 'Y-m-d\TH:i:s\Z', $job['due'] ) ) + $job, $this->jobs_screen->rows() );
			WP_CLI\Utils\format_items( $options['format'], $jobs, array( 'id', 'kind', 'state', 'due', 'attempts', 'error' ) );
			return;
		}
		$this->tables->are_there() || WP_CLI::error( __( 'Couldn’t create the database tables.', 'trousseau' ) );
		$until = microtime( true ) + self::RUN_FOR;
		do {
			$begun = $this->job_runner->run( max( 0.1, $until - microtime( true ) ) );
		} while ( $begun && microtime( true ) < $until );
		// A number would tell an owner who is to be surprised that there are emails.
		WP_CLI::success( __( 'Everything due is done, as far as time allowed.', 'trousseau' ) );
	}
}
