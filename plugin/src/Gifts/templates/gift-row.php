<?php
/**
 * A gift or a draft in its owner's list.
 *
 * @var int                                      $item   The number that moves the gift; 0 for a draft.
 * @var string[]                                 $box    The name, value and form of the box that selects it.
 * @var string                                   $change The address of its form; empty where it can't be changed now.
 * @var callable(callable(string): string): void $menu   Prints what else can be done; is given what names a button.
 * @var callable(): void                         $below  Prints what opens below it.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

$trousseau_about = static fn( string $words ): string => Template::about( $words, $name );
?>
	<li id="<?php echo esc_attr( $id ); ?>"<?php echo $item ? ' data-item="' . (int) $item . '"' : ''; ?>>
		<?php
		printf( '<label class="trousseau-order__box"><input type="checkbox" form="%s" name="%s" value="%s" aria-label="%s"%s>', esc_attr( $box[2] ), esc_attr( $box[0] ), esc_attr( $box[1] ), esc_attr( $trousseau_about( __( 'Select', 'trousseau' ) ) ), checked( $chosen, true, false ) );
		printf( '<span class="trousseau-order__picture">%s</span></label>', $picture === '' ? '' : sprintf( '<img src="%s" alt="" loading="lazy" width="88" height="88">', esc_url( $picture ) ) );
		?>
		<span class="trousseau-order__text">
			<strong><?php echo $change === '' ? esc_html( $name ) : sprintf( '<a href="%s">%s</a>', esc_url( $change ), esc_html( $name ) ); ?></strong>
			<small><?php echo esc_html( Language::facts( $facts ) ); ?></small>
		</span>
		<span class="trousseau-order__do">
			<details name="trousseau-row"><summary aria-label="<?php echo esc_attr( $trousseau_about( __( 'More', 'trousseau' ) ) ); ?>">⋯</summary><span class="trousseau-order__menu">
				<?php
				if ( $change !== '' ) {
					printf( '<a href="%s" aria-label="%s">%s</a>', esc_url( $change ), esc_attr( $trousseau_about( __( 'Edit', 'trousseau' ) ) ), esc_html__( 'Edit', 'trousseau' ) );
				}
				$menu( $trousseau_about );
				?>
			</span></details>
			<?php if ( $drags ) : ?>
			<button type="button" data-drag data-needs-script hidden aria-label="<?php echo esc_attr( $trousseau_about( __( 'Drag, or press the arrow keys', 'trousseau' ) ) ); ?>">⠿</button>
			<?php endif; ?>
		</span>
		<?php $below(); ?>
	</li>
