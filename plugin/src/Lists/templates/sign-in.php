<?php
/**
 * The reason why people have to sign in, and the ways in.
 *
 * @var string $register The page for a new account, if they may have none.
 * @var string $lost     The page that sends an invitation again, if they may be a guest.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\InterruptedForm;

$is_kept = InterruptedForm::is_kept();

?>
<p><?php echo esc_html( $why ); ?></p>
<?php if ( $is_kept ) : ?>
<p><?php esc_html_e( 'What you’ve typed is saved. You’ll find it in the form when you come back.', 'trousseau' ); ?></p>
<?php elseif ( $is_kept === false ) : ?>
<p><?php esc_html_e( 'We couldn’t save what you’ve typed. Use the button to log in (it opens a new window), then reload this page: your browser will send everything again.', 'trousseau' ); ?></p>
<?php endif; ?>
<p class="trousseau-ways">
	<a class="button wp-element-button" href="<?php echo esc_url( wp_login_url( $back ) ); ?>"<?php echo $is_kept === false ? ' target="_blank"' : ''; ?>><?php esc_html_e( 'Log in', 'trousseau' ); ?></a>
<?php if ( $register !== '' ) : ?>
	<a href="<?php echo esc_url( $register ); ?>"><?php esc_html_e( 'Create an account', 'trousseau' ); ?></a>
<?php endif; ?>
<?php if ( $lost !== '' ) : ?>
	<a href="<?php echo esc_url( $lost ); ?>"><?php esc_html_e( 'Resend my invitation', 'trousseau' ); ?></a>
<?php endif; ?>
</p>
