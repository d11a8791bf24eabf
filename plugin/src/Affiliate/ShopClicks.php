<?php

declare(strict_types=1);

namespace Trousseau\Affiliate;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\ShopVisit;
use Trousseau\Platform\KeptValues;
use Trousseau\Service\Item;

/**
 * Counts how often affiliate links are followed, by shop and month, with nothing about the visitor. Each is a row of its own, so that none
 * of many clicks at once is lost.
 */
final class ShopClicks implements ShopVisit {

	private const ROW = 'followed_';

	/** Seconds for which a month is known: a year after it. */
	private const KEPT = 396 * DAY_IN_SECONDS;

	/** How many characters of a shop’s name fit into a value’s name. */
	private const MOST_CHARACTERS = 150;

	public function __construct( private readonly KeptValues $kept_values ) {
	}

	public function followed( Item $item, string $target ): void {
		$shop = $target === $item->affiliate_url() ? AffiliateRules::of_site()->shop_of( $item ) : '';
		// A browser that fetches pages ahead follows no link, and neither does a request for headers only.
		$ahead = $_SERVER['HTTP_SEC_PURPOSE'] ?? $_SERVER['HTTP_PURPOSE'] ?? $_SERVER['HTTP_X_MOZ'] ?? '';
		if ( ( $_SERVER['REQUEST_METHOD'] ?? '' ) !== 'GET' || str_contains( (string) $ahead, 'prefetch' ) || $shop === '' ) {
			return;
		}
		// Databases compare names without accents.
		while ( strlen( rawurlencode( $shop ) ) > self::MOST_CHARACTERS ) {
			$shop = mb_substr( $shop, 0, -1 );
		}
		$this->kept_values->increase( self::ROW . gmdate( 'Y-m' ) . '_' . rawurlencode( $shop ), self::KEPT );
	}

	/** @return array<string, array<string, int>> Shop → month, such as 2027-05, of the last twelve → number. */
	public function all(): array {
		$first = gmdate( 'Y-m', (int) strtotime( 'first day of -11 months' ) );
		$all   = array();
		foreach ( $this->kept_values->all( self::ROW ) as $row => $number ) {
			list( $month, $shop ) = explode( '_', rawurldecode( substr( $row, strlen( self::ROW ) ) ), 2 );
			if ( $month >= $first ) {
				$all[ $shop ][ $month ] = (int) $number;
			}
		}
		return $all;
	}
}
