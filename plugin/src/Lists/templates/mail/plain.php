<?php
/**
 * The frame of every mail, as plain text.
 *
 * @var string[] $parts
 * @var string   $site
 * @var string   $no_mail
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: %s: address of a page */
echo implode( "\n\n", $parts ) . "\n\n-- \n" . $site . "\n" . sprintf( __( 'Unsubscribe: %s', 'trousseau' ), $no_mail ) . "\n";
