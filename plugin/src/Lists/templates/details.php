<?php
/**
 * A registry's details, for its owner.
 *
 * @var Trousseau\Platform\Form $form
 * @var string                  $address
 * @var string                  $opened The values with which the form was opened, as fingerprints.
 * @var string                  $changed The last change in words; nothing where the list has one owner.
 * @var string                  $sections   The sections of features.
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
<?php echo $sections; ?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Save a copy', 'trousseau' ); ?></h2>
	<p><?php esc_html_e( 'Save your list as a file, to keep it or to import it into another site like this one.', 'trousseau' ); ?></p>
	<div class="trousseau-ways">
<?php
echo Form::button( $address, 'export', __( 'Save list as a file', 'trousseau' ), array( 'as' => 'json' ) );
echo Form::button( $address, 'export', __( 'Save gifts as a spreadsheet', 'trousseau' ), array( 'as' => 'csv' ), '', 'is-quiet' );
echo Form::button( $address, 'copy', __( 'Duplicate as a new list', 'trousseau' ), array(), '', 'is-quiet' );
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
	<p><?php esc_html_e( 'This deletes your list and all its gifts for good. Your guests’ links stop working, and all reservations end.', 'trousseau' ); ?></p>
<?php
echo Form::open( $address, 'delete' );
?>
	<p><label id="trousseau-sure"><input type="checkbox" name="sure" value="1" required> <?php esc_html_e( 'Yes, delete it for good', 'trousseau' ); ?></label></p>
	<p><?php echo Form::submit( __( 'Delete my list', 'trousseau' ) ); ?></p>
	</form>
</section>
