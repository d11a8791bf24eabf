<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Postponed;
use Trousseau\Service\GiftCache;
use Trousseau\Service\ItemService;
use WP_Post;

/**
 * Tells the service that a registry is gone; and who owns it, its status and its surprise when they change: owners have added addresses to which
 * the service sends. The service also asks by itself (`OpenQuestions`). Each report is a job until the service has heard of it.
 */
final class RegistryReport extends JobHandler {

	/** Its jobs in the queue: what has changed, what was deleted, and questions of the service. */
	public const RIGHTS  = 'rights';
	public const DELETED = 'deletion';
	public const ASKED   = 'look';

	/** The meta that says who owns a registry and what they may see. */
	private const META = array( Meta::OWNERS, Meta::SURPRISE_UNTIL, Meta::SURPRISE_KEEPS );

	/** Seconds for which a registry must be missing about which the service asks: a restored copy of the database comes row by row. */
	private const GONE_FOR = HOUR_IN_SECONDS;

	public function __construct( private readonly GiftCache $gift_cache, private readonly ItemService $item_service, private readonly JobQueue $job_queue ) {
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
			$this->job_queue->add( self::RIGHTS, null, 0, (string) $id );
		}
	}

	public function follow_deletion( int $id, WP_Post $post ): void {
		if ( $post->post_type === PostType::NAME ) {
			$this->gift_cache->forget( $id );
			// Nobody waits for the service, which may be the one that deletes.
			$this->item_service->is_configured() && $this->job_queue->add( self::DELETED, null, 0, (string) $id );
		}
	}

	public static function words(): string {
		return __( 'Tell the service about a list', 'trousseau' );
	}

	public function run( Job $job ): void {
		match ( $job->kind ) {
			self::RIGHTS  => $this->tell( $job ),
			self::DELETED => $this->tell_deleted( $job ) || throw self::later(),
			self::ASKED   => $this->answer( $job ),
		};
	}

	/** Answers a question that came with the service's word of it. One without a word only asked whether the registry is gone. */
	private function answer( Job $job ): void {
		if ( ! $this->is_gone( (int) $job->key ) ) {
			is_string( $job->payload ) && $job->payload !== '' && $this->tell( $job, $job->payload );
			return;
		}
		// The time since when it is missing takes the place of that word.
		$since = is_int( $job->payload ) ? $job->payload : time();
		if ( ! is_int( $job->payload ) || $since > time() - self::GONE_FOR ) {
			$this->job_queue->set_payload( self::ASKED, $job->key, $since );
			throw new Postponed( max( 1, $since + self::GONE_FOR - time() ) );
		}
		$this->tell_deleted( $job );
	}

	private function tell_deleted( Job $job ): bool {
		return $this->item_service->tell_deleted( (int) $job->key, $job->until - microtime( true ) );
	}

	private function tell( Job $job, string $asked = '' ): void {
		$id = (int) $job->key;
		clean_post_cache( $id );
		$post = PostType::find( $id );
		if ( $post && ! $this->item_service->tell_rights( $id, self::rights( $post ) + array_filter( compact( 'asked' ) ), $job->until - microtime( true ) ) ) {
			throw self::later();
		}
	}

	private static function later(): Postponed {
		return new Postponed( self::AWAY, __( 'The item service doesn’t answer.', 'trousseau' ) );
	}

	/**
	 * Asks the database itself. WordPress also finds no post where the query failed, and the service would delete
	 * an existing registry; a post of another type may become a registry again.
	 */
	private function is_gone( int $id ): bool {
		$wpdb = $GLOBALS['wpdb'];
		return $wpdb->get_var( $wpdb->prepare( "SELECT COUNT(*) FROM $wpdb->posts WHERE ID = %d", $id ) ) === '0';
	}

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
