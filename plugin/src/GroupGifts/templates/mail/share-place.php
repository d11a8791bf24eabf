<?php
/**
 * To everyone who chips in: how to send a share has changed.
 *
 * @var string  $registry
 * @var string  $gift
 * @var array[] $shares The reader's: quantity, currency and link.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Template;

/* translators: %s: name of a gift */
printf( __( '“%s”: how to send your share has changed', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list */
printf( __( 'You’re chipping in for “%1$s” on “%2$s”. How to send your share has changed, so please check the page below before you send it.', 'trousseau' ), $gift, $registry );
echo Template::html( 'mail/parts/shares', compact( 'shares' ) );
