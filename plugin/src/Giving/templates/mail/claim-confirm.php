<?php
/**
 * To a guest who isn't invited: asks them to confirm a gift. An address that a visitor typed gets nothing that a stranger wrote.
 *
 * @var string $registry The list's name, for givers with an account, and of public lists that were approved.
 * @var string $gift     The gift's name, only for givers with an account.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;

$trousseau_is_share = ( $currency ?? '' ) !== '';
$trousseau_until    = Language::moment( (int) strtotime( $expires_at ) );

echo __( 'Please confirm your gift', 'trousseau' );
echo "\n\n" . match ( true ) {
	/* translators: 1: amount and name of a gift, 2: name of a list, 3: date and time */
	$trousseau_is_share && isset( $gift, $registry ) => sprintf( __( 'You’re chipping in %1$s on “%2$s”. Please confirm your share by %3$s.', 'trousseau' ), $gift, $registry, $trousseau_until ),
	/* translators: 1: name of a list, 2: date and time */
	$trousseau_is_share && isset( $registry )        => sprintf( __( 'You’re chipping in for a gift from “%1$s”. Please confirm your share by %2$s.', 'trousseau' ), $registry, $trousseau_until ),
	/* translators: %s: date and time */
	$trousseau_is_share       => sprintf( __( 'You’re chipping in for a gift from a gift list. Please confirm your share by %s.', 'trousseau' ), $trousseau_until ),
	/* translators: 1: name of a gift, 2: name of a list, 3: date and time */
	isset( $gift, $registry ) => sprintf( __( 'You’ve chosen “%1$s” from “%2$s”. It’s reserved for you until %3$s. Please confirm that you’re giving it.', 'trousseau' ), $gift, $registry, $trousseau_until ),
	/* translators: 1: name of a list, 2: date and time */
	isset( $registry )        => sprintf( __( 'You’ve chosen a gift from “%1$s”. It’s reserved for you until %2$s. Please confirm that you’re giving it.', 'trousseau' ), $registry, $trousseau_until ),
	/* translators: %s: date and time */
	default                   => sprintf( __( 'You’ve chosen a gift from a gift list. It’s reserved for you until %s. Please confirm that you’re giving it.', 'trousseau' ), $trousseau_until ),
};
echo "\n\n" . __( 'Confirm my gift', 'trousseau' ) . "\n" . $link;
echo "\n\n" . ( $trousseau_is_share ? __( 'Wasn’t you? Ignore this email, and nothing will happen.', 'trousseau' ) : __( 'Wasn’t you? Ignore this email, and the gift will become available again.', 'trousseau' ) );
