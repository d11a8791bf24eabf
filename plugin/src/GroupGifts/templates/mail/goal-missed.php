<?php
/**
 * The day has come, and money is missing for a gift that several pay for: its givers choose for their shares.
 *
 * @var string  $registry
 * @var string  $gift
 * @var bool    $buys   Whether the reader buys it.
 * @var array[] $shares The reader's: quantity, currency and link.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Template;

/* translators: %s: name of a gift */
printf( __( '“%s”: not all of the money came together', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list */
printf( __( 'You give a share of “%1$s” for “%2$s”. The day has come, and some of the money is still missing.', 'trousseau' ), $gift, $registry );
echo "\n\n" . ( $buys
	? __( 'You buy it: please pay the rest and say that you’ve bought it, or let somebody else buy it. Your page says how much is missing.', 'trousseau' )
	: __( 'Please choose: they get your share towards the gift all the same, you take it back, or they may use it for something else. As long as you don’t choose, nothing changes.', 'trousseau' ) );
echo Template::html( 'mail/parts/shares', compact( 'shares' ) );
