<?php
/**
 * A gift is bought.
 *
 * @var string $registry
 * @var string $gift
 * @var string $link
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: %s: name of a gift */
printf( __( 'Thank you for “%s”', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list */
printf( __( '“%1$s” for “%2$s” is marked as bought by you. Nobody else will give it now.', 'trousseau' ), $gift, $registry );
echo "\n\n" . __( 'Look or change', 'trousseau' ) . "\n" . $link;
