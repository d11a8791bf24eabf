<?php
/**
 * The part above a registry's gifts that is for one visitor.
 *
 * @var string $as     The guest as whom this device is invited.
 * @var string $manage The address of the owner's pages.
 * @var string $mine   The address of a guest's own gifts.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Language;

?>
<?php if ( $manage !== '' ) : ?>
	<p class="trousseau-ways"><a class="wp-element-button" href="<?php echo esc_url( $manage ); ?>"><?php esc_html_e( 'Look after your list', 'trousseau' ); ?></a></p>
<?php elseif ( $as !== '' ) : ?>
	<p class="trousseau-as"><small><?php
	/* translators: %s: guest */
	echo esc_html( sprintf( __( 'You are here with the invitation for %s.', 'trousseau' ), Language::isolate( $as ) ) );
	?> <a href="<?php echo esc_url( $mine ); ?>"><?php esc_html_e( 'Gifts I’m giving', 'trousseau' ); ?></a></small></p>
<?php endif; ?>
