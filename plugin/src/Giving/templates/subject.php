<?php
/**
 * The gift that a guest's page is about, with its picture.
 *
 * @var string $picture Empty: a drawing takes its place.
 * @var string $named   Its name, pieces or amount.
 * @var string $shop    The shop's page, or '' if the gift has no link.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Template;

$shop ??= '';
?>
<div class="trousseau-subject">
	<span class="trousseau-order__picture"><?php echo $picture === '' ? '' : sprintf( '<img src="%s" alt="" width="120" height="120">', esc_url( $picture ) ); ?></span>
	<p><strong><?php echo esc_html( $named ); ?></strong><br><small><?php echo esc_html( $facts ); ?></small><?php echo $shop === '' ? '' : '<br>' . Template::html( 'shop-link', compact( 'shop' ) + array( 'asks' => true ) ); ?></p>
</div>
<?php echo Template::html( 'shop-disclosure', compact( 'shop' ) + array( 'is_line' => false ) ); ?>
