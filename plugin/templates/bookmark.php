<?php
/**
 * The way from shops that keep machines out.
 *
 * @var string $bookmark The bookmark's address, which is a script; nothing where it was not built.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

if ( $bookmark === '' ) {
	return;
}
?>
<details class="trousseau-more">
	<summary><?php esc_html_e( 'For shops that let only people in', 'trousseau' ); ?></summary>
	<p><?php esc_html_e( 'Drag this button to your bookmarks. On a shop’s page press the bookmark: the gift is filled in here, and nothing is kept before you press.', 'trousseau' ); ?></p>
	<p class="trousseau-ways"><a class="wp-element-button" data-bookmark href="<?php echo esc_attr( $bookmark ); ?>"><?php esc_html_e( 'Add to my list', 'trousseau' ); ?></a></p>
	<p><small><?php esc_html_e( 'On a phone, add this site to your home screen and share the shop’s page with it.', 'trousseau' ); ?></small></p>
</details>
