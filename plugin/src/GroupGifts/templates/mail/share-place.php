<?php
/**
 * To everyone who chips in: how to send a share has changed.
 *
 * @var string  $registry
 * @var string  $gift
 * @var string  $where  The sentence that says who has the reader's money, where it is sent already and belongs elsewhere now.
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
echo ( $where ?? '' ) === '' ? '' : "\n\n" . $where . ' ' . __( 'Ask them to pass it on or return it.', 'trousseau' );
echo Template::html( 'mail/parts/shares', compact( 'shares' ) );
