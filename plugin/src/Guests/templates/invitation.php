<?php
/**
 * The page to which an invitation's link leads.
 *
 * @var string $registry
 * @var string $owner    Empty where their name isn't known.
 * @var string $guest
 * @var string $address
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\Language;

?>
<p><?php
echo esc_html(
	$owner === ''
		/* translators: %s: name of a list */
		? sprintf( __( 'You’re invited to look at “%s” and, if you like, to give something.', 'trousseau' ), Language::isolate( $registry ) )
		/* translators: 1: who invites, 2: name of a list */
		: sprintf( __( 'An invitation from %1$s: look at “%2$s” and, if you like, give something.', 'trousseau' ), Language::isolate( $owner ), Language::isolate( $registry ) )
);
?></p>
<?php echo Form::button( $address, 'open', __( 'Open the list', 'trousseau' ) ); ?>
<p><small><?php
/* translators: %s: guest */
echo esc_html( sprintf( __( 'This invitation is for %s. Not you? Ask the owners for a link of your own.', 'trousseau' ), Language::isolate( $guest ) ) );
?></small></p>
