<?php
/**
 * Accounts that took more gifts than people usually do, in lists to which nobody invited them.
 *
 * @var array<int, array{name: string, edit: string, count: string, lists: array{title: string, url: string}[]}> $accounts By number.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\AdminForm;
use Trousseau\Platform\Template;

?>
<h2 id="<?php echo esc_attr( $place ); ?>"><?php esc_html_e( 'Gifts from uninvited accounts', 'trousseau' ); ?></h2>
<?php if ( ! $accounts ) : ?>
<p><?php esc_html_e( 'No account has reserved more than usual.', 'trousseau' ); ?></p>
<?php else : ?>
<p><?php esc_html_e( 'These accounts have reserved more than usual. If they did so in bad faith, undo it: the gifts become available again, and each account gets one email about it. You may want to delete the account, too.', 'trousseau' ); ?></p>
<table class="widefat striped" style="max-width:60em">
	<thead><tr>
		<th scope="col"><?php esc_html_e( 'Account', 'trousseau' ); ?></th>
		<th scope="col"><?php esc_html_e( 'Gifts', 'trousseau' ); ?></th>
		<th scope="col"><?php echo esc_html( _x( 'From', 'lists on which the gifts stand', 'trousseau' ) ); ?></th>
		<td></td>
	</tr></thead>
	<tbody>
	<?php foreach ( $accounts as $trousseau_user => $trousseau_account ) : ?>
	<tr>
		<th scope="row"><?php if ( $trousseau_account['edit'] !== '' ) : ?>
			<a href="<?php echo esc_url( $trousseau_account['edit'] ); ?>"><?php echo esc_html( $trousseau_account['name'] ); ?></a>
		<?php else : ?>
			<?php echo esc_html( $trousseau_account['name'] ); ?>
		<?php endif; ?></th>
		<td><?php echo esc_html( $trousseau_account['count'] ); ?></td>
		<td><?php foreach ( $trousseau_account['lists'] as $trousseau_list ) : ?>
			<a href="<?php echo esc_url( $trousseau_list['url'] ); ?>"><?php echo esc_html( $trousseau_list['title'] ); ?></a><br>
		<?php endforeach; ?></td>
		<td><?php echo AdminForm::open( $action, array( 'user' => $trousseau_user ) ); ?>
			<button type="submit" class="button"><?php echo Template::label( __( 'Undo all of it', 'trousseau' ), $trousseau_account['name'] ); ?></button>
		</form></td>
	</tr>
	<?php endforeach; ?>
	</tbody>
</table>
<?php endif; ?>
