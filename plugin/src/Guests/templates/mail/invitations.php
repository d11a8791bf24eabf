<?php
/**
 * To a guest who has lost their invitations: all of them.
 *
 * @var array<int, array{registry: string, owner: string, link: string, is_member: bool}> $lists `owner` is empty where it isn't known; members have no link of their own.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;

$trousseau_own = count( array_filter( $lists, static fn( array $trousseau_list ): bool => ! $trousseau_list['is_member'] ) );

echo _n( 'Your invitation', 'Your invitations', count( $lists ), 'trousseau' );
echo "\n\n" . _n( 'You’re invited to this list:', 'You’re invited to these lists:', count( $lists ), 'trousseau' );
foreach ( $lists as $trousseau_list ) {
	$trousseau_name = Language::isolate( $trousseau_list['registry'] );
	echo "\n\n";
	echo $trousseau_list['owner'] === ''
		/* translators: %s: name of a list */
		? sprintf( __( 'Open “%s”', 'trousseau' ), $trousseau_name )
		/* translators: 1: name of a list, 2: who invites */
		: sprintf( __( 'Open “%1$s” from %2$s', 'trousseau' ), $trousseau_name, Language::isolate( $trousseau_list['owner'] ) );
	echo "\n" . $trousseau_list['link'];
}
if ( $trousseau_own > 0 ) {
	echo "\n\n" . ( $trousseau_own === 1
		? __( 'This link is just for you: you don’t need an account, and your device will remember you. Please don’t forward it, because gifts chosen through it count as yours.', 'trousseau' )
		: __( 'These links are just for you: you don’t need an account, and your device will remember you. Please don’t forward them, because gifts chosen through them count as yours.', 'trousseau' ) );
}
echo "\n\n" . __( 'If you didn’t ask for this email, you can ignore it.', 'trousseau' );
