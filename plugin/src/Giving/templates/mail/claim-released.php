<?php
/** To a guest: the gift is cancelled. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: %s: name of a gift */
printf( __( 'You’ve cancelled “%s”', 'trousseau' ), $gift );
echo "\n\n";
printf(
	$is_free ?? true
		/* translators: 1: name of a gift, 2: name of a list */
		? __( 'You’ve cancelled “%1$s” from “%2$s”. That’s fine: others can give it now.', 'trousseau' )
		/* translators: 1: name of a gift, 2: name of a list */
		: __( 'You’ve cancelled “%1$s” from “%2$s”. That’s fine.', 'trousseau' ),
	$gift,
	$registry
);
if ( ( $currency ?? '' ) !== '' ) {
	echo ' ' . __( 'If you’ve already sent it, please ask for it back: this site can’t refund it.', 'trousseau' );
}
