<?php
/** To someone who started a list without an account: the link to finish it. It says nothing that a stranger may have typed. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

echo __( 'Finish your list', 'trousseau' );
echo "\n\n" . __( 'Someone, most likely you, started a list with this email. Press the button to finish it.', 'trousseau' );
echo "\n\n" . __( 'Finish my list', 'trousseau' ) . "\n" . $link;
echo "\n\n" . __( 'This link works for seven days. Please don’t forward it: anyone who opens it can change your list.', 'trousseau' );
echo "\n\n" . __( 'If you didn’t ask for this email, you can ignore it.', 'trousseau' );
