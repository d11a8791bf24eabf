<?php
/**
 * Title: Newest lists
 * Slug: trousseau/newest-registries
 * Categories: trousseau
 * Description: The newest public lists as cards.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;
?>
<!-- wp:group {"align":"wide","anchor":"registries","layout":{"type":"constrained"}} -->
<div class="wp-block-group alignwide" id="registries">
	<!-- wp:heading {"textAlign":"center"} -->
	<h2 class="has-text-align-center"><?php esc_html_e( 'Newest lists', 'trousseau-theme' ); ?></h2>
	<!-- /wp:heading -->

	<!-- wp:pattern {"slug":"trousseau/plugin-off"} /-->

	<!-- wp:trousseau/registries {"count":6,"align":"wide"} /-->
</div>
<!-- /wp:group -->
