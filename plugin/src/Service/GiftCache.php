<?php

declare(strict_types=1);

namespace Trousseau\Service;

use Trousseau\Platform\Encryption;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Lock;

/**
 * The items of a registry as this site stores them, so that a page is as fast as any other and stays whole without
 * the service. A page whose list is older than a few seconds asks the service whether it still holds. Only one page asks at a time, and
 * not for long.
 *
 * A failure is tried once more: by the next page, where this one has waited and has gifts to show. If that fails, too, one page of
 * the whole site asks now and then. A refusal concerns one list only. Registries are numbers here: other classes know who may see
 * one, and in which order its owner has put the items.
 */
final class GiftCache {

	private const KEPT = 'gifts_';

	/** The last failure of the service: its beginning, and whether it may be over in a moment: the service said so, or was slow once. */
	private const TROUBLE = 'trouble';

	/** Seconds for which a list is shown without asking. */
	private const FRESH = 4;

	/** Seconds that a page waits: for the service with stored gifts, for the service without, and for another page. */
	private const PATIENCE       = 0.4;
	private const PATIENCE_FIRST = 1.5;
	private const PATIENCE_OTHER = 0.5;

	/** Seconds between two requests of the whole site while the service fails, and while it asks for a moment. */
	private const PAUSE      = 3;
	private const PAUSE_SOON = 1;

	/** Seconds after which a service that asks for a moment counts as failed. */
	private const MOMENT = 30;

	/** Seconds after which a list that doesn't change is asked for whole, and its time noted. */
	private const WHOLE_AFTER = 60;

	/** @var array<int, array{0: array<string, mixed>|null, 1: bool, 2: bool}> The lists of this request; see look(). */
	private array $found = array();

	/** @var array{0: array<string, mixed>[], 1: Item[]} The items of the list that was read last, and the objects made of them. */
	private array $made = array( array(), array() );

	public function __construct(
		private readonly ItemService $item_service,
		private readonly KeptValues $kept_values,
		private readonly Lock $lock,
	) {
	}

	/** The list for a page; it may ask the service once in a request. */
	public function of( int $id ): GiftList {
		$is_first = ! isset( $this->found[ $id ] );

		list( $kept, $is_current, $was_asked ) = $this->found[ $id ] ??= $this->look( $id );
		return new GiftList( $this->items_of( $kept ), (int) ( $kept['asked_at'] ?? 0 ), $is_current, $is_first && $was_asked );
	}

	/** Asks the service after a change, so that the next page shows it. */
	public function renew( int $id ): void {
		$this->read_again( $id );
		$kept = $this->ask( $id, $this->opened( $id ), self::PATIENCE_FIRST, true );
		// The next page needn't ask again, unless the service gave no answer.
		$this->lock->forget( "gifts-$id" );
		if ( ! $this->trouble() ) {
			$this->is_turn( $id, null );
			$this->found[ $id ] = array( $kept, empty( $kept['refused'] ), false );
		}
	}

	/** Makes the rest of this request read the list again, as it is stored by then. */
	public function read_again( int $id ): void {
		unset( $this->found[ $id ] );
		wp_cache_delete( self::KEPT . $id, KeptValues::GROUP );
	}

	/** @return Item[]|null A list as this request has read it, or else as the site has stored it. The service is not asked. */
	public function known( int $id ): ?array {
		return $this->items_of( $this->found[ $id ][0] ?? null ) ?? $this->stored( $id );
	}

	/** @return Item[]|null A list as the site has stored it. The service is not asked. */
	public function stored( int $id ): ?array {
		return $this->items_of( $this->opened( $id ) );
	}

	private function items_of( ?array $kept ): ?array {
		if ( ! isset( $kept['items'] ) ) {
			return null;
		}
		if ( $kept['items'] !== $this->made[0] ) {
			$this->made = array( $kept['items'], Item::all( $kept['items'] ) );
		}
		return $this->made[1];
	}

	public function forget( int $id ): void {
		$this->read_again( $id );
		$this->kept_values->delete( self::KEPT . $id );
		$this->lock->forget( "gifts-$id" );
	}

	/** @return array{0: array<string, mixed>|null, 1: bool, 2: bool} The list that is known, whether it holds, and whether the service was asked. */
	private function look( int $id ): array {
		$kept    = $this->opened( $id );
		$trouble = $this->trouble();
		$asks    = $this->is_turn( $id, $trouble );
		if ( $asks ) {
			$first   = ! isset( $kept['items'] ) && ! $trouble;
			$kept    = $this->ask( $id, $kept, $first ? self::PATIENCE_FIRST : self::PATIENCE, $first );
			$trouble = $this->trouble();
		} elseif ( ! $kept && ! $trouble ) {
			$kept    = $this->wait_for_other( $id );
			$trouble = $this->trouble();
		}
		$failing = $trouble && ( ! $trouble['soon'] || microtime( true ) - $trouble['since'] > self::MOMENT );
		return array( $kept, ! $failing && empty( $kept['refused'] ), $asks );
	}

	private function is_turn( int $id, ?array $trouble ): bool {
		if ( $trouble ) {
			return $this->lock->take( 'service', $trouble['soon'] ? self::PAUSE_SOON : self::PAUSE );
		}
		/** Filters for how many seconds a registry's page shows its gifts without asking the service again. */
		return $this->lock->take( "gifts-$id", (int) apply_filters( 'trousseau_gifts_fresh_for', self::FRESH ) );
	}

	/** Asks the service and stores its answer, the list or the failure. */
	private function ask( int $id, ?array $kept, float $seconds, bool $again ): ?array {
		$asked_at = microtime( true );
		// An ETag names a state of one store: after a restored backup or at another address it is wrong for a minute at most.
		$is_recent = $kept && abs( $asked_at - $kept['asked_at'] ) <= self::WHOLE_AFTER;
		$etag      = $is_recent ? $kept['etag'] ?? '' : '';
		try {
			$answer = $this->answer( $id, $seconds, $again, $etag, $kept );
			$items  = $answer ? self::checked( $id, $answer['items'] ) : $kept['items'];
		} catch ( ServiceError $error ) {
			return $this->after( $error, $id, $kept, $asked_at );
		}
		/** Fires when the service has sent the items of a registry, or said that they haven't changed: its number, and the items. */
		do_action( 'trousseau_gifts_received', $id, Item::all( $items ) );
		if ( $this->trouble() ) {
			$this->kept_values->delete( self::TROUBLE );
		}
		// A page that waits for an answer shows it, even if it couldn't be stored.
		$found = array( 'etag' => $answer['etag'] ?? $etag ) + compact( 'asked_at', 'items' );
		if ( ! $is_recent || isset( $kept['refused'] ) || $kept['items'] !== $items ) {
			$newer = $this->opened( $id, true );
			// No request takes a minute: a later time is from before the clock was set back.
			if ( $newer && $newer['asked_at'] > $asked_at && $newer['asked_at'] - $asked_at < self::WHOLE_AFTER ) {
				return $newer;
			}
			$this->keep( $id, $found );
			/** Fires when the site has stored the items of a registry anew: its number. */
			do_action( 'trousseau_gifts_changed', $id );
		}
		return $found;
	}

	/**
	 * The service's answer. A page that finds the first failure asks once more, unless it has kept gifts and has waited for them:
	 * one slow answer is no outage.
	 */
	private function answer( int $id, float $seconds, bool $again, string $etag, ?array $kept ): ?array {
		$began = microtime( true );
		try {
			return $this->item_service->registry_items_soon( $id, $seconds, $again, $etag );
		} catch ( Unavailable $error ) {
			if ( $error->is_soon || $this->trouble() || self::has_waited( $began, $kept ) ) {
				throw $error;
			}
			return $this->item_service->registry_items_soon( $id, self::PATIENCE, $again, $etag );
		}
	}

	/** Whether a page that has kept gifts to show has waited as long as it may. */
	private static function has_waited( float $began, ?array $kept ): bool {
		return isset( $kept['items'] ) && microtime( true ) - $began > HttpClient::patience( self::PATIENCE ) / 2;
	}

	/** Notes a failure: of the service, which concerns all lists, or a refusal of this one. */
	private function after( ServiceError $error, int $id, ?array $kept, float $asked_at ): ?array {
		// No list can be read without a valid account.
		if ( $error instanceof Unavailable || $error instanceof TooMany || $error->status === 401 ) {
			$is_first = ! $this->trouble() && self::has_waited( $asked_at, $kept );
			$this->note_trouble( $error->is_soon || $is_first );
			return $kept;
		}
		$refused = array( 'refused' => true ) + ( $kept ?? array( 'asked_at' => microtime( true ), 'items' => null ) );
		if ( $refused !== $kept ) {
			$this->keep( $id, $refused );
		}
		return $refused;
	}

	/**
	 * The registry's own items.
	 *
	 * @throws Unavailable Where another server answers.
	 */
	private static function checked( int $id, array $items ): array {
		if ( ! array_is_list( $items ) || array_filter( $items, static fn( $item ) => ! isset( $item['id'], $item['name'] ) ) ) {
			throw new Unavailable( __( 'The item service has no gifts for this list.', 'trousseau' ), 200 );
		}
		return array_values( array_filter( $items, static fn( array $one ): bool => (int) ( $one['registry_id'] ?? 0 ) === $id ) );
	}

	private function keep( int $id, array $list ): void {
		$this->kept_values->set( self::KEPT . $id, Encryption::seal( array( 'id' => $id ) + $list ) );
	}

	/** Waits for another page that is asking for the first time. */
	private function wait_for_other( int $id ): ?array {
		$until = microtime( true ) + HttpClient::patience( self::PATIENCE_OTHER );
		do {
			usleep( 20_000 );
			$kept = $this->opened( $id, true );
		} while ( ! $kept && ! $this->trouble( true ) && microtime( true ) < $until );
		return $kept;
	}

	/** @return array{since: float, soon: bool}|null */
	private function trouble( bool $now = false ): ?array {
		$trouble = $this->kept_values->get( self::TROUBLE, $now );
		return is_array( $trouble ) && isset( $trouble['since'], $trouble['soon'] ) ? $trouble : null;
	}

	private function note_trouble( bool $soon ): void {
		if ( ! $soon ) {
			// This page has asked for the whole site: the next one asks after a pause.
			$this->lock->take( 'service', self::PAUSE );
		}
		$before = $this->trouble( true );
		// An outage lasts until a request succeeds: a service that only asks for a moment has not answered yet.
		if ( ! $before || ( $before['soon'] && ! $soon ) ) {
			$since = $before['since'] ?? microtime( true );
			$this->kept_values->set( self::TROUBLE, compact( 'since', 'soon' ) );
		}
	}

	/**
	 * Decrypts a list: wishes are encrypted in every cache and every copy of the database.
	 *
	 * @return array{asked_at: float, items: array<string, mixed>[]|null, etag?: string, refused?: true}|null
	 */
	private function opened( int $id, bool $now = false ): ?array {
		$kept = Encryption::open( $this->kept_values->get( self::KEPT . $id, $now ) );
		return is_array( $kept ) && $kept['id'] === $id ? $kept : null;
	}
}
