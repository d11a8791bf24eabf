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
<p class="trousseau-ways">
	<a href="<?php echo esc_url( $shop ); ?>" rel="<?php echo esc_attr( ShopLink::relation( $shop ) ); ?>" referrerpolicy="strict-origin"><?php esc_html_e( 'View in shop', 'trousseau' ); ?></a>
	<?php echo ShopLink::disclosure( $shop ) === '' ? '' : '<small>' . esc_html( ShopLink::disclosure( $shop ) ) . '</small>'; ?>

</p>
