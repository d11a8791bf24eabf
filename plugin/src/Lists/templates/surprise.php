<?php
/**
 * The page of an owner who is to be surprised, instead of the list of givers.
 *
 * @var bool   $names Whether it hides only who gives.
 * @var string $until The day from which they see everything, or '' if that day never comes.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

?>
<p class="trousseau-note"><?php
if ( $until === '' ) {
	esc_html_e( 'You chose never to see who gives what. That stays between your guests.', 'trousseau' );
} elseif ( $names ) {
	/* translators: %s: date */
	echo esc_html( sprintf( __( 'It’s a surprise until %s. Your list shows how many are given. From then on, you’ll see who gives them.', 'trousseau' ), $until ) );
} else {
	/* translators: %s: date */
	echo esc_html( sprintf( __( 'It’s a surprise until %s. From then on, you’ll see who gives what.', 'trousseau' ), $until ) );
}
?></p>
<p class="trousseau-ways"><a href="<?php echo esc_url( $details ); ?>"><?php esc_html_e( 'Change when the surprise ends', 'trousseau' ); ?></a></p>
