<?php
/**
 * All of the money for a gift that several pay for is promised.
 *
 * @var string      $registry
 * @var string      $gift
 * @var bool        $is_fund Whether it is money for the owners, which nobody buys.
 * @var bool        $buys   Whether the reader buys it.
 * @var string|null $buyer  The name of the one who buys it; empty: they don't say it; null: nobody buys it.
 * @var array[]     $shares The reader's: quantity, currency and link.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

/* translators: %s: name of a gift */
printf( __( '“%s”: all of the money is promised', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list */
printf( __( 'You give a share of “%1$s” for “%2$s”. With the shares of all of you, its goal is reached.', 'trousseau' ), $gift, $registry );
echo "\n\n" . match ( true ) {
	$is_fund ?? false => __( 'If you haven’t sent your share yet, please do: your page says how.', 'trousseau' ),
	$buys           => __( 'You buy it: your page says who has sent their share.', 'trousseau' ),
	$buyer === null => __( 'Nobody has said yet that they buy it: one of you may. Otherwise each of you sends their share to the people whose list it is; your page says how.', 'trousseau' ),
	$buyer === ''   => __( 'One of you buys it. Send them your share; your page says how.', 'trousseau' ),
	/* translators: %s: name of a person */
	default         => sprintf( __( '%s buys it. Send them your share; your page says how.', 'trousseau' ), Language::isolate( $buyer ) ),
};
echo Template::html( 'mail/parts/shares', compact( 'shares' ) );
