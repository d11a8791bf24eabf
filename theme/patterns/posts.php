<?php
/**
 * Title: List of posts
 * Slug: trousseau/posts
 * Inserter: no
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;
?>
<!-- wp:query {"className":"posts","query":{"inherit":true}} -->
<div class="wp-block-query posts">
	<!-- wp:post-template -->
		<!-- wp:post-date /-->

		<!-- wp:post-title {"isLink":true} /-->

		<!-- wp:post-excerpt /-->
	<!-- /wp:post-template -->

	<!-- wp:query-no-results -->
		<!-- wp:paragraph -->
		<p><?php esc_html_e( 'Nothing found. Try other words?', 'trousseau-theme' ); ?></p>
		<!-- /wp:paragraph -->

		<!-- wp:search {"label":"<?php esc_attr_e( 'Search', 'trousseau-theme' ); ?>","buttonText":"<?php esc_attr_e( 'Search', 'trousseau-theme' ); ?>"} /-->
	<!-- /wp:query-no-results -->

	<!-- wp:query-pagination {"layout":{"type":"flex","justifyContent":"space-between"}} -->
		<!-- wp:query-pagination-previous /-->
		<!-- wp:query-pagination-next /-->
	<!-- /wp:query-pagination -->
</div>
<!-- /wp:query -->
