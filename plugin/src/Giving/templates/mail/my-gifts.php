<?php
/**
 * The link to the reader's own gifts.
 *
 * @var string $link
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

echo __( 'The gifts you’re giving', 'trousseau' );
echo "\n\n" . __( 'This link shows all the gifts that you are giving. It works for a day.', 'trousseau' );
echo "\n\n" . __( 'Gifts I’m giving', 'trousseau' ) . "\n" . $link;
echo "\n\n" . __( 'If you didn’t ask for it, you can ignore this mail.', 'trousseau' );
