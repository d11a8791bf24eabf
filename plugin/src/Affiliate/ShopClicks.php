<?php

declare(strict_types=1);

namespace Trousseau\Affiliate;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\ShopVisit;
use Trousseau\Platform\KeptValues;
use Trousseau\Service\Item;

/**
 * Counts how often affiliate links are followed, by shop and day, with nothing about the visitor. A day is counted in rows
 * of its own, one statement each, so that none of many clicks at once is lost; after the day they become one row.
 */
final class ShopClicks implements ShopVisit {

	/** Shop → day → number. */
	private const KEPT = 'followed';

	private const ROW = 'followed_';

	/** The number of days that are counted singly, and of days that are counted at all. */
	public const DAYS  = 30;
	private const YEAR = 365;

	/** Characters of a shop in a value's name, whose length is limited. */
	private const MOST_CHARACTERS = 150;

	public function __construct( private readonly KeptValues $kept_values ) {
	}

	public function followed( array $item, string $target ): void {
		if ( $target === Item::affiliate_url( $item ) ) {
			$this->count( AffiliateRules::of_site()->shop_of( $item ) );
		}
	}

	private function count( string $shop ): void {
		// A browser that fetches pages ahead follows no link, and neither does a request for headers only.
		$ahead = $_SERVER['HTTP_SEC_PURPOSE'] ?? $_SERVER['HTTP_PURPOSE'] ?? $_SERVER['HTTP_X_MOZ'] ?? '';
		if ( ( $_SERVER['REQUEST_METHOD'] ?? '' ) !== 'GET' || str_contains( (string) $ahead, 'prefetch' ) || $shop === '' ) {
			return;
		}
		// Databases compare names without accents.
		while ( strlen( rawurlencode( $shop ) ) > self::MOST_CHARACTERS ) {
			$shop = mb_substr( $shop, 0, -1 );
		}
		$this->kept_values->increase( self::ROW . gmdate( 'Y-m-d' ) . '_' . rawurlencode( $shop ) );
	}

	/** @return array<string, array<string, int>> Shop → day → number, of the last year; older days are summed by month. */
	public function all(): array {
		$all = $this->kept_values->get( self::KEPT );
		$all = is_array( $all ) ? $all : array();
		foreach ( $this->rows() as $row => $number ) {
			list( $day, $shop )   = explode( '_', rawurldecode( substr( $row, strlen( self::ROW ) ) ), 2 );
			$all[ $shop ][ $day ] = ( $all[ $shop ][ $day ] ?? 0 ) + $number;
		}
		return $all;
	}

	/** Adds up the days that are over, joins those of past months into months, and deletes numbers older than a year. */
	public function fold(): void {
		$all = $this->kept_values->get( self::KEPT );
		$all = is_array( $all ) ? $all : array();
		// A request of yesterday may still be running.
		$over = array_filter( $this->rows(), static fn( string $row ): bool => substr( $row, strlen( self::ROW ), 10 ) < gmdate( 'Y-m-d', time() - DAY_IN_SECONDS ), ARRAY_FILTER_USE_KEY );
		foreach ( $over as $row => $number ) {
			list( $day, $shop )   = explode( '_', rawurldecode( substr( $row, strlen( self::ROW ) ) ), 2 );
			$all[ $shop ][ $day ] = ( $all[ $shop ][ $day ] ?? 0 ) + $number;
		}
		$month = gmdate( 'Y-m-d', time() - ( self::DAYS + 1 ) * DAY_IN_SECONDS );
		$year  = gmdate( 'Y-m', time() - self::YEAR * DAY_IN_SECONDS );
		foreach ( $all as $shop => $days ) {
			$folded = array();
			foreach ( $days as $day => $number ) {
				$when            = $day < $month ? substr( (string) $day, 0, 7 ) : $day;
				$folded[ $when ] = ( $folded[ $when ] ?? 0 ) + $number;
			}
			$all[ $shop ] = array_filter( $folded, static fn( string $when ): bool => $when >= $year, ARRAY_FILTER_USE_KEY );
		}
		$this->kept_values->set( self::KEPT, array_filter( $all ) );
		foreach ( array_keys( $over ) as $row ) {
			$this->kept_values->delete( $row );
		}
	}

	/**
	 * A shop's numbers of the last days, oldest first.
	 *
	 * @param array<string, int> $days
	 * @return array<string, int> Day → number.
	 */
	public static function last_days( array $days ): array {
		$last = array();
		for ( $ago = self::DAYS - 1; $ago >= 0; $ago-- ) {
			$day          = gmdate( 'Y-m-d', time() - $ago * DAY_IN_SECONDS );
			$last[ $day ] = $days[ $day ] ?? 0;
		}
		return $last;
	}

	/** @return array<string, int> */
	private function rows(): array {
		return array_map( 'intval', iterator_to_array( $this->kept_values->all( self::ROW ) ) );
	}
}
