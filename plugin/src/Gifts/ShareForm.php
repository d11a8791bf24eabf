<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\Meta;
use Trousseau\Platform\Currency;
use Trousseau\Platform\Form;
use Trousseau\Platform\Iban;
use Trousseau\Platform\PlainText;
use Trousseau\Service\Item;

/** The amount of a share: one of a few suggestions, the rest, or the giver's own. Also where shares are sent. */
final class ShareForm {

	/** The suggestions in a currency with a smaller coin. Other currencies have a hundred times as much. */
	private const PROPOSALS = array( 25, 50, 100 );

	/** @return array<string, array{0: string}> Amount in minor units → words. */
	public static function proposals( int $left, int $goal, string $currency ): array {
		$options = array();
		foreach ( self::PROPOSALS as $amount ) {
			$units = Currency::to_units( Currency::digits( $currency ) ? $amount : 100 * $amount, $currency );
			if ( $units < $left ) {
				$options[ (string) $units ] = array( GiftAmount::of( $units, $currency ) );
			}
		}
		if ( $goal !== Item::ANY_NUMBER ) {
			$options[ (string) $left ] = array( GiftAmount::of( $left, $currency ) );
		}
		return $options + array( 'own' => array( _x( 'Other', 'amount of money', 'trousseau' ) ) );
	}

	/** The chosen amount in minor units, or 0 and an error on the form. */
	public static function chosen( Form $form, string $currency ): int {
		$share = $form->text( 'share' );
		if ( ctype_digit( $share ) && (int) $share > 0 ) {
			return (int) $share;
		}
		if ( $share === '' && $form->text( 'amount' ) === '' ) {
			$form->fault( 'share', __( 'Choose how much you’d like to give.', 'trousseau' ) );
			return 0;
		}
		return self::typed( $form, $currency );
	}

	/** The typed amount in minor units, or 0 and an error if it isn't clear. */
	public static function typed( Form $form, string $currency ): int {
		if ( preg_match( '/^\s*[-−–]|^[\s.,٫0٠]+$/u', $form->text( 'amount' ) ) === 1 ) {
			$form->fault( 'amount', __( 'Enter an amount above zero.', 'trousseau' ) );
			return 0;
		}
		$price = Price::read( $form->text( 'amount' ), $currency, determine_locale() );
		if ( ! $price || ! $price->is_sure ) {
			/* translators: 1: currency, such as EUR, 2: amount as people type it */
			$form->fault( 'amount', sprintf( __( 'Enter an amount in %1$s, such as %2$s.', 'trousseau' ), $currency, Currency::typed( Currency::digits( $currency ) ? 50 : 5000, $currency ) ) );
			return 0;
		}
		return max( 1, Currency::to_units( $price->amounts[0], $currency ) );
	}

	/** Where shares are sent, as it would be stored, so that texts that mean the same compare as equal. */
	public static function sent_to( Form $form ): string {
		return PlainText::of_html( Meta::clean_pay_to( PlainText::to_html( $form->lines( 'pay_to' ) ) ) );
	}

	/** Where shares are sent, as typed, with an error if its IBAN can't be right. */
	public static function pay_to( Form $form, string $stored, string $missing = '' ): string {
		$text = $form->needs( 'pay_to', Meta::MAX_PAY_TO, $missing );
		if ( $text !== $stored && Iban::is_mistyped( $text ) ) {
			$form->fault( 'pay_to', __( 'This IBAN isn’t valid. Compare it with the one from your bank.', 'trousseau' ) );
		}
		return $text;
	}
}
