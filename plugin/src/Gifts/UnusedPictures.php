<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\GiftDrafts;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\LastChanges;
use Trousseau\Lists\PostType;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\MetaList;
use Trousseau\Platform\Postponed;

/**
 * Deletes pictures that no gift of their list has any more: a week after it was first seen, since nobody can upload them again if the
 * service has said something wrong.
 */
final class UnusedPictures extends JobHandler {

	public const JOB = 'unused-pictures';

	/** The times since which a list's files are unused, by their names. */
	private const SINCE = 'unused_pictures_';

	public function __construct(
		private readonly GiftLists $gift_lists,
		private readonly GiftPicture $gift_picture,
		private readonly JobQueue $job_queue,
		private readonly KeptValues $kept_values,
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
		$id   = (int) $job->key;
		$post = PostType::find( $id );
		if ( ! $post ) {
			// The list was deleted while a picture of it was fetched, unless the database fails.
			get_post( $id ) || $GLOBALS['wpdb']->last_error !== '' || $this->gift_picture->forget( $id );
			return;
		}
		$list  = $this->gift_lists->of( $post );
		$notes = array( LastChanges::OF_DRAFTS, LastChanges::OF_REMOVED );
		if ( $list->items === null || ! $list->is_current || array_filter( $notes, static fn( string $key ): bool => ! MetaList::is_readable( $id, $key ) ) ) {
			// A gift may be missing whose picture would go.
			throw new Postponed( self::AWAY );
		}
		// A removed gift may be put back.
		$gifts  = array( ...$list->items, ...GiftDrafts::of( $post ), ...RemovedGifts::of( $post ) );
		$unused = array_fill_keys( $this->gift_picture->unused( $id, array_filter( array_column( $gifts, 'image_url' ) ) ), time() );
		$since  = array_intersect_key( (array) $this->kept_values->get( self::SINCE . $id ), $unused ) + $unused;
		$old    = array_filter( $since, static fn( int $at ): bool => $at <= time() - WEEK_IN_SECONDS );
		$this->gift_picture->delete( $id, array_keys( $old ) );
		if ( count( $old ) < count( $since ) ) {
			$this->kept_values->set( self::SINCE . $id, array_diff_key( $since, $old ), MONTH_IN_SECONDS );
			throw new Postponed( DAY_IN_SECONDS );
		}
	}
}
