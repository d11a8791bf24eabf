<?php
/**
 * One gift, for its giver.
 *
 * @var string                 $state
 * @var int                    $quantity
 * @var string                 $gift
 * @var string                 $registry
 * @var string                 $permalink
 * @var string                 $shop
 * @var string                 $until
 * @var string                 $message
 * @var bool                   $thanked
 * @var string                 $answer  The result of the last press, as HTML.
 * @var Trousseau\Support\Form $form The typed number and message.
 * @var int                    $most    The most pieces that they can give.
 * @var int                    $longer  The later time until which it can be kept; 0: none.
 * @var string                 $keep    The same in words.
 * @var string                 $address
 * @var bool                   $may_confirm Whether they came by the link in the mail that asks them to.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Form;
use Trousseau\Support\Language;

$is_open = in_array( $state, array( 'reserved', 'purchased' ), true );

?>
<p><strong><?php echo esc_html( Language::times( $quantity, $gift ) ); ?></strong><br>
<small><?php
/* translators: %s: name of a list */
echo esc_html( sprintf( __( 'for %s', 'trousseau' ), Language::isolate( $registry ) ) );
?></small></p>
<?php
echo $answer !== '' ? $answer : '<p>' . esc_html(
	match ( $state ) {
		/* translators: %s: date and time */
		'pending'   => sprintf( $may_confirm ? __( 'It’s held for you until %s. Please confirm.', 'trousseau' ) : __( 'It’s held for you until %s. To confirm, open the mail we sent you.', 'trousseau' ), $until ),
		/* translators: %s: date */
		'reserved'  => sprintf( __( 'It’s reserved for you until %s.', 'trousseau' ), $until ),
		'purchased' => $thanked ? __( 'You’ve bought it, and they thank you.', 'trousseau' ) : __( 'You’ve bought it. Thank you!', 'trousseau' ),
		'released'  => __( 'You changed your mind, so it’s free for others again.', 'trousseau' ),
		default     => __( 'The time was over, so it’s free for others again.', 'trousseau' ),
	}
) . '</p>';
?>
<?php echo $message === '' || $is_open ? '' : '<p><q>' . esc_html( $message ) . '</q></p>'; ?>
<div class="trousseau-ways">
<?php
if ( $state === 'pending' && $may_confirm ) {
	echo Form::button( $address, 'confirm', __( 'Confirm', 'trousseau' ), array(), $gift );
}
if ( $state === 'reserved' || ( $state === 'pending' && $may_confirm ) ) {
	echo Form::button( $address, 'bought', __( 'I’ve bought it', 'trousseau' ), array(), $gift, $state === 'pending' ? 'is-quiet' : '' );
}
if ( $longer ) {
	echo Form::button( $address, 'keep', $keep, array( 'until' => $longer ), $gift, 'is-quiet' );
}
if ( $is_open || $state === 'pending' ) {
	echo Form::button( $address, 'release', __( 'I changed my mind', 'trousseau' ), array(), $gift, 'is-quiet' );
}
?>
</div>
<?php
if ( $is_open ) {
	echo Form::open( $address, 'change', array(), 'is-quiet' );
	if ( $most > 1 ) {
		/* translators: %s: number of pieces */
		echo $form->input( 'count', __( 'How many are you giving?', 'trousseau' ), array( 'type' => 'number', 'min' => 1, 'max' => $most, 'required' => true ), sprintf( __( 'Up to %s.', 'trousseau' ), number_format_i18n( $most ) ) );
	}
	echo $form->textarea( 'message', __( 'Your message', 'trousseau' ), array( 'maxlength' => 500, 'rows' => 2 ), __( 'They read it with your gift. You can leave it empty.', 'trousseau' ) );
	echo '<p>' . Form::submit( __( 'Save changes', 'trousseau' ) ) . '</p></form>';
}
?>
<p class="trousseau-ways">
<?php if ( $shop !== '' && in_array( $state, array( 'pending', 'reserved' ), true ) ) : ?>
	<a href="<?php echo esc_url( $shop ); ?>" rel="nofollow noopener" referrerpolicy="strict-origin"><?php esc_html_e( 'See it in the shop', 'trousseau' ); ?></a>
<?php endif; ?>
<?php if ( $permalink !== '' ) : ?>
	<a href="<?php echo esc_url( $permalink ); ?>"><?php esc_html_e( 'To the list', 'trousseau' ); ?></a>
<?php endif; ?>
</p>
