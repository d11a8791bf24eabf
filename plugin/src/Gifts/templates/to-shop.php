<?php
/** The shop to which an owner's link leads. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\ShopLink;
use Trousseau\Platform\Language;

?>
<p><?php
/* translators: 1: name of an item, 2: name of a registry, 3: name of another site, such as shop.example */
echo esc_html( sprintf( __( 'The link to “%1$s” on the list “%2$s” leads to another site: %3$s.', 'trousseau' ), Language::isolate( $name ), Language::isolate( $registry ), Language::isolate( $host ) ) );
?></p>
<p class="trousseau-ways">
	<a class="button wp-element-button" href="<?php echo esc_url( $onward ); ?>" rel="<?php echo esc_attr( ShopLink::relation( $earns ? $onward : '' ) ); ?>" referrerpolicy="strict-origin"><?php
	/* translators: %s: name of another site, such as shop.example */
	echo esc_html( sprintf( __( 'Continue to %s', 'trousseau' ), Language::isolate( $host ) ) );
	?></a>
	<a href="<?php echo esc_url( $back ); ?>"><?php esc_html_e( 'Back to the list', 'trousseau' ); ?></a>
</p>
<?php echo $earns ? '<p><small>' . esc_html( ShopLink::disclosure( $onward ) ) . '</small></p>' : ''; ?>
