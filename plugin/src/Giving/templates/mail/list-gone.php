<?php
/**
 * To a guest who is giving something: the list was deleted.
 *
 * @var string  $registry
 * @var array[] $gifts    The reader's claims: name, quantity and currency, which pieces have none; whether they are given; `money`: how much
 *                        lies with `owners` or the `holder`; `owed`: name and amount of each whose money the reader has.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftAmount;
use Trousseau\GroupGifts\ShareMoney;
use Trousseau\Platform\Language;

/* translators: %s: name of a list */
printf( __( 'The list “%s” was deleted', 'trousseau' ), $registry );
echo "\n\n" . __( 'It no longer exists. You’re giving this from it:', 'trousseau' );
foreach ( $gifts as $trousseau_gift ) {
	$trousseau_money = static fn( int $units ): string => GiftAmount::of( $units, $trousseau_gift['currency'] );
	$trousseau_name  = $trousseau_gift['name'] !== '' ? $trousseau_gift['name'] : __( 'a gift', 'trousseau' );
	echo "\n\n• " . GiftAmount::named( $trousseau_gift['quantity'], $trousseau_name, $trousseau_gift['currency'] );
	if ( $trousseau_gift['money'] ) {
		echo "\n\n" . ShareMoney::where( $trousseau_money( $trousseau_gift['money'] ), $trousseau_gift['owners'], $trousseau_gift['holder'] );
	}
	if ( $trousseau_gift['owed'] ) {
		$trousseau_owed = array_map( static fn( array $owed ): string => ( $owed[0] !== '' ? $owed[0] : __( 'someone', 'trousseau' ) ) . ' (' . $trousseau_money( $owed[1] ) . ')', $trousseau_gift['owed'] );
		/* translators: %s: names and amounts, such as “Mia (€30), Leo (€20)” */
		echo "\n\n" . sprintf( __( 'Others have sent you money for it. Please return it: %s', 'trousseau' ), Language::list( $trousseau_owed ) );
	}
}
echo "\n\n" . ( array_filter( array_column( $gifts, 'currency' ) )
	? __( 'If you’ve already bought something or sent money, please contact the owners yourself: this site never handles money and can’t refund it.', 'trousseau' )
	: __( 'If you’ve already bought something, please tell the owners yourself.', 'trousseau' ) );
