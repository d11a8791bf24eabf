<?php
/**
 * A part of a registry's gifts, for its owner. All rows share the forms, so that a page of many gifts stays small.
 *
 * @var int                $moved     The gift whose menu for moving is open.
 * @var array<int, string> $under     Headings, by the numbers of the gifts.
 * @var bool               $surprised Whether the numbers are kept from the owner.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftParts;
use Trousseau\Gifts\GiftPicture;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\Registries;
use Trousseau\Lists\Sections;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;
use Trousseau\Service\Item;

$trousseau_open = array_column( $list->shown, null, 'id' )[ $moved ] ?? null;

/** The only menu for moving: at the requested gift, or hidden for the script. */
$trousseau_menu = static function ( ?Item $item ) use ( $address, $list ): void {
	?>
	<div id="trousseau-menu" class="trousseau-menu"<?php echo $item ? '' : ' hidden'; ?>>
	<?php echo Form::open( $address, 'move', array( 'item' => $item->id ?? 0 ) ); ?>
	<p class="trousseau-ways">
		<label><?php esc_html_e( 'Position', 'trousseau' ); ?> <input type="number" name="place" min="1" max="<?php echo (int) $list->total; ?>" inputmode="numeric"></label>
		<button class="wp-element-button" name="where" value="place"><?php esc_html_e( 'Move gift', 'trousseau' ); ?></button>
		<button class="wp-element-button trousseau-quiet" name="where" value="top"><?php esc_html_e( 'Move to top', 'trousseau' ); ?></button>
		<button class="wp-element-button trousseau-quiet" name="where" value="bottom"><?php esc_html_e( 'Move to bottom', 'trousseau' ); ?></button>
		<a href="<?php echo esc_url( $address . ( $item ? '#trousseau-item-' . $item->id : '' ) ); ?>" data-close><?php esc_html_e( 'Close', 'trousseau' ); ?></a>
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
<?php if ( $list->total > GiftParts::LONG ) : ?>
	<?php echo Template::html( 'search', array( 'address' => $address, 'place' => 'trousseau-gifts', 'label' => __( 'Find a gift', 'trousseau' ), 'find' => $list->find ) ); ?>
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
<ol class="trousseau-order" role="list" data-address="<?php echo esc_url( $address ); ?>" data-first="<?php echo (int) ( array_key_first( $list->shown ) ?? 0 ); ?>" data-total="<?php echo (int) $list->total; ?>"<?php echo $list->find === '' ? '' : ' data-found'; ?> data-size="<?php echo (int) GiftParts::SIZE; ?>" data-moved="<?php
/* translators: 1: name of a gift, 2: its place, 3: number of gifts */
esc_attr_e( '%1$s is now %2$s of %3$s', 'trousseau' );
?>">
	<?php
	foreach ( $list->shown as $trousseau_place => $trousseau_item ) :
		$trousseau_id       = $trousseau_item->id;
		$trousseau_change   = add_query_arg( 'item', $trousseau_id, $address );
		$trousseau_currency = GiftAmount::currency( $trousseau_item, $post->ID );
		$trousseau_stage    = match ( true ) {
			isset( $got[ $trousseau_id ] )           => __( 'Got it elsewhere', 'trousseau' ),
			in_array( $trousseau_id, $bought, true ) => __( 'Bought by a guest for everyone', 'trousseau' ),
			$trousseau_currency === '' && $trousseau_item->needed() === 1 => $surprised || $trousseau_item->remaining() ? '' : __( 'Given', 'trousseau' ),
			$surprised                               => GiftAmount::wished( $trousseau_item, $trousseau_currency ),
			default                                  => GiftAmount::given( $trousseau_item, $trousseau_currency ),
		};
		$trousseau_moves   = $list->find !== '' || $list->total < 2 ? array() : array(
			'up'   => array( __( 'Move up', 'trousseau' ), $trousseau_place > 0 ),
			'down' => array( __( 'Move down', 'trousseau' ), $trousseau_place < $list->total - 1 ),
		);
		$trousseau_actions = static function ( callable $about ) use ( $trousseau_id, $trousseau_change, $trousseau_moves, $trousseau_place, $list, $address ): void {
			foreach ( $trousseau_moves as $trousseau_where => list( $trousseau_words, $trousseau_may ) ) {
				printf( '<button form="trousseau-move" name="%s" value="%d" aria-label="%s"%s>%s</button>', esc_attr( $trousseau_where ), (int) $trousseau_id, esc_attr( $about( $trousseau_words ) ), $trousseau_may ? '' : ' disabled', esc_html( $trousseau_words ) );
			}
			if ( $list->total > 1 ) {
				printf( '<a data-move href="%s" aria-label="%s">%s</a>', esc_url( add_query_arg( array( 'part' => intdiv( $trousseau_place, GiftParts::SIZE ) + 1, 'move' => $trousseau_id ), $address ) . "#trousseau-item-$trousseau_id" ), esc_attr( $about( __( 'Move to…', 'trousseau' ) ) ), esc_html__( 'Move to…', 'trousseau' ) );
			}
			printf( '<a href="%s" aria-label="%s">%s</a>', esc_url( add_query_arg( 'more', 1, $trousseau_change ) . '#trousseau-section' ), esc_attr( $about( __( 'Category', 'trousseau' ) ) ), esc_html__( 'Category', 'trousseau' ) );
			printf( '<button form="trousseau-remove" name="item" value="%d" aria-label="%s">%s</button>', (int) $trousseau_id, esc_attr( $about( __( 'Remove', 'trousseau' ) ) ), esc_html__( 'Remove', 'trousseau' ) );
		};
		echo Template::html(
			'gift-row',
			array(
				'id'      => "trousseau-item-$trousseau_id",
				'item'    => $trousseau_id,
				'name'    => Language::isolate( $trousseau_item->name ),
				'picture' => GiftPicture::address( $trousseau_item->image_url, $post->ID ),
				'box'     => array( 'gifts[]', (string) $trousseau_id, 'trousseau-selected' ),
				'chosen'  => in_array( $trousseau_id, $selected, true ),
				'change'  => $trousseau_change,
				'facts'   => array(
					in_array( $trousseau_id, $most_wanted, true ) ? '★ ' . __( 'Most wanted', 'trousseau' ) : '',
					Language::isolate( $under[ $trousseau_id ] ?? '' ),
					GiftAmount::price( $trousseau_item, $post->ID ),
					...array_values( array_map( array( Language::class, 'isolate' ), $trousseau_item->own_facts() ) ),
					$trousseau_stage,
					$changes[ $trousseau_id ] ?? '',
				),
				'menu'    => $trousseau_actions,
				'drags'   => (bool) $trousseau_moves,
				'below'   => static fn() => $trousseau_open && $trousseau_id === $moved && $trousseau_menu( $trousseau_item ),
			)
		);
	endforeach;
	?>
</ol>
<?php
// The bar for the selected gifts: how many they are, and what can be done with all of them.
echo Form::open( $address, 'transfer', array( 'key' => $key ) + ( $list->part > 1 ? array( 'part' => $list->part ) : array() ), 'is-selected', id: 'trousseau-selected' );
?>
	<div class="trousseau-ways">
		<span class="trousseau-selected"><?php
		/* translators: %s: number of gifts, of any number */
		printf( esc_html__( '%s selected', 'trousseau' ), '<b></b>' );
		?></span>
		<?php if ( $lists ) : ?>
		<details name="trousseau-row"<?php echo $form->action === 'transfer' ? ' open' : ''; ?>>
			<summary class="wp-element-button trousseau-quiet"><?php esc_html_e( 'Move', 'trousseau' ); ?></summary>
			<div class="trousseau-order__menu">
				<?php echo $form->select( 'to', __( 'Move or copy the selected gifts to', 'trousseau' ), array_map( array( Registries::class, 'title' ), $lists ), __( 'When you move a gift, guests keep what they’ve reserved or given. A copy starts fresh.', 'trousseau' ) ); ?>
				<button type="submit" name="how" value="move"><?php esc_html_e( 'Move', 'trousseau' ); ?></button>
				<button type="submit" name="how" value="copy"><?php esc_html_e( 'Copy', 'trousseau' ); ?></button>
			</div>
		</details>
		<?php endif; ?>
		<details name="trousseau-row">
			<summary class="wp-element-button trousseau-quiet"><?php esc_html_e( 'Remove', 'trousseau' ); ?></summary>
			<div class="trousseau-order__menu">
				<small><?php esc_html_e( 'You can put them back later.', 'trousseau' ); ?></small>
				<button type="submit" name="do" value="remove"><?php esc_html_e( 'Remove the selected gifts', 'trousseau' ); ?></button>
			</div>
		</details>
	</div>
</form>
<p class="trousseau-note is-problem trousseau-unsent" role="alert" hidden data-unsent><?php esc_html_e( 'The new order isn’t saved yet. We’ll keep trying, so please leave this page open.', 'trousseau' ); ?></p>
<?php
if ( ! $trousseau_open ) {
	$trousseau_menu( null );
}
$trousseau_parts();
