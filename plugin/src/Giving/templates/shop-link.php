<?php
/**
 * The link to a gift's shop, for its giver.
 *
 * @var string $shop Nothing: there is no link.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\ShopLink;

if ( $shop === '' ) {
	return;
}

?>
<a href="<?php echo esc_url( $shop ); ?>" rel="<?php echo esc_attr( ShopLink::relation( $shop ) ); ?>" referrerpolicy="strict-origin"><?php esc_html_e( 'View in shop', 'trousseau' ); ?></a>
