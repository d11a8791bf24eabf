<?php
/**
 * The calendar of a list, on the page of its details.
 *
 * @var string $address  The page's.
 * @var string $calendar The secret address of the reader's calendar; nothing where they have none.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;

?>
<section class="trousseau-section" id="trousseau-calendar">
	<h2><?php esc_html_e( 'Calendar', 'trousseau' ); ?></h2>
	<p><?php esc_html_e( 'Your phone’s calendar can follow this list: the day, the end of the surprise, and until when you have gifts reserved yourself.', 'trousseau' ); ?></p>
	<?php if ( $calendar === '' ) : ?>
		<?php echo Form::button( $address, 'calendar', __( 'Make an address for my calendar', 'trousseau' ), array(), '', 'is-quiet' ); ?>
	<?php else : ?>
	<p><a class="wp-element-button" href="<?php echo esc_url( (string) preg_replace( '#^https?:#', 'webcal:', $calendar ), array( 'webcal' ) ); ?>"><?php esc_html_e( 'Add to my calendar', 'trousseau' ); ?></a></p>
	<details class="trousseau-more"><summary><?php esc_html_e( 'The address, for another program', 'trousseau' ); ?></summary>
		<p class="trousseau-ways"><input type="text" readonly value="<?php echo esc_attr( $calendar ); ?>" aria-label="<?php esc_attr_e( 'Address of the calendar', 'trousseau' ); ?>"><span class="trousseau-form is-button is-quiet" data-needs-script hidden><button type="button" class="wp-element-button" data-copy-link data-copied="<?php esc_attr_e( 'Copied', 'trousseau' ); ?>"><?php esc_html_e( 'Copy', 'trousseau' ); ?></button></span></p>
		<p><?php esc_html_e( 'Anybody with this address can read these days. It is yours alone; the other owners have their own.', 'trousseau' ); ?></p>
	</details>
	<div class="trousseau-ways">
		<?php
		echo Form::button( $address, 'calendar', __( 'New address', 'trousseau' ), array(), '', 'is-quiet' );
		echo Form::button( $address, 'no-calendar', __( 'No calendar', 'trousseau' ), array(), '', 'is-quiet' );
		?>
	</div>
	<?php endif; ?>
</section>
