<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Service\ItemService;
use Trousseau\Support\JobQueue;
use Trousseau\Support\RateLimiter;
use WP_REST_Request;

/**
 * The service asks, without credentials, whether a registry is gone and which roles a user has. The answer is the same for every
 * number: a job looks later, and reports. A repeated question is answered again.
 */
final class OpenQuestions {

	private const JOBS = array(
		'registries' => LookForRegistry::JOB,
		'users'      => RolesReport::JOB,
	);

	/** Anybody can ask, so the questions at a time and in an hour are limited. */
	private const MOST_ASKED   = 100;
	private const MOST_AN_HOUR = 600;

	public function __construct(
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
		private readonly RateLimiter $rate_limiter,
	) {
	}

	public function register_routes(): void {
		foreach ( self::JOBS as $path => $job ) {
			register_rest_route(
				'trousseau/v1',
				"/$path/(?P<id>[1-9]\d{0,15})/look",
				array(
					'methods'             => 'POST',
					'permission_callback' => '__return_true',
					'callback'            => function ( WP_REST_Request $request ) use ( $job ): array {
						$this->look_later( $job, (string) $request->get_url_params()['id'] );
						return array( 'asked' => true );
					},
				)
			);
		}
	}

	private function look_later( string $job, string $id ): void {
		if ( $this->job_queue->run_at( $job, $id ) || $this->job_queue->count( $job ) >= self::MOST_ASKED || ! $this->item_service->is_configured() || ! $this->rate_limiter->allows( $job, '', self::MOST_AN_HOUR, HOUR_IN_SECONDS ) ) {
			return;
		}
		$this->job_queue->add_once( $job, null, time(), $id );
	}
}
