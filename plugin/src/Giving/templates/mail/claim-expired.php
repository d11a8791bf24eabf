<?php
/**
 * A reservation has ended.
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
printf( __( 'We’re no longer holding “%1$s” for “%2$s”, so others can give it. If you’d still like to give it, open the list and choose it again.', 'trousseau' ), $gift, $registry );
if ( ( $currency ?? '' ) !== '' ) {
	echo ' ' . __( 'If you have sent it already, give the same share once more, and say there that it’s sent.', 'trousseau' );
}
if ( ( $holds ?? '' ) !== '' && ! $buys ) {
	/* translators: %s: amount of money */
	echo "\n\n" . sprintf( __( 'You have %s that others have sent you for this gift. Please pass it on to the guest who buys it now, or give it back; your page says to whom.', 'trousseau' ), $holds );
	echo "\n\n" . __( 'See your share', 'trousseau' ) . "\n" . $link;
}
