<?php
/**
 * Title: Page not found
 * Slug: trousseau/not-found
 * Inserter: no
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;
?>
<!-- wp:heading {"level":1,"textAlign":"center"} -->
<h1 class="has-text-align-center"><?php esc_html_e( 'Page not found', 'trousseau-theme' ); ?></h1>
<!-- /wp:heading -->

<!-- wp:pattern {"slug":"trousseau/plugin-off"} /-->

<!-- wp:paragraph {"align":"center"} -->
<p class="has-text-align-center"><?php esc_html_e( 'The link may be mistyped, or the list may be private. If you’re invited, open the link in your invitation, or log in if you were invited with an account.', 'trousseau-theme' ); ?></p>
<!-- /wp:paragraph -->

<!-- wp:search {"label":"<?php esc_attr_e( 'Search', 'trousseau-theme' ); ?>","buttonText":"<?php esc_attr_e( 'Search', 'trousseau-theme' ); ?>","align":"center"} /-->

<!-- wp:group {"layout":{"type":"flex","orientation":"vertical","justifyContent":"center"}} -->
<div class="wp-block-group">
	<!-- wp:pattern {"slug":"trousseau/invited"} /-->
</div>
<!-- /wp:group -->
