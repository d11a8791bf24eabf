<?php
/**
 * To a guest: the owner's own thanks.
 *
 * @var string $owner The hosts' name; empty where it isn't known.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: %s: who says thank you */
echo $owner === '' ? __( 'Thank you for your gift', 'trousseau' ) : sprintf( __( 'Thank you from %s', 'trousseau' ), $owner );
echo "\n\n" . $note;
/* translators: %s: name of a list */
echo "\n\n" . sprintf( __( 'Sent by the owners of “%s”, the list you gave from.', 'trousseau' ), $registry );
echo "\n\n" . __( 'View your gifts', 'trousseau' ) . "\n" . $link;
