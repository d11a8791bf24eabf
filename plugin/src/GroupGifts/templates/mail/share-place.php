<?php
/**
 * The shares of a gift are to be sent in another way.
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
printf( __( '“%s”: your share is to be sent in another way', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list */
printf( __( 'You give a share of “%1$s” for “%2$s”. The way to send it has changed: please look at your page before you send it.', 'trousseau' ), $gift, $registry );
echo ( $where ?? '' ) === '' ? '' : "\n\n" . $where . ' ' . __( 'Ask them to pass it on, or to give it back to you.', 'trousseau' );
echo Template::html( 'mail/parts/shares', compact( 'shares' ) );
