<?php

declare(strict_types=1);

namespace Trousseau\Privacy;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ChangeNotice;
use Trousseau\Lists\PostType;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Postponed;
use Trousseau\Service\GiftCache;
use Trousseau\Service\ItemService;
use WP_Post;

/**
 * Reports deleted registries to the service, which has their items. Each is a job until the
 * service has heard of it, so that a service that was away learns of it later.
 */
final class DeletionReport extends JobHandler {

	/** Its jobs in the queue. */
	public const JOB = 'deletion';

	/** Seconds until the next attempt: the service learns of every deletion, even after a long outage. */
	private const AWAY = 5 * MINUTE_IN_SECONDS;

	public function __construct(
		private readonly ChangeNotice $change_notice,
		private readonly GiftCache $gift_cache,
		private readonly GiverRetention $giver_retention,
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
	) {
	}

	public function note( int $id, WP_Post $post ): void {
		if ( $post->post_type !== PostType::NAME ) {
			return;
		}
		$this->gift_cache->forget( $id );
		$this->change_notice->forget( $id );
		if ( ! $this->item_service->is_configured() ) {
			return;
		}
		$this->giver_retention->note_gone( $id );
		// Nobody waits for the service, which may be the one that deletes.
		$this->job_queue->add( self::JOB, null, 0, (string) $id );
	}

	public static function words(): string {
		return __( 'Tell the service about a deleted list', 'trousseau' );
	}

	public function run( Job $job ): void {
		if ( ! $this->item_service->tell_deleted( (int) $job->key, $job->until - microtime( true ) ) ) {
			throw new Postponed( self::AWAY, __( 'The item service doesn’t answer.', 'trousseau' ) );
		}
	}
}
