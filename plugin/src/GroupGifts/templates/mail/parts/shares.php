<?php
/** The reader's shares of a gift, each with its page. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\GiftAmount;

foreach ( $shares as $trousseau_share ) {
	/* translators: %s: amount of money */
	echo "\n\n" . sprintf( __( 'View your share of %s', 'trousseau' ), GiftAmount::of( $trousseau_share['quantity'], $trousseau_share['currency'] ) ) . "\n" . $trousseau_share['link'];
}
