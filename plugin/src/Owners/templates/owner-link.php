<?php
/**
 * The page to which the email to a new owner leads.
 *
 * @var string $entry The address or user name under which the reader was added.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\Language;

$registry = Language::isolate( $registry );
$owner    = Language::isolate( $owner );
$entry    = Language::isolate( $entry );
?>
<p><?php
/* translators: 1: who shares, 2: name of a list */
echo esc_html( $owner === '' ? sprintf( __( 'You’re now an owner of the list “%s”.', 'trousseau' ), $registry ) : sprintf( __( '%1$s added you as an owner of the list “%2$s”.', 'trousseau' ), $owner, $registry ) );
?></p>
<?php if ( $gifts !== '' ) : ?>
<p class="trousseau-ways"><a class="button wp-element-button" href="<?php echo esc_url( $gifts ); ?>"><?php esc_html_e( 'Open the list', 'trousseau' ); ?></a></p>
<?php elseif ( $reader !== '' ) : ?>
<p><?php
/* translators: 1: name of a person, 2: mail address or user name */
echo esc_html( sprintf( __( 'You’re logged in as %1$s, but the email was sent to %2$s.', 'trousseau' ), Language::isolate( $reader ), $entry ) );
?></p>
<div class="trousseau-ways">
	<?php echo $has_account ? '' : Form::button( $address, 'take', __( 'Continue with this account', 'trousseau' ) ); ?>
	<a href="<?php echo esc_url( wp_login_url( $address, true ) ); ?>"><?php esc_html_e( 'Log in with another account', 'trousseau' ); ?></a>
</div>
<?php else : ?>
	<?php if ( $may_make ) : ?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Create an account', 'trousseau' ); ?></h2>
		<?php
		echo Form::open( $address, 'make' );
		/* translators: %s: email address */
		echo '<p>' . esc_html( sprintf( __( 'You’ll log in with %s.', 'trousseau' ), $entry ) ) . '</p>';
		echo $form->input( 'person', __( 'Your name', 'trousseau' ), array( 'autocomplete' => 'name', 'required' => true ) );
		$trousseau_password = array( 'type' => 'password', 'value' => '', 'autocomplete' => 'new-password', 'minlength' => $shortest, 'required' => true );
		/* translators: %s: number of characters */
		echo $form->input( 'password', __( 'New password', 'trousseau' ), $trousseau_password, sprintf( __( 'Use at least %s characters.', 'trousseau' ), number_format_i18n( $shortest ) ) );
		echo '<p>' . Form::submit( __( 'Create an account', 'trousseau' ) ) . '</p></form>';
		?>
</section>
	<?php elseif ( ! $has_account ) : ?>
<p><?php
		echo esc_html(
			$owner === ''
				/* translators: %s: email address */
				? sprintf( __( 'This site doesn’t let people sign up. Ask the people who run it for an account with the email %s, then open the link in your email again.', 'trousseau' ), $entry )
				/* translators: 1: name of a person, 2: mail address */
				: sprintf( __( 'This site doesn’t let people sign up. Ask %1$s or the people who run it for an account with the email %2$s, then open the link in your email again.', 'trousseau' ), $owner, $entry )
		);
?></p>
	<?php endif; ?>
<section class="trousseau-section">
	<h2><?php echo esc_html( $has_account ? __( 'Log in', 'trousseau' ) : __( 'Log in with my account', 'trousseau' ) ); ?></h2>
	<?php // WordPress's own form: its limits, and those of other plugins, hold here too. ?>
	<form class="trousseau-form<?php echo $may_make ? ' is-quiet' : ''; ?>" method="post" action="<?php echo esc_url( site_url( 'wp-login.php', 'login_post' ) ); ?>">
		<input type="hidden" name="redirect_to" value="<?php echo esc_url( $address ); ?>">
		<?php
		echo $form->input( 'log', __( 'Your email or user name', 'trousseau' ), array( 'autocomplete' => 'username', 'required' => true ) );
		echo $form->input( 'pwd', __( 'Your password', 'trousseau' ), array( 'type' => 'password', 'value' => '', 'autocomplete' => 'current-password', 'required' => true ) );
		do_action( 'login_form' );
		echo '<p>' . Form::submit( __( 'Log in', 'trousseau' ) ) . '</p>';
		?>
	</form>
	<p><a href="<?php echo esc_url( wp_lostpassword_url( $address ) ); ?>"><?php esc_html_e( 'I forgot my password', 'trousseau' ); ?></a></p>
</section>
<?php endif; ?>
