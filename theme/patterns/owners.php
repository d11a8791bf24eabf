<?php
/**
 * Title: Call to action for owners
 * Slug: trousseau/owners
 * Categories: trousseau, call-to-action
 * Description: Invites a visitor to create a list of their own.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

if ( ! defined( 'Trousseau\VERSION' ) ) {
	return;
}
?>
<!-- wp:group {"align":"wide","backgroundColor":"tint","className":"owners","style":{"spacing":{"padding":{"top":"var:preset|spacing|60","right":"var:preset|spacing|40","bottom":"var:preset|spacing|60","left":"var:preset|spacing|40"}}},"layout":{"type":"constrained","contentSize":"36rem"}} -->
<div class="wp-block-group alignwide owners has-tint-background-color has-background" style="padding-top:var(--wp--preset--spacing--60);padding-right:var(--wp--preset--spacing--40);padding-bottom:var(--wp--preset--spacing--60);padding-left:var(--wp--preset--spacing--40)">
	<!-- wp:heading {"textAlign":"center"} -->
	<h2 class="has-text-align-center"><?php esc_html_e( 'Something to celebrate?', 'trousseau-theme' ); ?></h2>
	<!-- /wp:heading -->

	<!-- wp:paragraph {"align":"center"} -->
	<p class="has-text-align-center"><?php esc_html_e( 'A new list starts private. Share it when you’re ready.', 'trousseau-theme' ); ?></p>
	<!-- /wp:paragraph -->

	<!-- wp:buttons {"layout":{"type":"flex","justifyContent":"center"}} -->
	<div class="wp-block-buttons">
		<!-- wp:button {"className":"is-style-outline"} -->
		<div class="wp-block-button is-style-outline"><a class="wp-block-button__link wp-element-button" href="<?php echo esc_url( \Trousseau\Platform\PageAddress::of( 'new' ) ); ?>"><?php esc_html_e( 'Create your list', 'trousseau-theme' ); ?></a></div>
		<!-- /wp:button -->
	</div>
	<!-- /wp:buttons -->
</div>
<!-- /wp:group -->
