<?php

declare(strict_types=1);

namespace Trousseau\Affiliate;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\GiftLists;
use Trousseau\Lists\PostType;
use Trousseau\Lists\Registries;
use Trousseau\Platform\AdminAction;
use Trousseau\Platform\AdminForm;
use Trousseau\Platform\Form;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Template;
use Trousseau\Service\Item;
use WP_Post;
use const Trousseau\PLUGIN_FILE;
use const Trousseau\VERSION;

/** Registries → Affiliate links: an administrator sees them by shop, makes rules, ends them, and has links checked. */
final class AffiliateScreen implements AdminAction {

	public const PAGE   = 'trousseau-affiliate';
	public const ACTION = 'trousseau_affiliate';

	/** The most shops without a rule that are shown, those with the most gifts first. */
	private const MOST_OTHERS = 20;

	private const RIGHT = 'manage_options';

	public function __construct(
		private readonly AdminForm $admin_form,
		private readonly AffiliateRound $affiliate_round,
		private readonly GiftLists $gift_lists,
		private readonly KeptValues $kept_values,
		private readonly ShopClicks $shop_clicks,
	) {
	}

	public function add_page(): void {
		add_submenu_page( 'edit.php?post_type=' . PostType::NAME, __( 'Affiliate links', 'trousseau' ), __( 'Affiliate links', 'trousseau' ), self::RIGHT, self::PAGE, array( $this, 'show' ) );
	}

	public function enqueue( string $screen ): void {
		if ( str_ends_with( $screen, '_page_' . self::PAGE ) ) {
			wp_enqueue_style( 'trousseau-affiliate', plugins_url( 'src/Affiliate/affiliate.css', PLUGIN_FILE ), array(), VERSION );
		}
	}

	public static function url( string $shop = '' ): string {
		$of_shop = $shop === '' ? array() : array( 'shop' => rawurlencode( $shop ) );
		return add_query_arg( array( 'page' => self::PAGE ) + $of_shop, admin_url( 'edit.php?post_type=' . PostType::NAME ) );
	}

	public function show(): void {
		if ( ! current_user_can( self::RIGHT ) ) {
			return;
		}
		// The parameter only chooses what is shown.
		$query  = wp_unslash( $_GET );
		$shop   = is_string( $query['shop'] ?? null ) ? $query['shop'] : '';
		$shops  = $this->shops();
		$values = array(
			'action' => self::ACTION,
			'typed'  => $this->admin_form->kept( self::url( $shop ) )['typed'] ?? array( 'shop' => isset( $shops[ $shop ] ) ? $shop : '', 'template' => $shops[ $shop ]['template'] ?? '' ),
			'round'  => $this->kept_values->get( AffiliateRound::STATE ),
			'found'  => $this->kept_values->get( AffiliateRound::FOUND ),
		);
		echo $this->admin_form->notice();
		if ( isset( $shops[ $shop ] ) ) {
			echo Template::html( 'affiliate-shop', array( 'dead' => $this->named( $shops[ $shop ]['dead'] ) ) + $values + $shops[ $shop ] );
			return;
		}
		$is_linked = static fn( array $one ): bool => $one['template'] !== '' || $one['links'] || $one['expired'] || $one['year'];
		$others    = array_filter( $shops, static fn( array $one ): bool => ! $is_linked( $one ) && $one['gifts'] );
		$values   += array(
			'linked' => array_filter( $shops, $is_linked ),
			'others' => array_slice( $others, 0, self::MOST_OTHERS ),
		);
		echo Template::html( 'affiliate', $values );
	}

	public function handle(): void {
		$form    = Form::with( wp_unslash( $_POST ) );
		$is_rule = $form->action === '';
		$this->admin_form->check( self::ACTION, self::url( AffiliateRule::shop_named( $form->text( $is_rule ? 'was' : 'shop' ) ) ), array( self::RIGHT ), $is_rule ? array( 'shop' => $form->text( 'shop' ), 'template' => $form->text( 'template' ) ) : array() );
		// Rules from older versions keep their names, which may not be written as xn--… yet.
		$typed = $form->text( 'shop' );
		$shop  = AffiliateRules::of_site()->has( $typed ) ? $typed : AffiliateRule::shop_named( $typed );
		$next  = match ( $form->action ) {
			'end'   => $this->end( $shop ),
			'check' => $this->check( $shop ),
			default => $this->save( $shop, $form->text( 'shop' ), $form->text( 'template' ), $form->text( 'was' ) ),
		};
		$this->admin_form->lead_on( $next );
	}

	private function save( string $shop, string $typed, string $template, string $was ): string {
		$faults = array_filter(
			array(
				'shop'     => $shop === '' ? __( 'Enter the shop’s address, such as shop.example.', 'trousseau' ) : '',
				'template' => AffiliateRule::fault( $template ),
			)
		);
		foreach ( $faults as $field => $why ) {
			$this->say( $field, $why, 'error' );
		}
		if ( $faults ) {
			$this->admin_form->keep( self::url( $was ), array( 'typed' => array( 'shop' => $typed ) + compact( 'template', 'faults' ) ) );
			return self::url( $was );
		}
		$rules = AffiliateRules::of_site();
		$rules->end( $was );
		$rule = new AffiliateRule( $shop, $template );
		$rules->set( $rule );
		$this->affiliate_round->begin();
		/* translators: 1: name of a shop, 2: an address that a link leads to */
		$this->say( 'saved', sprintf( __( 'The links to %1$s are being created. They look like this: %2$s', 'trousseau' ), $shop, $rule->link( "https://$shop/example" ) ), 'success' );
		return self::url();
	}

	private function end( string $shop ): string {
		AffiliateRules::of_site()->end( $shop );
		$this->affiliate_round->begin();
		/* translators: %s: name of a shop */
		$this->say( 'ended', sprintf( __( 'The links to %s are being removed. Guests then go to the shop without them.', 'trousseau' ), $shop ), 'success' );
		return self::url();
	}

	private function check( string $shop ): string {
		$this->affiliate_round->begin( $shop );
		/* translators: %s: name of a shop */
		$this->say( 'checked', $shop === '' ? __( 'All links are being checked, about twenty a minute.', 'trousseau' ) : sprintf( __( 'The links to %s are being checked, about twenty a minute.', 'trousseau' ), $shop ), 'success' );
		return self::url( $shop );
	}

	private function say( string $code, string $words, string $kind ): void {
		add_settings_error( self::PAGE, $code, esc_html( $words ), $kind );
	}

	/** @return array<string, array<string, mixed>> Shop → its facts, those with the most gifts first. */
	private function shops(): array {
		$templates = AffiliateRules::of_site()->templates();
		// Until the first round ends, its findings so far are shown.
		$counted  = $this->kept_values->get( AffiliateRound::FOUND )['shops'] ?? $this->kept_values->get( AffiliateRound::STATE )['shops'] ?? array();
		$followed = $this->shop_clicks->all();
		$shops    = array();
		foreach ( array_diff( array_map( 'strval', array( ...array_keys( $templates ), ...array_keys( $counted ), ...array_keys( $followed ) ) ), array( '' ) ) as $shop ) {
			$shops[ $shop ] = array(
				'shop'     => $shop,
				'template' => $templates[ $shop ] ?? '',
				'month'    => $followed[ $shop ][ gmdate( 'Y-m' ) ] ?? 0,
				'year'     => array_sum( $followed[ $shop ] ?? array() ),
			) + ( $counted[ $shop ] ?? AffiliateLinks::NONE );
		}
		uasort( $shops, static fn( array $one, array $other ): int => array( $other['gifts'], $one['shop'] ) <=> array( $one['gifts'], $other['shop'] ) );
		return $shops;
	}

	/** @param array<int, array{0: int, 1: int}> $ids Registry and item of each gift whose link is dead. */
	private function named( array $ids ): array {
		$named = array();
		foreach ( $ids as list( $registry, $id ) ) {
			$post = get_post( $registry );
			$item = $post instanceof WP_Post ? array_column( $this->gift_lists->of( $post )->items ?? array(), null, 'id' )[ $id ] ?? null : null;
			if ( $item ) {
				$named[] = array(
					'gift'     => $item->name,
					'registry' => Registries::title( $post ),
					'page'     => PageAddress::of( 'gifts', $post->ID ),
					'shop'     => Item::web_address( $item->url ),
				);
			}
		}
		return $named;
	}
}
