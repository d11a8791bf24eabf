<?php
/**
 * A gift that is added or changed.
 *
 * @var Trousseau\Support\Form $form
 * @var string                 $key     The key under which a new gift is stored once, however often the form is sent.
 * @var string                 $address
 * @var string                 $currency
 * @var array|null             $question The amounts that the price can mean, where that is in doubt: `question` and `options`.
 * @var string                 $missing The facts that a shop's page lacked, in words.
 * @var bool                   $upload
 * @var string                 $bookmark Address of the page with the bookmark.
 * @var string[]               $sections Headings that the list has.
 * @var int                    $id      0: a new gift.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Pages\GiftForm;
use Trousseau\Registry\Sections;
use Trousseau\Support\FlashMessage;
use Trousseau\Support\Form;
use Trousseau\Support\Template;

if ( $missing !== '' ) {
	echo FlashMessage::note( $missing, 'is-problem' );
}
echo Form::open( $id ? add_query_arg( 'item', $id, $address ) : $address, $id ? 'change' : 'add', array( 'item' => $id ) + ( $id ? array() : array( 'key' => $key ) ), 'is-gift', true );
echo $form->input(
	'name',
	__( 'Name', 'trousseau' ),
	array(
		'maxlength'    => GiftForm::MAX_NAME,
		'required'     => true,
		'autocomplete' => 'off',
	)
);
?>
	<div class="trousseau-pair">
<?php
/* translators: %s: currency */
echo $form->input( 'price', $currency === '' ? __( 'Price', 'trousseau' ) : sprintf( __( 'Price in %s', 'trousseau' ), $currency ), array( 'inputmode' => 'decimal', 'autocomplete' => 'off' ), __( 'Leave it empty if you like.', 'trousseau' ) );
echo $form->input(
	'quantity',
	__( 'How many do you wish for?', 'trousseau' ),
	array(
		'type'  => 'number',
		'min'   => 1,
		'max'   => 100000,
		'value' => $form->text( 'quantity' ) === '' ? '1' : $form->text( 'quantity' ),
	)
);
?>
	</div>
<?php
if ( $question ) {
	printf( '<input type="hidden" name="asked" value="%s">', esc_attr( $form->text( 'asked' ) ) );
	echo $form->choice( 'reading', $question['question'], $question['options'] );
}
echo $form->textarea(
	'description',
	__( 'A word about it', 'trousseau' ),
	array(
		'maxlength' => 500,
		'rows'      => 3,
	),
	__( 'Colour, size, or why you wish for it.', 'trousseau' )
);
echo $form->input(
	'address',
	__( 'Where to find it', 'trousseau' ),
	array(
		'type'         => 'url',
		'maxlength'    => 2000,
		'autocomplete' => 'off',
	),
	__( 'The address of a shop’s page. Leave it empty if no shop has it.', 'trousseau' )
);
echo $form->input( 'retailer', __( 'Shop', 'trousseau' ), array( 'maxlength' => 200 ) );
echo $form->input(
	'section',
	__( 'Under which heading?', 'trousseau' ),
	array(
		'maxlength'    => Sections::MAX_NAME,
		'list'         => 'trousseau-sections',
		'autocomplete' => 'off',
	),
	__( 'Such as Kitchen, if your list is long. You can leave it empty.', 'trousseau' )
);
?>
	<datalist id="trousseau-sections"><?php
	foreach ( $sections as $trousseau_section ) :
		?><option value="<?php echo esc_attr( $trousseau_section ); ?>"><?php
	endforeach;
	?></datalist>
	<fieldset class="trousseau-field">
		<legend><?php esc_html_e( 'Picture', 'trousseau' ); ?></legend>
		<input type="hidden" name="image" id="trousseau-image" value="<?php echo esc_attr( $form->text( 'image' ) ); ?>">
<?php if ( $form->text( 'image' ) !== '' ) : ?>
		<p><?php esc_html_e( 'This gift has a picture.', 'trousseau' ); ?></p>
		<label class="trousseau-choice"><input type="checkbox" name="no-picture" value="1"> <span><?php esc_html_e( 'Show no picture', 'trousseau' ); ?></span></label>
<?php endif; ?>
<?php
if ( $upload ) {
	echo $form->input(
		'upload',
		__( 'A picture of your own', 'trousseau' ),
		array(
			'type'   => 'file',
			'accept' => 'image/jpeg,image/png,image/webp,image/gif',
			'value'  => false,
		)
	);
}
?>
	</fieldset>
	<p class="trousseau-ways">
		<?php echo Form::submit( $id ? __( 'Save changes', 'trousseau' ) : __( 'Add to my list', 'trousseau' ) ); ?>
		<a href="<?php echo esc_url( $address ); ?>"><?php echo esc_html( $id ? __( 'Back to the list', 'trousseau' ) : __( 'Cancel', 'trousseau' ) ); ?></a>
	</p>
</form>
<?php
if ( $missing !== '' ) {
	echo Template::html( 'bookmark', array( 'bookmark' => $bookmark ) );
}
