<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use RuntimeException;
use Trousseau\Jobs\FormerService;
use Trousseau\Jobs\Handlers;
use Trousseau\Service\ChangeFeed;
use Trousseau\Service\GiftCache;
use Trousseau\Service\HttpClient;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;
use Trousseau\Service\SiteTransfer;
use Trousseau\Support\JobQueue;
use Trousseau\Support\Lock;
use Trousseau\Support\Settings;

/**
 * Moves this site with all its gifts from its service to another one for many sites. The present service refuses everything from the
 * beginning of the export until this site has the new address, so that nothing is written that the new one lacks. Every failure before
 * opens the present service again, and leaves the site as it was.
 */
final class Moving {

	private const LOCK = 'moving';

	/** Seconds of a whole move, after which its process is taken to have died. */
	private const LONGEST = 15 * MINUTE_IN_SECONDS;

	/** Seconds in which the new address must be stored: after ten minutes the present service opens by itself. */
	private const CLOSED = 9 * MINUTE_IN_SECONDS;

	/** The most seconds of the export, those left for the last test, and those for the last word to the former service. */
	private const EXPORT  = 4 * MINUTE_IN_SECONDS;
	private const TESTING = MINUTE_IN_SECONDS;
	private const LAST    = 10;

	/** Attempts at a service that asks to come again in a moment, or to open the present one again. */
	private const TRIES = 10;
	private const OPENS = 2;

	/** The memory that a file takes while it is sent, as a multiple of its size. */
	private const COPIES = 3;

	/** Whether this process has begun a move that isn't over. */
	private bool $is_moving = false;

	/** The present service while it is closed. */
	private ?HttpClient $closed = null;

	/** The file with all gifts while there is one. */
	private string $file = '';

	public function __construct(
		private readonly ChangeFeed $change_feed,
		private readonly ConnectionState $connection_state,
		private readonly ConnectionTest $connection_test,
		private readonly FormerService $former_service,
		private readonly GiftCache $gift_cache,
		private readonly Handlers $handlers,
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
		private readonly Joining $joining,
		private readonly Lock $lock,
		private readonly ServiceAccount $service_account,
		private readonly SiteTransfer $site_transfer,
	) {
	}

	/**
	 * @return string Words about the site that has moved.
	 * @throws MoveFailed Where it hasn't.
	 */
	public function move( string $address, string $code, string $key ): string {
		if ( ! $this->lock->take( self::LOCK, self::LONGEST ) ) {
			throw new MoveFailed( __( 'This site is being moved already. Load this page again in a moment: it says how that ended.', 'trousseau' ) );
		}
		$this->is_moving = true;
		ignore_user_abort( true );
		function_exists( 'set_time_limit' ) && set_time_limit( self::LONGEST );
		wp_raise_memory_limit( 'admin' );
		// Also where PHP ends on the way.
		register_shutdown_function( array( $this, 'tidy_up' ) );
		try {
			return $this->carry( $address, $code, $key );
		} catch ( MoveFailed $failure ) {
			$present = $this->open_again()
				? __( 'Nothing has changed: your gifts are where they were.', 'trousseau' )
				: __( 'Nothing has changed: your gifts are where they were. Within ten minutes guests can go on giving.', 'trousseau' );
			throw new MoveFailed( $present . ' ' . $failure->getMessage(), 0, $failure );
		} finally {
			$this->tidy_up();
		}
	}

	/** Opens a service that is still closed, deletes the file, and lets others go on. */
	public function tidy_up(): void {
		if ( ! $this->is_moving ) {
			return;
		}
		$this->is_moving = false;
		$this->open_again();
		$this->drop_file();
		$this->job_queue->go_on();
		$this->lock->release( self::LOCK );
	}

	/** Ends the access of a service that this site has left. */
	public function end_access(): void {
		$this->service_account->renew();
		// The new service learns the password before a page needs it.
		$this->connection_test->run()[0] === 'connected' && $this->connection_state->succeeded();
	}

	/** @throws MoveFailed Where the site is still where it was. */
	private function carry( string $address, string $code, string $key ): string {
		$from = Settings::connection();
		$to   = array( $this->join( $address, $code, $key, $from[0] ), $key, $from[2], $from[3] );
		// Most faults show before anything is closed, and before the new service has gifts.
		$this->test( $to );
		$webhooks = $this->webhooks();
		$began    = microtime( true );
		$this->fetch( new HttpClient( ...$from ) );
		$this->store( new HttpClient( ...$to ), $began + self::CLOSED - self::TESTING );
		$this->drop_file();
		$this->test( $to );
		if ( microtime( true ) > $began + self::CLOSED ) {
			throw new MoveFailed( __( 'It took too long: the present service waits for ten minutes only. Try again at a quiet time, or ask the people who run the two services to move this site.', 'trousseau' ) );
		}
		$this->change_over( $from, $to );
		return $this->words_of_success( $from[0], $webhooks );
	}

	private function join( string $address, string $code, string $key, string $present ): string {
		try {
			$base = $this->joining->ask( $address, $code, $key );
		} catch ( ServiceError $error ) {
			throw new MoveFailed( Joining::words( $error ), 0, $error );
		}
		return match ( $base ) {
			''       => throw new MoveFailed( ConnectionTest::words( 'not_the_service' ) ),
			$present => throw new MoveFailed( __( 'This service has the gifts of this site already. Enter the address of another one.', 'trousseau' ) ),
			default  => $base,
		};
	}

	/** @param string[] $settings The connection with the new service. */
	private function test( array $settings ): void {
		list( $finding, $detail ) = $this->connection_test->run( $settings );
		if ( $finding !== 'connected' ) {
			throw new MoveFailed( __( 'This site and the new service don’t work together yet:', 'trousseau' ) . ' ' . trim( ConnectionTest::words( $finding ) . ' ' . $detail ) );
		}
	}

	private function fetch( HttpClient $from ): void {
		try {
			$this->file = $this->site_transfer->new_file();
			$this->job_queue->pause( self::LONGEST );
			$this->closed = $from;
			$this->site_transfer->export( $from, $this->file, self::EXPORT );
		} catch ( ServiceError $error ) {
			throw new MoveFailed( self::words_of_export( $error ), 0, $error );
		} catch ( RuntimeException $error ) {
			throw new MoveFailed( $error->getMessage(), 0, $error );
		}
		$size = (int) filesize( $this->file );
		if ( $size > SiteTransfer::MOST ) {
			throw new MoveFailed( __( 'There are too many gifts for one press. Ask the people who run the two services to move this site: they have commands for it.', 'trousseau' ) );
		}
		$limit = wp_convert_hr_to_bytes( (string) ini_get( 'memory_limit' ) );
		$need  = memory_get_usage() + self::COPIES * $size;
		if ( $limit > 0 && $need > $limit ) {
			/* translators: 1: amount of memory, such as 300 MB, 2: amount of memory */
			throw new MoveFailed( sprintf( __( 'PHP has too little memory on this server for so many gifts: it needs %1$s and may use %2$s. Ask your host to raise memory_limit, or the people who run the two services to move this site.', 'trousseau' ), (string) size_format( $need ), (string) size_format( $limit ) ) );
		}
	}

	/** @param float $until The time at which the new service must have answered. */
	private function store( HttpClient $to, float $until ): void {
		for ( $tries = 1; ; ++$tries ) {
			try {
				$this->site_transfer->import( $to, $this->file, max( 1, (int) ( $until - microtime( true ) ) ) );
				return;
			} catch ( ServiceError $error ) {
				// It takes one site at a time.
				if ( $error->status !== 503 || ! $error->retry_after || $tries === self::TRIES || microtime( true ) + $error->retry_after > $until ) {
					throw new MoveFailed( self::words_of_import( $error ), 0, $error );
				}
				sleep( $error->retry_after );
			}
		}
	}

	/**
	 * @param string[] $from
	 * @param string[] $to
	 */
	private function change_over( array $from, array $to ): void {
		// The job finishes the move even if this process ends in the next moment.
		$this->former_service->expect( $from[0], $from[1] );
		$key_before = (string) get_option( Settings::API_KEY );
		// Between two statements no service is asked with the other one's key.
		$from[1] === $to[1] || update_option( Settings::API_KEY, '' );
		update_option( Settings::BASE_URL, $to[0] );
		update_option( Settings::API_KEY, $to[1] === Settings::environment( Settings::API_KEY ) ? '' : $to[1] );
		if ( Settings::value( Settings::BASE_URL ) !== $to[0] ) {
			update_option( Settings::API_KEY, $key_before );
			throw new MoveFailed( __( 'This site couldn’t store the new address: its database fails.', 'trousseau' ) );
		}
		$this->closed = null;
		// Kept lists hold at the new service, too, with their ETags. Places in its feed and remembered failures are another's.
		$this->change_feed->forget();
		$this->gift_cache->forget_trouble();
		$this->connection_state->succeeded();
		$this->handlers->runner()->run_one( FormerService::JOB, FormerService::key( $from[0] ), self::LAST );
	}

	/** Whether the present service is open, which opens by itself after ten minutes at the latest. */
	private function open_again(): bool {
		$closed       = $this->closed;
		$this->closed = null;
		for ( $tries = 1; $closed && $tries <= self::OPENS; ++$tries ) {
			try {
				$this->site_transfer->keep( $closed );
				return true;
			} catch ( ServiceError $error ) {
				if ( in_array( $error->status, array( 404, 405 ), true ) ) {
					return true; // A service that can't close a site.
				}
			}
		}
		return ! $closed;
	}

	private function drop_file(): void {
		$this->file === '' || wp_delete_file( $this->file );
		$this->file = '';
	}

	/** @return string[] The addresses that hear of what happens at the present service. */
	private function webhooks(): array {
		try {
			return array_map( 'strval', array_column( $this->item_service->webhooks(), 'url' ) );
		} catch ( ServiceError ) {
			return array();
		}
	}

	/** @param string[] $webhooks */
	private function words_of_success( string $former, array $webhooks ): string {
		$words = array( __( 'This site has moved: the new service has all its gifts, and who gives what. Guests and owners notice nothing.', 'trousseau' ) );
		if ( ! $this->former_service->knows( $former ) ) {
			$words[] = __( 'The former service doesn’t know it yet, since it doesn’t answer. This site goes on telling it.', 'trousseau' );
		}
		if ( $webhooks ) {
			/* translators: %s: addresses */
			$words[] = sprintf( __( 'These addresses under “Connections” have stayed behind. Add them there anew, and enter the new secrets where they lead to: %s', 'trousseau' ), implode( ', ', $webhooks ) );
		}
		return implode( ' ', $words );
	}

	private static function words_of_export( ServiceError $error ): string {
		$status = $error->status;
		return match ( true ) {
			$status === 0                                => __( 'The present service can’t be reached, or broke off. Try again in a moment.', 'trousseau' ) . self::own( $error ),
			in_array( $status, array( 401, 403 ), true ) => __( 'The present service refuses to hand the gifts over: it doesn’t trust the account of this site, or another site answers at this site’s address. Press “Make the account” below and test the connection, then try again.', 'trousseau' ),
			in_array( $status, array( 404, 405 ), true ) => __( 'The present service is too old to hand the gifts over by a press. Ask the people who run it to bring it up to date, or to move this site for you: they have commands for it.', 'trousseau' ),
			$status === 429                              => __( 'The present service has seen too many attempts. Try again in an hour.', 'trousseau' ),
			in_array( $status, array( 502, 504 ), true ) => __( 'The present service can’t reach this site, to see that it is the one that asks. It must be open to the internet at its own address.', 'trousseau' ) . self::own( $error ),
			default                                      => __( 'The present service can’t hand the gifts over. If that stays so, ask the people who run it.', 'trousseau' ) . self::own( $error ),
		};
	}

	private static function words_of_import( ServiceError $error ): string {
		$status = $error->status;
		return match ( true ) {
			$status === 0                                => __( 'The way to the new service broke off. Try again in a moment.', 'trousseau' ) . self::own( $error ),
			in_array( $status, array( 401, 403 ), true ) => __( 'The new service doesn’t trust the account of this site. Ask the people who run it.', 'trousseau' ),
			in_array( $status, array( 404, 405 ), true ) => __( 'The new service is too old to take a site with its gifts by a press. Ask the people who run it to bring it up to date.', 'trousseau' ),
			$status === 409                              => __( 'The new service can’t take these gifts: it has gifts of this site already, or there are more than it allows. Ask the people who run it to remove this site there or to raise its limit, then try again.', 'trousseau' ) . self::own( $error ),
			$status === 410                              => __( 'This site has left the new service before. Ask the people who run it to remove it there, then try again.', 'trousseau' ),
			$status === 413                              => __( 'There are too many gifts for one press. Ask the people who run the two services to move this site: they have commands for it.', 'trousseau' ),
			$status === 422                              => __( 'The gifts arrived damaged, or the new service is older than the present one. Try again. If that doesn’t help, ask the people who run it to bring it up to date.', 'trousseau' ) . self::own( $error ),
			default                                      => __( 'The new service can’t take the gifts just now. Try again later. If that doesn’t help, ask the people who run it.', 'trousseau' ) . self::own( $error ),
		};
	}

	/** The service's own words. */
	private static function own( ServiceError $error ): string {
		return ' (' . $error->getMessage() . ')';
	}
}
