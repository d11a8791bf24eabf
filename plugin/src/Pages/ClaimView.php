<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Claims\Claim;
use Trousseau\Registry\Registries;
use Trousseau\Registry\ShopLink;
use Trousseau\Service\ItemService;
use Trousseau\Support\Language;

/** A gift as its giver sees it: on a page of its own, and among all that they give. */
final class ClaimView {

	/**
	 * @param array<string, mixed> $claim With its item, or without: then the service is asked for that.
	 * @return array<string, mixed>
	 */
	public static function of( array $claim ): array {
		$item = array_key_exists( 'item', $claim ) ? $claim['item'] : ItemService::of_site()->get_item( (int) $claim['item_id'] );
		$post = get_post( (int) $claim['registry_id'] );
		// The service is away: the gift may well be on the list.
		$none = is_wp_error( $item ) ? __( 'a gift', 'trousseau' ) : __( 'a gift that is no longer on the list', 'trousseau' );
		$item = is_array( $item ) ? $item : null;
		return array(
			'state'     => $claim['state'],
			'quantity'  => (int) $claim['quantity'],
			'gift'      => $item ? (string) $item['name'] : $none,
			'registry'  => $post ? Registries::title( $post ) : '',
			'permalink' => $post ? (string) get_permalink( $post ) : '',
			'shop'      => $item && $post ? ShopLink::of( $item, $post->ID ) : '',
			'until'     => match ( true ) {
				! $claim['expires_at']         => '',
				$claim['state'] === 'pending' => Language::moment( (int) strtotime( $claim['expires_at'] ) ),
				default                        => Language::day( (int) strtotime( $claim['expires_at'] ) ),
			},
			'message'   => (string) $claim['message'],
			'thanked'   => $claim['thanked_at'] !== null,
			'link'      => Claim::link( $claim['id'] ),
		);
	}
}
