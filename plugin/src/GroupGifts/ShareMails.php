<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Giving\Claims;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\MailFacts;
use Trousseau\Lists\Meta;
use Trousseau\Lists\PostType;
use Trousseau\Lists\Registries;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\Mail;
use Trousseau\Platform\Postponed;
use Trousseau\Service\Claim;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use WP_Post;

/**
 * Emails to those who pay for a gift together: once the day has come and money is missing, when someone buys it, has bought it or steps
 * back, and when its goal is reached. An hourly round looks at each list whose day was in the last month once a day.
 */
final class ShareMails extends JobHandler implements MailFacts {

	public const JOB   = 'shares';
	public const EVERY = HOUR_IN_SECONDS;

	/** The emails' templates. */
	public const GOAL_MISSED  = 'goal-missed';
	public const GOAL_REACHED = 'goal-reached';
	public const BUYER_FOUND  = 'buyer-found';
	public const NO_BUYER     = 'no-buyer';
	public const BOUGHT       = 'shared-bought';

	/** The day on which the round has looked at a registry last. */
	private const LOOKED = '_trousseau_shares_looked';

	private const BATCH = 50;

	public function __construct(
		private readonly ItemService $item_service,
		private readonly Mail $mail,
	) {
	}

	public static function words(): string {
		return __( 'Email', 'trousseau' );
	}

	public function run( Job $job ): void {
		$today = wp_date( 'Y-m-d' );
		$ids   = $this->due( $today );
		foreach ( $ids as $id ) {
			if ( microtime( true ) > $job->until ) {
				throw new Postponed( 0 );
			}
			try {
				$this->ask_givers( get_post( $id ) );
			} catch ( ServiceError $error ) {
				// A list that the service refuses delays no others.
				$error->is_for_all() && throw $error;
			}
			update_post_meta( $id, self::LOOKED, $today );
		}
		if ( count( $ids ) === self::BATCH ) {
			throw new Postponed( 0 );
		}
	}

	/** @throws ServiceError Where the service can't say. */
	private function ask_givers( WP_Post $post ): void {
		$items = array_filter( $this->item_service->registry_items( $post->ID ), static fn( Item $item ): bool => GroupGift::may_be_short( $item, $post->ID ) );
		if ( ! $items ) {
			return;
		}
		$claims = $this->item_service->claims_at( $post );
		foreach ( $items as $item ) {
			$group = GroupGift::of( $post, $item->id, $item, $claims );
			$group->is_short() && $this->mail_givers( self::GOAL_MISSED, $item->id, $group->shares, (string) $item->id );
		}
	}

	/**
	 * Emails each giver once.
	 *
	 * @param Claim[] $shares
	 * @param string  $about  The occasion, which tells one email from another.
	 */
	public function mail_givers( string $template, int $item_id, array $shares, string $about ): void {
		foreach ( $shares as $share ) {
			if ( ! Surprise::is_spoiled_by( $share ) ) {
				$this->mail->send_once( $share->email, $template, "$template-$about", array( 'shares' => array( $share->registry_id, $item_id ) ) );
			}
		}
	}

	public function facts( string $about, array $mail ): ?array {
		if ( $about === 'shares' ) {
			return $this->values( $mail['template'], $mail['to'], $mail['only']['shares'][1] );
		}
		$facts = $this->about( $mail['to'], ...$mail['only']['share'] );
		return $facts === null ? null : $facts + $mail['values'];
	}

	/**
	 * Returns the values of such an email, or null if it is no longer true.
	 *
	 * @return array<string, mixed>|null
	 * @throws ServiceError Where the service can't say.
	 */
	private function values( string $template, string $to, int $item_id ): ?array {
		try {
			$item   = $this->item_service->get_item( $item_id );
			$post   = get_post( $item->registry_id );
			$claims = $post ? $this->item_service->claims_at( $post ) : array();
		} catch ( NotFound ) {
			return null;
		}
		if ( ! $post ) {
			return null;
		}
		$group   = GroupGift::of( $post, $item_id, $item, $claims );
		$is_true = match ( $template ) {
			self::NO_BUYER     => ! $group->buyer,
			self::BUYER_FOUND  => $group->buyer && ! $group->is_bought(),
			self::BOUGHT       => $group->is_bought(),
			// A bought gift has its own email.
			self::GOAL_REACHED => $group->is_reached() && ! $group->is_bought(),
			default            => $group->is_short(),
		};
		$shares = array_filter( self::of_address( $group->shares, $item_id, $to ), static fn( Claim $share ): bool => ! Surprise::is_spoiled_by( $share ) );
		$buys   = (bool) array_filter( $shares, $group->is_buyer( ... ) );
		// The new buyer already knows.
		$is_news = ! $buys || in_array( $template, array( self::GOAL_MISSED, self::GOAL_REACHED ), true );
		return ! $is_true || ! $shares || ! $is_news ? null : array(
			'registry' => Registries::title( $post ),
			'gift'     => $item->name,
			'buys'     => $buys,
			'is_fund'  => $group->is_fund,
			'buyer'    => $group->buyer_name(),
			'unsent'   => (bool) array_filter( $shares, static fn( Claim $share ): bool => $group->stage( $share ) === GroupGift::TO_SEND ),
			'shares'   => array_map(
				static fn( Claim $share ): array => array(
					'quantity' => $share->quantity,
					'currency' => GiftAmount::currency_of_claim( $share ),
					'link'     => Claims::link( $share->id ),
				),
				array_values( $shares )
			),
		);
	}

	/**
	 * The values for an email about one share: whether its reader buys the gift, whether the gift is bought, and how much money of others
	 * the reader has, if any.
	 *
	 * @return array{buys: bool, is_bought: bool, holds: string}|null Null: it is an owner who is to be surprised by now.
	 * @throws ServiceError Where the service can't say.
	 */
	private function about( string $to, int $registry_id, int $item_id ): ?array {
		$post = get_post( $this->registry_of( $item_id ) ?: $registry_id );
		try {
			$claims = $post ? $this->item_service->claims_at( $post ) : array();
		} catch ( NotFound ) {
			$claims = array();
		}
		$group = $post ? GroupGift::of( $post, $item_id, null, $claims ) : null;
		$buys  = $group?->buyer && strcasecmp( $group->buyer->email, $to ) === 0;
		return array_filter( self::of_address( $claims, $item_id, $to ), array( Surprise::class, 'is_spoiled_by' ) ) ? null : array(
			'buys'      => $buys,
			'is_bought' => (bool) $group?->is_bought(),
			'holds'     => $buys ? GroupGift::sum( $group->at( GroupGift::SENT ) ) : '',
		);
	}

	/** The registry of a gift, which may have moved since an email about it was planned; 0: it is off its list. */
	private function registry_of( int $item_id ): int {
		try {
			return $this->item_service->get_item( $item_id )->registry_id;
		} catch ( NotFound ) {
			return 0;
		}
	}

	/** @return Claim[] The shares of an address, also those that have ended. */
	private static function of_address( array $claims, int $item_id, string $to ): array {
		return array_filter( $claims, static fn( Claim $claim ): bool => $claim->item_id === $item_id && $claim->is_share() && strcasecmp( $claim->email, $to ) === 0 );
	}

	/** @return int[] Registries of which the day was in the last month, and at which the round hasn't looked today. */
	private function due( string $today ): array {
		$wpdb = $GLOBALS['wpdb'];
		return array_map(
			'intval',
			$wpdb->get_col(
				$wpdb->prepare(
					"SELECT DISTINCT posts.ID FROM $wpdb->posts AS posts
					JOIN $wpdb->postmeta AS day ON day.post_id = posts.ID AND day.meta_key = %s
					JOIN $wpdb->postmeta AS currency ON currency.post_id = posts.ID AND currency.meta_key = %s AND currency.meta_value <> ''
					LEFT JOIN $wpdb->postmeta AS looked ON looked.post_id = posts.ID AND looked.meta_key = %s
					WHERE posts.post_type = %s AND posts.post_status IN ( 'publish', 'private' )
					AND day.meta_value BETWEEN %s AND %s AND ( looked.meta_value IS NULL OR looked.meta_value <> %s )
					ORDER BY posts.ID LIMIT %d",
					Meta::EVENT_DATE,
					Meta::CURRENCY,
					self::LOOKED,
					PostType::NAME,
					wp_date( 'Y-m-d', time() - 30 * DAY_IN_SECONDS ),
					$today,
					$today,
					self::BATCH
				)
			)
		);
	}
}
