<?php
/** To owners, once a day: new gifts were chosen. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: 1: number of gifts, 2: name of a list */
printf( _n( '%1$s gift from “%2$s” was chosen', '%1$s gifts from “%2$s” were chosen', $count, 'trousseau' ), number_format_i18n( $count ), $registry );
echo "\n\n" . __( 'Good news from your list! You can see who’s giving what.', 'trousseau' );
echo "\n\n" . __( 'View your list', 'trousseau' ) . "\n" . $link;
