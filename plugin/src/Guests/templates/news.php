<?php
/** The page on which a guest asks for emails about new gifts of a list, or ends them. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;

?>
<p><?php
echo esc_html(
	$follows
		/* translators: %s: name of a list */
		? sprintf( __( 'We email you when gifts are added to %s or its date changes, once a day at most.', 'trousseau' ), $registry )
		/* translators: %s: name of a list */
		: sprintf( __( 'Would you like an email when gifts are added to %s or its date changes? Once a day at most.', 'trousseau' ), $registry )
);
?></p>
<div class="trousseau-ways">
<?php echo $follows ? Form::button( $address, 'end', __( 'Stop these emails', 'trousseau' ), array(), '', 'is-quiet' ) : Form::button( $address, 'begin', __( 'Yes, email me', 'trousseau' ) ); ?>
<a href="<?php echo esc_url( $back ); ?>"><?php esc_html_e( 'Back to the list', 'trousseau' ); ?></a>
</div>
