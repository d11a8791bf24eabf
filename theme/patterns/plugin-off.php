<?php
/**
 * Title: Notice where the Trousseau plugin is off
 * Slug: trousseau/plugin-off
 * Inserter: no
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

if ( defined( 'Trousseau\VERSION' ) ) {
	return;
}
if ( current_user_can( 'activate_plugins' ) ) :
	?>
<!-- wp:group {"className":"plugin-off","layout":{"type":"constrained"}} -->
<div class="wp-block-group plugin-off">
	<!-- wp:paragraph -->
	<p><strong><?php esc_html_e( 'The Trousseau plugin isn’t active.', 'trousseau-theme' ); ?></strong> <?php esc_html_e( 'It shows the lists and their gifts. Until it’s active, guests are asked to come back later. Only people who manage plugins see this notice.', 'trousseau-theme' ); ?></p>
	<!-- /wp:paragraph -->

	<!-- wp:buttons -->
	<div class="wp-block-buttons">
		<!-- wp:button -->
		<div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="<?php echo esc_url( admin_url( 'plugins.php' ) ); ?>"><?php esc_html_e( 'Go to plugins', 'trousseau-theme' ); ?></a></div>
		<!-- /wp:button -->
	</div>
	<!-- /wp:buttons -->
</div>
<!-- /wp:group -->
	<?php
else :
	?>
<!-- wp:paragraph {"align":"center","className":"registries-rest"} -->
<p class="has-text-align-center registries-rest"><?php esc_html_e( 'The gift lists are taking a short break. Please come back in a little while: no list is lost.', 'trousseau-theme' ); ?></p>
<!-- /wp:paragraph -->
	<?php
endif;
