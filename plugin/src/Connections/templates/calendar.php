<?php
/**
 * The calendar of a list, on the page of its details.
 *
 * @var string $calendar The secret address of the reader's calendar, or ''.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;

?>
<section class="trousseau-section" id="trousseau-calendar">
	<h2><?php esc_html_e( 'Calendar', 'trousseau' ); ?></h2>
	<p><?php esc_html_e( 'See this list in your phone’s calendar: the date, the end of the surprise, and when your own reservations end.', 'trousseau' ); ?></p>
	<?php if ( $calendar === '' ) : ?>
		<?php echo Form::button( $address, 'calendar', __( 'Create a calendar link', 'trousseau' ), array(), '', 'is-quiet' ); ?>
	<?php else : ?>
	<p><a class="button wp-element-button" href="<?php echo esc_url( (string) preg_replace( '#^https?:#', 'webcal:', $calendar ), array( 'webcal' ) ); ?>"><?php esc_html_e( 'Add to my calendar', 'trousseau' ); ?></a></p>
	<details class="trousseau-more"><summary><?php esc_html_e( 'Link for another program', 'trousseau' ); ?></summary>
		<p class="trousseau-ways"><input type="text" readonly value="<?php echo esc_attr( $calendar ); ?>" aria-label="<?php esc_attr_e( 'Calendar link', 'trousseau' ); ?>"><span class="trousseau-form is-button is-quiet" data-needs-script hidden><button type="button" class="wp-element-button" data-copy data-copied="<?php esc_attr_e( 'Copied', 'trousseau' ); ?>"><?php esc_html_e( 'Copy', 'trousseau' ); ?></button></span></p>
		<p><?php esc_html_e( 'Anyone with this link can see these dates. It’s yours alone: other owners have their own.', 'trousseau' ); ?></p>
		<div class="trousseau-ways">
		<?php
		echo Form::button( $address, 'calendar', __( 'Create a new link', 'trousseau' ), array(), '', 'is-quiet' );
		echo Form::button( $address, 'no-calendar', __( 'Remove the link', 'trousseau' ), array(), '', 'is-quiet' );
		?>
		</div>
	</details>
	<?php endif; ?>
</section>
