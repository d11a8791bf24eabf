<?php
/**
 * Title: Header
 * Slug: trousseau/header
 * Categories: header
 * Block Types: core/template-part/header
 * Inserter: no
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;
?>
<!-- wp:group {"align":"full","className":"site-header","layout":{"type":"constrained"}} -->
<div class="wp-block-group alignfull site-header">
	<!-- wp:group {"align":"wide","layout":{"type":"flex","flexWrap":"nowrap","justifyContent":"space-between"}} -->
	<div class="wp-block-group alignwide">
		<!-- wp:group {"layout":{"type":"flex","flexWrap":"nowrap"}} -->
		<div class="wp-block-group">
			<!-- wp:site-logo {"width":44} /-->

			<!-- wp:site-title {"level":0} /-->
		</div>
		<!-- /wp:group -->

		<!-- wp:group {"layout":{"type":"flex","flexWrap":"nowrap"}} -->
		<div class="wp-block-group">
<?php if ( defined( 'Trousseau\VERSION' ) ) : ?>
			<!-- wp:navigation {"overlayMenu":"never"} -->
			<!-- wp:navigation-link {"label":"<?php esc_attr_e( 'My lists', 'trousseau-theme' ); ?>","url":"<?php echo esc_url( \Trousseau\Platform\PageAddress::of( 'mine' ) ); ?>","kind":"custom","isTopLevelLink":true,"className":"is-when-logged-in"} /-->
			<!-- wp:navigation-link {"label":"<?php esc_attr_e( 'Find a list', 'trousseau-theme' ); ?>","url":"<?php echo esc_url( \Trousseau\Platform\PageAddress::of( 'find' ) ); ?>","kind":"custom","isTopLevelLink":true,"className":"is-when-logged-out"} /-->
			<!-- /wp:navigation -->
<?php endif; ?>

			<!-- wp:loginout /-->
		</div>
		<!-- /wp:group -->
	</div>
	<!-- /wp:group -->
</div>
<!-- /wp:group -->
