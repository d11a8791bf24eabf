<?php
/**
 * The form by which a giver changes a gift and their message.
 *
 * @var string $summary What can be changed, in words.
 * @var string $body    The field of the number or amount; empty where it stays.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Giving\ClaimKind;
use Trousseau\Platform\Form;

?>
<details class="trousseau-more"<?php echo $form->is_sound() ? '' : ' open'; ?>>
	<summary><?php echo esc_html( $summary ); ?></summary>
	<?php
	echo Form::open( $address, 'change', array(), 'is-quiet' );
	echo $body;
	echo $form->textarea( 'message', __( 'Your message', 'trousseau' ), array( 'maxlength' => ClaimKind::MAX_MESSAGE, 'rows' => 2 ), __( 'They’ll see it with your gift. Optional.', 'trousseau' ) );
	echo '<p>' . Form::submit( __( 'Save changes', 'trousseau' ) ) . '</p></form>';
	?>
</details>
