<?php
/**
 * To a guest who is giving something: the owners removed it from the list.
 *
 * @var bool   $buys      Whether the reader buys it for everyone.
 * @var bool   $is_bought Whether one of its givers has bought that gift.
 * @var int    $holds     The money that others have sent the reader for it, in minor units.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\GiftAmount;

/* translators: %s: name of a gift */
printf( __( '“%s” was removed from the list', 'trousseau' ), $gift );
echo "\n\n";
$trousseau_is_share = ( $currency ?? '' ) !== '';
if ( $trousseau_is_share && ( $is_bought ?? false ) ) {
	printf(
		$buys
			/* translators: 1: amount and name of a gift, 2: name of a list */
			? __( 'You’re chipping in %1$s, which is no longer on “%2$s”. You’ve already bought it for everyone, so please tell the owners that it’s coming.', 'trousseau' )
			/* translators: 1: amount and name of a gift, 2: name of a list */
			: __( 'You’re chipping in %1$s, which is no longer on “%2$s”. A guest had already bought it for everyone, so please tell the owners that it’s coming.', 'trousseau' ),
		$gift,
		$registry
	);
} elseif ( $trousseau_is_share ) {
	/* translators: 1: amount and name of a gift, 2: name of a list */
	printf( __( 'You were chipping in %1$s, which is no longer on “%2$s”. If you’ve already sent your share, please ask for it back: this site never handles money and can’t refund it.', 'trousseau' ), $gift, $registry );
	/* translators: %s: amount of money */
	echo ( $holds ?? 0 ) ? "\n\n" . sprintf( __( 'You have %s that others sent you for this gift. Please return it. The page below says to whom.', 'trousseau' ), GiftAmount::of( $holds, $currency ) ) : '';
} else {
	/* translators: 1: name of a gift, 2: name of a list */
	printf( __( 'You were giving “%1$s”, which is no longer on “%2$s”. If you’ve already bought it, please tell the owners.', 'trousseau' ), $gift, $registry );
}
echo "\n\n" . ( $trousseau_is_share ? __( 'View your share', 'trousseau' ) : __( 'View your gift', 'trousseau' ) ) . "\n" . $link;
