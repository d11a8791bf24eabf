<?php
/**
 * A gift that is being added or changed, as guests will see it. The script follows what is typed, the style what is ticked.
 *
 * @var bool $has_it Whether the owners have got it elsewhere, so that nobody can choose it.
 * @var int  $given  The pieces given, or the amount in minor units, as far as the owner may know.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\Price;
use Trousseau\Lists\GiftAmount;
use Trousseau\Platform\Currency;
use Trousseau\Service\Item;

$trousseau_read         = Price::read( $form->text( 'price' ), $currency, determine_locale() );
$trousseau_price        = $trousseau_read?->is_sure && $currency !== '' ? Currency::amount( $trousseau_read->amounts[0], $currency ) : ( $trousseau_read ? $form->text( 'price' ) : '' );
$trousseau_none         = static fn( string $field ): bool => $form->text( $field ) === '';
$trousseau_pieces       = max( 1, $form->number( 'quantity' ) );
$trousseau_total        = $trousseau_read?->is_sure ? Currency::to_units( $trousseau_read->amounts[0], $currency ) * $trousseau_pieces : 0;
$trousseau_share        = static fn( int $total ): int => (int) min( 100, 100 * $given / max( 1, $total ) );
$trousseau_pieces_given = $trousseau_share( $trousseau_pieces );
$trousseau_sum_given    = $trousseau_share( $trousseau_total );
/** What is needed of so many, in words that the script fills in as well. Hidden: other words stand for it. */
$trousseau_need = static function ( string $field, string $in, int $total, int $least, string $none, float|int $taken ) use ( $given ): void {
	$words = GiftAmount::needed_words( $in !== '' );
	$text  = $total - $given > 0 ? sprintf( $words, GiftAmount::of( $total - $given, $in ) ) : $none;
	printf( '<span data-of="%s" data-words="%s" data-none="%s" data-given="%s"%s>%s</span>', esc_attr( $field ), esc_attr( $words ), esc_attr( $none ), esc_attr( (string) $taken ), $total < $least ? ' hidden' : '', esc_html( $total < $least ? '' : $text ) );
};
?>
<aside class="trousseau-gift__card" aria-label="<?php esc_attr_e( 'What guests will see', 'trousseau' ); ?>" data-card data-currency="<?php echo esc_attr( $currency ); ?>">
	<p><small><?php esc_html_e( 'What guests will see', 'trousseau' ); ?></small></p>
	<div class="trousseau-item">
		<img src="<?php echo $picture === '' ? 'data:,' : esc_url( $picture ); ?>" alt="" width="400" height="300"<?php echo $picture === '' ? ' hidden' : ''; ?>>
		<div class="trousseau-item__text">
			<h2 data-of="name" data-empty="<?php esc_attr_e( 'Your gift', 'trousseau' ); ?>"><?php echo esc_html( $form->text( 'name' ) === '' ? __( 'Your gift', 'trousseau' ) : $form->text( 'name' ) ); ?></h2>
			<p class="trousseau-most-wanted"><span aria-hidden="true">★</span> <?php esc_html_e( 'Most wanted', 'trousseau' ); ?></p>
			<p class="trousseau-description" data-of="description"<?php echo $trousseau_none( 'description' ) ? ' hidden' : ''; ?>><?php echo nl2br( esc_html( $form->lines( 'description' ) ) ); ?></p>
			<p class="trousseau-facts"><span class="trousseau-price" data-of="price"<?php echo $trousseau_price === '' ? ' hidden' : ''; ?>><?php echo esc_html( $trousseau_price ); ?></span><?php foreach ( array_keys( Item::facts() ) as $trousseau_fact ) : ?> <span class="trousseau-<?php echo esc_attr( $trousseau_fact ); ?>" data-of="<?php echo esc_attr( $trousseau_fact ); ?>"<?php echo $trousseau_none( $trousseau_fact ) ? ' hidden' : ''; ?>><?php echo esc_html( $form->text( $trousseau_fact ) ); ?></span><?php endforeach; ?> <span class="is-of-group"><?php esc_html_e( 'Group gift', 'trousseau' ); ?></span></p>
			<?php if ( $has_it ) : ?>
			<p class="trousseau-need"><?php esc_html_e( 'They already have this', 'trousseau' ); ?></p>
			<?php else : ?>
			<p class="trousseau-need"><span class="is-of-any"><?php esc_html_e( 'As many as you like', 'trousseau' ); ?></span>
				<span class="is-of-pieces"><?php $trousseau_need( 'quantity', '', $trousseau_pieces, $given ? 1 : 2, __( 'Given', 'trousseau' ), $given ); ?><span><?php esc_html_e( 'Available', 'trousseau' ); ?></span> <progress max="100" value="<?php echo (int) $trousseau_pieces_given; ?>" aria-hidden="true"></progress></span>
				<span class="is-of-group"><?php $trousseau_need( 'price', $currency, $trousseau_total, 1, __( 'Fully funded', 'trousseau' ), $currency === '' ? 0 : Currency::from_units( $given, $currency ) ); ?><span class="is-of-fund"><?php esc_html_e( 'Any amount is welcome', 'trousseau' ); ?></span> <progress max="100" value="<?php echo (int) $trousseau_sum_given; ?>" aria-hidden="true"></progress></span></p>
			<div class="trousseau-actions" aria-hidden="true"><a class="is-of-shop"><?php esc_html_e( 'View in shop', 'trousseau' ); ?></a> <a class="button wp-element-button"><span class="is-of-pieces is-of-any"><?php esc_html_e( 'I’m giving this', 'trousseau' ); ?></span><span class="is-of-group"><?php esc_html_e( 'Chip in', 'trousseau' ); ?></span></a></div>
			<?php endif; ?>
		</div>
	</div>
</aside>
