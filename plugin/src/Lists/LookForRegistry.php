<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Postponed;
use Trousseau\Service\ItemService;

/** Looks for a registry about which the service asks: reports it if the site doesn't have it, and its rights if the service asks for them. */
final class LookForRegistry extends JobHandler {

	/** Its jobs in the queue. The payload is the service's word of its question, and then the time since when the registry is missing. */
	public const JOB = 'look';

	/** Seconds for which a registry must be missing: a restored copy of the database comes row by row. */
	private const GONE_FOR = HOUR_IN_SECONDS;

	public function __construct(
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
		private readonly RightsReport $rights_report,
	) {
	}

	public static function words(): string {
		return __( 'Tell the service about a deleted list', 'trousseau' );
	}

	public function run( Job $job ): void {
		if ( ! $this->is_gone( (int) $job->key ) ) {
			is_string( $job->payload ) && $this->rights_report->tell( $job, $job->payload );
			return;
		}
		$since = is_int( $job->payload ) ? $job->payload : 0;
		if ( ! $since || $since > time() - self::GONE_FOR ) {
			$since = $since ?: time();
			$this->job_queue->set_payload( self::JOB, $job->key, $since );
			throw new Postponed( max( 1, $since + self::GONE_FOR - time() ) );
		}
		$this->item_service->tell_deleted( (int) $job->key, $job->until - microtime( true ) );
	}

	/**
	 * Asks the database itself. WordPress also finds no post where the query failed, and the service would delete
	 * an existing registry; a post of another type may become a registry again.
	 */
	private function is_gone( int $id ): bool {
		$wpdb = $GLOBALS['wpdb'];
		return $wpdb->get_var( $wpdb->prepare( "SELECT COUNT(*) FROM $wpdb->posts WHERE ID = %d", $id ) ) === '0';
	}
}
