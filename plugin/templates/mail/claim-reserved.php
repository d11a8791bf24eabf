<?php
/**
 * A gift is reserved.
 *
 * @var string $registry
 * @var string $gift
 * @var string $link
 * @var string $shop
 * @var string $expires_at
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Language;

/* translators: %s: name of a gift */
printf( __( '“%s” is reserved for you', 'trousseau' ), $gift );
echo "\n\n";
/* translators: 1: name of a gift, 2: name of a list, 3: date */
printf( __( 'You’re giving “%1$s” for “%2$s”. It’s reserved for you until %3$s.', 'trousseau' ), $gift, $registry, Language::day( (int) strtotime( (string) $expires_at ) ) );
echo $shop === '' ? '' : "\n\n" . __( 'See it in the shop', 'trousseau' ) . "\n" . $shop;
echo "\n\n" . __( 'I’ve bought it, or something has changed', 'trousseau' ) . "\n" . $link;
