<?php
/**
 * Where to send a gift, for its giver.
 *
 * @var string $delivery Its lines, or '' if the owners haven't given one.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

?>
<?php if ( $delivery !== '' ) : ?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Where to send it', 'trousseau' ); ?></h2>
	<p dir="auto"><?php echo nl2br( esc_html( $delivery ) ); ?></p>
</section>
<?php endif; ?>
