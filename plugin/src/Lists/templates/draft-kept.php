<?php
/** A list that waits for its owner to sign in, or to finish it by email. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

?>
<p role="status"><?php
echo esc_html(
	sprintf(
		$is_sent
			/* translators: %s: name of a list */
			? __( '“%s” is saved for seven days.', 'trousseau' )
			/* translators: %s: name of a list */
			: __( '“%s” is saved for seven days. One more step, so only you can change it:', 'trousseau' ),
		Language::isolate( $title )
	)
);
?></p>
<?php
if ( $is_offered ) {
	echo Template::html(
		'mail-request',
		compact( 'form', 'address', 'is_sent' ) + array(
			'action'     => 'send',
			'hint'       => __( 'We’ll email you a link. Open it to finish your list.', 'trousseau' ),
			'button'     => __( 'Email me the link', 'trousseau' ),
			'if_nothing' => __( 'Still nothing? Check the email for typos, or try another one.', 'trousseau' ),
		)
	);
	echo '<p class="trousseau-ways"><a href="' . esc_url( $login ) . '">' . esc_html__( 'Log in with my account', 'trousseau' ) . '</a></p>';
} else {
	echo Template::html( 'no-accounts', compact( 'login' ) );
}
echo Form::button( $address, 'forget', __( 'Start over', 'trousseau' ), array(), '', 'is-quiet' );
