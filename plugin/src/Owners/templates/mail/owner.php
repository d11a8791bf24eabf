<?php
/**
 * To a new co-owner: the link to the list.
 *
 * @var string $owner The name of those whose list it was; empty where it isn't known.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

/* translators: %s: name of a list */
printf( __( 'You’re now an owner of “%s”', 'trousseau' ), $registry );
echo "\n\n";
/* translators: 1: who shares, 2: name of a list */
echo $owner === '' ? sprintf( __( 'You’re now an owner of the list “%s”.', 'trousseau' ), $registry ) : sprintf( __( '%1$s added you as an owner of the list “%2$s”.', 'trousseau' ), $owner, $registry );
/* translators: %s: email address */
echo $is_member ? '' : "\n\n" . sprintf( __( 'Create an account with this email, %s, or log in if you have one. The button takes you to both.', 'trousseau' ), $address );
echo "\n\n" . __( 'Open the list', 'trousseau' ) . "\n" . $link;
echo $is_member ? '' : "\n\n" . __( 'This link is just for you. Please don’t forward it: anyone who opens it can change the list.', 'trousseau' );
