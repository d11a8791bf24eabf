<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftAmount;
use Trousseau\Gifts\ShopLink;
use Trousseau\Giving\Claim;
use Trousseau\Lists\Registries;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\Currency;
use Trousseau\Platform\Form;
use Trousseau\Service\Item;
use WP_Post;

/** A share of a gift as its giver sees it: who buys the gift, how to send the share, and where its money lies. */
final class ShareView {

	public function __construct( private readonly SharedGift $shared_gift, private readonly ShareMoney $share_money ) {
	}

	/**
	 * The values for the page of a share; those of a claim on pieces are empty.
	 *
	 * @param array<string, mixed>|null $item   Null: it is no longer on the list.
	 * @param string                    $name   The gift's.
	 * @param array<string, mixed>[]    $claims All claims of the list.
	 * @return array<string, mixed>
	 */
	public function of( array $claim, ?WP_Post $post, ?array $item, string $name, array $claims, Form $form ): array {
		$is_live    = $post && SharedGift::is_confirmed( $claim );
		$buyer      = $is_live ? SharedGift::buyer( $claims, (int) $claim['item_id'] ) : null;
		$is_bought  = $this->shared_gift->is_bought( $buyer ) && ! ( $item && ShopLink::is_fund( $item, $post->ID ) );
		$places     = SharedGift::places( $claims, $buyer );
		$is_spent   = $buyer && SharedGift::is_same_giver( $claim, $buyer );
		$is_mine    = $buyer && $buyer['id'] === $claim['id'];
		$is_to_send = $is_live && ! $is_spent && ( $item || $is_bought );
		$is_holder  = $post && GiftAmount::is_share( $claim ) && ! ( $is_spent && ( $item || $is_bought ) );
		return array(
			'is_bought' => $is_bought,
			'is_buyer'  => $is_mine,
			'is_spent'  => $is_spent,
			'is_unsent' => $is_to_send && ( $claim['state'] === 'reserved' || $this->share_money->came_back( $claim ) ),
			'is_sent'   => $this->share_money->is_sent( $claim ) && ! ( $is_spent && $is_bought ),
			'money'     => $is_live ? $this->money( $claim, $claims, $is_to_send ? $places : array() ) : null,
			'owed'      => $is_holder ? array_map( array( self::class, 'row' ), $this->shared_gift->held_by( $claims, $claim ) ) : array(),
			'buying'    => $is_live && ( $item || $is_bought ) && SharePlace::is_let_in( $post, $claim['giver'] ) ? $this->buying( $claim, $post, $item, $claims, $buyer, $is_bought, $form ) : null,
			'send'      => $is_to_send ? $this->how_to_send( $claim, $post, $name, $buyer ) : null,
		);
	}

	/**
	 * The money of a share that lies with somebody to whom it doesn't belong.
	 *
	 * @param string[] $places The places where the share belongs; none: it has ended, or is spent.
	 * @return array{amount: string, place: string, owners: bool, holder: string, may_pass: bool}|null
	 */
	private function money( array $claim, array $claims, array $places ): ?array {
		$place = $this->share_money->lies( $claim );
		if ( $place === '' || in_array( $place, $places, true ) ) {
			return null;
		}
		return array(
			'amount'   => GiftAmount::of( (int) $claim['quantity'], GiftAmount::currency_of_claim( $claim ) ),
			'owners'   => $this->share_money->lies_with_owners( $claim ),
			'holder'   => $this->shared_gift->holder( $claims, $claim ),
			'place'    => $place,
			'may_pass' => (bool) $places,
		);
	}

	/** @return array<string, mixed> The one who buys a gift that several pay for, for the template. */
	private function buying( array $claim, WP_Post $post, ?array $item, array $claims, ?array $buyer, bool $is_bought, Form $form ): array {
		$currency = GiftAmount::currency_of_claim( $claim );
		$is_mine  = $buyer && $buyer['id'] === $claim['id'];
		$is_giver = $buyer && SharedGift::is_same_giver( $claim, $buyer );
		$others   = $is_mine ? SharedGift::shares_of_others( $claims, $claim ) : array();
		$this->shared_gift->read_ahead( $others );
		$places  = SharedGift::places( $claims, $buyer );
		$sent    = $is_mine ? $this->shared_gift->sent_to( $claims, $claim ) : array();
		$is_fund = $item && ShopLink::is_fund( $item, $post->ID );
		$stored  = array(
			'pay_to' => $is_mine ? (string) $claim['pay_to'] : '',
			'named'  => $is_mine && $this->shared_gift->name_of( $buyer ) !== '' ? '1' : '',
		);
		return array(
			'form'      => $form->action === 'buy' ? $form : new Form( $stored ),
			'is_mine'   => $is_mine,
			'my_other'  => $is_giver && ! $is_mine ? Claim::link( $buyer['id'] ) : '',
			'is_fund'   => $is_fund,
			'may_buy'   => ! $is_fund && SharePlace::is_invited( $post, $claim['giver'] ),
			'by'        => $buyer && ! $is_giver ? $this->shared_gift->name_of( $buyer ) : null,
			'is_bought' => $is_bought,
			'rest'      => $is_mine && $item && ! $is_fund ? Item::remaining( $item ) : 0,
			'promised'  => (int) ( $item['quantity_purchased'] ?? 0 ),
			'goal'      => $item && Item::has_no_goal( $item ) ? 0 : Item::needed( $item ?? array() ),
			'progress'  => GiftAmount::given( $item ?? array(), $currency ),
			'received'  => SharedGift::sum_of( $sent ),
			/* translators: 1: amount of money, 2: amount of money */
			'sums'      => $sent ? sprintf( __( 'You have %1$s of %2$s from the others.', 'trousseau' ), SharedGift::sum_of( $sent ), SharedGift::sum_of( $others ) ) : '',
			'others'    => array_map( fn( array $share ): array => array( 'stage' => $this->stage( $share, $places ) ) + self::row( $share ), $others ),
		);
	}

	/**
	 * How far another's share is, for the one who buys.
	 *
	 * @param string[] $places The places of the one who buys.
	 */
	private function stage( array $share, array $places ): string {
		$stage = match ( true ) {
			$this->share_money->is_elsewhere( $share, $places ) => $this->share_money->lies_with_owners( $share ) ? __( 'sent to the owners before you took over', 'trousseau' ) : __( 'sent to someone else before you took over', 'trousseau' ),
			! $this->share_money->has_come( $share, $places )   => _x( 'not sent yet', 'share of a gift', 'trousseau' ),
			default                                             => _x( 'sent', 'share of a gift', 'trousseau' ),
		};
		return $this->shared_gift->with_answer( $share, $stage );
	}

	/** @return array{name: string, amount: string} Another giver's share. */
	private static function row( array $share ): array {
		return array(
			'name'   => $share['giver']['name'] !== '' ? $share['giver']['name'] : __( 'someone', 'trousseau' ),
			'amount' => SharedGift::sum_of( array( $share ) ),
		);
	}

	/** @return array<string, mixed> The ways to send a confirmed share, for their template. */
	private function how_to_send( array $claim, WP_Post $post, string $name, ?array $buyer ): array {
		$currency = GiftAmount::currency_of_claim( $claim );
		$units    = (int) $claim['quantity'];
		$pay_to   = PayTo::read( SharePlace::of( $claim, $buyer ) );
		return array(
			'pay_to'      => $pay_to,
			'amount'      => Currency::typed( Currency::from_units( $units, $currency ), $currency ),
			'purpose'     => $name,
			'code'        => $pay_to->code( $units, $currency, $name, Registries::owner_name( $post ) ),
			'links'       => array_map( static fn( string $link ): string => PayTo::with_amount( $link, $units, $currency ), $pay_to->links ),
			'is_sent'     => $claim['state'] === 'purchased' && ! $this->share_money->came_back( $claim ),
			'is_surprise' => ! $buyer && Surprise::is_on( $post->ID ) && ( $pay_to->iban !== '' || $pay_to->links ),
			'place'       => ShareMoney::place( $buyer ),
			'to_buyer'    => (bool) $buyer,
		);
	}
}
