<?php
/**
 * A registry's gifts, for its owner.
 *
 * @var Trousseau\Form              $form
 * @var WP_Post                     $post
 * @var string                      $address
 * @var array<string, mixed>[]|null $items
 * @var array<string, mixed>|null   $import    How far a file is taken in: `done` of `total`, and whom and what it leaves out.
 * @var array<int, string>          $under     Headings, by the numbers of the gifts.
 * @var bool                        $surprised Whether the numbers are kept from the owner.
 * @var array<int, string>          $removed
 * @var string                      $guests
 * @var string                      $bookmark The bookmark's address, which is a script; nothing where it was not built.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

if ( $import && $import['done'] < $import['total'] ) :
	?>
<div class="trousseau-note is-answer" role="status">
	<p><?php
	/* translators: 1: number of gifts, 2: number of gifts in all */
	echo esc_html( sprintf( __( '%1$s of %2$s gifts from your file are here. The others follow by themselves in the next minutes.', 'trousseau' ), number_format_i18n( $import['done'] ), number_format_i18n( $import['total'] ) ) );
	?></p>
	<p><a href="<?php echo esc_url( $address ); ?>"><?php esc_html_e( 'Look again', 'trousseau' ); ?></a></p>
</div>
	<?php
endif;
if ( $import && ( $import['refused'] || $import['guests'] ) ) :
	?>
<div class="trousseau-note is-problem" role="status">
	<?php
	/* translators: %s: names of gifts */
	echo $import['refused'] ? '<p>' . esc_html( sprintf( __( 'These gifts from your file could not be stored: %s. Add them by hand.', 'trousseau' ), Trousseau\Language::list( $import['refused'] ) ) ) . '</p>' : '';
	/* translators: %s: names of guests */
	echo $import['guests'] ? '<p>' . esc_html( sprintf( __( 'These guests had accounts on the other site: %s. Invite them by their mail addresses.', 'trousseau' ), Trousseau\Language::list( $import['guests'] ) ) ) . '</p>' : '';
	?>
	<?php echo Trousseau\Form::button( $address, 'import-read', __( 'I have read this', 'trousseau' ), array(), '', 'is-quiet' ); ?>
</div>
	<?php
endif;
echo Trousseau\Form::open( $address, 'look', array(), 'is-paste' );
echo $form->input(
	'address',
	__( 'Paste the address of something you wish for', 'trousseau' ),
	array(
		'type'         => 'text',
		'inputmode'    => 'url',
		'placeholder'  => 'https://',
		'required'     => true,
		'autocomplete' => 'off',
	)
);
echo '<p class="trousseau-ways">' . Trousseau\Form::submit( __( 'Look it up', 'trousseau' ) );
?>
	<a href="<?php echo esc_url( add_query_arg( 'by-hand', 1, $address ) ); ?>"><?php esc_html_e( 'Add something by hand', 'trousseau' ); ?></a></p>
</form>
<?php if ( $items === null ) : ?>
	<?php echo Trousseau\Message::note( __( 'Your gifts can’t be shown just now. Please come back in a moment.', 'trousseau' ), 'is-problem' ); ?>
<?php elseif ( ! $items ) : ?>
<p><?php esc_html_e( 'There is nothing on your list yet.', 'trousseau' ); ?></p>
<?php else : ?>
<h2 id="trousseau-gifts"><?php
/* translators: %s: number of gifts */
echo esc_html( sprintf( _n( '%s gift', '%s gifts', count( $items ), 'trousseau' ), number_format_i18n( count( $items ) ) ) );
?></h2>
<p><?php esc_html_e( 'Guests see them in this order: put what you wish for most at the top.', 'trousseau' ); ?>
	<?php
	if ( array_filter( array_map( static fn( array $item ): string => $under[ (int) $item['id'] ] ?? '', $items ) ) ) {
		esc_html_e( 'They see them heading by heading, the heading of your first gift first.', 'trousseau' );
	}
	?>
</p>
<p class="screen-reader-text" role="status" aria-live="polite" data-said></p>
<ol class="trousseau-order" role="list" data-address="<?php echo esc_url( $address ); ?>" data-moved="<?php
/* translators: 1: name of a gift, 2: its place, 3: number of gifts */
esc_attr_e( '%1$s is now %2$s of %3$s', 'trousseau' );
?>">
	<?php
	foreach ( $items as $trousseau_place => $trousseau_item ) :
		$trousseau_id    = (int) $trousseau_item['id'];
		$trousseau_name  = (string) $trousseau_item['name'];
		$trousseau_image = Trousseau\Picture::address( $trousseau_item['image_url'] ?? '' );
		$trousseau_price = Trousseau\Currency::price( $trousseau_item['price'] ?? null, $post, $trousseau_item );
		$trousseau_moves = array(
			'top'    => array( '⤒', __( 'To the top', 'trousseau' ), $trousseau_place > 0 ),
			'up'     => array( '↑', __( 'Up', 'trousseau' ), $trousseau_place > 0 ),
			'down'   => array( '↓', __( 'Down', 'trousseau' ), $trousseau_place < count( $items ) - 1 ),
			'bottom' => array( '⤓', __( 'To the bottom', 'trousseau' ), $trousseau_place < count( $items ) - 1 ),
		);
		?>
	<li id="trousseau-item-<?php echo (int) $trousseau_id; ?>" data-item="<?php echo (int) $trousseau_id; ?>" data-name="<?php echo esc_attr( Trousseau\Language::isolate( $trousseau_name ) ); ?>">
		<span class="trousseau-order__picture"><?php echo $trousseau_image === '' ? '' : sprintf( '<img src="%s" alt="" loading="lazy" width="72" height="72">', esc_url( $trousseau_image ) ); ?></span>
		<span class="trousseau-order__text">
			<strong><?php echo esc_html( Trousseau\Language::isolate( $trousseau_name ) ); ?></strong>
			<small><?php
			/* translators: 1: number given, 2: number wished for */
			$trousseau_given = sprintf( __( '%1$s of %2$s given', 'trousseau' ), number_format_i18n( Trousseau\Item::needed( $trousseau_item ) - Trousseau\Item::remaining( $trousseau_item ) ), number_format_i18n( Trousseau\Item::needed( $trousseau_item ) ) );
			/* translators: %s: number wished for */
			$trousseau_wished = sprintf( __( '%s wished for', 'trousseau' ), number_format_i18n( Trousseau\Item::needed( $trousseau_item ) ) );
			echo esc_html( implode( ' · ', array_filter( array( Trousseau\Language::isolate( $under[ $trousseau_id ] ?? '' ), $trousseau_price, Trousseau\Language::isolate( (string) ( $trousseau_item['retailer'] ?? '' ) ), $surprised ? $trousseau_wished : $trousseau_given ) ) ) );
			?></small>
		</span>
		<span class="trousseau-order__moves">
		<?php foreach ( $trousseau_moves as $trousseau_where => list( $trousseau_sign, $trousseau_words, $trousseau_may ) ) : ?>
			<?php echo Trousseau\Form::open( $address, 'move', array( 'item' => $trousseau_id, 'where' => $trousseau_where ), 'is-move' ); ?><button type="submit" title="<?php echo esc_attr( $trousseau_words ); ?>"<?php echo $trousseau_may ? '' : ' disabled'; ?>><span aria-hidden="true"><?php echo esc_html( $trousseau_sign ); ?></span><span class="screen-reader-text"><?php echo esc_html( "$trousseau_words: $trousseau_name" ); ?></span></button></form>
		<?php endforeach; ?>
		</span>
		<span class="trousseau-order__do">
			<a href="<?php echo esc_url( add_query_arg( 'item', $trousseau_id, $address ) ); ?>"><?php esc_html_e( 'Change', 'trousseau' ); ?><span class="screen-reader-text">: <?php echo esc_html( $trousseau_name ); ?></span></a>
			<?php echo Trousseau\Form::button( $address, 'remove', __( 'Take off', 'trousseau' ), array( 'item' => $trousseau_id ), $trousseau_name, 'is-quiet' ); ?>
		</span>
	</li>
	<?php endforeach; ?>
</ol>
<p class="trousseau-ways"><a class="wp-element-button" href="<?php echo esc_url( $guests ); ?>"><?php esc_html_e( 'Invite your guests', 'trousseau' ); ?></a></p>
<?php endif; ?>
<?php if ( $removed ) : ?>
<details class="trousseau-more" open>
	<summary><?php esc_html_e( 'Taken off the list', 'trousseau' ); ?></summary>
	<ul class="trousseau-rows" role="list">
	<?php foreach ( $removed as $trousseau_id => $trousseau_name ) : ?>
		<li><span><?php echo esc_html( $trousseau_name ); ?></span> <?php echo Trousseau\Form::button( $address, 'restore', __( 'Put back', 'trousseau' ), array( 'item' => $trousseau_id ), $trousseau_name, 'is-quiet' ); ?></li>
	<?php endforeach; ?>
	</ul>
</details>
<?php endif; ?>
<?php
if ( $items !== null ) {
	echo Trousseau\Template::html( 'bookmark', array( 'bookmark' => $bookmark ) );
}
