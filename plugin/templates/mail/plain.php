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

echo implode( "\n\n", $parts ) . "\n\n-- \n" . $site . "\n" . __( 'No more mails, please', 'trousseau' ) . ': ' . $no_mail . "\n";
