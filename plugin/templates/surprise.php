<?php
/**
 * The page of an owner who is to be surprised, instead of the list of givers.
 *
 * @var string $until   The day from which they see everything; nothing: never.
 * @var string $details
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

?>
<p class="trousseau-note"><?php
/* translators: %s: date */
echo esc_html( $until === '' ? __( 'You wanted to be surprised, always: who gives what stays between your guests.', 'trousseau' ) : sprintf( __( 'It is a surprise until %s. Whether somebody gives something, and who, you see from then on.', 'trousseau' ), $until ) );
?></p>
<p class="trousseau-ways"><a href="<?php echo esc_url( $details ); ?>"><?php esc_html_e( 'Change when the surprise ends', 'trousseau' ); ?></a></p>
