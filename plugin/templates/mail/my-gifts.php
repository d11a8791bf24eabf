<?php
/**
 * The way to one's gifts.
 *
 * @var string $link
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

echo __( 'Your gifts', 'trousseau' );
echo "\n\n" . __( 'Here is the link to all that you give. It is good for a day.', 'trousseau' );
echo "\n\n" . __( 'My gifts', 'trousseau' ) . "\n" . $link;
echo "\n\n" . __( 'If you did not ask for it, do nothing.', 'trousseau' );
