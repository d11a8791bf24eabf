<?php
/**
 * Title: The posts page
 * Slug: trousseau/blog
 * Inserter: no
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

$posts_page = (int) get_option( 'page_for_posts' );
?>
<!-- wp:heading {"level":1} -->
<h1><?php echo esc_html( $posts_page ? get_the_title( $posts_page ) : __( 'News', 'trousseau-theme' ) ); ?></h1>
<!-- /wp:heading -->

<!-- wp:pattern {"slug":"trousseau/posts"} /-->
