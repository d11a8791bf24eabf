<?php
/**
 * The gift that a guest's page is about, with its picture.
 *
 * @var string $picture Empty: a drawing takes its place.
 * @var string $named   Its name, pieces or amount.
 * @var string $facts   Such as its price and its list.
 * @var string $shop    Where guests look at it before they give it; empty: there is no link.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\ShopLink;
use Trousseau\Platform\Template;

$shop ??= '';
?>
<div class="trousseau-subject">
	<span class="trousseau-order__picture"><?php echo $picture === '' ? '' : sprintf( '<img src="%s" alt="" width="120" height="120">', esc_url( $picture ) ); ?></span>
	<p><strong><?php echo esc_html( $named ); ?></strong><br><small><?php echo esc_html( $facts ); ?></small><?php echo $shop === '' ? '' : sprintf( '<br><a data-shop target="_blank" href="%s" rel="%s" referrerpolicy="strict-origin">%s</a>', esc_url( $shop ), esc_attr( ShopLink::relation( $shop ) ), esc_html__( 'View in shop', 'trousseau' ) . Template::new_window() ); ?></p>
</div>
<?php echo $shop === '' || ShopLink::disclosure( $shop ) === '' ? '' : '<p><small>' . esc_html( ShopLink::disclosure( $shop ) ) . '</small></p>'; ?>
