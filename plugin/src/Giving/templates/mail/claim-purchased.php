<?php
/** To a guest: the gift is bought. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\GiftAmount;
use Trousseau\Platform\Language;
use Trousseau\Service\Item;

/* translators: %s: name of a gift */
printf( __( 'Thank you for “%s”', 'trousseau' ), $gift );
echo "\n\n";
if ( ( $currency ?? '' ) !== '' ) {
	if ( $buys ?? false ) {
		/* translators: 1: amount and name of a gift, 2: name of a list */
		printf( __( 'Thank you for buying it for everyone! Your own share is %1$s, on “%2$s”. The page below says who has sent you theirs.', 'trousseau' ), $gift, $registry );
	} else {
		$trousseau_item = new Item( array( 'quantity_needed' => $needed, 'quantity_purchased' => $needed - $left ) );
		/* translators: 1: amount and name of a gift, 2: name of a list */
		printf( __( 'Thank you! You’ve sent %1$s for “%2$s”.', 'trousseau' ), $gift, $registry );
		echo ' ' . GiftAmount::still_needed( $trousseau_item, $currency );
	}
	echo "\n\n" . __( 'View or change', 'trousseau' ) . "\n" . $link;
	return;
}
/* translators: 1: name of a gift, 2: name of a list */
printf( __( 'Thank you! You’ve bought “%1$s” for “%2$s”.', 'trousseau' ), $gift, $registry );
echo ' ' . ( $needed > 1 ? GiftAmount::still_needed( new Item( array( 'quantity_needed' => $needed, 'quantity_purchased' => $needed - $left ) ), '' ) : __( 'Nobody else will give it now.', 'trousseau' ) );
/* translators: %s: postal address */
echo ( $delivery ?? '' ) === '' ? '' : "\n\n" . sprintf( __( 'Where to send it: %s', 'trousseau' ), Language::isolate( $delivery ) );
echo "\n\n" . __( 'View or change', 'trousseau' ) . "\n" . $link;
