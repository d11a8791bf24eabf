<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Lock;

/**
 * Follows what happens on the whole site, as the service tells it: one short request every few seconds says which registries have
 * changed, so that no page asks for a list that hasn't. Where the feed can't be read, pages ask for their lists.
 */
final class ChangeFeed {

	/** The cursor, the time of the last reading, the time since when changes are known, and the registries that have changed lately. */
	private const STATE = 'feed';

	/** The cursor of a beginning that isn't over. */
	private const BEGUN = 'feed_begun';

	/** Seconds between two readings, and those that a page waits for one. */
	private const APART    = 4;
	private const PATIENCE = 0.4;

	/** Seconds for which a reading counts: then pages ask for their lists, so that none is older than ten seconds. */
	private const COUNTS = 8;

	/** The most events in an answer: for a page, and at the start, when the events of 30 days are read. */
	private const FOR_A_PAGE      = 200;
	private const FOR_A_BEGINNING = 1000;

	/** Seconds for which a change is remembered: no list is kept longer without being asked for. */
	private const REMEMBERED = 60;

	/** Seconds by which the clocks of the site's servers may differ: for so long after a change a list is asked for again. */
	private const CLOCKS = 5;

	/** In the place of the time since when changes are known: more have happened than one reading could tell. */
	private const BEHIND = PHP_FLOAT_MAX;

	public function __construct(
		private readonly ItemService $item_service,
		private readonly KeptValues $kept_values,
		private readonly Lock $lock,
	) {
	}

	/** Whether a registry has not changed since its list was asked for. False, too, where nobody knows. */
	public function says_unchanged( int $id, float $asked_at ): bool {
		return self::is_unchanged( $this->follow(), $id, $asked_at );
	}

	/** The same as far as this request has read the feed. */
	public function said_unchanged( int $id, float $asked_at ): bool {
		return self::is_unchanged( $this->kept_values->get( self::STATE ), $id, $asked_at );
	}

	private static function is_unchanged( ?array $state, int $id, float $asked_at ): bool {
		return $state && ( $state['read'] ?? 0.0 ) > microtime( true ) - self::COUNTS && $asked_at > self::CLOCKS + max( $state['since'], $state['changed'][ $id ] ?? 0.0, microtime( true ) - self::REMEMBERED );
	}

	/** Starts following, unless it already does: reads the stored events for this many seconds, and continues there the next time. */
	public function begin( float $seconds ): void {
		$until = microtime( true ) + $seconds;
		while ( ! is_array( $this->kept_values->get( self::STATE ) ) && microtime( true ) < $until ) {
			$now = microtime( true );
			try {
				$answer = $this->item_service->events( (string) $this->kept_values->get( self::BEGUN ), self::FOR_A_BEGINNING );
			} catch ( ServiceError $error ) {
				// A cursor of another store, or too old; an older service; an account that may not read it.
				self::is_away( $error ) || $this->kept_values->delete( self::BEGUN );
				return;
			}
			$this->kept_values->set( self::BEGUN, $answer['next'] );
			// The service cuts a page that is long, but to no fewer than these.
			if ( count( $answer['events'] ) < self::FOR_A_PAGE ) {
				$this->keep( $answer['next'], $now, $now, array() );
				$this->kept_values->delete( self::BEGUN );
			}
		}
	}

	/** Whether the service may answer with the same cursor later. */
	private static function is_away( ServiceError $error ): bool {
		return $error->status !== 410 && ( $error instanceof Unavailable || $error instanceof TooMany );
	}

	/** @return array{cursor: string, read: float, since: float, changed: array<int, float>}|null The newest state; null where the feed can't be read. */
	private function follow(): ?array {
		$state = $this->kept_values->get( self::STATE );
		if ( ! is_array( $state ) || ! $this->lock->take( 'feed', self::APART ) ) {
			return is_array( $state ) ? $state : null;
		}
		$now = microtime( true );
		try {
			// Another request may have read on since this one has read the state.
			$state  = $this->kept_values->get( self::STATE, true ) ?? $state;
			$answer = $this->item_service->events_soon( $state['cursor'], self::FOR_A_PAGE, self::PATIENCE );
		} catch ( ServiceError $error ) {
			self::is_away( $error ) || $this->kept_values->delete( self::STATE );
			return null;
		}
		$is_whole = count( $answer['events'] ) < self::FOR_A_PAGE;
		$since    = $is_whole ? ( $state['since'] === self::BEHIND ? $now : $state['since'] ) : self::BEHIND;
		$ids      = array_map( 'intval', array_column( $answer['events'], 'registry_id' ) );
		$new      = array_filter( $state['changed'], static fn( float $time ): bool => $time > $now - self::REMEMBERED );
		return $this->keep( $answer['next'], $now, $since, array_fill_keys( $ids, microtime( true ) ) + $new );
	}

	/**
	 * @param array<int, float> $changed
	 * @return array{cursor: string, read: float, since: float, changed: array<int, float>}
	 */
	private function keep( string $cursor, float $read, float $since, array $changed ): array {
		$state = compact( 'cursor', 'read', 'since', 'changed' );
		$this->kept_values->set( self::STATE, $state );
		return $state;
	}
}
