<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\GiftDrafts;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\PostType;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Postponed;
use WP_Post;

/**
 * Deletes pictures of shops that no gift of their list has any more: a day later, since a removed gift may be put back. And uploaded
 * ones that no gift was given within a day: their form was refused, and left.
 */
final class UnusedPictures extends JobHandler {

	public const JOB = 'unused-pictures';

	/** Seconds until the next attempt while the service is away. */
	private const AWAY = 5 * MINUTE_IN_SECONDS;

	/** The list's uploaded pictures of the last day. */
	private const UPLOADS = '_trousseau_uploads';

	public function __construct(
		private readonly GiftLists $gift_lists,
		private readonly JobQueue $job_queue,
		private readonly ShopPicture $shop_picture,
	) {
	}

	/** Queues a check of a list whose gifts have changed. */
	public function expect( int $registry ): void {
		$this->shop_picture->has( $registry ) && $this->job_queue->add_once( self::JOB, null, time() + DAY_IN_SECONDS, (string) $registry );
	}

	/** Queues a check of a picture that someone has just uploaded. */
	public function watch( int $registry, int $file ): void {
		add_post_meta( $registry, self::UPLOADS, $file );
		$this->job_queue->add_once( self::JOB, null, time() + DAY_IN_SECONDS, (string) $registry );
	}

	/** Stops watching a picture that a gift on another list uses, too. */
	public function spare( int $registry, string $url ): void {
		foreach ( self::uploads( $registry ) as $file ) {
			self::is_at( $file, $url ) && delete_post_meta( $registry, self::UPLOADS, $file );
		}
	}

	/** @return int[] In the order of their upload. */
	private static function uploads( int $registry ): array {
		return array_map( 'intval', get_post_meta( $registry, self::UPLOADS ) );
	}

	/** Whether a file is among these addresses, in whatever size. One that is gone counts as found. */
	private static function is_at( int $file, string $urls ): bool {
		$name = pathinfo( (string) get_attached_file( $file ), PATHINFO_FILENAME );
		return $name === '' || str_contains( $urls, "/$name" );
	}

	public static function words(): string {
		return __( 'Unused gift pictures', 'trousseau' );
	}

	public function run( Job $job ): void {
		$post = PostType::find( (int) $job->key );
		if ( $post && ! $this->gift_lists->of( $post )->is_current ) {
			// An older copy may lack a gift, whose picture would go.
			throw new Postponed( self::AWAY );
		}
		$items = $post ? array_merge( $this->gift_lists->items( $post ), GiftDrafts::of( $post ) ) : array();
		$urls  = array_filter( array_map( 'strval', array_column( $items, 'image_url' ) ) );
		$this->shop_picture->keep_only( (int) $job->key, $urls );
		$post && $this->check_uploads( $post, implode( ' ', $urls ) );
	}

	/** @param string $used The addresses of all pictures that gifts have. */
	private function check_uploads( WP_Post $post, string $used ): void {
		foreach ( self::uploads( $post->ID ) as $file ) {
			$at   = (int) get_post_timestamp( $file );
			$wait = $at + DAY_IN_SECONDS - time();
			if ( $wait > 0 ) {
				throw new Postponed( $wait );
			}
			delete_post_meta( $post->ID, self::UPLOADS, $file );
			// Of a removed gift only the service knows the picture, and it may be put back.
			$is_removed = array_filter( RemovedGifts::of( $post ), static fn( array $entry ): bool => $entry['at'] > $at );
			if ( ! self::is_at( $file, $used ) && ! $is_removed && wp_get_post_parent_id( $file ) === $post->ID ) {
				wp_delete_attachment( $file, true );
			}
		}
	}

	/** Hooked to the deletion of a list for good. */
	public function forget( int $registry ): void {
		$this->shop_picture->keep_only( $registry, array() );
	}
}
