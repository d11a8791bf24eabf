<?php
/**
 * A gift is bought.
 *
 * @var string $registry
 * @var string $gift
 * @var string $link
 * @var int    $needed   The pieces wished for.
 * @var int    $left     The pieces that are still wished for.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Service\Item;

/* translators: %s: name of a gift */
printf( __( 'Thank you for “%s”', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list */
printf( __( 'Thank you! You’ve bought “%1$s” for “%2$s”.', 'trousseau' ), $gift, $registry );
// One that was written before this was known says nothing of it.
if ( isset( $needed, $left ) ) {
	echo ' ' . ( $needed > 1 ? Item::still_needed( array( 'quantity_needed' => $needed, 'quantity_purchased' => $needed - $left ) ) : __( 'Nobody else will give it now.', 'trousseau' ) );
}
echo "\n\n" . __( 'Look or change', 'trousseau' ) . "\n" . $link;
