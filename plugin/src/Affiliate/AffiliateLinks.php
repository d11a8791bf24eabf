<?php

declare(strict_types=1);

namespace Trousseau\Affiliate;

use Trousseau\Service\Conflict;
use Trousseau\Service\Forbidden;
use Trousseau\Service\Invalid;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;

/** Gives items the affiliate links that they should have, and checks whether links still lead anywhere, for a limited time. */
final class AffiliateLinks {

	/** The most addresses of shops that one run fetches. */
	private const CHECKS = 20;

	/** The most dead links of a shop that are named. */
	private const MOST_NAMED = 20;

	/** Characters that the affiliate endpoint takes; an item itself takes more. */
	private const MOST_CHARACTERS = 500;

	/** The counts of a shop without gifts. */
	public const NONE = array( 'gifts' => 0, 'links' => 0, 'own' => 0, 'unknown' => 0, 'expired' => 0, 'dead' => array() );

	private int $checks = 0;

	/** @param string|null $check The shop whose links are checked; '' for every shop, null for none. */
	public function __construct(
		private readonly ItemService $item_service,
		private readonly LinkCheck $link_check,
		public readonly AffiliateRules $rules,
		private readonly ?string $check,
		private readonly float $until,
	) {
	}

	/**
	 * @return array<string, mixed> Counts for the findings.
	 * @throws \Trousseau\Service\ServiceError Where the service would take no other link either.
	 */
	public function look_after( Item $item ): array {
		if ( ! array_key_exists( 'affiliate_url', $item->answer ) ) {
			throw new Forbidden( __( 'The service shows affiliate links to administrators only, and doesn’t treat the plugin’s account as one: see its setting ADMIN_ROLES.', 'trousseau' ) );
		}
		$present = (string) $item->answer['affiliate_url'];
		$status  = (string) $item->answer['affiliate_status'];
		$wanted  = $this->rules->link_for( $item );
		$link    = $wanted ?? $present;
		// A link that someone has switched off stays off, and an owner's own link is left alone while it works.
		$is_on = $link !== '' && ( $present === '' || $status === 'active' || ( $status === 'expired' && $wanted !== null ) );
		$state = null;
		if ( $is_on && in_array( $this->check, array( '', $this->rules->shop_of( $item ) ), true ) ) {
			$this->checks += $this->link_check->is_known( $link ) ? 0 : 1;
			$state         = $this->link_check->state( $link );
		}
		$next = match ( true ) {
			! $is_on                                            => $status,
			in_array( $state, array( 'active', 'expired' ), true ) => $state,
			default                                             => $present === $link ? $status : 'active',
		};
		if ( $link !== $present || $next !== $status ) {
			try {
				$this->store( $item, $link, $next );
			} catch ( NotFound | Forbidden | Conflict | Invalid $error ) {
				// With a wrong password all other links would be refused, too.
				if ( $error->status === 401 ) {
					throw $error;
				}
				list( $link, $next ) = array( $present, $status );
			}
		}
		$is_dead = $link !== '' && $next === 'expired';
		return array(
			'gifts'   => 1,
			'links'   => $link !== '' && $next === 'active' ? 1 : 0,
			'own'     => $link !== '' && $wanted === null ? 1 : 0,
			'unknown' => $state === 'unknown' ? 1 : 0,
			'expired' => $is_dead ? 1 : 0,
			'dead'    => $is_dead ? array( array( $item->registry_id, $item->id ) ) : array(),
		);
	}

	public function is_over(): bool {
		return $this->checks >= self::CHECKS || microtime( true ) > $this->until;
	}

	public function has_asked_shops(): bool {
		return $this->checks > 0;
	}

	public static function sum( ?array $sum, array $counts ): array {
		foreach ( $sum ?? array() as $name => $value ) {
			$counts[ $name ] = is_array( $value ) ? array_slice( array( ...$value, ...$counts[ $name ] ), 0, self::MOST_NAMED ) : $value + $counts[ $name ];
		}
		return $counts;
	}

	private function store( Item $item, string $link, string $status ): void {
		if ( $link === '' ) {
			$this->item_service->clear_affiliate( $item->registry_id, $item->id );
		} elseif ( strlen( $link ) <= self::MOST_CHARACTERS ) {
			$this->item_service->set_affiliate( $item->registry_id, $item->id, $link, $status );
		} else {
			$this->item_service->update_item( $item->id, array( 'affiliate_url' => $link, 'affiliate_status' => $status ) );
		}
	}
}
