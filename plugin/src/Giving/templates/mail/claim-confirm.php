<?php
/**
 * To a guest who isn't invited: asks them to confirm a gift. An address that a visitor typed gets nothing that a stranger wrote.
 *
 * @var string $link
 * @var string $expires_at
 * @var string $registry The list's name, for givers with an account, and of public lists that were approved.
 * @var string $gift     The gift's name, only for givers with an account.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;

$trousseau_until = Language::moment( (int) strtotime( $expires_at ) );

echo __( 'Please confirm your gift', 'trousseau' );
echo "\n\n" . match ( true ) {
	/* translators: 1: name of a gift, 2: name of a list, 3: date and time */
	isset( $gift, $registry ) => sprintf( __( 'You’ve chosen “%1$s” from “%2$s”. It’s reserved for you until %3$s. Please confirm that you’re giving it.', 'trousseau' ), $gift, $registry, $trousseau_until ),
	/* translators: 1: name of a list, 2: date and time */
	isset( $registry )        => sprintf( __( 'You’ve chosen a gift from “%1$s”. It’s reserved for you until %2$s. Please confirm that you’re giving it.', 'trousseau' ), $registry, $trousseau_until ),
	/* translators: %s: date and time */
	default                   => sprintf( __( 'You’ve chosen a gift from a gift list. It’s reserved for you until %s. Please confirm that you’re giving it.', 'trousseau' ), $trousseau_until ),
};
echo "\n\n" . __( 'Confirm my gift', 'trousseau' ) . "\n" . $link;
echo "\n\n" . __( 'Wasn’t you? Ignore this email, and the gift becomes available again.', 'trousseau' );
