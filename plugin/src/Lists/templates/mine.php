<?php
/**
 * Someone's own registries, and those they are invited to.
 *
 * @var int $shortest The fewest characters of a password; 0: nobody is asked for one.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListCards;
use Trousseau\Platform\Form;
use Trousseau\Service\IdempotencyKey;

?>
<section>
<?php if ( $own ) : ?>
	<?php echo ListCards::links( $own, is_theirs: true ); ?>
<?php elseif ( ! $closed ) : ?>
	<p><?php esc_html_e( 'You don’t have a list yet.', 'trousseau' ); ?></p>
<?php endif; ?>
	<p class="trousseau-ways">
		<?php if ( $new !== '' ) : ?>
		<a class="button wp-element-button" href="<?php echo esc_url( $new ); ?>"><?php echo esc_html( $own || $closed ? __( 'Create another list', 'trousseau' ) : __( 'Create your list', 'trousseau' ) ); ?></a>
		<?php endif; ?>
		<a href="<?php echo esc_url( $my_gifts ); ?>"><?php esc_html_e( 'Gifts I’m giving', 'trousseau' ); ?></a>
	</p>
</section>
<?php if ( $closed ) : ?>
<details class="trousseau-more"<?php echo $own ? '' : ' open'; ?>>
	<summary><?php esc_html_e( 'Closed lists', 'trousseau' ); ?></summary>
	<?php echo ListCards::links( $closed, is_theirs: true ); ?>
</details>
<?php endif; ?>
<?php if ( $invited ) : ?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Invitations', 'trousseau' ); ?></h2>
	<?php echo ListCards::links( $invited ); ?>
</section>
<?php endif; ?>
<?php if ( $shortest > 0 ) : ?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Choose a password', 'trousseau' ); ?></h2>
	<?php
	echo Form::open( $address, 'password', array(), 'is-quiet' );
	echo '<p>' . esc_html__( 'You’re only logged in on this device. Choose a password to log in on other devices.', 'trousseau' ) . '</p>';
	$trousseau_password = array( 'type' => 'password', 'value' => '', 'autocomplete' => 'new-password', 'minlength' => $shortest, 'required' => true );
	/* translators: %s: number of characters */
	echo $form->input( 'password', __( 'New password', 'trousseau' ), $trousseau_password, sprintf( __( 'Use at least %s characters.', 'trousseau' ), number_format_i18n( $shortest ) ) );
	echo '<p>' . Form::submit( __( 'Save password', 'trousseau' ) ) . '</p></form>';
	?>
</section>
<?php endif; ?>
<?php if ( $new !== '' ) : ?>
<details class="trousseau-more"<?php echo $form->is_sound() || $form->action !== 'import' ? '' : ' open'; ?>>
	<summary><?php esc_html_e( 'Import a list from another site', 'trousseau' ); ?></summary>
<?php
echo Form::open( $address, 'import', array( 'key' => IdempotencyKey::field( 'import', $form->text( 'key' ) ) ), 'is-quiet', true );
echo $form->input( 'file', __( 'The file saved by the other site', 'trousseau' ), array( 'type' => 'file', 'accept' => '.json,application/json', 'required' => true, 'value' => false ) );
echo '<p>' . Form::submit( __( 'Import list', 'trousseau' ) ) . '</p></form>';
?>
</details>
<?php endif; ?>
