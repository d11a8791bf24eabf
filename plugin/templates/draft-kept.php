<?php
/**
 * A list that waits for its owner to sign in, or to finish it by mail.
 *
 * @var Trousseau\Platform\Form $form
 * @var string                  $title
 * @var string                  $login
 * @var bool                    $is_offered Whether people can make an account.
 * @var string                  $address
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

?>
<p role="status"><?php
/* translators: %s: name of a list */
echo esc_html( sprintf( __( '“%s” is kept for seven days. One more step, so that only you can change it:', 'trousseau' ), Language::isolate( $title ) ) );
?></p>
<?php
if ( $is_offered ) {
	echo Form::open( $address, 'send' );
	echo $form->input(
		'email',
		__( 'Your mail address', 'trousseau' ),
		array(
			'type'         => 'email',
			'required'     => true,
			'autocomplete' => 'email',
		),
		__( 'We’ll send you a mail with a button. Press it, and your list is there.', 'trousseau' )
	);
	echo Form::guard() . '<p>' . Form::submit( __( 'Send me the mail', 'trousseau' ) ) . '</p></form>';
	echo '<p class="trousseau-ways"><a href="' . esc_url( $login ) . '">' . esc_html__( 'I have an account: log in', 'trousseau' ) . '</a></p>';
} else {
	echo Template::html( 'no-accounts', compact( 'login' ) );
}
echo Form::button( $address, 'forget', __( 'Start over', 'trousseau' ), array(), '', 'is-quiet' );
