<?php
/** To the former first owner: the list has a new one. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: 1: name of a person, 2: name of a list */
printf( __( '%1$s has taken over the list “%2$s”', 'trousseau' ), $owner, $registry );
echo "\n\n" . __( 'You can change everything as before. Only they can delete the list or remove owners.', 'trousseau' );
echo "\n\n" . __( 'Open the list', 'trousseau' ) . "\n" . $link;
