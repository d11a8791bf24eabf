<?php
/**
 * After the day, to an owner: who waits for thanks.
 *
 * @var string $registry
 * @var int    $count
 * @var string $link
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: %s: name of a list */
printf( __( 'Whom to thank for “%s”', 'trousseau' ), $registry );
echo "\n\n";
/* translators: 1: number of gifts, 2: name of a list */
printf( _n( '%1$s gift from “%2$s” waits for your thanks.', '%1$s gifts from “%2$s” wait for your thanks.', $count, 'trousseau' ), number_format_i18n( $count ), $registry );
echo "\n\n" . __( 'Who gave what', 'trousseau' ) . "\n" . $link;
