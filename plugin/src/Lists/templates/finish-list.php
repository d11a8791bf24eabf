<?php
/**
 * The page to which the mail leads by which somebody finishes a list that was begun without an account.
 *
 * @var string $address
 * @var string $title       The list's name; empty where the list is made already.
 * @var string $gifts       The page of the list that is made, for its owner.
 * @var string $reader      The name of the account that is signed in; empty: none.
 * @var bool   $has_account Whether the address has an account.
 * @var string $login       The way in, and back to this page.
 * @var string $lost        The way to a password.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

?>
<?php if ( $gifts !== '' ) : ?>
<p><?php esc_html_e( 'Your list is made.', 'trousseau' ); ?></p>
<p class="trousseau-ways"><a class="wp-element-button" href="<?php echo esc_url( $gifts ); ?>"><?php esc_html_e( 'Open the list', 'trousseau' ); ?></a></p>
<?php elseif ( $title === '' || ( $has_account && $reader === '' ) ) : ?>
<p><?php echo esc_html( $title === '' ? __( 'Your list is made. Log in to open it, with the address to which the mail went.', 'trousseau' ) : __( 'You have an account with this address already. Log in, and your list is there.', 'trousseau' ) ); ?></p>
<p class="trousseau-ways">
	<a class="wp-element-button" href="<?php echo esc_url( $login ); ?>"><?php esc_html_e( 'Log in', 'trousseau' ); ?></a>
	<a href="<?php echo esc_url( $lost ); ?>"><?php esc_html_e( 'I don’t know my password', 'trousseau' ); ?></a>
</p>
<?php elseif ( $reader !== '' ) : ?>
<p><?php
/* translators: 1: name of a list, 2: name of a person */
echo esc_html( sprintf( __( 'You are logged in as %2$s. “%1$s” becomes a list of this account.', 'trousseau' ), Language::isolate( $title ), Language::isolate( $reader ) ) );
?></p>
	<?php echo Form::button( $address, 'take', __( 'Go on', 'trousseau' ) ); ?>
<?php elseif ( Trousseau\Lists\OwnAccount::is_offered() ) : ?>
<p><?php
/* translators: %s: name of a list */
echo esc_html( sprintf( __( 'One press, and “%s” is yours: you’re logged in on this device, and can add what you wish for.', 'trousseau' ), Language::isolate( $title ) ) );
?></p>
	<?php echo Form::button( $address, 'make', __( 'Finish my list', 'trousseau' ) ); ?>
<?php else : ?>
	<?php echo Template::html( 'no-accounts', compact( 'login' ) ); ?>
<?php endif; ?>
