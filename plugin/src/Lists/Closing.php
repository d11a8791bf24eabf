<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use WP_Post;

/** Closes a list: from a day that its owners choose, guests read a thank-you there and can't give any more. */
final class Closing extends JobHandler {

	/** Its jobs in the queue, keyed by registry: pages in caches have to change on that day, too. */
	public const JOB = 'close';

	private const META = '_trousseau_closes_on';

	public function __construct( private readonly JobQueue $job_queue ) {
	}

	/** The first day on which the list is closed, as `YYYY-MM-DD`. Empty if it stays open. */
	public static function day( int $post_id ): string {
		return Meta::clean_event_date( get_post_meta( $post_id, self::META, true ) );
	}

	/** Whether that day has come in the site's time zone. */
	public static function is_over( WP_Post $post ): bool {
		$day = self::day( $post->ID );
		return $day !== '' && $day <= wp_date( 'Y-m-d' );
	}

	/** @param string $day Nothing: the list stays open. */
	public function set( int $post_id, string $day ): void {
		if ( $day === self::day( $post_id ) ) {
			return;
		}
		$this->job_queue->delete_of( self::JOB, (string) $post_id );
		if ( $day === '' ) {
			delete_post_meta( $post_id, self::META );
			return;
		}
		update_post_meta( $post_id, self::META, $day );
		$begins = new \DateTimeImmutable( $day, wp_timezone() );
		$this->job_queue->add_once( self::JOB, null, $begins->getTimestamp(), (string) $post_id );
	}

	public static function words(): string {
		return __( 'Close a list', 'trousseau' );
	}

	public function run( Job $job ): void {
		/** Fires on the day on which a registry closes. Passes the registry's number. */
		do_action( 'trousseau_list_closed', (int) $job->key );
	}
}
