<?php
/** To everyone who chips in: the gift is bought. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

/* translators: %s: name of a gift */
printf( __( '“%s” has been bought', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list, 3: name of a person */
printf( __( 'You’re chipping in for “%1$s” on “%2$s”. %3$s has bought it for everyone.', 'trousseau' ), $gift, $registry, Language::isolate( $buyer ) );
if ( $unsent ) {
	echo "\n\n" . __( 'If you haven’t sent them your share yet, please do so now. The page below says how.', 'trousseau' );
}
echo Template::html( 'mail/parts/shares', compact( 'shares' ) );
