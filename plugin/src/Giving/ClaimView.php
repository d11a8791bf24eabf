<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\RemovedGifts;
use Trousseau\Gifts\ShopLink;
use Trousseau\Gifts\ShopPicture;
use Trousseau\Guests\Guest;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Language;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;

/** A gift as its giver sees it: on a page of its own, and among all that they give. */
final class ClaimView {

	public function __construct(
		private readonly Guest $guest,
		private readonly ItemService $item_service,
	) {
	}

	/**
	 * @param array<string, mixed> $claim  The claim, with its item; a missing item is read from the service.
	 * @param string               $proven The address to which the link that the visitor followed was sent.
	 */
	public function of( array $claim, string $proven = '' ): array {
		$post = get_post( (int) $claim['registry_id'] );
		$none = $post ? RemovedGifts::of( $post )[ (int) $claim['item_id'] ]['name'] ?? '' : '';
		$none = $none !== '' ? $none : __( 'a gift that’s no longer on the list', 'trousseau' );
		$item = null;
		try {
			$item = array_key_exists( 'item', $claim ) ? $claim['item'] : $this->item_service->get_item( (int) $claim['item_id'] );
		} catch ( ServiceError $error ) {
			// The service is away: the gift may well be on the list.
			$none = $error instanceof NotFound ? $none : __( 'a gift', 'trousseau' );
		}
		$name     = $item ? (string) $item['name'] : $none;
		$currency = GiftAmount::currency_of_claim( $claim );
		$email    = (string) $claim['giver']['email'];
		$is_giver = $claim['state'] === 'pending' && ( ( $proven !== '' && strcasecmp( $proven, $email ) === 0 ) || $this->guest->is_giver( $claim ) );
		return array(
			'state'     => $claim['state'],
			'email'     => $email,
			'may_confirm' => $is_giver,
			'quantity'  => (int) $claim['quantity'],
			'gift'      => $name,
			// A list that is deleted says no currency.
			'named'     => $currency === '' && GiftAmount::is_share( $claim ) ? $name : GiftAmount::named( (int) $claim['quantity'], $name, $currency ),
			'currency'  => $currency,
			'buys'      => ! empty( $claim['buys'] ),
			'registry'  => $post ? Registries::title( $post ) : '',
			'permalink' => $post ? (string) get_permalink( $post ) : '',
			'picture'   => $item && $post ? ShopPicture::address( $item['image_url'] ?? '', $post->ID ) : '',
			'shop'      => $item && $post ? ShopLink::of( $item, $post->ID ) : '',
			'until'     => match ( true ) {
				! $claim['expires_at']         => '',
				$claim['state'] === 'pending' => Language::moment( (int) strtotime( $claim['expires_at'] ) ),
				default                        => Language::day( (int) strtotime( $claim['expires_at'] ) ),
			},
			'message'   => (string) $claim['message'],
			'thanked'   => $claim['thanked_at'] !== null,
			'link'      => Claim::link( $claim['id'], $is_giver ),
		);
	}
}
