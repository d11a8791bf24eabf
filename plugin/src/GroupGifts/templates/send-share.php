<?php
/**
 * The ways to send a share of a gift that several pay for.
 *
 * @var string $code        The text of the code for banking apps, or ''.
 * @var bool   $is_surprise Whether the owners are to be surprised, and their account tells them who gives.
 * @var bool   $is_sent     Whether it was sent, be it to someone else.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Iban;
use Trousseau\Platform\Template;

/** A field whose text is copied by a press. */
$trousseau_copied = static function ( string $name, string $label, string $text, bool $is_ltr = false ): void {
	?>
	<p class="trousseau-field trousseau-copied"><label for="trousseau-<?php echo esc_attr( $name ); ?>"><?php echo esc_html( $label ); ?></label>
	<input type="text" id="trousseau-<?php echo esc_attr( $name ); ?>" readonly<?php echo $is_ltr ? ' dir="ltr"' : ' dir="auto"'; ?> value="<?php echo esc_attr( $text ); ?>">
	<button type="button" class="wp-element-button trousseau-quiet" data-copy data-needs-script hidden data-copied="<?php esc_attr_e( 'Copied', 'trousseau' ); ?>" aria-label="<?php
	/* translators: %s: label of a field, such as Amount */
	echo esc_attr( sprintf( __( 'Copy: %s', 'trousseau' ), $label ) );
	?>"><?php esc_html_e( 'Copy', 'trousseau' ); ?></button></p>
	<?php
};
?>
<details class="trousseau-send"<?php echo $is_sent ? '' : ' open'; ?>>
	<summary><?php esc_html_e( 'See how to send it', 'trousseau' ); ?></summary>
<?php if ( $pay_to->text === '' ) : ?>
	<p><?php esc_html_e( 'They haven’t said how to send it yet. Please ask them.', 'trousseau' ); ?></p>
<?php else : ?>
	<?php
	if ( ! $pay_to->is_account_only() ) {
		echo '<p dir="auto">' . nl2br( esc_html( $pay_to->text ) ) . '</p>';
	}
	foreach ( $links as $trousseau_link ) {
		printf( '<p><a class="button wp-element-button" href="%s" target="_blank" rel="nofollow noopener noreferrer"><bdi dir="ltr">%s</bdi>%s</a></p>', esc_url( $trousseau_link, array( 'https' ) ), esc_html( (string) wp_parse_url( $trousseau_link, PHP_URL_HOST ) ), Template::new_window() );
	}
	if ( $pay_to->iban !== '' ) {
		$pay_to->name === '' || $trousseau_copied( 'holder', __( 'Name', 'trousseau' ), $pay_to->name );
		$trousseau_copied( 'iban', __( 'IBAN', 'trousseau' ), Iban::shown( $pay_to->iban ), true );
	}
	$trousseau_copied( 'sum', __( 'Amount', 'trousseau' ), $amount, true );
	$trousseau_copied( 'purpose', __( 'Reference', 'trousseau' ), $purpose );
	?>
	<?php if ( $code !== '' ) : ?>
	<div data-needs-script hidden>
		<p class="trousseau-qr" data-code="<?php echo esc_attr( $code ); ?>" role="img" aria-label="<?php esc_attr_e( 'The transfer as a QR code for your banking app', 'trousseau' ); ?>"></p>
		<p><small><?php esc_html_e( 'Scan this code with your banking app to fill in the transfer.', 'trousseau' ); ?></small></p>
	</div>
	<?php endif; ?>
<?php endif; ?>
	<?php if ( $is_surprise ) : ?>
	<p><small><?php esc_html_e( 'Even though it’s a surprise, they’ll see your name once the money reaches their account.', 'trousseau' ); ?></small></p>
	<?php endif; ?>
	<p><small><?php esc_html_e( 'This site never handles money and can’t refund it.', 'trousseau' ); ?></small></p>
</details>
