<?php
/**
 * The page on which a guest gives a gift.
 *
 * @var string $currency The currency if several people pay for the gift, or ''.
 * @var bool   $confirm  Whether someone with an account has to confirm this one by email.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Giving\ClaimKind;
use Trousseau\Lists\Accounts;
use Trousseau\Lists\GiftAmount;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

/* translators: %s: name of a list */
$trousseau_for = sprintf( __( 'For %s', 'trousseau' ), Language::isolate( $registry ) );
echo Template::html( 'subject', array( 'picture' => $picture, 'named' => Language::isolate( $item->name ), 'facts' => Language::facts( array( $price, $trousseau_for ) ), 'shop' => $shop ) );
if ( $shop !== '' && $currency === '' ) {
	echo '<p class="trousseau-note is-answer" data-back-from-shop hidden>' . esc_html__( 'Did you buy it? Choose “I’ve bought it”, then “Give this gift”.', 'trousseau' ) . '</p>';
}
echo $item->description === '' ? '' : '<p class="trousseau-description">' . nl2br( esc_html( $item->description ) ) . '</p>';
if ( $confirm ) {
	echo FlashMessage::note(
		$currency === ''
			? __( 'To keep gifts available for everyone, we’ll email you a link to confirm this one. It’s reserved for you for an hour. Invited guests don’t need to confirm.', 'trousseau' )
			: __( 'We’ll email you a link: use it within an hour to confirm your share. Invited guests don’t need to confirm.', 'trousseau' )
	);
}
echo Form::open( $address, 'give', array( 'key' => $key, 'for' => $form->text( 'for' ) ), 'is-give' );
if ( $currency !== '' ) {
	$how = $giver->is_known && ! $confirm ? __( 'The next page tells you how to send it.', 'trousseau' ) : __( 'Once you’ve confirmed by email, your gift’s page tells you how to send it.', 'trousseau' );
	$to  = $is_fund ? __( 'You send the money to the owners yourself. This site never handles money and can’t refund it.', 'trousseau' ) : __( 'You send the money yourself, to the owners or to the guest who buys the gift for everyone. This site never handles money and can’t refund it.', 'trousseau' );
	echo FlashMessage::note( "$to $how" );
	echo $is_fund ? '' : '<p><small>' . esc_html__( 'If a guest buys it for everyone, they’ll see your name and amount.', 'trousseau' ) . '</small></p>';
	echo $item->has_no_goal() ? '' : Template::html( 'progress', compact( 'item', 'currency' ) );
	/* translators: %s: currency */
	$trousseau_own = '<div data-shown-if="share=own">' . $form->input( 'amount', sprintf( __( 'Amount in %s', 'trousseau' ), $currency ), array( 'inputmode' => 'decimal', 'autocomplete' => 'off', 'placeholder' => $currency ) ) . '</div>';
	/* translators: %s: amount of money */
	echo $form->choice( 'share', $item->has_no_goal() ? __( 'How much would you like to give?', 'trousseau' ) : sprintf( __( 'How much? %s is still needed.', 'trousseau' ), GiftAmount::of( $item->most(), $currency ) ), $shares, 'is-share', last: $trousseau_own );
}
echo $currency !== '' ? '' : $form->choice(
	'state',
	__( 'Have you bought it yet?', 'trousseau' ),
	array(
		/* translators: %s: date */
		'reserved'  => array( __( 'I’ll buy it', 'trousseau' ), sprintf( __( 'Reserved for you until %s.', 'trousseau' ), $until ) ),
		'purchased' => array( __( 'I’ve bought it', 'trousseau' ) ),
	)
);
if ( $item->most() > 1 && $currency === '' ) {
	echo $form->input( 'count', __( 'How many?', 'trousseau' ), array( 'type' => 'number', 'min' => 1, 'max' => $item->most(), 'required' => true ), $item->is_any_number() ? __( 'As many as you like', 'trousseau' ) : sprintf( GiftAmount::needed_words( false ), number_format_i18n( $item->most() ) ) );
}
if ( ! $giver->user_id ) {
	echo $form->input( 'giver', __( 'Your name', 'trousseau' ), array( 'maxlength' => Accounts::LONGEST_NAME, 'required' => true, 'autocomplete' => 'name' ) );
	if ( $giver->is_known ) {
		/* translators: %s: e-mail address */
		echo '<p><small>' . esc_html( sprintf( __( 'You’re giving as %s. We’ll email you there about your gift.', 'trousseau' ), Language::isolate( $giver->email ) ) ) . '</small></p>';
	} else {
		echo $form->input(
			'email',
			__( 'Your email', 'trousseau' ),
			array( 'type' => 'email', 'maxlength' => 254, 'required' => true, 'autocomplete' => 'email' ),
			__( 'We’ll email you a link: use it within an hour to confirm. Only the owners see your email.', 'trousseau' )
		);
		echo Form::guard();
	}
}
echo $form->textarea( 'message', __( 'Add a message', 'trousseau' ), array( 'maxlength' => ClaimKind::MAX_MESSAGE, 'rows' => 2 ), __( 'Optional.', 'trousseau' ) );
?>
	<p class="trousseau-ways">
		<?php echo Form::submit( $currency === '' ? __( 'Give this gift', 'trousseau' ) : __( 'Chip in', 'trousseau' ), $item->name ); ?>
		<a href="<?php echo esc_url( $back ); ?>"><?php esc_html_e( 'Back to the list', 'trousseau' ); ?></a>
	</p>
</form>
