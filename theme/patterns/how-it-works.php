<?php
/**
 * Title: How it works
 * Slug: trousseau/how-it-works
 * Categories: trousseau, text
 * Description: Three steps, side by side.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

$steps = array(
	__( 'Collect gifts you’d love', 'trousseau-theme' ) => __( 'From any shop: a name, a link, a picture, and how many you need.', 'trousseau-theme' ),
	__( 'Invite your guests', 'trousseau-theme' )       => __( 'Invite guests by email to a private list, or share a link. The list never shows who is invited.', 'trousseau-theme' ),
	__( 'A surprise, never a duplicate', 'trousseau-theme' ) => __( 'Guests reserve what they give, so everyone sees what’s still needed.', 'trousseau-theme' ),
);
?>
<!-- wp:group {"align":"wide","className":"how-it-works","layout":{"type":"constrained"}} -->
<div class="wp-block-group alignwide how-it-works">
	<!-- wp:heading {"textAlign":"center"} -->
	<h2 class="has-text-align-center"><?php esc_html_e( 'How it works', 'trousseau-theme' ); ?></h2>
	<!-- /wp:heading -->

	<!-- wp:columns {"align":"wide","style":{"spacing":{"blockGap":{"left":"var:preset|spacing|50"}}}} -->
	<div class="wp-block-columns alignwide">
<?php foreach ( $steps as $step => $words ) : ?>
		<!-- wp:column {"style":{"spacing":{"blockGap":"0.75rem"}}} -->
		<div class="wp-block-column">
			<!-- wp:heading {"level":3,"textAlign":"center"} -->
			<h3 class="has-text-align-center"><?php echo esc_html( $step ); ?></h3>
			<!-- /wp:heading -->

			<!-- wp:paragraph {"align":"center","textColor":"muted"} -->
			<p class="has-text-align-center has-muted-color has-text-color"><?php echo esc_html( $words ); ?></p>
			<!-- /wp:paragraph -->
		</div>
		<!-- /wp:column -->
<?php endforeach; ?>
	</div>
	<!-- /wp:columns -->
</div>
<!-- /wp:group -->
