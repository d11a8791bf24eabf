<?php
/**
 * A registry's details, for its owner.
 *
 * @var string $opened  The values with which the form was opened, as fingerprints.
 * @var string $changed Who made the last change, and when; '' if the list has only one owner.
 * @var string $done    What the pressed button does.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\OpenedForm;
use Trousseau\Platform\Template;

?>
<nav class="trousseau-parts" aria-label="<?php esc_attr_e( 'Details', 'trousseau' ); ?>">
<?php foreach ( $parts as list( $trousseau_words, $trousseau_address, $trousseau_part ) ) : ?>
	<a href="<?php echo esc_url( $trousseau_address ); ?>"<?php echo $trousseau_part === $part ? ' aria-current="page"' : ''; ?>><?php echo esc_html( $trousseau_words ); ?></a>
<?php endforeach; ?>
</nav>
<?php
echo Form::open( $address, 'change', array( OpenedForm::FIELD => $opened ), '', true );
echo Template::html( 'registry-fields', $fields );
echo '<p class="trousseau-ways">' . Form::submit( __( 'Save changes', 'trousseau' ) ) . '<small>' . esc_html( $changed ) . '</small></p></form>';
if ( $part !== 'after' ) {
	return;
}
$trousseau_copies = in_array( $done, array( 'export', 'copy' ), true );
echo $sections;
?>
<details class="trousseau-more"<?php echo $trousseau_copies ? ' open' : ''; ?>>
	<summary><?php esc_html_e( 'Save a copy', 'trousseau' ); ?></summary>
	<p><?php esc_html_e( 'Save your list as a file, to keep it or to import it into another site like this one.', 'trousseau' ); ?></p>
	<div class="trousseau-ways">
<?php
echo Form::button( $address, 'export', __( 'Save list as a file', 'trousseau' ), array( 'as' => 'json' ), '', 'is-quiet' );
echo Form::button( $address, 'export', __( 'Save gifts as a spreadsheet', 'trousseau' ), array( 'as' => 'csv' ), '', 'is-quiet' );
echo Form::button( $address, 'copy', __( 'Duplicate as a new list', 'trousseau' ), array(), '', 'is-quiet' );
?>
	</div>
</details>
<?php if ( $may_delete ) : ?>
<details class="trousseau-more"<?php echo $done === 'delete' ? ' open' : ''; ?>>
	<summary><?php esc_html_e( 'Delete this list', 'trousseau' ); ?></summary>
	<p><?php esc_html_e( 'This deletes your list and all its gifts for good. Your guests’ links stop working, all reservations end, and we’ll email guests who are giving something.', 'trousseau' ); ?></p>
	<?php echo Form::open( $address, 'delete' ); ?>
	<p><label id="trousseau-sure"><input type="checkbox" name="sure" value="1" required> <?php esc_html_e( 'Yes, delete it for good', 'trousseau' ); ?></label></p>
	<p class="trousseau-form is-button is-quiet"><?php echo Form::submit( __( 'Delete my list', 'trousseau' ) ); ?></p>
	</form>
</details>
<?php endif; ?>
