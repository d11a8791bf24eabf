<?php
/** To a guest who is giving something: the owners got it elsewhere. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: %s: name of a gift */
printf( __( 'They already have “%s”', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list */
printf( __( 'You’re giving “%1$s” from “%2$s”. In the meantime the owners got it elsewhere.', 'trousseau' ), $gift, $registry );
echo "\n\n" . __( 'Haven’t bought it yet? Cancel it and choose something else. If you’ve bought it, it’s still yours to give.', 'trousseau' );
echo "\n\n" . __( 'View or change', 'trousseau' ) . "\n" . $link;
