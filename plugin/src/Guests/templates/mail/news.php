<?php
/**
 * To a guest who asks for it, once a day: new gifts, or a new date.
 *
 * @var string $day The new day as `YYYY-MM-DD`, or '' if it hasn't changed.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;

if ( $count ) {
	/* translators: 1: number of gifts, 2: name of a list */
	printf( _n( '%1$s new gift on “%2$s”', '%1$s new gifts on “%2$s”', $count, 'trousseau' ), number_format_i18n( $count ), $registry );
} else {
	/* translators: %s: name of a list */
	printf( __( 'The date of “%s” has changed', 'trousseau' ), $registry );
}
if ( $day !== '' ) {
	/* translators: %s: date */
	echo "\n\n" . sprintf( __( 'The date is now %s.', 'trousseau' ), Language::calendar_day( $day ) );
}
echo $count ? "\n\n" . __( 'See what’s new on the list.', 'trousseau' ) : '';
echo "\n\n" . __( 'Open the list', 'trousseau' ) . "\n" . $link;
echo "\n\n" . __( 'You asked for these emails. You can turn them off on the list’s page.', 'trousseau' );
