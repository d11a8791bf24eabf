<?php
/**
 * The one main thing that a giver does next, the link to the gift's shop, and the rest behind “⋯”.
 *
 * @var string $body The main button, as HTML; empty: there is none.
 * @var string $more The other buttons, as HTML.
 * @var string $gift
 * @var string $shop Empty: there is no link.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\ShopLink;
use Trousseau\Platform\Template;

if ( $body . $more === '' ) {
	return;
}

?>
<div class="trousseau-ways is-one">
	<?php echo $body; ?>
	<?php if ( $shop !== '' ) : ?>
	<a href="<?php echo esc_url( $shop ); ?>" rel="<?php echo esc_attr( ShopLink::relation( $shop ) ); ?>" referrerpolicy="strict-origin"><?php esc_html_e( 'View in shop', 'trousseau' ); ?></a>
	<?php endif; ?>
	<?php echo $more === '' ? '' : Template::more( $more, $gift ); ?>
</div>
<?php echo $shop === '' || ShopLink::disclosure( $shop ) === '' ? '' : '<p><small>' . esc_html( ShopLink::disclosure( $shop ) ) . '</small></p>'; ?>
