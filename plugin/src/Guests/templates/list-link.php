<?php
/**
 * The page to which the link of a private list leads.
 *
 * @var bool $at_once Whether a script may press the button.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\Language;

if ( $picture !== '' ) {
	printf( '<p><img class="trousseau-cover" src="%s" alt=""></p>', esc_url( $picture ) );
}
?>
<p><?php
echo esc_html(
	$owner === ''
		? __( 'View the list and, if you like, choose a gift. You don’t need an account.', 'trousseau' )
		/* translators: %s: the people whose list it is */
		: sprintf( __( 'View %s’s list and, if you like, choose a gift. You don’t need an account.', 'trousseau' ), Language::isolate( $owner ) )
);
?></p>
<?php echo Form::button( $address, 'open', __( 'Open the list', 'trousseau' ), class: $at_once ? 'is-at-once' : '' ); ?>
