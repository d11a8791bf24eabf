<?php
/** The part above a registry's gifts that is for one visitor. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;

$trousseau_links = array(
	$secret => __( 'Gifts not on the list', 'trousseau' ),
	$news   => __( 'Emails about new gifts', 'trousseau' ),
);
unset( $trousseau_links[''] );
?>
<?php if ( $manage !== '' ) : ?>
	<p class="trousseau-ways"><a class="button wp-element-button" href="<?php echo esc_url( $manage ); ?>"><?php esc_html_e( 'Manage your list', 'trousseau' ); ?></a></p>
<?php elseif ( $as !== '' || $trousseau_links ) : ?>
	<p class="trousseau-as"><small><?php
	/* translators: %s: guest */
	echo $as === '' ? '' : esc_html( sprintf( __( 'You’re here with %s’s invitation.', 'trousseau' ), Language::isolate( $as ) ) ) . ' ';
	foreach ( array( $mine => __( 'Gifts I’m giving', 'trousseau' ) ) + $trousseau_links as $trousseau_address => $trousseau_words ) {
		printf( '<a href="%s">%s</a> ', esc_url( $trousseau_address ), esc_html( $trousseau_words ) );
	}
	?></small></p>
<?php endif; ?>
