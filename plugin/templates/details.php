<?php
/**
 * A registry's details, for its owner.
 *
 * @var Trousseau\Platform\Form $form
 * @var string                  $address
 * @var string                  $opened The values with which the form was opened, as fingerprints.
 * @var string                  $changed The last change in words; nothing where the list has one owner.
 * @var bool                    $is_owner   Whether the reader owns the list: somebody who looks after the site may not.
 * @var string                  $calendar   The secret address of the reader's calendar; nothing where they have none.
 * @var bool                    $may_delete Whether to offer it: co-owners may not.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\OpenedForm;
use Trousseau\Platform\Template;

if ( $changed !== '' ) {
	/* translators: %s: words such as “changed by Anna, 2 hours ago” */
	echo '<p><small>' . esc_html( sprintf( __( 'These details: %s', 'trousseau' ), $changed ) ) . '</small></p>';
}
echo Form::open( $address, 'change', array( OpenedForm::FIELD => $opened ), '', true );
echo Template::html( 'registry-fields', get_defined_vars() );
echo '<p>' . Form::submit( __( 'Save changes', 'trousseau' ) ) . '</p></form>';
?>
<?php if ( $is_owner ) : ?>
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
<?php endif; ?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Save a copy', 'trousseau' ); ?></h2>
	<p><?php esc_html_e( 'Save your list as a file: to keep it, or to bring it to another site like this one.', 'trousseau' ); ?></p>
	<div class="trousseau-ways">
<?php
echo Form::button( $address, 'export', __( 'Save the list as a file', 'trousseau' ), array( 'as' => 'json' ) );
echo Form::button( $address, 'export', __( 'Save the gifts as a table', 'trousseau' ), array( 'as' => 'csv' ), '', 'is-quiet' );
echo Form::button( $address, 'copy', __( 'Copy as a new list', 'trousseau' ), array(), '', 'is-quiet' );
?>
	</div>
</section>
<?php
if ( ! $may_delete ) {
	return;
}
?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Delete this list', 'trousseau' ); ?></h2>
	<p><?php esc_html_e( 'Your list and all its gifts are deleted for good. Your guests’ links stop working, and all reservations end.', 'trousseau' ); ?></p>
<?php
echo Form::open( $address, 'delete' );
?>
	<p><label id="trousseau-sure"><input type="checkbox" name="sure" value="1" required> <?php esc_html_e( 'Yes, delete it for good', 'trousseau' ); ?></label></p>
	<p><?php echo Form::submit( __( 'Delete my list', 'trousseau' ) ); ?></p>
	</form>
</section>
