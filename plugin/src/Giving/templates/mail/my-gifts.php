<?php
/** To a guest who asks for it: the link to all their gifts. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

echo __( 'The gifts you’re giving', 'trousseau' );
echo "\n\n" . __( 'This link shows all the gifts you’re giving. It works for one day.', 'trousseau' );
echo "\n\n" . __( 'Gifts I’m giving', 'trousseau' ) . "\n" . $link;
echo "\n\n" . __( 'If you didn’t ask for this email, you can ignore it.', 'trousseau' );
