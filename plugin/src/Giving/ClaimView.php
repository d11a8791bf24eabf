<?php

declare(strict_types=1);

namespace Trousseau\Giving;

use Trousseau\Gifts\BoughtForAll;
use Trousseau\Gifts\GiftPicture;
use Trousseau\Gifts\RemovedGifts;
use Trousseau\Gifts\ShopLink;
use Trousseau\Guests\Guest;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Language;
use Trousseau\Service\Claim;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;

/** A gift as its giver sees it: on a page of its own, and among all that they give. */
final class ClaimView {

	public function __construct( private readonly Guest $guest, private readonly ItemService $item_service ) {
	}

	/** @return array{0: ?\Trousseau\Service\Item, 1: bool} The item of a claim, and whether it is off its list. While the service is away, only the site's own note of its removal counts. */
	public function item( Claim $claim ): array {
		try {
			$item = $claim->knows_item() ? $claim->item() : $this->item_service->find_item( $claim->item_id );
			return array( $item, ! $item );
		} catch ( ServiceError ) {
			$post = get_post( $claim->registry_id );
			return array( null, $post && RemovedGifts::is_removed( $post, $claim->item_id ) );
		}
	}

	/** A missing item is read from the service. `$proven` is the address to which the link that the visitor followed was sent. */
	public function of( Claim $claim, string $proven = '' ): array {
		$post = get_post( $claim->registry_id );

		list( $item, $is_lost ) = $this->item( $claim );

		$known    = $item ?? ( $post ? RemovedGifts::item( $post, $claim->item_id ) : null );
		$name     = $known->name ?? '';
		$is_gone  = GoneLists::is_gone( $claim->registry_id );
		$currency = GiftAmount::currency_of_claim( $claim );
		$email    = $claim->email;
		$is_giver = $claim->state === 'pending' && ( ( $proven !== '' && strcasecmp( $proven, $email ) === 0 ) || $this->guest->is_giver( $claim ) );
		return array(
			'state'     => $claim->state,
			'email'     => $email,
			'may_confirm' => $is_giver,
			'gift'      => $name ?: __( 'A gift', 'trousseau' ),
			// A list that is deleted says no currency.
			'named'     => GiftAmount::named( $currency === '' && $claim->is_share() ? 1 : $claim->quantity, $name, $currency ),
			'currency'  => $currency,
			'registry'  => $post ? Registries::title( $post ) : '',
			'permalink' => $post && ! $is_gone ? (string) get_permalink( $post ) : '',
			'picture'   => $known && $post ? GiftPicture::address( $known->image_url, $post->ID ) : '',
			'is_removed' => $is_lost,
			// A share of what a guest has bought for everyone is still to be sent.
			'is_lost'   => $is_lost && ! ( $claim->is_share() && in_array( $claim->item_id, BoughtForAll::of( $claim->registry_id ), true ) ),
			'is_list_gone' => $is_gone,
			'shop'      => $item && $post && ! $is_gone ? ShopLink::of( $item, $post->ID ) : '',
			'until'     => match ( true ) {
				! $claim->expires_at         => '',
				$claim->state === 'pending' => Language::moment( $claim->ends_at() ),
				default                        => Language::day( $claim->ends_at() ),
			},
			'message'   => $claim->message,
			'thanked'   => $claim->is_thanked,
			'link'      => Claims::link( $claim->id, $is_giver ),
		);
	}
}
