<?php
/** The people to ask where visitors can't make an account. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;

?>
<p><?php
/* translators: %s: name of the site */
echo esc_html( sprintf( __( 'You need an account to create a list, and this site doesn’t let people sign up. Ask the people who run “%s” for one.', 'trousseau' ), Language::isolate( html_entity_decode( (string) get_bloginfo( 'name' ), ENT_QUOTES | ENT_HTML5, 'UTF-8' ) ) ) );
?></p>
<p class="trousseau-ways"><a href="<?php echo esc_url( $login ); ?>"><?php esc_html_e( 'Log in with my account', 'trousseau' ); ?></a></p>
