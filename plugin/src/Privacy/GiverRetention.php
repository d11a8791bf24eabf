<?php

declare(strict_types=1);

namespace Trousseau\Privacy;

defined( 'ABSPATH' ) || exit;

use Trousseau\Giving\SecretGifts;
use Trousseau\Lists\Meta;
use Trousseau\Lists\PostType;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Postponed;
use Trousseau\Platform\Settings;
use Trousseau\Platform\Tables;
use Trousseau\Service\Conflict;
use Trousseau\Service\Forbidden;
use Trousseau\Service\Invalid;
use Trousseau\Service\ItemService;
use WP_Post;

/**
 * Forgets who gave what: so many months after a registry's day, after the last change of a gift where that
 * is later or there is no day, and after a registry was deleted. A daily round has the service forget the others, some
 * registries at a time; each is looked at again after a month.
 */
final class GiverRetention extends JobHandler {

	public const EVERY = DAY_IN_SECONDS;

	public const JOB = 'retention';

	/** Months after which givers are forgotten where nobody has chosen. */
	public const DEFAULT_MONTHS = 12;
	public const MOST_MONTHS    = 120;

	/** The times when a registry was looked at last, and when it was deleted. */
	private const LOOKED = '_trousseau_givers_forgotten';
	private const GONE   = 'gone_';

	/** The time when the last whole round ended. */
	private const ROUND = 'forgotten_at';

	private const BATCH = 20;

	/** Seconds until a registry is checked again, also one whose givers the service refused to erase. */
	private const AGAIN         = 30 * DAY_IN_SECONDS;
	private const AFTER_REFUSAL = DAY_IN_SECONDS;

	public function __construct(
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
		private readonly KeptValues $kept_values,
		private readonly SecretGifts $secret_gifts,
		private readonly Tables $tables,
	) {
	}

	/** The months for which givers are kept; 0: for good. */
	public static function months(): int {
		return self::clean( get_option( Settings::KEEP_GIVERS, self::DEFAULT_MONTHS ) );
	}

	public static function clean( mixed $value ): int {
		return is_numeric( $value ) ? max( 0, min( self::MOST_MONTHS, (int) $value ) ) : self::DEFAULT_MONTHS;
	}

	/** Notes that a registry was deleted for good, since its day is deleted with it. */
	public function note_gone( int $id, WP_Post $post ): void {
		$post->post_type === PostType::NAME && $this->item_service->is_configured() && $this->kept_values->add( self::GONE . $id, (string) time() );
	}

	public static function words(): string {
		return __( 'Erase guests’ names', 'trousseau' );
	}

	public function run( Job $job ): void {
		try {
			$this->forget_some( $left, $job->until );
		} catch ( Forbidden | Conflict | Invalid $refusal ) {
			throw new Postponed( self::EVERY, $refusal->getMessage() );
		}
		if ( $left ) {
			throw new Postponed( 0 );
		}
	}

	/** Whether the daily round is long overdue. */
	public function is_late(): bool {
		$last = (int) $this->kept_values->get( self::ROUND );
		// The first round is late from the time for which it was planned.
		$next = $this->job_queue->run_at( self::JOB, 'all' );
		return $last ? $last < time() - 2 * DAY_IN_SECONDS : $next > 0 && $next < time() - DAY_IN_SECONDS;
	}

	/**
	 * Forgets the givers of some registries. A registry that the service refuses is tried again the next day, and delays no others.
	 *
	 * @param bool|null $left  Whether there are more.
	 * @param float     $until When to leave the rest for later.
	 * @return int The number of gifts whose givers were forgotten.
	 * @throws \Trousseau\Service\ServiceError Where the service is away, and at the end of a round where it has refused a registry.
	 */
	public function forget_some( ?bool &$left, float $until ): int {
		$left   = false;
		$months = self::months();
		if ( ! $months ) {
			$this->kept_values->set( self::ROUND, time() );
			return 0;
		}
		$seconds = time() - (int) strtotime( "-$months months" );
		$count   = 0;
		$refusal = null;
		$due     = $this->due( $seconds );
		foreach ( $due as $id => $is_gone ) {
			if ( microtime( true ) > $until ) {
				$left = true;
				break;
			}
			try {
				$count += (int) $this->item_service->forget_givers( $id, $is_gone ? 0 : $seconds )['erased'];
				$is_gone || $this->secret_gifts->forget_old( $id, $seconds );
				$is_gone ? $this->kept_values->delete( self::GONE . $id ) : update_post_meta( $id, self::LOOKED, (string) time() );
			} catch ( Forbidden | Conflict | Invalid $refusal ) {
				// With a wrong password all other registries would be refused, too.
				if ( $refusal->status === 401 ) {
					throw $refusal;
				}
				$is_gone ? $this->kept_values->set( self::GONE . $id, (string) ( time() - $seconds + self::AFTER_REFUSAL ) ) : update_post_meta( $id, self::LOOKED, (string) ( time() - self::AGAIN + self::AFTER_REFUSAL ) );
			}
		}
		$left = $left || count( $due ) >= self::BATCH;
		$left || $this->kept_values->set( self::ROUND, time() );
		if ( $refusal && ! $left ) {
			throw $refusal;
		}
		return $count;
	}

	/** @return array<int, bool> The numbers of registries to look at, and whether each is gone. */
	private function due( int $seconds ): array {
		$wpdb   = $GLOBALS['wpdb'];
		$before = time() - $seconds;
		$gone   = $this->tables->column( 'SELECT name FROM {values} WHERE name LIKE %s AND value + 0 <= %d LIMIT %d', $this->tables->beginning( self::GONE ), $before, self::BATCH );
		$gone   = array_map( static fn( string $name ): int => (int) substr( $name, strlen( self::GONE ) ), $gone );
		$live   = $wpdb->get_col(
			$wpdb->prepare(
				"SELECT posts.ID FROM $wpdb->posts AS posts
				LEFT JOIN $wpdb->postmeta AS day ON day.post_id = posts.ID AND day.meta_key = %s
				LEFT JOIN $wpdb->postmeta AS looked ON looked.post_id = posts.ID AND looked.meta_key = %s
				WHERE posts.post_type = %s AND posts.post_date_gmt <= %s
				AND ( day.meta_value IS NULL OR day.meta_value NOT LIKE '____-__-__' OR day.meta_value <= %s )
				AND ( looked.meta_value IS NULL OR looked.meta_value + 0 <= %d )
				GROUP BY posts.ID ORDER BY posts.ID LIMIT %d",
				Meta::EVENT_DATE,
				self::LOOKED,
				PostType::NAME,
				gmdate( 'Y-m-d H:i:s', $before ),
				gmdate( 'Y-m-d', $before ),
				time() - self::AGAIN,
				self::BATCH
			)
		);
		return array_fill_keys( $gone, true ) + array_fill_keys( array_map( 'intval', $live ), false );
	}
}
