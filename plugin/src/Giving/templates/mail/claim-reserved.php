<?php
/** To a guest: the gift is reserved. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\ShopLink;
use Trousseau\Platform\Language;

if ( ( $currency ?? '' ) !== '' ) {
	/* translators: %s: amount and name of a gift */
	printf( __( 'Your share: %s', 'trousseau' ), $gift );
	echo "\n\n";
	if ( $buys ?? false ) {
		/* translators: 1: amount and name of a gift, 2: name of a list */
		printf( __( 'You’re chipping in %1$s on “%2$s”. You’re buying the gift yourself, so you don’t need to send your share to anyone.', 'trousseau' ), $gift, $registry );
		echo "\n\n" . __( 'View or change', 'trousseau' ) . "\n" . $link;
		return;
	}
	/* translators: 1: amount and name of a gift, 2: name of a list, 3: date */
	printf( __( 'You’re chipping in %1$s on “%2$s”. Please send your share by %3$s, then tell us on the page below.', 'trousseau' ), $gift, $registry, Language::day( (int) strtotime( (string) $expires_at ) ) );
	echo ' ' . __( 'This site never handles money and can’t refund it.', 'trousseau' );
	echo "\n\n" . __( 'See how to send it', 'trousseau' ) . "\n" . $link;
	return;
}
/* translators: %s: name of a gift */
printf( __( '“%s” is reserved for you', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list, 3: date */
printf( __( 'You’re giving “%1$s” from “%2$s”. It’s reserved for you until %3$s.', 'trousseau' ), $gift, $registry, Language::day( (int) strtotime( (string) $expires_at ) ) );
/* translators: %s: postal address */
echo ( $delivery ?? '' ) === '' ? '' : "\n\n" . sprintf( __( 'Where to send it: %s', 'trousseau' ), Language::isolate( $delivery ) );
echo $shop === '' ? '' : "\n\n" . __( 'View in shop', 'trousseau' ) . "\n" . trim( $shop . "\n" . ShopLink::disclosure( $shop ) );
echo "\n\n" . __( 'View or change my gift', 'trousseau' ) . "\n" . $link;
