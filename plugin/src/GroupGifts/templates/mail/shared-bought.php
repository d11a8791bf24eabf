<?php
/**
 * A gift that several pay for is bought.
 *
 * @var string      $registry
 * @var string      $gift
 * @var string|null $buyer  The name of the one who has bought it; empty: they don't say it.
 * @var bool        $unsent Whether the reader still has to send a share.
 * @var bool        $elsewhere Whether the reader has sent a share to somebody else.
 * @var array[]     $shares The reader's: quantity, currency and link.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

/* translators: %s: name of a gift */
printf( __( '“%s” is bought', 'trousseau' ), $gift );
echo "\n\n";
printf(
	(string) $buyer === ''
		/* translators: 1: name of a gift, 2: name of a list */
		? __( 'You give a share of “%1$s” for “%2$s”. One of you has bought it for all.', 'trousseau' )
		/* translators: 1: name of a gift, 2: name of a list, 3: name of a person */
		: __( 'You give a share of “%1$s” for “%2$s”. %3$s has bought it for all.', 'trousseau' ),
	$gift,
	$registry,
	Language::isolate( (string) $buyer )
);
if ( $unsent ) {
	echo "\n\n" . __( 'If you haven’t sent them your share yet, please do so now; your page says how.', 'trousseau' );
}
if ( $elsewhere ) {
	echo "\n\n" . __( 'You’ve sent your share to somebody else: ask them to pass it on, or to give it back to you. This site passes no money on and can’t refund any.', 'trousseau' );
}
echo Template::html( 'mail/parts/shares', compact( 'shares' ) );
