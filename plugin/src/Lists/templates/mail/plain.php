<?php
/**
 * The frame of every email, as plain text.
 *
 * @var string $sender The owner in whose name it is sent, or '' if the site sends it.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: 1: name of an owner, 2: name of the site */
echo implode( "\n\n", $parts ) . "\n\n-- \n" . ( $sender === '' ? $site : sprintf( __( 'Sent for %1$s by %2$s', 'trousseau' ), $sender, $site ) );
/* translators: %s: address of a page */
echo "\n" . sprintf( __( 'Unsubscribe: %s', 'trousseau' ), $no_mail ) . "\n";
