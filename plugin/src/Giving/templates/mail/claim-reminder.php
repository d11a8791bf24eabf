<?php
/** To a guest: the reservation ends in two days. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;

if ( ( $currency ?? '' ) !== '' && ( $buys ?? false ) ) {
	/* translators: %s: amount and name of a gift */
	printf( __( 'Have you bought it? %s', 'trousseau' ), $gift );
	echo "\n\n";
	/* translators: 1: amount and name of a gift, 2: name of a list, 3: date */
	printf( __( 'You’re buying a gift for everyone. Your own share is %1$s on “%2$s”. By %3$s, please mark it as bought or ask for more time.', 'trousseau' ), $gift, $registry, Language::day( (int) strtotime( (string) $expires_at ) ) );
	echo "\n\n" . __( 'Mark as bought or get more time', 'trousseau' ) . "\n" . $link;
	return;
}
if ( ( $currency ?? '' ) !== '' ) {
	/* translators: %s: amount and name of a gift */
	printf( __( 'Have you sent %s?', 'trousseau' ), $gift );
	echo "\n\n";
	if ( $is_bought ?? false ) {
		/* translators: 1: amount and name of a gift, 2: name of a list */
		printf( __( 'You’re chipping in %1$s on “%2$s”, and the gift has been bought. Please send your share to the guest who bought it.', 'trousseau' ), $gift, $registry );
	} else {
		/* translators: 1: amount and name of a gift, 2: name of a list, 3: date */
		printf( __( 'You’re chipping in %1$s on “%2$s”. Please send it by %3$s, or your share ends that day. Need more time? Just say so.', 'trousseau' ), $gift, $registry, Language::day( (int) strtotime( (string) $expires_at ) ) );
	}
	echo "\n\n" . __( 'Mark as sent or get more time', 'trousseau' ) . "\n" . $link;
	return;
}
/* translators: %s: name of a gift */
printf( __( 'Have you bought “%s”?', 'trousseau' ), $gift );
echo "\n\n";
printf(
	$is_free ?? true
		/* translators: 1: name of a gift, 2: name of a list, 3: date */
		? __( '“%1$s” from “%2$s” is reserved for you until %3$s. After that, others can give it. Need more time? You can keep it longer.', 'trousseau' )
		/* translators: 1: name of a gift, 2: name of a list, 3: date */
		: __( '“%1$s” from “%2$s” is reserved for you until %3$s. Need more time? You can keep it longer.', 'trousseau' ),
	$gift,
	$registry,
	Language::day( (int) strtotime( (string) $expires_at ) )
);
echo "\n\n" . __( 'Mark as bought or keep it longer', 'trousseau' ) . "\n" . $link;
