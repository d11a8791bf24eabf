<?php
/** To the site's administrator: a list waits for approval. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: %s: name of a list */
printf( __( '“%s” is waiting for your approval', 'trousseau' ), $registry );
/* translators: %s: name of a person */
echo "\n\n" . sprintf( __( '%s would like to make this list public. Until you approve it, only invited guests can see it.', 'trousseau' ), $owner );
echo "\n\n" . __( 'View the list', 'trousseau' ) . "\n" . $link;
