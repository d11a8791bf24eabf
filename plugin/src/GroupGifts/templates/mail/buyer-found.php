<?php
/** To everyone who chips in: one of them is buying the gift. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

$trousseau_buyer = Language::isolate( $buyer );
/* translators: 1: name of a gift, 2: name of a list, 3: name of a person */
printf( __( '%3$s is buying “%1$s” from “%2$s”', 'trousseau' ), $gift, $registry, $trousseau_buyer );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list, 3: name of a person */
printf( __( 'You’re chipping in for “%1$s” on “%2$s”, and %3$s is buying it for everyone. Send your share to %3$s: the page below says how.', 'trousseau' ), $gift, $registry, $trousseau_buyer );
echo Template::html( 'mail/parts/shares', compact( 'shares' ) );
