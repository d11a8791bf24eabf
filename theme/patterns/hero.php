<?php
/**
 * Title: Welcome
 * Slug: trousseau/hero
 * Categories: trousseau, banner
 * Description: A picture next to what the site is for, with two buttons.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;
?>
<!-- wp:group {"align":"full","backgroundColor":"tint","className":"hero","layout":{"type":"constrained"}} -->
<div class="wp-block-group alignfull hero has-tint-background-color has-background">
	<!-- wp:media-text {"align":"wide","mediaPosition":"right","mediaType":"image","mediaWidth":44,"verticalAlignment":"center"} -->
	<div class="wp-block-media-text alignwide has-media-on-the-right is-stacked-on-mobile is-vertically-aligned-center" style="grid-template-columns:auto 44%"><div class="wp-block-media-text__content">
		<!-- wp:heading {"level":1,"fontSize":"display"} -->
		<h1 class="has-display-font-size"><?php esc_html_e( 'Every gift finds its way home', 'trousseau-theme' ); ?></h1>
		<!-- /wp:heading -->

		<!-- wp:paragraph {"fontSize":"large"} -->
		<p class="has-large-font-size"><?php esc_html_e( 'Make a list for your wedding, your baby or your first home. Share it with the people you invite, or with everyone.', 'trousseau-theme' ); ?></p>
		<!-- /wp:paragraph -->
<?php if ( defined( 'Trousseau\VERSION' ) ) : ?>

		<!-- wp:buttons -->
		<div class="wp-block-buttons">
			<!-- wp:button -->
			<div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="<?php echo esc_url( \Trousseau\Platform\PageAddress::of( 'new' ) ); ?>"><?php esc_html_e( 'Create your list', 'trousseau-theme' ); ?></a></div>
			<!-- /wp:button -->

			<!-- wp:button {"className":"is-style-outline"} -->
			<div class="wp-block-button is-style-outline"><a class="wp-block-button__link wp-element-button" href="<?php echo esc_url( \Trousseau\Platform\PageAddress::of( 'find' ) ); ?>"><?php esc_html_e( 'Find a list', 'trousseau-theme' ); ?></a></div>
			<!-- /wp:button -->
		</div>
		<!-- /wp:buttons -->
<?php endif; ?>
	</div><figure class="wp-block-media-text__media"><img src="<?php echo esc_url( get_theme_file_uri( 'assets/gifts.svg' ) ); ?>" alt=""/></figure></div>
	<!-- /wp:media-text -->
</div>
<!-- /wp:group -->
