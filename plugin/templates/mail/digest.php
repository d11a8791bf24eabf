<?php
/**
 * Once a day, to an owner: something was given.
 *
 * @var string $registry
 * @var int    $count
 * @var string $link
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: %s: name of a list */
printf( __( 'Somebody gives something from “%s”', 'trousseau' ), $registry );
echo "\n\n";
/* translators: 1: number of gifts, 2: name of a list */
printf( _n( '%1$s gift from “%2$s” was chosen since yesterday.', '%1$s gifts from “%2$s” were chosen since yesterday.', $count, 'trousseau' ), number_format_i18n( $count ), $registry );
echo "\n\n" . __( 'See what is given', 'trousseau' ) . "\n" . $link;
