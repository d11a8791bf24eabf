<?php
/**
 * The money of a share of a gift whose list was deleted: where the reader's is, or whose the reader has.
 *
 * @var string|null $holder The name of the guest who has it; null: the owners have it.
 * @var array[]     $owed   Name, units and currency of each share of others that the reader has.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\GiftAmount;
use Trousseau\Platform\Language;

if ( isset( $owed ) ) {
	$trousseau_owed = array_map( static fn( array $one ): string => $one['name'] . ' (' . GiftAmount::of( $one['units'], $one['currency'] ) . ')', $owed );
	/* translators: %s: names and amounts, such as “Mia (€30), Leo (€20)” */
	echo "\n\n" . sprintf( __( 'Others have sent you money for it. Please return it: %s', 'trousseau' ), Language::list( $trousseau_owed ) );
	return;
}
$trousseau_amount = GiftAmount::of( $units, $currency );
echo "\n\n" . ( $holder === null
	/* translators: %s: amount of money */
	? sprintf( __( 'The owners of the list have your %s.', 'trousseau' ), $trousseau_amount )
	/* translators: 1: amount of money, 2: name of a person */
	: sprintf( __( 'Your %1$s is with %2$s.', 'trousseau' ), $trousseau_amount, Language::isolate( $holder ) ) );
