<?php
/**
 * The owners of a list have got a gift elsewhere that somebody gives.
 *
 * @var string $registry
 * @var string $gift
 * @var string $link
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: %s: name of a gift */
printf( __( 'They have “%s” from elsewhere now', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list */
printf( __( 'You’re giving “%1$s” for “%2$s”. They have got it from somewhere else meanwhile, and don’t know that you gave it.', 'trousseau' ), $gift, $registry );
echo "\n\n" . __( 'If you haven’t bought it yet, cancel it and choose something else. If you have bought it, it stays yours to give.', 'trousseau' );
echo "\n\n" . __( 'View or change', 'trousseau' ) . "\n" . $link;
