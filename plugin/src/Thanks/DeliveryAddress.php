<?php

declare(strict_types=1);

namespace Trousseau\Thanks;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftAmount;
use Trousseau\Platform\MetaList;
use Trousseau\Service\ClaimState;

/** The address to which givers send what they bought, encrypted. They see it once they have confirmed a gift. */
final class DeliveryAddress {

	private const META   = '_trousseau_delivery';
	public const LONGEST = 500;

	public function __construct( private readonly MetaList $meta_list ) {
	}

	/** Its lines; nothing where the owner has written none. */
	public static function of( int $post_id ): string {
		return (string) ( MetaList::read( $post_id, self::META )[0] ?? '' );
	}

	/** The address for somebody who gives with this claim; nothing while it isn't confirmed, and for a share that is sent as money. */
	public static function for_giver( array $claim ): string {
		$is_open = ClaimState::is_given( $claim );
		return $is_open && ( ! GiftAmount::is_share( $claim ) || $claim['buys'] ) ? self::of( (int) $claim['registry_id'] ) : '';
	}

	/** Deletes it, readable or not. */
	public function forget( int $post_id ): void {
		delete_post_meta( $post_id, self::META );
	}

	public function set( int $post_id, string $lines ): void {
		$this->meta_list->change( $post_id, self::META, static fn(): array => $lines === '' ? array() : array( $lines ) );
	}
}
