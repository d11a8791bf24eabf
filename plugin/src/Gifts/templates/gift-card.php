<?php
/**
 * A gift that is being added or changed, as guests will see it. The script follows what is typed.
 *
 * @var Trousseau\Platform\Form $form
 * @var string                  $picture
 * @var string                  $currency
 * @var bool                    $has_it  Whether the owners have got it elsewhere, so that nobody can choose it.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\Price;
use Trousseau\Service\Item;

$trousseau_price = Price::read( $form->text( 'price' ), $currency, determine_locale() ) ? $form->text( 'price' ) : '';
$trousseau_none  = static fn( string $field ): bool => $form->text( $field ) === '';
?>
<aside class="trousseau-gift__card" aria-label="<?php esc_attr_e( 'What guests will see', 'trousseau' ); ?>" data-card data-currency="<?php echo esc_attr( $currency ); ?>">
	<p><small><?php esc_html_e( 'What guests will see', 'trousseau' ); ?></small></p>
	<div class="trousseau-item">
		<img src="<?php echo $picture === '' ? 'data:,' : esc_url( $picture ); ?>" alt="" width="400" height="300"<?php echo $picture === '' ? ' hidden' : ''; ?>>
		<div class="trousseau-item__text">
			<h2 data-of="name" data-empty="<?php esc_attr_e( 'Your gift', 'trousseau' ); ?>"><?php echo esc_html( $form->text( 'name' ) === '' ? __( 'Your gift', 'trousseau' ) : $form->text( 'name' ) ); ?></h2>
			<p class="trousseau-most-wanted"<?php echo $form->is_checked( 'most_wanted' ) ? '' : ' hidden'; ?>><span aria-hidden="true">★</span> <?php esc_html_e( 'Most wanted', 'trousseau' ); ?></p>
			<p class="trousseau-description" data-of="description"<?php echo $trousseau_none( 'description' ) ? ' hidden' : ''; ?>><?php echo nl2br( esc_html( $form->lines( 'description' ) ) ); ?></p>
			<p class="trousseau-facts"><span class="trousseau-price" data-of="price"<?php echo $trousseau_price === '' ? ' hidden' : ''; ?>><?php echo esc_html( $trousseau_price ); ?></span><?php foreach ( array_keys( Item::facts() ) as $trousseau_fact ) : ?> <span class="trousseau-<?php echo esc_attr( $trousseau_fact ); ?>" data-of="<?php echo esc_attr( $trousseau_fact ); ?>"<?php echo $trousseau_none( $trousseau_fact ) ? ' hidden' : ''; ?>><?php echo esc_html( $form->text( $trousseau_fact ) ); ?></span><?php endforeach; ?></p>
			<?php if ( $has_it ) : ?>
			<p class="trousseau-need"><?php esc_html_e( 'They already have this', 'trousseau' ); ?></p>
			<?php else : ?>
			<span class="wp-element-button trousseau-quiet" aria-hidden="true"><?php $form->text( 'kind' ) === 'money' ? esc_html_e( 'Chip in', 'trousseau' ) : esc_html_e( 'I’m giving this', 'trousseau' ); ?></span>
			<?php endif; ?>
		</div>
	</div>
</aside>
