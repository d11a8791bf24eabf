<?php
/**
 * The one main thing that a giver does next, plain links to the likely others, and the rest behind “⋯”.
 *
 * @var string $back   The address of the list if the main button leads back to it, or ''.
 * @var string $others Buttons that look like links, as HTML.
 * @var string $more   The buttons behind “⋯” as HTML, or ''.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Template;

if ( $body === '' && $back !== '' ) {
	$body = '<a class="button wp-element-button" href="' . esc_url( $back ) . '">' . esc_html__( 'Back to the list', 'trousseau' ) . '</a>';
}
if ( $body . $others . $more === '' ) {
	return;
}

?>
<div class="trousseau-ways is-one">
	<?php echo $body; ?>
	<?php echo Template::html( 'shop-link', compact( 'shop' ) + array( 'asks' => false ) ); ?>
	<?php echo $others, $more === '' ? '' : Template::more( $more, $gift ); ?>
</div>
<?php echo Template::html( 'shop-disclosure', compact( 'shop' ) + array( 'is_line' => false ) ); ?>
