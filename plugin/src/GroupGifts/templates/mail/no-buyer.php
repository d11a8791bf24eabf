<?php
/**
 * Nobody buys a gift that several pay for any more.
 *
 * @var string  $registry
 * @var string  $gift
 * @var string  $where  The sentence that says who has the reader's money; nothing: none is sent, or the site doesn't know it.
 * @var array[] $shares The reader's: quantity, currency and link.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Template;

/* translators: %s: name of a gift */
printf( __( 'Nobody is buying “%s” at the moment', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list */
printf( __( 'Somebody was going to buy “%1$s” for “%2$s” for all of you, and no longer is. One of you may take it over.', 'trousseau' ), $gift, $registry );
echo "\n\n" . ( ( $where ?? '' ) !== '' ? $where . ' ' . __( 'Ask them to pass it on, or to give it back to you.', 'trousseau' ) : __( 'If you have sent them your share already, please ask them for it: this site passes no money on and can’t refund any.', 'trousseau' ) );
echo Template::html( 'mail/parts/shares', compact( 'shares' ) );
