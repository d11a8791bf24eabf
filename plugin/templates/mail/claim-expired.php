<?php
/**
 * A reservation has ended.
 *
 * @var string $registry
 * @var string $gift
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: %s: name of a gift */
printf( __( '“%s” is no longer reserved', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list */
printf( __( 'The time for “%1$s” for “%2$s” is over, and it is free for others. If you give it after all, open the list and say so again.', 'trousseau' ), $gift, $registry );
