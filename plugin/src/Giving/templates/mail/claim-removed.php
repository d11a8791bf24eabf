<?php
/**
 * A gift that somebody gives was taken off its list.
 *
 * @var string $registry
 * @var string $gift
 * @var string $currency The currency of a share of a gift that several pay for.
 * @var bool   $is_bought Whether one of its givers has bought that gift.
 * @var string $holds  The money that others have sent the reader for it; nothing: none.
 * @var string $link
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: %s: name of a gift */
printf( __( '“%s” was removed from the list', 'trousseau' ), $gift );
echo "\n\n";
if ( ( $currency ?? '' ) !== '' && ( $is_bought ?? false ) ) {
	/* translators: 1: amount and name of a gift, 2: name of a list */
	printf( __( 'You give “%1$s”, and it is no longer on “%2$s”. One of you had bought it before: please tell them that it’s coming.', 'trousseau' ), $gift, $registry );
	return;
}
if ( ( $currency ?? '' ) !== '' ) {
	/* translators: 1: amount and name of a gift, 2: name of a list */
	printf( __( 'You wanted to give “%1$s”, and it is no longer on “%2$s”. If you have sent it already, please ask them about it yourself: this site passes no money on and can’t refund any.', 'trousseau' ), $gift, $registry );
	if ( ( $holds ?? '' ) !== '' ) {
		/* translators: %s: amount of money */
		echo "\n\n" . sprintf( __( 'You have %s that others have sent you for this gift. Please give it back; your page says to whom.', 'trousseau' ), $holds );
		echo "\n\n" . __( 'See your share', 'trousseau' ) . "\n" . $link;
	}
	return;
}
/* translators: 1: name of a gift, 2: name of a list */
printf( __( 'You wanted to give “%1$s”, and it is no longer on “%2$s”. If you have bought it already, please tell them yourself: they don’t know that you gave it.', 'trousseau' ), $gift, $registry );
