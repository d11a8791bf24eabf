<?php
/**
 * To a guest: the invitation.
 *
 * @var bool $is_member Whether the guest has an account, and with it no link of their own.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

if ( $owner === '' ) {
	/* translators: %s: name of a list */
	printf( __( 'You’re invited to “%s”', 'trousseau' ), $registry );
	echo "\n\n";
	/* translators: %s: name of a list */
	printf( __( 'You’re invited to the gift list “%s”.', 'trousseau' ), $registry );
} else {
	/* translators: %s: who invites */
	printf( __( '%s invited you to their gift list', 'trousseau' ), $owner );
	echo "\n\n";
	/* translators: 1: who invites, 2: name of a list */
	printf( __( '%1$s invited you to their gift list “%2$s”.', 'trousseau' ), $owner, $registry );
}
/* translators: %s: words of somebody */
echo $note === '' ? '' : "\n\n" . sprintf( __( '“%s”', 'trousseau' ), $note );
echo "\n\n" . __( 'Open the list', 'trousseau' ) . "\n" . $link;
echo $is_member ? '' : "\n\n" . __( 'This link is just for you: you don’t need an account, and your device will remember you. Please don’t forward it, because gifts chosen through it count as yours.', 'trousseau' );
