<?php
/**
 * The gift that a guest's page is about, with its picture.
 *
 * @var string $picture Empty: a drawing takes its place.
 * @var string $named   Its name, pieces or amount.
 * @var string $facts   Such as its price and its list.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

?>
<div class="trousseau-subject">
	<span class="trousseau-order__picture"><?php echo $picture === '' ? '' : sprintf( '<img src="%s" alt="" width="120" height="120">', esc_url( $picture ) ); ?></span>
	<p><strong><?php echo esc_html( $named ); ?></strong><br><small><?php echo esc_html( $facts ); ?></small></p>
</div>
