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

/** Deletes pictures of shops that no gift of their list has any more: a day later, since a removed gift may be put back. */
final class UnusedPictures extends JobHandler {

	public const JOB = 'unused-pictures';

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

	public static function words(): string {
		return __( 'Unused gift pictures', 'trousseau' );
	}

	public function run( Job $job ): void {
		$post  = PostType::find( (int) $job->key );
		$items = $post ? array_merge( $this->gift_lists->items( $post ), GiftDrafts::of( $post ) ) : array();
		$this->shop_picture->keep_only( (int) $job->key, array_filter( array_map( 'strval', array_column( $items, 'image_url' ) ) ) );
	}

	/** Hooked to the deletion of a list for good. */
	public function forget( int $registry ): void {
		$this->shop_picture->keep_only( $registry, array() );
	}
}
