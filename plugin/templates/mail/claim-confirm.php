<?php
/**
 * To somebody whose address a visitor typed: it says nothing that a stranger wrote.
 *
 * @var string $link
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

echo __( 'Please confirm your gift', 'trousseau' );
echo "\n\n" . __( 'Somebody, most likely you, has chosen a gift from a list of wishes and given this address. It is held for an hour: please confirm.', 'trousseau' );
echo "\n\n" . __( 'Look and confirm', 'trousseau' ) . "\n" . $link;
echo "\n\n" . __( 'If it was not you, do nothing: it is free again by itself.', 'trousseau' );
