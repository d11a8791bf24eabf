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

/** Deletes pictures that no gift of their list has any more: a day later, when no cached page shows them. */
final class UnusedPictures extends JobHandler {

	public const JOB = 'unused-pictures';

	/** Seconds until the next attempt while the service is away. */
	private const AWAY = 5 * MINUTE_IN_SECONDS;

	public function __construct(
		private readonly GiftLists $gift_lists,
		private readonly GiftPicture $gift_picture,
		private readonly JobQueue $job_queue,
	) {
	}

	/** Queues a check of a list whose gifts or pictures have changed. */
	public function expect( int $registry ): void {
		$this->gift_picture->has( $registry ) && $this->job_queue->add_once( self::JOB, null, time() + DAY_IN_SECONDS, (string) $registry );
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
		// A removed gift may be put back.
		$gifts = $post ? array( ...$this->gift_lists->items( $post ), ...GiftDrafts::of( $post ), ...RemovedGifts::of( $post ) ) : array();
		if ( ! $this->gift_picture->keep_only( (int) $job->key, array_filter( array_column( $gifts, 'image_url' ) ) ) ) {
			throw new Postponed( DAY_IN_SECONDS );
		}
	}
}
