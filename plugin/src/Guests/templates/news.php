<?php
/**
 * The page on which a guest asks for mails about new gifts of a list, or ends them.
 *
 * @var string $address
 * @var string $registry The name of the list.
 * @var string $back     The address of the list.
 * @var bool   $follows  Whether the guest gets these mails.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;

?>
<p><?php
echo esc_html(
	$follows
		/* translators: %s: name of a list */
		? sprintf( __( 'You get a mail when gifts are added to %s, or its day changes: one a day at the most.', 'trousseau' ), $registry )
		/* translators: %s: name of a list */
		: sprintf( __( 'Shall we send you a mail when gifts are added to %s, or its day changes? It’s one a day at the most.', 'trousseau' ), $registry )
);
?></p>
<div class="trousseau-ways">
<?php echo $follows ? Form::button( $address, 'end', __( 'No more of these mails', 'trousseau' ), array(), '', 'is-quiet' ) : Form::button( $address, 'begin', __( 'Yes, send me mails', 'trousseau' ) ); ?>
<a href="<?php echo esc_url( $back ); ?>"><?php esc_html_e( 'Back to the list', 'trousseau' ); ?></a>
</div>
