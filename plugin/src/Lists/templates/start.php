<?php
/**
 * A new registry.
 *
 * @var array<string, mixed> $fields    What `registry-fields.php` needs, without its `shown`.
 * @var string               $login     The address for logging in, or '' if visitors can create an account.
 * @var bool                 $was_begun Whether the visitor began it before.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Template;

if ( $was_begun ) {
	echo FlashMessage::note( __( 'Here’s what you started. Check it, then create your list.', 'trousseau' ), 'is-answer' );
}
if ( $login !== '' ) {
	echo Template::html( 'no-accounts', compact( 'login' ) );
}
echo Form::open( $address, 'make', compact( 'key' ), '', true );
echo Template::html( 'registry-fields', $fields + array( 'shown' => array( 'title', 'host', 'occasion', 'other', 'date', 'status' ) ) );
printf( '<details class="trousseau-more"%s><summary>%s</summary>%s</details>', $form->is_sound() ? '' : ' open', esc_html__( 'More options', 'trousseau' ), Template::html( 'registry-fields', $fields + array( 'shown' => array( 'story', 'picture', 'currency', 'surprise', 'until', 'reserved' ) ) ) );
echo '<p>' . Form::submit( $is_known ? __( 'Create my list', 'trousseau' ) : __( 'Continue', 'trousseau' ) ) . '</p>';
?>
</form>
