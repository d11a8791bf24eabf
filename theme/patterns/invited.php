<?php
/**
 * Title: The way to a private list
 * Slug: trousseau/invited
 * Inserter: no
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

if ( ! defined( 'Trousseau\VERSION' ) ) {
	return;
}
?>
<!-- wp:paragraph -->
<p><?php esc_html_e( 'Private lists are for their guests only.', 'trousseau-theme' ); ?></p>
<!-- /wp:paragraph -->

<!-- wp:buttons -->
<div class="wp-block-buttons">
	<!-- wp:button {"className":"is-style-outline"} -->
	<div class="wp-block-button is-style-outline"><a class="wp-block-button__link wp-element-button" href="<?php echo esc_url( \Trousseau\Platform\PageAddress::of( 'lost-invitation' ) ); ?>"><?php esc_html_e( 'Invited? Resend my invitation', 'trousseau-theme' ); ?></a></div>
	<!-- /wp:button -->
</div>
<!-- /wp:buttons -->
