<?php
/** To an account: an administrator undid its many gifts on lists it wasn't invited to. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

echo __( 'The gifts you chose are available again', 'trousseau' );
echo "\n\n" . __( 'You had reserved many gifts on lists you weren’t invited to, so the people who run this site made them available to others again.', 'trousseau' );
echo "\n\n" . __( 'If you did mean to give them, ask the owners to invite you, then choose them again.', 'trousseau' );
echo "\n\n" . __( 'Gifts I’m giving', 'trousseau' ) . "\n" . $link;
