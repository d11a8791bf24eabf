<?php
/**
 * To a guest who is giving something: the list was deleted by its owner, or put into the trash.
 *
 * @var array[] $gifts The reader's claims: name, quantity and currency, which pieces have none; `more`: the template and the values of
 *                       what else there is to know, or null.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\GiftAmount;
use Trousseau\Platform\Template;

/* translators: %s: name of a list */
printf( __( 'The list “%s” was deleted', 'trousseau' ), $registry );
echo "\n\n" . __( 'It no longer exists. You were giving:', 'trousseau' );
foreach ( $gifts as $trousseau_gift ) {
	$trousseau_name = $trousseau_gift['name'] !== '' ? $trousseau_gift['name'] : __( 'a gift', 'trousseau' );
	echo "\n\n• " . GiftAmount::named( $trousseau_gift['quantity'], $trousseau_name, $trousseau_gift['currency'] );
	echo $trousseau_gift['more'] ? Template::html( ...$trousseau_gift['more'] ) : '';
}
echo "\n\n" . ( array_filter( array_column( $gifts, 'currency' ) )
	? __( 'If you’ve already bought something or sent money, please contact the owners yourself: this site never handles money and can’t refund it.', 'trousseau' )
	: __( 'If you’ve already bought something, please tell the owners yourself.', 'trousseau' ) );
