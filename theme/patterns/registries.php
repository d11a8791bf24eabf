<?php
/**
 * Title: All public registries
 * Slug: trousseau/registries
 * Inserter: no
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;
?>
<!-- wp:query-title {"type":"archive","showPrefix":false,"textAlign":"center","fontSize":"display"} /-->

<!-- wp:paragraph {"align":"center","textColor":"muted"} -->
<p class="has-text-align-center has-muted-color has-text-color"><?php esc_html_e( 'Public lists, shared by their owners. Guests open private lists with the link in their invitation.', 'trousseau-theme' ); ?></p>
<!-- /wp:paragraph -->

<!-- wp:query {"align":"wide","className":"registry-cards","query":{"inherit":true}} -->
<div class="wp-block-query alignwide registry-cards">
	<!-- wp:post-template -->
		<!-- wp:post-featured-image /-->

		<!-- wp:post-title {"isLink":true,"fontSize":"large"} /-->

		<!-- wp:trousseau/event /-->

		<!-- wp:post-excerpt {"fontSize":"small"} /-->
	<!-- /wp:post-template -->

	<!-- wp:query-no-results -->
		<!-- wp:paragraph {"align":"center"} -->
		<p class="has-text-align-center"><?php esc_html_e( 'No list is public at the moment. Yours could be the first.', 'trousseau-theme' ); ?></p>
		<!-- /wp:paragraph -->
	<!-- /wp:query-no-results -->

	<!-- wp:query-pagination {"layout":{"type":"flex","justifyContent":"center"}} -->
		<!-- wp:query-pagination-previous /-->
		<!-- wp:query-pagination-numbers /-->
		<!-- wp:query-pagination-next /-->
	<!-- /wp:query-pagination -->
</div>
<!-- /wp:query -->
