<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Service\ItemService;
use Trousseau\Support\Job;
use Trousseau\Support\JobHandler;
use Trousseau\Support\JobQueue;
use Trousseau\Support\Postponed;
use Trousseau\Support\RateLimiter;
use WP_REST_Request;

/**
 * The service asks, without credentials, whether a registry is gone. The answer is the same for every number: the site
 * looks later, and reports the registries that it doesn't have. A repeated question is answered again.
 */
final class LookForRegistry extends JobHandler {

	/** Its jobs in the queue. The payload is the time of the first look. */
	public const JOB = 'look';

	/** Anybody can ask, so the questions at a time and in an hour are limited. */
	private const MOST_ASKED   = 100;
	private const MOST_AN_HOUR = 600;

	/** Seconds for which a registry must be missing: a restored copy of the database comes row by row. */
	private const GONE_FOR = HOUR_IN_SECONDS;

	public function __construct(
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
		private readonly RateLimiter $rate_limiter,
	) {
	}

	public function register_route(): void {
		register_rest_route(
			'trousseau/v1',
			'/registries/(?P<id>[1-9]\d{0,15})/look',
			array(
				'methods'             => 'POST',
				'permission_callback' => '__return_true',
				'callback'            => function ( WP_REST_Request $request ): array {
					$this->look_later( (int) $request['id'] );
					return array( 'asked' => true );
				},
			)
		);
	}

	private function look_later( int $id ): void {
		if ( $this->job_queue->run_at( self::JOB, (string) $id ) || $this->job_queue->count( self::JOB ) >= self::MOST_ASKED || ! $this->item_service->is_configured() || ! $this->rate_limiter->allows( 'look', '', self::MOST_AN_HOUR, HOUR_IN_SECONDS ) ) {
			return;
		}
		$this->job_queue->add_once( self::JOB, null, time(), (string) $id );
	}

	public function run( Job $job ): void {
		if ( ! $this->is_gone( (int) $job->key ) ) {
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
