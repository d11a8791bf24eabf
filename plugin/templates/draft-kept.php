<?php
/**
 * A list that waits for its owner to sign in.
 *
 * @var string $title
 * @var string $login
 * @var string $register Nothing where nobody can make an account.
 * @var string $address
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Form;
use Trousseau\Support\Language;

?>
<p class="trousseau-note is-answer" role="status"><?php
/* translators: %s: name of a list */
echo esc_html( sprintf( __( '“%s” is kept. One more step: your list needs an account, so that only you can change it.', 'trousseau' ), Language::isolate( $title ) ) );
?></p>
<p class="trousseau-ways">
<?php if ( $register !== '' ) : ?>
	<a class="wp-element-button" href="<?php echo esc_url( $register ); ?>"><?php esc_html_e( 'Create an account', 'trousseau' ); ?></a>
<?php endif; ?>
	<a<?php echo $register === '' ? ' class="wp-element-button"' : ''; ?> href="<?php echo esc_url( $login ); ?>"><?php esc_html_e( 'I have an account: log in', 'trousseau' ); ?></a>
</p>
<p><?php esc_html_e( 'You’ll get a mail with a link to choose a password. Then you come back here, and your list is as you left it.', 'trousseau' ); ?></p>
<?php
echo Form::button( $address, 'forget', __( 'Start over', 'trousseau' ), array(), '', 'is-quiet' );
