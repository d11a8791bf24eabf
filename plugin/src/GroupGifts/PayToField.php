<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\ShareForm;
use Trousseau\Lists\ListField;
use Trousseau\Lists\Meta;
use Trousseau\Platform\Form;
use Trousseau\Platform\PlainText;

/** How shares reach a list's owners, in its details. */
final class PayToField extends ListField {

	public const HAS_LINES = true;
	public const LONGEST   = Meta::MAX_PAY_TO;

	public static function label(): string {
		return __( 'How should people pay you?', 'trousseau' );
	}

	public static function html( Form $form ): string {
		return $form->textarea( 'pay_to', self::label(), array( 'maxlength' => self::LONGEST, 'rows' => 2, 'autocomplete' => 'off' ), __( 'Needed for group gifts: an IBAN with the account holder’s name, a PayPal.Me link, or words such as “in an envelope”. Guests see it once they’ve confirmed their share.', 'trousseau' ) );
	}

	public static function value( int $post_id ): string {
		return Meta::pay_to( $post_id );
	}

	public static function check( Form $form, string $stored ): void {
		ShareForm::pay_to( $form, $stored );
	}

	public static function personal(): string {
		return __( 'How people pay you', 'trousseau' );
	}

	public function forget( int $post_id ): void {
		delete_post_meta( $post_id, Meta::PAY_TO );
	}

	public function store( int $post_id, string $value ): void {
		update_post_meta( $post_id, Meta::PAY_TO, wp_slash( PlainText::to_html( $value ) ) );
	}
}
