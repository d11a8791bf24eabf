<?php
/**
 * A gift's link to its shop, on a giver's pages.
 *
 * @var string $shop Empty: there is no link.
 * @var bool   $asks Whether it opens in a new tab, so that this page can ask afterwards whether they bought the gift.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\ShopLink;
use Trousseau\Platform\Template;

if ( $shop === '' ) {
	return;
}
?>
<a <?php echo $asks ? 'data-shop target="_blank" ' : ''; ?>href="<?php echo esc_url( $shop ); ?>" rel="<?php echo esc_attr( ShopLink::relation( $shop ) ); ?>" referrerpolicy="strict-origin"><?php
	esc_html_e( 'View in shop', 'trousseau' );
	echo $asks ? Template::new_window() : '';
?></a>
