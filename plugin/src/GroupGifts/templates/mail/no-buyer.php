<?php
/** To everyone who chips in: nobody is buying the gift any more. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Template;

/* translators: %s: name of a gift */
printf( __( 'Nobody is buying “%s” at the moment', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list */
printf( __( 'Someone was going to buy “%1$s” from “%2$s” for everyone, but isn’t any more.', 'trousseau' ), $gift, $registry );
echo "\n\n" . __( 'If you’ve already sent them your share, please ask for it back: this site never handles money and can’t refund it.', 'trousseau' );
echo Template::html( 'mail/parts/shares', compact( 'shares' ) );
