<?php
/**
 * Addresses to which the service sends what happens on the site.
 *
 * @var string $fault The reason why the service can't be asked, in words.
 * @var array{words: string, is_good: bool, secret: string} $outcome Of the last press.
 * @var string $of The one whose messages are shown.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Connections\ConnectionsScreen;
use Trousseau\Platform\AdminForm;
use Trousseau\Platform\Template;

$trousseau_time = static fn( string $time ): string => wp_date( get_option( 'date_format' ) . ' ' . get_option( 'time_format' ), (int) strtotime( $time ) );
?>
<?php if ( $outcome['words'] !== '' ) : ?>
<div class="notice inline notice-<?php echo $outcome['is_good'] ? 'success' : 'error'; ?>" role="status"><p><?php echo esc_html( $outcome['words'] ); ?></p>
	<?php if ( $outcome['secret'] !== '' ) : ?>
	<p><code id="trousseau-secret" style="user-select:all"><?php echo esc_html( $outcome['secret'] ); ?></code></p>
	<?php endif; ?>
</div>
<?php endif; ?>
<p><?php esc_html_e( 'Another program can follow everything that happens on your lists: a chat, a spreadsheet, your accounting. The service sends a signed message to the address you enter here within seconds, and tries again if there’s no answer.', 'trousseau' ); ?></p>
<p><strong><?php esc_html_e( 'With “Gifts guests give”, the program learns about every gift, even on lists whose owners want to be surprised, and on your own.', 'trousseau' ); ?></strong></p>
<?php if ( $fault !== '' && $outcome['words'] === '' ) : ?>
<div class="notice inline notice-error"><p><?php echo esc_html( $fault ); ?></p></div>
<?php endif; ?>
	<?php foreach ( $webhooks as $trousseau_webhook ) : ?>
<div class="card" style="max-width:60em">
	<h2 style="overflow-wrap:anywhere"><?php echo esc_html( (string) $trousseau_webhook['url'] ); ?></h2>
	<p>
		<?php echo esc_html( ConnectionsScreen::type_words( (array) $trousseau_webhook['types'] ) ); ?> ·
		<?php
		/* translators: %s: date and time */
		echo esc_html( sprintf( __( 'Added on %s', 'trousseau' ), $trousseau_time( (string) $trousseau_webhook['created_at'] ) ) );
		?>
	</p>
		<?php if ( $trousseau_webhook['disabled_at'] !== null ) : ?>
	<p><strong><?php
			/* translators: %s: date and time */
			echo esc_html( sprintf( __( 'Nothing has been sent there since %s: the receiver unsubscribed, it failed for five days, or the account that added it can no longer see everything. Delete it, and add it again.', 'trousseau' ), $trousseau_time( (string) $trousseau_webhook['disabled_at'] ) ) );
		?></strong></p>
		<?php endif; ?>
		<?php echo AdminForm::open( $action, array( 'webhook' => $trousseau_webhook['id'] ) ); ?>
		<p>
		<?php if ( $trousseau_webhook['disabled_at'] === null ) : ?>
			<button type="submit" class="button" name="do" value="test"><?php echo Template::label( __( 'Send a test', 'trousseau' ), (string) $trousseau_webhook['url'] ); ?></button>
		<?php endif; ?>
		<?php if ( $of !== $trousseau_webhook['id'] ) : ?>
			<a class="button" href="<?php echo esc_url( ConnectionsScreen::url( (string) $trousseau_webhook['id'] ) ); ?>"><?php echo Template::label( __( 'Last messages', 'trousseau' ), (string) $trousseau_webhook['url'] ); ?></a>
		<?php endif; ?>
		</p>
		<details>
			<summary><?php echo Template::label( __( 'Delete', 'trousseau' ), (string) $trousseau_webhook['url'] ); ?></summary>
			<p><?php esc_html_e( 'Nothing more is sent there, not even messages that are waiting. Its secret is deleted.', 'trousseau' ); ?></p>
			<p><button type="submit" class="button button-link-delete" name="do" value="delete"><?php echo Template::label( __( 'Delete the address', 'trousseau' ), (string) $trousseau_webhook['url'] ); ?></button></p>
		</details>
	</form>
		<?php if ( $of === $trousseau_webhook['id'] ) : ?>
	<h3><?php esc_html_e( 'Last messages', 'trousseau' ); ?></h3>
			<?php if ( ! $deliveries ) : ?>
	<p><?php esc_html_e( 'No messages yet. Tests aren’t listed.', 'trousseau' ); ?></p>
			<?php else : ?>
	<table class="widefat striped">
		<thead><tr>
			<th scope="col"><?php esc_html_e( 'Message', 'trousseau' ); ?></th>
			<th scope="col"><?php esc_html_e( 'Tried', 'trousseau' ); ?></th>
			<th scope="col"><?php esc_html_e( 'Answer', 'trousseau' ); ?></th>
			<th scope="col"><?php esc_html_e( 'Next', 'trousseau' ); ?></th>
		</tr></thead>
		<tbody>
				<?php foreach ( $deliveries as $trousseau_delivery ) : ?>
		<tr>
			<td style="overflow-wrap:anywhere"><code><?php echo esc_html( (string) $trousseau_delivery['event_id'] ); ?></code></td>
			<td><?php echo esc_html( number_format_i18n( (int) $trousseau_delivery['attempt'] ) ); ?></td>
			<td><?php echo esc_html( $trousseau_delivery['status'] === null ? ( $trousseau_delivery['attempt'] ? __( 'none', 'trousseau' ) : '' ) : (string) $trousseau_delivery['status'] ); ?></td>
			<td><?php
					echo esc_html(
						match ( true ) {
							$trousseau_delivery['next_attempt_at'] !== null => $trousseau_time( (string) $trousseau_delivery['next_attempt_at'] ),
							$trousseau_delivery['status'] >= 200 && $trousseau_delivery['status'] < 300 => __( 'Received', 'trousseau' ),
							default => __( 'Given up', 'trousseau' ),
						}
					);
			?></td>
		</tr>
				<?php endforeach; ?>
		</tbody>
	</table>
			<?php endif; ?>
		<?php endif; ?>
</div>
	<?php endforeach; ?>
<h2><?php esc_html_e( 'Add an address', 'trousseau' ); ?></h2>
	<?php echo AdminForm::open( $action, array( 'do' => 'add', 'key' => $key ) ); ?>
	<table class="form-table" role="presentation">
		<?php echo AdminForm::row( 'url', __( 'Address', 'trousseau' ), __( 'From the program that receives the messages. It starts with https://', 'trousseau' ), (string) ( $typed['url'] ?? '' ) ); ?>
		<tr><th scope="row"><?php esc_html_e( 'Send', 'trousseau' ); ?></th><td><fieldset><legend class="screen-reader-text"><?php esc_html_e( 'Send', 'trousseau' ); ?></legend>
		<?php foreach ( $families as $trousseau_name => list( $trousseau_label ) ) : ?>
			<label><input type="checkbox" name="<?php echo esc_attr( $trousseau_name ); ?>" value="1"<?php checked( $typed ? ! empty( $typed[ $trousseau_name ] ) : $trousseau_name !== 'claims' ); ?>> <?php echo esc_html( $trousseau_label ); ?></label><br>
		<?php endforeach; ?>
		</fieldset></td></tr>
	</table>
	<?php submit_button( __( 'Add the address', 'trousseau' ) ); ?>
</form>
