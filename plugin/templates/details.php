<?php
/**
 * A registry's details, for its owner.
 *
 * @var Trousseau\Support\Form $form
 * @var string                 $address
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Form;
use Trousseau\Support\Template;

echo Form::open( $address, 'change', array(), '', true );
echo Template::html( 'registry-fields', get_defined_vars() );
echo '<p>' . Form::submit( __( 'Save changes', 'trousseau' ) ) . '</p></form>';
?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Save a copy', 'trousseau' ); ?></h2>
	<p><?php esc_html_e( 'Save your list as a file: to keep it, or to bring it to another site like this one.', 'trousseau' ); ?></p>
	<div class="trousseau-ways">
<?php
echo Form::button( $address, 'export', __( 'Save the list as a file', 'trousseau' ), array( 'as' => 'json' ) );
echo Form::button( $address, 'export', __( 'Save the gifts as a table', 'trousseau' ), array( 'as' => 'csv' ), '', 'is-quiet' );
?>
	</div>
</section>
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
