<?php
/**
 * The page of an owner who is to be surprised, instead of the list of givers.
 *
 * @var bool   $names   Whether it hides only who gives.
 * @var string $until   The day from which they see everything; nothing: never.
 * @var string $details
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

?>
<p class="trousseau-note"><?php
if ( $until === '' ) {
	esc_html_e( 'You wanted to be surprised, always: who gives what stays between your guests.', 'trousseau' );
} elseif ( $names ) {
	/* translators: %s: date */
	echo esc_html( sprintf( __( 'It is a surprise until %s. Your list shows how much is taken; who gives it, you see from then on.', 'trousseau' ), $until ) );
} else {
	/* translators: %s: date */
	echo esc_html( sprintf( __( 'It is a surprise until %s. Whether somebody gives something, and who, you see from then on.', 'trousseau' ), $until ) );
}
?></p>
<p class="trousseau-ways"><a href="<?php echo esc_url( $details ); ?>"><?php esc_html_e( 'Change when the surprise ends', 'trousseau' ); ?></a></p>
