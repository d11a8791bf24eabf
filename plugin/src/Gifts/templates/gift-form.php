<?php
/**
 * A gift that is added or changed: what most gifts need, and the rest behind “More options”.
 *
 * @var string     $currency    Nothing: the form asks for it.
 * @var array|null $question    The amounts that the price can mean, where that is in doubt: `question` and `options`.
 * @var string     $missing     The facts that a shop's page lacked, in words.
 * @var string     $picture     The address of the gift's picture on this site, or ''.
 * @var int        $id          0: a new gift.
 * @var bool       $may_be_open Whether it may have no goal: it is a fund.
 * @var int        $given       The pieces given, or the amount in minor units, as far as the owner may know.
 * @var string     $opened      The values of a stored gift, or of the list, with which the form was opened, as fingerprints.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftForm;
use Trousseau\Lists\Meta;
use Trousseau\Lists\RegistryForm;
use Trousseau\Lists\Sections;
use Trousseau\Platform\Currency;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\OpenedForm;
use Trousseau\Platform\Template;
use Trousseau\Service\Item;

$trousseau_is_money = $form->text( 'kind' ) === 'money';
$trousseau_is_fund  = $trousseau_is_money && ! $id;
$trousseau_stays    = ' ' . __( 'While it’s on your list, you can’t change the list’s currency.', 'trousseau' );
if ( $missing !== '' ) {
	echo FlashMessage::note( $missing, 'is-problem' );
}
echo '<div class="trousseau-gift">';
echo Form::open( add_query_arg( $id ? array( 'item' => $id ) : array( $trousseau_is_fund ? 'fund' : 'by-hand' => 1 ), $address ), $id ? 'change' : 'add', array( 'item' => $id ) + ( $trousseau_is_money ? array( 'kind' => 'money' ) : array() ) + array( OpenedForm::FIELD => $opened ) + ( $id ? array() : array( 'key' => $key ) ), 'is-gift', true );
echo $trousseau_is_fund ? '' : $form->input(
	'address',
	__( 'Link', 'trousseau' ),
	array( 'type' => 'url', 'maxlength' => Item::FIELDS['url'][1], 'autocomplete' => 'off', 'placeholder' => 'https://' ),
	$id || $form->text( 'address' ) !== '' ? '' : __( 'Optional. A link alone is enough: we’ll look up the rest.', 'trousseau' )
);
printf( '<div class="trousseau-gift__name"><input type="hidden" name="image" id="trousseau-image" value="%s">', esc_attr( $form->text( 'image' ) ) );
echo $upload ? $form->picture( 'upload', 4 / 3, $picture ) : '';
echo $form->input( 'name', __( 'Name', 'trousseau' ), array( 'maxlength' => Item::MAX_NAME, 'required' => $id || $trousseau_is_fund, 'autocomplete' => 'off' ) );
echo '</div><div class="trousseau-pair is-narrow">';
if ( $trousseau_is_money ) {
	$trousseau_hint = __( 'Guests chip in with any amount, up to this goal.', 'trousseau' ) . ( $may_be_open ? ' ' . __( 'Leave it empty to welcome any amount.', 'trousseau' ) : '' ) . ( $id ? '' : $trousseau_stays );
	/* translators: %s: currency */
	$trousseau_label = $currency === '' ? __( 'Goal', 'trousseau' ) : sprintf( __( 'Goal in %s', 'trousseau' ), $currency );
} else {
	$trousseau_hint = $is_first && $currency !== '' ? __( 'Not your currency? Change it under “Details” first.', 'trousseau' ) : '';
	/* translators: %s: currency */
	$trousseau_label = $currency === '' ? __( 'Price', 'trousseau' ) : sprintf( __( 'Price in %s', 'trousseau' ), $currency );
}
echo $form->input(
	'price',
	$trousseau_label,
	array(
		'inputmode'        => 'decimal',
		'autocomplete'     => 'off',
		'required'         => $trousseau_is_money && ! $may_be_open,
		'aria-describedby' => ( isset( $form->faults()['price'] ) ? 'trousseau-price-fault ' : '' ) . 'trousseau-price-hint',
	)
);
if ( $currency === '' ) {
	// A shop's price is in the shop's currency.
	$trousseau_usual = Meta::clean_currency( $form->text( 'currency' ) ) ?: RegistryForm::usual_currency();
	$form->text( 'list_currency' ) === '' && $form->set( 'list_currency', $trousseau_usual );
	echo $form->select( 'list_currency', __( 'Currency', 'trousseau' ), Currency::all( $form->text( 'list_currency' ) ) );
	$trousseau_hint .= ' ' . __( 'We only ask for your list’s currency once.', 'trousseau' );
}
printf( '<small id="trousseau-price-hint">%s</small></div>', esc_html( trim( $trousseau_hint ) ) );
if ( $question ) {
	printf( '<input type="hidden" name="asked" value="%s">', esc_attr( $form->text( 'asked' ) ) );
	echo $form->choice( 'reading', $question['question'], $question['options'] );
}
$trousseau_pay_to = array( 'pay_to', __( 'How should people pay you?', 'trousseau' ), array( 'maxlength' => Meta::MAX_PAY_TO, 'rows' => 2, 'autocomplete' => 'off' ), __( 'An IBAN and its holder’s name, a PayPal.Me link, or “in an envelope”. Guests see it once they’ve confirmed, and pay you directly: this site never handles money and can’t refund it. It’s the same for all your group gifts.', 'trousseau' ) . ( $is_surprise ? ' ' . __( 'Your bank statement shows who gave, even while it’s a surprise.', 'trousseau' ) : '' ) );
if ( $trousseau_is_money ) {
	echo $form->textarea( ...$trousseau_pay_to );
}
?>
	<details class="trousseau-more"<?php echo $more || GiftForm::has_more( $form ) ? ' open' : ''; ?>>
		<summary><?php esc_html_e( 'More options', 'trousseau' ); ?></summary>
<?php
if ( ! $trousseau_is_money ) {
	echo '<div class="trousseau-pair is-narrow">';
	echo $form->input(
		'quantity',
		__( 'How many?', 'trousseau' ),
		array( 'type' => 'number', 'min' => 1, 'max' => 100000, 'value' => $form->text( 'quantity' ) === '' ? '1' : $form->text( 'quantity' ) )
	);
	echo $form->checkbox( 'any_number', __( 'Any number', 'trousseau' ) ) . '</div>';
}
echo $form->textarea(
	'description',
	__( 'Note for your guests', 'trousseau' ),
	array( 'maxlength' => Item::FIELDS['description'][1], 'rows' => 2 ),
	__( 'Colour, size, or why you’d love it.', 'trousseau' )
);
echo '<div class="trousseau-pair is-narrow">';
foreach ( $trousseau_is_fund ? array() : Item::facts() as $trousseau_fact => $trousseau_label ) {
	echo $form->input( $trousseau_fact, $trousseau_label, array( 'maxlength' => Item::longest_fact( $trousseau_fact ) ) );
}
echo $form->input(
	'section',
	__( 'Category', 'trousseau' ),
	array( 'maxlength' => Sections::MAX_NAME, 'list' => 'trousseau-sections', 'autocomplete' => 'off', 'placeholder' => __( 'Kitchen', 'trousseau' ) )
);
?>
		</div>
		<datalist id="trousseau-sections"><?php
		foreach ( $sections as $trousseau_section ) :
			?><option value="<?php echo esc_attr( $trousseau_section ); ?>"><?php
		endforeach;
		?></datalist>
<?php
echo $form->checkbox( 'most_wanted', __( 'Most wanted', 'trousseau' ), __( 'A star, and first in its category. For up to a third of your gifts.', 'trousseau' ) );
echo $form->text( 'image' ) === '' ? '' : $form->checkbox( 'no-picture', __( 'Remove picture', 'trousseau' ) );
if ( ! $trousseau_is_money && $id ) {
	printf( '<p class="trousseau-ways"><small>%s</small> <a href="%s">%s</a></p>', esc_html__( 'Want guests to chip in together? Add a copy, then remove this gift.', 'trousseau' ), esc_url( add_query_arg( 'several', $id, $address ) ), esc_html__( 'Add it as a group gift', 'trousseau' ) );
} elseif ( ! $trousseau_is_money ) {
	/* translators: %s: amount of money */
	echo $form->checkbox( 'several', __( 'Make it a group gift', 'trousseau' ), ( $currency === '' ? __( 'Guests choose how much they chip in.', 'trousseau' ) : sprintf( __( 'For gifts of %s or more. Guests choose how much they chip in.', 'trousseau' ), GiftForm::least_price( $currency ) ) ) . $trousseau_stays );
	echo '<div class="trousseau-if-several">' . $form->textarea( ...$trousseau_pay_to ) . '</div>';
}
?>
	</details>
	<p class="trousseau-ways">
		<?php echo Form::submit( $id ? __( 'Save changes', 'trousseau' ) : __( 'Add to my list', 'trousseau' ) ); ?>
		<?php if ( ! $id ) : ?>
		<button type="submit" class="wp-element-button trousseau-quiet" name="draft" value="1"><?php esc_html_e( 'Save as draft', 'trousseau' ); ?></button>
		<?php endif; ?>
		<a href="<?php echo esc_url( $address ); ?>"><?php echo esc_html( $id ? __( 'Back to the list', 'trousseau' ) : __( 'Cancel', 'trousseau' ) ); ?></a>
	</p>
</form>
<?php
echo Template::html( 'gift-card', compact( 'form', 'picture', 'currency', 'has_it', 'given' ) );
echo '</div>';
if ( $id && ! $trousseau_is_money ) :
	?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Got it elsewhere?', 'trousseau' ); ?></h2>
	<p><?php $has_it ? esc_html_e( 'Guests see that you have this and can’t choose it.', 'trousseau' ) : esc_html_e( 'It stays on your list, but guests can’t choose it any more.', 'trousseau' ); ?></p>
	<p><?php echo Form::button( $address, $has_it ? 'not-got' : 'got', $has_it ? __( 'We’d like it again', 'trousseau' ) : __( 'We’ve got it elsewhere', 'trousseau' ), array( 'item' => $id ), '', 'is-quiet' ); ?></p>
</section>
	<?php
endif;
if ( $missing !== '' ) {
	echo Template::html( 'bookmark', array( 'bookmark' => $bookmark ) );
}
