<?php
/** To everyone who chips in, on the day: money is missing. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Template;

/* translators: %s: name of a gift */
printf( __( '“%s”: the goal wasn’t reached', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list */
printf( __( 'You’re chipping in for “%1$s” on “%2$s”. The day has come, and some of the money is still missing.', 'trousseau' ), $gift, $registry );
echo "\n\n" . match ( true ) {
	$buys   => __( 'You’re buying it: please pay the rest and mark it as bought, or let someone else buy it. The page below says how much is missing.', 'trousseau' ),
	$unsent => __( 'Your share stays with the gift. If you’d rather not give it, cancel it on the page below.', 'trousseau' ),
	default => __( 'Your share stays with the gift. If you’d like it back, ask the person you sent it to.', 'trousseau' ),
};
echo Template::html( 'mail/parts/shares', compact( 'shares' ) );
