<?php
/**
 * The link by which somebody finishes a list that was begun without an account. It says nothing that a stranger may have typed.
 *
 * @var string $link
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

echo __( 'Finish your list', 'trousseau' );
echo "\n\n" . __( 'Somebody, most likely you, began a list with this address. Press the button, and it is yours.', 'trousseau' );
echo "\n\n" . __( 'Finish my list', 'trousseau' ) . "\n" . $link;
echo "\n\n" . __( 'This link works for seven days. Please don’t forward it: its reader can change the list.', 'trousseau' );
echo "\n\n" . __( 'If you didn’t ask for it, you can ignore this mail.', 'trousseau' );
