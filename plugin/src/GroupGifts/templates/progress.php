<?php
/**
 * How far a group gift is.
 *
 * @var string[] $faces The names of the givers that the reader knows, starting with the reader.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\GiftAmount;
use Trousseau\Platform\Language;

/** The most initials in a row. */
$trousseau_most  = 8;
$trousseau_faces = $faces ?? array();
$trousseau_words = GiftAmount::given( $item, $currency );

?>
<div class="trousseau-need">
	<?php echo esc_html( $trousseau_words ); ?> <progress max="<?php echo (int) $item->needed(); ?>" value="<?php echo (int) $item->given; ?>" aria-label="<?php echo esc_attr( $trousseau_words ); ?>"></progress>
	<?php if ( $trousseau_faces ) : // The page says the names, too. ?>
	<span class="trousseau-faces" aria-hidden="true"><?php
	foreach ( array_slice( $trousseau_faces, 0, $trousseau_most ) as $trousseau_name ) {
		printf( '<span title="%s">%s</span>', esc_attr( $trousseau_name ), esc_html( Language::initials( $trousseau_name ) ) );
	}
	echo count( $trousseau_faces ) > $trousseau_most ? '<span>+' . esc_html( number_format_i18n( count( $trousseau_faces ) - $trousseau_most ) ) . '</span>' : '';
	?></span>
	<?php endif; ?>
</div>
