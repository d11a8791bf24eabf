<?php
/**
 * Somebody buys a gift that several pay for.
 *
 * @var string      $registry
 * @var string      $gift
 * @var string|null $buyer  The name of the one who buys it; empty: they don't say it.
 * @var bool        $elsewhere Whether the reader has sent a share to somebody else.
 * @var array[]     $shares The reader's: quantity, currency and link.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

/* translators: %s: name of a gift */
printf( __( 'Somebody buys “%s”', 'trousseau' ), $gift );
echo "\n\n";
printf(
	(string) $buyer === ''
		/* translators: 1: name of a gift, 2: name of a list */
		? __( 'You give a share of “%1$s” for “%2$s”. One of you buys it for all now. Your share goes to them; your page says how.', 'trousseau' )
		/* translators: 1: name of a gift, 2: name of a list, 3: name of a person */
		: __( 'You give a share of “%1$s” for “%2$s”. %3$s buys it for all now. Your share goes to them; your page says how.', 'trousseau' ),
	$gift,
	$registry,
	Language::isolate( (string) $buyer )
);
if ( $elsewhere ) {
	echo "\n\n" . __( 'You’ve sent your share to somebody else: ask them to pass it on, or to give it back to you. This site passes no money on and can’t refund any.', 'trousseau' );
}
echo Template::html( 'mail/parts/shares', compact( 'shares' ) );
