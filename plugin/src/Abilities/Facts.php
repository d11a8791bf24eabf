<?php

declare(strict_types=1);

namespace Trousseau\Abilities;

use Trousseau\Gifts\BoughtForAll;
use Trousseau\Gifts\GotElsewhere;
use Trousseau\Lists\Closing;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\Meta;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Currency;
use Trousseau\Service\Claim;
use Trousseau\Service\Item;
use WP_Post;

/** Lists, gifts and claims as programs read them, each shape with its JSON schema. */
final class Facts {

	public const OF_LIST = array(
		'list_id'   => 'integer',
		'title'     => 'string',
		'owner'     => 'string',
		'address'   => 'string',
		'is_public' => 'boolean',
		'is_closed' => 'boolean',
		'occasion'  => 'string',
		'date'      => 'string',
		'currency'  => 'string',
	);

	/** A group gift has `goal` and `missing` in place of `price`, `needed` and `left`. Null: nobody has said it, or it isn't for this person. */
	public const OF_GIFT = array(
		'gift_id'  => 'integer',
		'name'     => 'string',
		'note'     => 'string',
		'retailer' => 'string',
		'url'      => 'string',
		'price'    => array( 'number', 'null' ),
		'needed'   => array( 'integer', 'null' ),
		'left'     => array( 'integer', 'null' ),
		'goal'     => array( 'number', 'null' ),
		'missing'  => array( 'number', 'null' ),
	);

	/** A share of a group gift has an `amount` in place of a `quantity`. */
	public const OF_CLAIM = array(
		'claim_id' => 'string',
		'list_id'  => 'integer',
		'gift_id'  => 'integer',
		'gift'     => array( 'string', 'null' ),
		'quantity' => 'integer',
		'amount'   => 'number',
		'currency' => 'string',
		'state'    => 'string',
		'message'  => 'string',
		'until'    => array( 'string', 'null' ),
		'thanked'  => 'boolean',
	);

	public static function of_list( WP_Post $post ): array {
		return array(
			'list_id'   => $post->ID,
			'title'     => Registries::title( $post ),
			'owner'     => Registries::owner_name( $post ),
			'address'   => (string) get_permalink( $post ),
			'is_public' => $post->post_status === 'publish',
			'is_closed' => Closing::is_over( $post ),
			'occasion'  => Meta::event_type( $post->ID ),
			'date'      => Meta::event_date( $post->ID ),
			'currency'  => Meta::currency( $post->ID ),
		);
	}

	public static function of_gift( Item $item, WP_Post $post ): array {
		$currency = GiftAmount::currency( $item, $post->ID );
		$is_open  = $item->needed() === Item::ANY_NUMBER;
		$is_over  = GotElsewhere::has( $post->ID, $item->id ) || BoughtForAll::takes_no_more( $post, $item->id );
		$left     = match ( true ) {
			$item->given === null => null,
			$is_over                               => 0,
			default                                => $is_open ? null : $item->remaining(),
		};
		$facts = array(
			'gift_id'  => $item->id,
			'name'     => $item->name,
			'note'     => $item->description,
			'retailer' => (string) ( $item->answer['retailer'] ?? '' ),
			'url'      => Item::web_address( $item->url ),
		);
		return $facts + ( $currency === ''
			? array(
				'price'  => $item->price,
				'needed' => $is_open ? null : $item->needed(),
				'left'   => $left,
			)
			: array(
				'goal'    => $is_open ? null : Currency::from_units( $item->needed(), $currency ),
				'missing' => $left === null ? null : Currency::from_units( $left, $currency ),
			) );
	}

	public static function of_claim( Claim $claim, ?string $gift ): array {
		$currency = GiftAmount::currency_of_claim( $claim );
		$quantity = $claim->quantity;
		return array(
			'claim_id' => $claim->id,
			'list_id'  => $claim->registry_id,
			'gift_id'  => $claim->item_id,
			'gift'     => $gift,
			'state'    => $claim->state,
			'message'  => $claim->message,
			'until'    => $claim->expires_at,
			'thanked'  => $claim->is_thanked,
		) + ( $currency === '' ? compact( 'quantity' ) : array( 'amount' => Currency::from_units( $quantity, $currency ) ) + compact( 'currency' ) );
	}
}
