<?php
/**
 * Title: Footer
 * Slug: trousseau/footer
 * Categories: footer
 * Block Types: core/template-part/footer
 * Inserter: no
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;
?>
<!-- wp:group {"align":"full","className":"site-footer","layout":{"type":"constrained"}} -->
<div class="wp-block-group alignfull site-footer">
	<!-- wp:group {"align":"wide","layout":{"type":"flex","justifyContent":"space-between"}} -->
	<div class="wp-block-group alignwide">
		<!-- wp:group {"style":{"spacing":{"blockGap":"0"}},"layout":{"type":"flex","orientation":"vertical"}} -->
		<div class="wp-block-group">
			<!-- wp:site-title {"level":0} /-->

			<!-- wp:site-tagline {"fontSize":"small"} /-->
		</div>
		<!-- /wp:group -->

		<!-- wp:group {"className":"site-footer__links","layout":{"type":"flex"}} -->
		<div class="wp-block-group site-footer__links">
			<!-- wp:page-list /-->

			<!-- wp:paragraph -->
			<p>
<?php if ( defined( 'Trousseau\VERSION' ) ) : ?>
				<a href="<?php echo esc_url( \Trousseau\Platform\PageAddress::of( 'find' ) ); ?>"><?php esc_html_e( 'Find a list', 'trousseau-theme' ); ?></a>
				<a href="<?php echo esc_url( \Trousseau\Platform\PageAddress::of( 'my-gifts' ) ); ?>"><?php esc_html_e( 'Gifts I’m giving', 'trousseau-theme' ); ?></a>
<?php endif; ?>
			</p>
			<!-- /wp:paragraph -->
		</div>
		<!-- /wp:group -->
	</div>
	<!-- /wp:group -->
</div>
<!-- /wp:group -->
