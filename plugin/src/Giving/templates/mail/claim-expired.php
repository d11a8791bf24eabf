<?php
/** To a guest: the reservation has ended. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

if ( ( $currency ?? '' ) !== '' ) {
	/* translators: %s: amount and name of a gift */
	printf( __( 'Your share has ended: %s', 'trousseau' ), $gift );
	echo "\n\n";
	if ( ! ( $is_free ?? true ) ) {
		/* translators: 1: amount and name of a gift, 2: name of a list */
		printf( __( 'You were chipping in %1$s on “%2$s”, but didn’t mark it as sent in time.', 'trousseau' ), $gift, $registry );
		echo ' ' . __( 'If you’ve already sent your share, please tell the owners.', 'trousseau' );
		return;
	}
	/* translators: 1: amount and name of a gift, 2: name of a list */
	printf( __( 'You were chipping in %1$s on “%2$s”, but didn’t mark it as sent in time. Still want to give it?', 'trousseau' ), $gift, $registry );
	echo ' ' . __( 'If you’ve already sent your share, chip in with the same amount again and mark it as sent.', 'trousseau' );
	echo "\n\n" . __( 'Give it after all', 'trousseau' ) . "\n" . $link;
	return;
}
/* translators: %s: name of a gift */
printf( __( '“%s” is no longer reserved', 'trousseau' ), $gift );
echo "\n\n";
if ( ! ( $is_free ?? true ) ) {
	/* translators: 1: name of a gift, 2: name of a list */
	printf( __( '“%1$s” from “%2$s” is no longer reserved for you.', 'trousseau' ), $gift, $registry );
	return;
}
/* translators: 1: name of a gift, 2: name of a list */
printf( __( '“%1$s” from “%2$s” is no longer reserved for you, so others can give it. Still want to give it?', 'trousseau' ), $gift, $registry );
echo "\n\n" . __( 'Give it after all', 'trousseau' ) . "\n" . $link;
