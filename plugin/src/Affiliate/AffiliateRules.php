<?php

declare(strict_types=1);

namespace Trousseau\Affiliate;

use Trousseau\Service\Item;

/** The site's rules, and ended ones: the links that an ended rule made are still recognized. */
final class AffiliateRules {

	public const OPTION = 'trousseau_affiliate_rules';

	private const MOST_ENDED = 100;

	/** @param array<string, string> $rules Shop → template. @param array<int, string[]> $ended Shop and template. */
	private function __construct( private array $rules, private array $ended ) {
	}

	public static function of_site(): self {
		$kept = get_option( self::OPTION );
		return new self( $kept['rules'] ?? array(), $kept['ended'] ?? array() );
	}

	public function set( AffiliateRule $rule ): void {
		$this->end( $rule->shop );
		$this->rules[ $rule->shop ] = $rule->template;
		ksort( $this->rules );
		$this->keep();
	}

	public function end( string $shop ): void {
		if ( isset( $this->rules[ $shop ] ) ) {
			array_unshift( $this->ended, array( $shop, $this->rules[ $shop ] ) );
			$this->ended = array_slice( $this->ended, 0, self::MOST_ENDED );
			unset( $this->rules[ $shop ] );
			$this->keep();
		}
	}

	/** @return string[] Shop → template. */
	public function templates(): array {
		return $this->rules;
	}

	public function has( string $shop ): bool {
		return isset( $this->rules[ $shop ] );
	}

	/** Whether the site has no rules and never had any. */
	public function are_none(): bool {
		return ! $this->rules && ! $this->ended;
	}

	/** The rule for an address: the one that fits it most exactly. */
	public function for_address( string $url ): ?AffiliateRule {
		$best = null;
		foreach ( $this->rules as $shop => $template ) {
			$rule = new AffiliateRule( (string) $shop, $template );
			if ( $rule->fit( $url ) > ( $best ? $best->fit( $url ) : 0 ) ) {
				$best = $rule;
			}
		}
		return $best;
	}

	/** Whether a rule has made a link; owners and other programs may set links, too. */
	public function have_made( string $link ): bool {
		foreach ( array( ...array_map( null, array_keys( $this->rules ), $this->rules ), ...$this->ended ) as list( $shop, $template ) ) {
			if ( ( new AffiliateRule( (string) $shop, $template ) )->has_made( $link ) ) {
				return true;
			}
		}
		return false;
	}

	/** The link that an item should have: empty for none, null to leave someone else's link alone. */
	public function link_for( Item $item ): ?string {
		$present = (string) ( $item->answer['affiliate_url'] ?? '' );
		if ( $present !== '' && ! $this->have_made( $present ) ) {
			return null;
		}
		$url  = Item::web_address( $item->url );
		$link = $url === '' ? '' : (string) $this->for_address( $url )?->link( $url );
		// The service would refuse a longer one, each time anew.
		return mb_strlen( $link ) <= Item::FIELDS['url'][1] ? $link : '';
	}

	/** The name under which an item counts: the shop of its rule, or else of its address. */
	public function shop_of( Item $item ): string {
		$url = Item::web_address( $item->url );
		return $this->for_address( $url )?->shop ?? AffiliateRule::host( $url );
	}

	private function keep(): void {
		update_option( self::OPTION, array( 'rules' => $this->rules, 'ended' => $this->ended ), false );
	}
}
