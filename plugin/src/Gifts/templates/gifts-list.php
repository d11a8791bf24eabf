<?php
/**
 * A part of a registry's gifts, for its owner. All rows share the forms, so that a page of many gifts stays small.
 *
 * @var WP_Post                   $post
 * @var string                    $address
 * @var Trousseau\Gifts\GiftParts $list
 * @var int                       $moved     The gift whose menu for moving is open.
 * @var callable(int): string     $to        The address of a gift's place.
 * @var array<int, string>        $under     Headings, by the numbers of the gifts.
 * @var int[]                     $most_wanted Numbers of gifts.
 * @var array<int, string>        $changes   Last changes in words, by the numbers of the gifts.
 * @var array<int, int>           $got       The gifts that the owners have got elsewhere, by their numbers.
 * @var bool                      $surprised Whether the numbers are kept from the owner.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftAmount;
use Trousseau\Gifts\GiftParts;
use Trousseau\Gifts\GiftPrice;
use Trousseau\Gifts\ShopPicture;
use Trousseau\Lists\Sections;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

$trousseau_is_long = $list->total > GiftParts::LONG;
$trousseau_places  = array_keys( $list->shown );
$trousseau_open    = array_column( $list->shown, null, 'id' )[ $moved ] ?? null;

/** The only menu for moving: at the requested gift, or hidden for the script. */
$trousseau_menu = static function ( ?array $item ) use ( $address, $list ): void {
	?>
	<div id="trousseau-menu" class="trousseau-menu"<?php echo $item ? '' : ' hidden'; ?>>
	<?php echo Form::open( $address, 'move', array( 'item' => (int) ( $item['id'] ?? 0 ) ) ); ?>
	<p class="trousseau-ways">
		<label><?php esc_html_e( 'Position', 'trousseau' ); ?> <input type="number" name="place" min="1" max="<?php echo (int) $list->total; ?>" inputmode="numeric"></label>
		<button class="wp-element-button" name="where" value="place"><?php esc_html_e( 'Move gift', 'trousseau' ); ?></button>
		<button class="wp-element-button trousseau-quiet" name="where" value="top"><?php esc_html_e( 'Move to top', 'trousseau' ); ?></button>
		<button class="wp-element-button trousseau-quiet" name="where" value="bottom"><?php esc_html_e( 'Move to bottom', 'trousseau' ); ?></button>
		<a href="<?php echo esc_url( $address . ( $item ? '#trousseau-item-' . (int) $item['id'] : '' ) ); ?>" data-close><?php esc_html_e( 'Close', 'trousseau' ); ?></a>
	</p></form></div>
	<?php
};

/** The links to the other parts. */
$trousseau_parts = static function () use ( $address, $list ): void {
	if ( $list->parts < 2 || $list->find !== '' ) {
		return;
	}
	$size = GiftParts::SIZE;
	?>
<nav class="trousseau-parts" aria-label="<?php esc_attr_e( 'Sections of your list', 'trousseau' ); ?>">
	<?php foreach ( range( 1, $list->parts ) as $part ) : ?>
	<a href="<?php echo esc_url( add_query_arg( 'part', $part, $address ) ); ?>"<?php echo $part === $list->part ? ' aria-current="page"' : ''; ?>><?php
		/* translators: 1: place of the first gift of a page, 2: of the last one */
		echo esc_html( sprintf( __( '%1$s to %2$s', 'trousseau' ), number_format_i18n( ( $part - 1 ) * $size + 1 ), number_format_i18n( min( $list->total, $part * $size ) ) ) );
	?></a>
	<?php endforeach; ?>
</nav>
	<?php
};
?>
<h2 id="trousseau-gifts"><?php
/* translators: %s: number of gifts */
echo esc_html( sprintf( _n( '%s gift', '%s gifts', $list->total, 'trousseau' ), number_format_i18n( $list->total ) ) );
?></h2>
<p><?php esc_html_e( 'Guests see them in this order. Put your favourites at the top.', 'trousseau' ); ?>
	<?php
	if ( $list->first ) {
		esc_html_e( 'Gifts in the same category are shown together.', 'trousseau' );
	}
	if ( $most_wanted ) {
		echo ' ' . esc_html__( '“Most wanted” gifts come first in their category.', 'trousseau' );
	}
	?>
</p>
<?php if ( $trousseau_is_long ) : ?>
	<?php
	echo Template::html(
		'search',
		array(
			'address' => $address,
			'place'   => 'trousseau-gifts',
			'label'   => __( 'Find a gift', 'trousseau' ),
			'find'    => $list->find,
		)
	);
	?>
	<?php if ( $list->find === '' && count( $list->first ) > 1 ) : ?>
<nav class="trousseau-parts" aria-label="<?php esc_attr_e( 'Categories', 'trousseau' ); ?>">
		<?php foreach ( $list->first as $trousseau_heading => $trousseau_id ) : ?>
	<a href="<?php echo esc_url( $to( $trousseau_id ) ); ?>"><?php echo esc_html( Sections::words( (string) $trousseau_heading ) ); ?></a>
		<?php endforeach; ?>
</nav>
	<?php endif; ?>
<?php endif; ?>
<?php if ( $list->find !== '' ) : ?>
<p class="trousseau-ways"><span role="status"><?php
	echo esc_html( $list->shown
		/* translators: 1: number of gifts, 2: what somebody is looking for */
		? sprintf( _n( '%1$s gift with “%2$s”', '%1$s gifts with “%2$s”', count( $list->shown ), 'trousseau' ), number_format_i18n( count( $list->shown ) ), Language::isolate( $list->find ) )
		/* translators: %s: what somebody is looking for */
		: sprintf( __( 'No gift on your list has “%s”.', 'trousseau' ), Language::isolate( $list->find ) ) );
	?></span> <a href="<?php echo esc_url( $address ); ?>"><?php esc_html_e( 'Show all', 'trousseau' ); ?></a></p>
<?php endif; ?>
<?php $trousseau_parts(); ?>
<p class="screen-reader-text" role="status" aria-live="polite" data-said></p>
<?php
echo Form::open( $address, 'move', array(), 'is-shared', id: 'trousseau-move' ) . '</form>';
echo Form::open( $address, 'remove', $list->part > 1 ? array( 'part' => $list->part ) : array(), 'is-shared', id: 'trousseau-remove' ) . '</form>';
?>
<ol class="trousseau-order" role="list" data-address="<?php echo esc_url( $address ); ?>" data-first="<?php echo (int) ( $trousseau_places[0] ?? 0 ); ?>" data-total="<?php echo (int) $list->total; ?>"<?php echo $list->find === '' ? '' : ' data-found'; ?> data-size="<?php echo (int) GiftParts::SIZE; ?>" data-moved="<?php
/* translators: 1: name of a gift, 2: its place, 3: number of gifts */
esc_attr_e( '%1$s is now %2$s of %3$s', 'trousseau' );
?>">
	<?php
	foreach ( $list->shown as $trousseau_place => $trousseau_item ) :
		$trousseau_id    = (int) $trousseau_item['id'];
		$trousseau_name  = Language::isolate( (string) $trousseau_item['name'] );
		$trousseau_image = ShopPicture::address( $trousseau_item['image_url'] ?? '', $post->ID );
		$trousseau_price = GiftPrice::price( $trousseau_item['price'] ?? null, $post, $trousseau_item );
		$trousseau_moves = array(
			/* translators: %s: name of a gift */
			'up'   => array( '↑', sprintf( __( 'Up: %s', 'trousseau' ), $trousseau_name ), $trousseau_place > 0 ),
			/* translators: %s: name of a gift */
			'down' => array( '↓', sprintf( __( 'Down: %s', 'trousseau' ), $trousseau_name ), $trousseau_place < $list->total - 1 ),
		);
		?>
	<li id="trousseau-item-<?php echo (int) $trousseau_id; ?>" data-item="<?php echo (int) $trousseau_id; ?>">
		<span class="trousseau-order__picture"><?php echo $trousseau_image === '' ? '' : sprintf( '<img src="%s" alt="" loading="lazy" width="72" height="72">', esc_url( $trousseau_image ) ); ?></span>
		<span class="trousseau-order__text">
			<strong><?php echo esc_html( $trousseau_name ); ?></strong>
			<small><?php
			$trousseau_currency = GiftAmount::currency( $trousseau_item, $post->ID );
			$trousseau_stage    = match ( true ) {
				isset( $got[ $trousseau_id ] )              => __( 'got it elsewhere', 'trousseau' ),
				in_array( $trousseau_id, $bought, true )    => __( 'bought by a guest for everyone', 'trousseau' ),
				$surprised                                  => GiftAmount::wished( $trousseau_item, $trousseau_currency ),
				default                                     => GiftAmount::given( $trousseau_item, $trousseau_currency ),
			};
			echo esc_html( implode( ' · ', array_filter( array( in_array( $trousseau_id, $most_wanted, true ) ? '★ ' . __( 'Most wanted', 'trousseau' ) : '', Language::isolate( $under[ $trousseau_id ] ?? '' ), $trousseau_price, Language::isolate( (string) ( $trousseau_item['retailer'] ?? '' ) ), $trousseau_stage, $changes[ $trousseau_id ] ?? '' ) ) ) );
			?></small>
		</span>
		<?php if ( $list->total > 1 ) : ?>
		<span class="trousseau-order__moves"><?php
		foreach ( $list->find === '' ? $trousseau_moves : array() as $trousseau_where => list( $trousseau_sign, $trousseau_words, $trousseau_may ) ) :
			?><button form="trousseau-move" name="<?php echo esc_attr( $trousseau_where ); ?>" value="<?php echo (int) $trousseau_id; ?>" aria-label="<?php echo esc_attr( $trousseau_words ); ?>"<?php echo $trousseau_may ? '' : ' disabled'; ?>><?php echo esc_html( $trousseau_sign ); ?></button><?php
		endforeach;
		?><a data-move href="<?php echo esc_url( add_query_arg( array( 'part' => intdiv( $trousseau_place, GiftParts::SIZE ) + 1, 'move' => $trousseau_id ), $address ) . "#trousseau-item-$trousseau_id" ); ?>" aria-label="<?php
		/* translators: %s: name of a gift */
		echo esc_attr( sprintf( __( 'Move: %s', 'trousseau' ), $trousseau_name ) );
		?>"><?php esc_html_e( 'Move', 'trousseau' ); ?></a></span>
		<?php endif; ?>
		<span class="trousseau-order__do"><a href="<?php echo esc_url( add_query_arg( 'item', $trousseau_id, $address ) ); ?>" aria-label="<?php
		/* translators: %s: name of a gift */
		echo esc_attr( sprintf( __( 'Change: %s', 'trousseau' ), $trousseau_name ) );
		?>"><?php esc_html_e( 'Change', 'trousseau' ); ?></a><button class="wp-element-button trousseau-quiet" form="trousseau-remove" name="item" value="<?php echo (int) $trousseau_id; ?>" aria-label="<?php
		/* translators: %s: name of a gift */
		echo esc_attr( sprintf( __( 'Remove: %s', 'trousseau' ), $trousseau_name ) );
		?>"><?php esc_html_e( 'Remove', 'trousseau' ); ?></button></span>
		<?php
		if ( $trousseau_open && $trousseau_id === $moved ) {
			$trousseau_menu( $trousseau_item );
		}
		?>
	</li>
	<?php endforeach; ?>
</ol>
<p class="trousseau-note is-problem trousseau-unsent" role="alert" hidden data-unsent><?php esc_html_e( 'The new order isn’t saved yet. We’ll keep trying, so please leave this page open.', 'trousseau' ); ?></p>
<?php
if ( ! $trousseau_open ) {
	$trousseau_menu( null );
}
$trousseau_parts();
