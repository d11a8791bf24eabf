<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Surprise;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Plugin;

/**
 * The work behind the pages as the site's administrators see it: jobs that have failed, that will be tried again, or that are late.
 * An administrator may be an owner who is to be surprised, so planned emails are left out, and while there is such an administrator all emails
 * about gifts are.
 */
final class JobList {

	private const MOST = 500;

	/** Emails that say nothing about a gift. */
	private const HARMLESS = array( 'approval', 'invitation', 'my-gifts', 'claims-undone' );

	/** Seconds after which a job that has not begun is late. */
	private const LATE = 5 * MINUTE_IN_SECONDS;

	public function __construct( private readonly JobQueue $job_queue, private readonly Surprise $surprise ) {
	}

	/** @return array<int, array{id: int, handler: string, kind: string, state: string, is_failed: bool, due: int, attempts: int, error: string}> */
	public function rows(): array {
		$is_surprise = $this->surprise->is_for_a_keeper();
		$rows        = array();
		foreach ( $this->job_queue->visible( self::MOST ) as $job ) {
			$handler   = Plugin::parts( JobHandler::class )[ $job['handler'] ] ?? null;
			$is_secret = $handler && $handler::IS_SECRET && $is_surprise && ! in_array( $job['payload']['template'] ?? '', self::HARMLESS, true );
			$is_late   = $job['run_at'] < time() - self::LATE;
			if ( $is_secret || ! ( $job['failed_at'] || $job['error'] !== '' || $is_late ) ) {
				continue;
			}
			$rows[] = array(
				'id'       => $job['id'],
				'handler'  => $job['handler'],
				'kind'     => $handler ? $handler::words() : $job['handler'],
				'state'    => match ( true ) {
					$job['failed_at'] > 0 => __( 'failed', 'trousseau' ),
					$job['error'] !== ''  => __( 'will be tried again', 'trousseau' ),
					default               => __( 'late', 'trousseau' ),
				},
				'is_failed' => $job['failed_at'] > 0,
				'due'      => $job['failed_at'] ?: $job['run_at'],
				'attempts' => $job['attempts'],
				'error'    => $job['error'],
			);
		}
		return $rows;
	}

	/** Retries a job of the list; others stay as they are. */
	public function retry( int $id ): bool {
		return $this->has( $id ) && $this->job_queue->retry( $id );
	}

	public function delete( int $id ): bool {
		return $this->has( $id ) && $this->job_queue->delete( $id );
	}

	private function has( int $id ): bool {
		return in_array( $id, array_column( $this->rows(), 'id' ), true );
	}
}
