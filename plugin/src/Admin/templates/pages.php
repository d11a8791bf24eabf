<?php
/**
 * The pages that the plugin brings, with their addresses and the way into the site's menu.
 *
 * @var array<string, array{title: string, address: string, about: string, is_linked: bool}> $pages
 * @var bool $is_usable Whether the service is connected.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\AdminForm;

?>
<h2 id="trousseau-pages"><?php esc_html_e( 'Your pages', 'trousseau' ); ?></h2>
<p>
<?php
if ( ! $is_usable ) {
	esc_html_e( 'Your site has these pages. They show gifts once the service answers.', 'trousseau' );
} elseif ( $has_menu ) {
	esc_html_e( 'Your site has these pages now. Open them, and add the ones that guests need to your menu.', 'trousseau' );
} else {
	esc_html_e( 'Your site has these pages now. Your theme has no menu, so link to them wherever you like.', 'trousseau' );
}
?>
</p>
<?php echo AdminForm::open( $action ); ?>
	<table class="form-table" role="presentation">
<?php foreach ( $pages as $name => $page ) : ?>
		<tr>
			<th scope="row"><a href="<?php echo esc_url( $page['address'] ); ?>"><?php echo esc_html( $page['title'] ); ?></a></th>
			<td>
				<?php echo esc_html( $page['about'] ); ?><br>
				<code><?php echo esc_html( $page['address'] ); ?></code>
				<p>
<?php if ( $page['is_linked'] ) : ?>
					<?php esc_html_e( 'In your menu', 'trousseau' ); ?>
<?php elseif ( $has_menu && $may_add && $is_usable ) : ?>
					<?php
					/* translators: %s: title of a page */
					$label = sprintf( __( 'Add “%s” to the menu', 'trousseau' ), $page['title'] );
					?>
					<button type="submit" class="button" name="page" value="<?php echo esc_attr( $name ); ?>" aria-label="<?php echo esc_attr( $label ); ?>"><?php esc_html_e( 'Add to menu', 'trousseau' ); ?></button>
<?php endif; ?>
				</p>
			</td>
		</tr>
<?php endforeach; ?>
	</table>
</form>
