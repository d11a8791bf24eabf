<?php
/** Background tasks that have failed or are late. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\AdminForm;
use Trousseau\Platform\Template;

$trousseau_button = static function ( string $do, string $words, int $job = 0, string $about = '' ) use ( $action ): void {
	?>
	<div style="display:inline-block"><?php echo AdminForm::open( $action, compact( 'do', 'job' ) ); ?>
		<button type="submit" class="button"><?php echo Template::label( $words, $about ); ?></button>
	</form></div>
	<?php
};
?>
<div class="wrap">
<h1><?php esc_html_e( 'Trousseau: background tasks', 'trousseau' ); ?></h1>
<p><?php esc_html_e( 'Emails, pictures and messages to the service are handled in the background. Failed tasks are tried again for more than a day, then stay here for a month.', 'trousseau' ); ?></p>
<?php if ( ! $rows ) : ?>
<p><?php esc_html_e( 'No failed or late tasks.', 'trousseau' ); ?></p>
<?php else : ?>
<div style="overflow-x:auto"><table class="widefat striped">
	<thead><tr>
		<th scope="col"><?php esc_html_e( 'Task', 'trousseau' ); ?></th>
		<th scope="col"><?php esc_html_e( 'State', 'trousseau' ); ?></th>
		<td></td>
		<th scope="col"><?php esc_html_e( 'Since, or next attempt', 'trousseau' ); ?></th>
		<th scope="col"><?php esc_html_e( 'Attempts', 'trousseau' ); ?></th>
		<th scope="col"><?php esc_html_e( 'Reason', 'trousseau' ); ?></th>
	</tr></thead>
	<tbody>
	<?php foreach ( $rows as $trousseau_row ) : ?>
	<tr>
		<th scope="row"><?php echo esc_html( $trousseau_row['kind'] ); ?></th>
		<td><?php echo esc_html( $trousseau_row['state'] ); ?></td>
		<td><?php
			$trousseau_button( 'retry', __( 'Try again', 'trousseau' ), $trousseau_row['id'], $trousseau_row['kind'] );
			$trousseau_button( 'delete', __( 'Delete', 'trousseau' ), $trousseau_row['id'], $trousseau_row['kind'] );
		?></td>
		<td><?php echo esc_html( wp_date( get_option( 'date_format' ) . ' ' . get_option( 'time_format' ), $trousseau_row['due'] ) ); ?></td>
		<td><?php echo esc_html( number_format_i18n( $trousseau_row['attempts'] ) ); ?></td>
		<td><?php echo esc_html( $trousseau_row['error'] ); ?></td>
	</tr>
	<?php endforeach; ?>
	</tbody>
</table></div>
<p><?php $trousseau_button( 'retry_all', __( 'Try all failed tasks again', 'trousseau' ) ); ?></p>
<?php endif; ?>
</div>
