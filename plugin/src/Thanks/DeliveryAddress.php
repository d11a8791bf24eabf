<?php

declare(strict_types=1);

namespace Trousseau\Thanks;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListField;
use Trousseau\Platform\Form;
use Trousseau\Platform\MetaList;
use Trousseau\Service\Claim;

/** The address to which givers send what they bought, encrypted. They see it once they have confirmed a gift. */
final class DeliveryAddress extends ListField {

	public const HAS_LINES = true;
	public const IS_COPIED = true;

	private const META = '_trousseau_delivery';

	public function __construct( private readonly MetaList $meta_list ) {
	}

	public static function label(): string {
		return __( 'Where should gifts be sent?', 'trousseau' );
	}

	public static function html( Form $form ): string {
		return $form->textarea( 'delivery', self::label(), array( 'maxlength' => self::LONGEST, 'rows' => 3, 'autocomplete' => 'street-address' ), __( 'An address, or words such as “bring it along”. Everyone with a confirmed gift sees it, in their email too. It’s stored encrypted.', 'trousseau' ) );
	}

	public static function value( int $post_id ): string {
		return (string) ( MetaList::read( $post_id, self::META )[0] ?? '' );
	}

	/** The address for the giver of this claim. Empty until the claim is confirmed, and for shares sent as money. */
	public static function for_giver( Claim $claim ): string {
		return $claim->is_given() && ( ! $claim->is_share() || $claim->buys ) ? self::value( $claim->registry_id ) : '';
	}

	public static function personal(): string {
		return __( 'Where gifts are sent', 'trousseau' );
	}

	/** Deletes it, readable or not. */
	public function forget( int $post_id ): void {
		delete_post_meta( $post_id, self::META );
	}

	public function store( int $post_id, string $value ): void {
		$this->meta_list->change( $post_id, self::META, static fn(): array => $value === '' ? array() : array( $value ) );
	}
}
