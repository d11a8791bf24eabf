<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Service\Conflict;
use Trousseau\Service\HttpClient;
use Trousseau\Service\NotFound;
use Trousseau\Service\SiteTransfer;
use Trousseau\Support\Job;
use Trousseau\Support\JobHandler;
use Trousseau\Support\JobQueue;
use Trousseau\Support\Postponed;
use Trousseau\Support\Settings;

/**
 * Tells the service that this site has left that it serves the site no more: another program with the former address would write
 * there, unseen. The account is the site's present one, since every service asks this very site about passwords.
 */
final class FormerService extends JobHandler {

	public const JOB = 'former-service';

	public const RETRIES = array( 30, 60, 120, 240, 600, HOUR_IN_SECONDS, 6 * HOUR_IN_SECONDS, DAY_IN_SECONDS );

	/** Seconds for a file that isn't needed: the service closes a site only with it. */
	private const PATIENCE = 2 * MINUTE_IN_SECONDS;

	/** Seconds until a job that came before the new address is stored looks again. */
	private const SOON = 30;

	public function __construct( private readonly JobQueue $job_queue, private readonly SiteTransfer $site_transfer ) {
	}

	/** Plans the job, before the site's settings name the new service. */
	public function expect( string $address, string $key ): void {
		$this->job_queue->add( self::JOB, compact( 'address', 'key' ) + array( 'until' => time() + 5 * MINUTE_IN_SECONDS ), 0, self::key( $address ) );
	}

	/** Whether that service knows. */
	public function knows( string $address ): bool {
		return $this->job_queue->run_at( self::JOB, self::key( $address ) ) === 0;
	}

	/** The job's key. */
	public static function key( string $address ): string {
		return md5( $address );
	}

	public function run( Job $job ): void {
		list( 'address' => $address, 'key' => $key, 'until' => $until ) = $job->payload;
		list( $present, , $username, $password )                        = Settings::connection();
		if ( $present === $address ) {
			// The process that moved the site has died just before, or the site has come back.
			if ( time() < $until ) {
				throw new Postponed( self::SOON );
			}
			return;
		}
		$this->leave( new HttpClient( $address, $key, $username, $password ) );
		/** Fires when the service that this site has left knows it. */
		do_action( 'trousseau_left_service' );
	}

	private function leave( HttpClient $service ): void {
		try {
			$this->site_transfer->leave( $service );
		} catch ( NotFound ) {
			return; // The site was removed there.
		} catch ( Conflict ) {
			// It has opened the site again meanwhile.
			$file = $this->site_transfer->new_file();
			try {
				$this->site_transfer->export( $service, $file, self::PATIENCE );
			} finally {
				wp_delete_file( $file );
			}
			$this->site_transfer->leave( $service );
		}
	}

	/** The key of a service that the site has left is kept no longer than it is needed. */
	public function failed( Job $job ): void {
		if ( is_array( $job->payload ) ) {
			$this->job_queue->set_payload( self::JOB, $job->key, array( 'key' => '' ) + $job->payload );
		}
	}
}
