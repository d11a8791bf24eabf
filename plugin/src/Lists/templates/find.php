<?php
/**
 * The search for public lists by name, with the way to a private one.
 *
 * @var WP_Post[]|null $posts Null: nothing was searched for yet.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListCards;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

echo Template::html( 'search', compact( 'address', 'find' ) + array( 'place' => 'trousseau-found', 'label' => __( 'Whose list are you looking for?', 'trousseau' ) ) );
if ( $posts !== null ) :
	?>
<section class="trousseau-section" id="trousseau-found">
	<?php
	if ( $posts ) {
		echo ListCards::links( $posts, with_owner: true );
	} else {
		/* translators: %s: name that somebody looked for */
		printf( '<p>%s</p>', esc_html( sprintf( __( 'We couldn’t find a public list for “%s”. Check the spelling, or try just one name.', 'trousseau' ), Language::isolate( $find ) ) ) );
	}
	if ( count( $posts ) === $most ) {
		/* translators: %s: number of lists */
		printf( '<p>%s</p>', esc_html( sprintf( __( 'These are the newest %s. Type more of the name to find others.', 'trousseau' ), number_format_i18n( $most ) ) ) );
	}
	?>
</section>
<?php endif; ?>
<section class="trousseau-section">
	<p><?php esc_html_e( 'Private lists are for their guests only.', 'trousseau' ); ?></p>
	<p class="trousseau-ways">
		<a href="<?php echo esc_url( $lost ); ?>"><?php esc_html_e( 'Invited? Resend my invitation', 'trousseau' ); ?></a>
		<a href="<?php echo esc_url( $all ); ?>"><?php esc_html_e( 'All public lists', 'trousseau' ); ?></a>
	</p>
</section>
