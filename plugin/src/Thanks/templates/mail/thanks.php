<?php
/** To owners, after the day: guests who wait for thanks. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: 1: number of gifts, 2: name of a list */
printf( _n( 'Time to say thank you for %1$s gift from “%2$s”', 'Time to say thank you for %1$s gifts from “%2$s”', $count, 'trousseau' ), number_format_i18n( $count ), $registry );
echo "\n\n" . __( 'See who gave what, and mark the ones you’ve thanked.', 'trousseau' );
echo "\n\n" . __( 'View your thank-yous', 'trousseau' ) . "\n" . $link;
