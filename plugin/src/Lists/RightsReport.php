<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Postponed;
use Trousseau\Service\ItemService;
use WP_Post;

/** Reports who owns a registry, its status and its surprise when they change: owners have added addresses to which the service sends. */
final class RightsReport extends JobHandler {

	/** Its jobs in the queue. */
	public const JOB = 'rights';

	/** The meta that says who owns a registry and what they may see. */
	private const META = array( Meta::OWNERS, Meta::SURPRISE_UNTIL, Meta::SURPRISE_KEEPS );

	/** Seconds until the next attempt: the service learns of every change, even after a long outage. */
	private const AWAY = 5 * MINUTE_IN_SECONDS;

	public function __construct( private readonly ItemService $item_service, private readonly JobQueue $job_queue ) {
	}

	public function follow_post( int $id, WP_Post $after, WP_Post $before ): void {
		if ( array( $after->post_author, $after->post_status ) != array( $before->post_author, $before->post_status ) ) {
			$this->report( $id );
		}
	}

	public function follow_meta( mixed $meta_id, int $id, string $key ): void {
		if ( in_array( $key, self::META, true ) ) {
			$this->report( $id );
		}
	}

	private function report( int $id ): void {
		if ( PostType::find( $id ) && $this->item_service->is_configured() ) {
			// A report that is under way may have read the registry before: it runs once more.
			$this->job_queue->add( self::JOB, null, 0, (string) $id );
		}
	}

	public static function words(): string {
		return __( 'Tell the service who owns the lists', 'trousseau' );
	}

	public function run( Job $job ): void {
		$this->tell( $job );
	}

	/** @param string $asked The service's word of its question, where this answers one. */
	public function tell( Job $job, string $asked = '' ): void {
		$id = (int) $job->key;
		clean_post_cache( $id );
		$post = PostType::find( $id );
		if ( $post && ! $this->item_service->tell_rights( $id, self::rights( $post ) + array_filter( compact( 'asked' ) ), $job->until - microtime( true ) ) ) {
			throw new Postponed( self::AWAY, __( 'The item service doesn’t answer.', 'trousseau' ) );
		}
	}

	/** @return array<string, mixed> */
	private static function rights( WP_Post $post ): array {
		return array(
			'status'                  => $post->post_status,
			'user_id'                 => (int) $post->post_author,
			'registry_owners'         => array_values( Meta::owner_list( $post->ID ) ),
			'registry_surprise_until' => Meta::surprise_until( $post->ID ) ?: null,
			'registry_surprise_ends'  => Surprise::ends( $post->ID ),
			'registry_surprise_keeps' => Meta::surprise_keeps_names_only( $post->ID ) ? 'names' : 'all',
		);
	}
}
