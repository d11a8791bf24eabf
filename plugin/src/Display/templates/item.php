<?php
/**
 * One gift, as guests see it.
 *
 * @var float                 $amount    The price for filtering; 0: none.
 * @var array<string, string> $facts     Its short texts, such as the shop's name, by their fields.
 * @var string                $need      How many are still wished for, in words; '' on a closed list.
 * @var int                   $given     −1: the number is secret, or doesn't matter because any number may be given.
 * @var bool                  $waits     Whether the visitor still has to confirm it by email.
 * @var bool                  $closed    Whether strangers can't give: only guests are shown the way.
 * @var int                   $place     Its place in the owner's order, from 0.
 * @var bool                  $is_hidden Whether it is none of those that the visitor looks for.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\ShopLink;
use Trousseau\Platform\Template;

?>
<li class="trousseau-item<?php echo $given >= $needed ? ' is-fulfilled' : ''; ?>" id="trousseau-item-<?php echo (int) $id; ?>" data-place="<?php echo (int) $place; ?>" data-amount="<?php echo esc_attr( (string) $amount ); ?>" data-section="<?php echo esc_attr( $section ); ?>"<?php echo $is_money ? ' data-group' : ''; ?><?php echo $is_hidden ? ' hidden' : ''; ?>>
	<?php echo $picture === '' ? '' : sprintf( '<img src="%s" alt="" loading="lazy" decoding="async" width="400" height="300">', esc_url( $picture ) ); ?>
	<div class="trousseau-item__text">
		<?php printf( '<h%1$d>%2$s</h%1$d>', (int) $level, esc_html( $name ) ); ?>

		<?php echo $most_wanted && $given < $needed ? '<p class="trousseau-most-wanted"><span aria-hidden="true">★</span> ' . esc_html__( 'Most wanted', 'trousseau' ) . '</p>' : ''; ?>
		<?php echo $answer; ?>
		<?php echo $description === '' ? '' : '<p class="trousseau-description">' . nl2br( esc_html( $description ) ) . '</p>'; ?>
		<?php if ( $price !== '' || $facts || $is_money ) : ?>
		<p class="trousseau-facts"><?php
			$trousseau_dot = '';
			foreach ( ( $price === '' ? array() : array( 'price' => $price ) ) + $facts as $trousseau_name => $trousseau_fact ) {
				printf( '%s<span class="trousseau-%s">%s</span>', esc_html( $trousseau_dot ), esc_attr( $trousseau_name ), esc_html( $trousseau_fact ) );
				$trousseau_dot = ' · ';
			}
			echo $is_money ? esc_html( $trousseau_dot . __( 'Group gift', 'trousseau' ) ) : '';
		?></p>
		<?php endif; ?>
		<?php if ( $need !== '' ) : ?>
		<p class="trousseau-need"><?php echo esc_html( $need ); ?><?php if ( $given >= 0 && $needed > 1 ) : ?> <progress max="<?php echo (int) $needed; ?>" value="<?php echo (int) $given; ?>" aria-label="<?php echo esc_attr( $progress ); ?>"></progress><?php endif; ?></p>
		<?php endif; ?>
		<?php if ( $shop !== '' && ! $is_money ) : ?>
		<p class="trousseau-note is-answer" data-back-from-shop hidden><?php esc_html_e( 'Did you buy it?', 'trousseau' ); ?> <a rel="nofollow"<?php if ( $mine !== '' || $give !== '' ) : ?> href="<?php echo esc_url( $mine !== '' ? $mine : add_query_arg( 'bought', 1, $give ) ); ?>"<?php endif; ?>><?php esc_html_e( 'I’ve bought it', 'trousseau' ); ?></a></p>
		<?php endif; ?>
		<div class="trousseau-actions">
			<?php if ( $shop !== '' ) : ?>
			<a data-shop href="<?php echo esc_url( $shop, array( 'http', 'https' ) ); ?>" rel="<?php echo esc_attr( ShopLink::relation( $shop ) ); ?>" referrerpolicy="strict-origin"><?php echo Template::label( __( 'View in shop', 'trousseau' ), $name ); ?></a>
			<?php endif; ?>
			<?php if ( $mine !== '' ) : ?>
			<a class="trousseau-mine<?php echo $waits ? ' is-waiting' : ''; ?>" href="<?php echo esc_url( $mine ); ?>"><?php echo Template::label( $waits ? __( 'Please confirm', 'trousseau' ) : __( 'You’re giving this', 'trousseau' ), $name ); ?></a>
			<?php elseif ( $give !== '' ) : ?>
			<a class="button wp-element-button trousseau-give" rel="nofollow" href="<?php echo esc_url( $give ); ?>"<?php echo $closed ? ' data-for-guests hidden' : ''; ?>><?php echo Template::label( $is_money ? __( 'Chip in', 'trousseau' ) : __( 'I’m giving this', 'trousseau' ), $name ); ?></a>
			<?php endif; ?>
		</div>
	</div>
</li>
