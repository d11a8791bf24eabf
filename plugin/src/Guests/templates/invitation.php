<?php
/**
 * The page to which an invitation's link leads.
 *
 * @var string $account The name of the account that has to be logged out first. Empty if none.
 * @var bool   $at_once Whether a script may press the button: not while this device or account is somebody else's.
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
		/* translators: %s: name of a list */
		? sprintf( __( 'You’re invited to “%s”. View the list and, if you like, choose a gift.', 'trousseau' ), Language::isolate( $registry ) )
		/* translators: 1: who invites, 2: name of a list */
		: sprintf( __( '%1$s invited you to “%2$s”. View the list and, if you like, choose a gift.', 'trousseau' ), Language::isolate( $owner ), Language::isolate( $registry ) )
);
?></p>
<?php if ( $account !== '' ) : ?>
<p><?php
/* translators: %s: name of an account */
echo esc_html( sprintf( __( 'You’re logged in as %s, and that account isn’t invited.', 'trousseau' ), Language::isolate( $account ) ) );
?></p>
	<?php echo Form::button( $address, 'switch', __( 'Log out and open the list', 'trousseau' ) ); ?>
<?php else : ?>
	<?php echo Form::button( $address, 'open', __( 'Open the list', 'trousseau' ), class: $at_once ? 'is-at-once' : '' ); ?>
<?php endif; ?>
<p><small><?php
/* translators: %s: guest */
echo esc_html( sprintf( __( 'This invitation is for %s. Not you? Ask the owners for a link of your own.', 'trousseau' ), Language::isolate( $guest ) ) );
?></small></p>
