<?php
/** The progress of the work on the links, and the time of the last round. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Affiliate\AffiliateScreen;
use Trousseau\Platform\Language;

settings_errors( AffiliateScreen::PAGE );
$trouble = (string) ( $round['trouble'] ?? '' );
if ( $trouble !== '' ) {
	/* translators: %s: what the service said */
	printf( '<div class="notice notice-warning inline"><p>%s</p></div>', esc_html( sprintf( __( 'The links can’t be updated right now. We’ll try again in a few minutes: %s', 'trousseau' ), $trouble ) ) );
} elseif ( $round ) {
	$looked = (int) $round['looked'];
	/* translators: %s: number of gifts */
	$words = sprintf( _n( 'The links are being updated: %s gift checked so far. You can leave this page.', 'The links are being updated: %s gifts checked so far. You can leave this page.', $looked, 'trousseau' ), number_format_i18n( $looked ) );
	printf( '<div class="notice notice-info inline" role="status"><p>%s</p></div>', esc_html( $words ) );
} elseif ( $found ) {
	/* translators: %s: date and time */
	printf( '<p class="description">%s', esc_html( sprintf( __( 'As of %s.', 'trousseau' ), Language::moment( $found['at'] ) ) ) );
	/* translators: %s: date and time */
	echo $found['checked'] ? ' ' . esc_html( sprintf( __( 'All links were last checked on %s. We check them once a week.', 'trousseau' ), Language::moment( $found['checked'] ) ) ) . '</p>' : '</p>';
}
