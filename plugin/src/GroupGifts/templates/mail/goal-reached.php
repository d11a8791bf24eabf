<?php
/**
 * To everyone who chips in: the goal is reached.
 *
 * @var bool        $is_fund Whether it is money for the owners, which nobody buys.
 * @var string|null $buyer   The name of the buyer; null: nobody buys it.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

/* translators: %s: name of a gift */
printf( __( '“%s” is fully funded', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list */
printf( __( 'You’re chipping in for “%1$s” on “%2$s”. Together you’ve reached the goal!', 'trousseau' ), $gift, $registry );
$trousseau_buyer = Language::isolate( (string) $buyer );
echo "\n\n" . match ( true ) {
	$is_fund || ( $unsent && $buyer === null && ! ( $may_buy ?? true ) ) => __( 'If you haven’t sent your share yet, please do. The page below says how.', 'trousseau' ),
	$buys                        => __( 'You’re buying it. The page below says who has sent their share.', 'trousseau' ),
	! $unsent && $buyer === null => __( 'Everyone’s shares go to the owners.', 'trousseau' ),
	/* translators: %s: name of a person */
	! $unsent                    => sprintf( __( '%s is buying it for everyone.', 'trousseau' ), $trousseau_buyer ),
	$buyer === null              => __( 'Nobody is buying it for everyone yet. You can buy it, or you can each send your share to the owners. The page below says how.', 'trousseau' ),
	/* translators: 1: name of a person */
	default                      => sprintf( __( '%1$s is buying it for everyone. Send your share to %1$s. The page below says how.', 'trousseau' ), $trousseau_buyer ),
};
echo Template::html( 'mail/parts/shares', compact( 'shares' ) );
