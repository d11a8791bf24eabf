<?php
/**
 * A giver has cancelled a gift.
 *
 * @var string $registry
 * @var string $gift
 * @var string $currency The currency of a share of a gift that several pay for.
 * @var bool   $buys   Whether the reader buys that gift.
 * @var string $holds  The money that others have sent the reader for it; nothing: none.
 * @var int    $money  The reader's money that lies with the `$owners` or the `$holder`, in the smallest coin; 0: none.
 * @var bool   $owners
 * @var string $holder The name of a guest; nothing: it isn't said.
 * @var string $link
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftAmount;
use Trousseau\GroupGifts\ShareMoney;

/* translators: %s: name of a gift */
printf( __( 'You’ve cancelled “%s”', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list */
printf( __( 'You’ve cancelled “%1$s” from “%2$s”, and that’s fine. Others can give it now.', 'trousseau' ), $gift, $registry );
$trousseau_is_out = ( $currency ?? '' ) !== '' && ( $money ?? 0 );
$trousseau_holds  = ( $holds ?? '' ) !== '' && ! $buys;
if ( $trousseau_is_out ) {
	echo "\n\n" . ShareMoney::where( GiftAmount::of( $money, $currency ), $owners, $holder ) . ' ' . __( 'Ask them to return it.', 'trousseau' );
} elseif ( ( $currency ?? '' ) !== '' ) {
	echo ' ' . __( 'If you’ve already sent it, please ask for it back: this site can’t refund it.', 'trousseau' );
}
if ( $trousseau_holds ) {
	/* translators: %s: amount of money */
	echo "\n\n" . sprintf( __( 'You have %s that others sent you for this gift. Please pass it on to the guest who is buying it now, or return it. The page below says to whom.', 'trousseau' ), $holds );
}
if ( $trousseau_is_out || $trousseau_holds ) {
	echo "\n\n" . __( 'View your share', 'trousseau' ) . "\n" . $link;
}
