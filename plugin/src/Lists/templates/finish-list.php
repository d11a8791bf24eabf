<?php
/**
 * The page to which the email leads by which someone finishes a list that was begun without an account.
 *
 * @var string $title  The list's name; empty where the list is made already.
 * @var string $home   The page of the list that is made, for its owner.
 * @var string $reader The name of the account that is signed in, or ''.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

?>
<?php if ( $home !== '' ) : ?>
<p><?php esc_html_e( 'Your list is ready.', 'trousseau' ); ?></p>
<p class="trousseau-ways"><a class="button wp-element-button" href="<?php echo esc_url( $home ); ?>"><?php esc_html_e( 'Open the list', 'trousseau' ); ?></a></p>
<?php elseif ( $title === '' || ( $has_account && $reader === '' ) ) : ?>
<p><?php echo esc_html( $title === '' ? __( 'Your list is ready. To open it, log in with the email we sent the link to.', 'trousseau' ) : __( 'You already have an account with this email. Log in, and your list is there.', 'trousseau' ) ); ?></p>
<p class="trousseau-ways">
	<a class="button wp-element-button" href="<?php echo esc_url( $login ); ?>"><?php esc_html_e( 'Log in', 'trousseau' ); ?></a>
	<a href="<?php echo esc_url( $lost ); ?>"><?php esc_html_e( 'I forgot my password', 'trousseau' ); ?></a>
</p>
<?php elseif ( $reader !== '' ) : ?>
<p><?php
/* translators: 1: name of a list, 2: name of a person */
echo esc_html( sprintf( __( 'You’re logged in as %2$s. “%1$s” will be added to this account.', 'trousseau' ), Language::isolate( $title ), Language::isolate( $reader ) ) );
?></p>
	<?php echo Form::button( $address, 'take', __( 'Continue', 'trousseau' ) ); ?>
<?php elseif ( Trousseau\Lists\OwnAccount::is_offered() ) : ?>
<p><?php
/* translators: %s: name of a list */
echo esc_html( sprintf( __( 'One last step: finish “%s” to log in on this device and add your first gift.', 'trousseau' ), Language::isolate( $title ) ) );
?></p>
	<?php echo Form::button( $address, 'make', __( 'Finish my list', 'trousseau' ) ); ?>
<?php else : ?>
	<?php echo Template::html( 'no-accounts', compact( 'login' ) ); ?>
<?php endif; ?>
