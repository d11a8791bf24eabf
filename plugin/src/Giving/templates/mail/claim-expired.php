<?php
/**
 * To a guest: the reservation has ended.
 *
 * @var string $registry
 * @var string $gift
 * @var string $currency The currency of a share of a gift that several pay for.
 * @var bool   $buys   Whether the reader buys that gift.
 * @var string $holds  The money that others have sent the reader for it; nothing: none.
 * @var string $link
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: %s: name of a gift */
printf( __( '“%s” is no longer reserved', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list */
printf( __( '“%1$s” from “%2$s” is no longer reserved for you, so others can give it. Still want to give it? Open the list and choose it again.', 'trousseau' ), $gift, $registry );
if ( ( $currency ?? '' ) !== '' ) {
	echo ' ' . __( 'If you’ve already sent your share, chip in with the same amount again and mark it as sent.', 'trousseau' );
}
if ( ( $holds ?? '' ) !== '' && ! $buys ) {
	/* translators: %s: amount of money */
	echo "\n\n" . sprintf( __( 'You have %s that others sent you for this gift. Please pass it on to the guest who is buying it now, or return it. The page below says to whom.', 'trousseau' ), $holds );
	echo "\n\n" . __( 'View your share', 'trousseau' ) . "\n" . $link;
}
