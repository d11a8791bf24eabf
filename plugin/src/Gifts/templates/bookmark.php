<?php
/**
 * The bookmark for shops that keep machines out: the bookmark itself where it is wanted, elsewhere a link to its page, since
 * it is 40 kB of script.
 *
 * @var string $bookmark The bookmark's address, which is a script, or the address of the page that has it; '' if it was not built.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

if ( $bookmark === '' ) {
	return;
}
if ( str_starts_with( $bookmark, 'javascript:' ) ) :
	?>
<div class="trousseau-bookmark">
	<p><?php esc_html_e( 'Drag this button to your bookmarks bar. On a shop’s page, click the bookmark: the gift is filled in here, and nothing is saved until you say so.', 'trousseau' ); ?></p>
	<p class="trousseau-ways"><a class="button wp-element-button" data-bookmark href="<?php echo esc_attr( $bookmark ); ?>"><?php esc_html_e( 'Add to my list', 'trousseau' ); ?></a></p>
</div>
	<?php
	return;
endif;
?>
<details class="trousseau-more trousseau-from-shop">
	<summary><?php esc_html_e( 'Can’t add from a shop?', 'trousseau' ); ?></summary>
	<div class="trousseau-bookmark">
		<p><?php esc_html_e( 'Some shops don’t let other sites read their pages. A bookmark in your browser can: it fills in the gift for you.', 'trousseau' ); ?></p>
		<p class="trousseau-ways"><a href="<?php echo esc_url( $bookmark ); ?>"><?php esc_html_e( 'Get the bookmark', 'trousseau' ); ?></a></p>
	</div>
	<p><small><?php esc_html_e( 'On a phone, add this site to your home screen, then share the shop’s page with it.', 'trousseau' ); ?></small></p>
</details>
