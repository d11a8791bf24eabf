<?php
/** To a co-owner: the first owner wants to hand over the list. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: 1: name of a person, 2: name of a list */
printf( __( '%1$s wants to hand over the list “%2$s” to you', 'trousseau' ), $owner, $registry );
/* translators: %s: name of a person */
echo "\n\n" . sprintf( __( 'If you accept, only you can delete the list or remove owners. %s can still change everything else, as you can now.', 'trousseau' ), $owner );
echo "\n\n" . __( 'Accept or decline', 'trousseau' ) . "\n" . $link;
