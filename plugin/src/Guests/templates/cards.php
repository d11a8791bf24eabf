<?php
/**
 * Cards with a list's QR code, for the printer.
 *
 * @var string $share The address that the code opens; empty where only invited guests can open the list.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListCards;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Language;

if ( $share === '' ) {
	echo FlashMessage::note( __( 'Your list has no link to print: only invited guests can open it. Choose “Anyone with the link” first.', 'trousseau' ) );
	printf( '<p class="trousseau-ways"><a href="%s">%s</a></p>', esc_url( $guests ), esc_html__( 'Back to your guests', 'trousseau' ) );
	return;
}
?>
<nav class="trousseau-parts" aria-label="<?php esc_attr_e( 'Cards to print', 'trousseau' ); ?>">
	<a href="<?php echo esc_url( $one ); ?>"<?php echo $count === 1 ? ' aria-current="page"' : ''; ?>><?php esc_html_e( 'One card', 'trousseau' ); ?></a>
	<a href="<?php echo esc_url( $several ); ?>"<?php echo $count === 1 ? '' : ' aria-current="page"'; ?>><?php esc_html_e( 'Eight place cards', 'trousseau' ); ?></a>
</nav>
<p class="trousseau-ways" data-needs-script hidden><button type="button" class="wp-element-button" data-print><?php esc_html_e( 'Print', 'trousseau' ); ?></button></p>
<div class="trousseau-cards<?php echo $count === 1 ? '' : ' is-several'; ?>">
<?php for ( $trousseau_card = 0; $trousseau_card < $count; $trousseau_card++ ) : ?>
	<div class="trousseau-card"<?php echo $trousseau_card ? ' aria-hidden="true"' : ''; ?>>
		<?php if ( $picture !== '' && $count === 1 ) : ?>
		<img class="trousseau-cover" src="<?php echo esc_url( $picture ); ?>" alt="">
		<?php endif; ?>
		<div class="trousseau-card__text">
			<p class="trousseau-card__name"><?php echo esc_html( Language::isolate( $name ) ); ?></p>
			<?php echo ListCards::event( $post ); ?>
			<p><?php esc_html_e( 'Scan to open the gift list', 'trousseau' ); ?></p>
		</div>
		<div class="trousseau-card__code" data-code="<?php echo esc_attr( $share ); ?>"><?php
			echo esc_html( $share );
		?></div>
	</div>
<?php endfor; ?>
</div>
<p><small><?php esc_html_e( 'Choose A4 or Letter in your browser’s print window. To keep a PDF, choose “Save as PDF” there.', 'trousseau' ); ?></small></p>
