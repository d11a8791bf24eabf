<?php
/**
 * To the guest who buys a group gift: a share was cancelled.
 *
 * @var string  $registry
 * @var string  $gift
 * @var array   $ended  The share: its giver's `name`, its `amount`, whether it ended by itself (`is_expired`), and how much is
 *                      `missing` now, as a sentence.
 * @var array[] $shares The reader's: quantity, currency and link.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

/* translators: %s: name of a gift */
printf( __( 'A share of “%s” was cancelled', 'trousseau' ), $gift );
echo "\n\n";
printf(
	$ended['is_expired']
		/* translators: 1: name of a person, 2: amount of money, 3: name of a gift, 4: name of a list */
		? __( '%1$s didn’t send %2$s in time, so that share of “%3$s” on “%4$s” has ended.', 'trousseau' )
		/* translators: 1: name of a person, 2: amount of money, 3: name of a gift, 4: name of a list */
		: __( '%1$s has cancelled a share of %2$s. It was for “%3$s” on “%4$s”.', 'trousseau' ),
	Language::isolate( $ended['name'] !== '' ? $ended['name'] : __( 'Someone', 'trousseau' ) ),
	$ended['amount'],
	$gift,
	$registry
);
echo ' ' . $ended['missing'];
echo Template::html( 'mail/parts/shares', compact( 'shares' ) );
