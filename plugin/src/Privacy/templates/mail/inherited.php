<?php
/** To a co-owner who now owns the list, because its first owner's data was erased. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: %s: name of a list */
printf( __( 'The list “%s” is yours now', 'trousseau' ), $registry );
echo "\n\n" . __( 'Its first owner’s data was erased from this site. Gifts and guests are unchanged. Under “Details”, please say where gifts should be sent and how people should pay you.', 'trousseau' );
echo "\n\n" . __( 'Open the list', 'trousseau' ) . "\n" . $link;
