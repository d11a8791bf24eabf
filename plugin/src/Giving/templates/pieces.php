<?php
/**
 * The state and the buttons of a gift of pieces, for its giver.
 *
 * @var string                  $state
 * @var string                  $gift
 * @var string                  $delivery  The address to which the gift is sent; empty: none.
 * @var string                  $permalink
 * @var string                  $shop
 * @var string                  $until
 * @var string                  $message
 * @var string                  $note      The giver's own note: `wrapped`, `given`, or nothing.
 * @var bool                    $takes_notes
 * @var bool                    $thanked
 * @var string                  $answer    The result of the last press, as HTML.
 * @var Trousseau\Platform\Form $form      The typed number and message.
 * @var int                     $most      The most pieces that they can give.
 * @var int                     $longer    The later time until which it can be kept; 0: none.
 * @var string                  $keep      The same in words.
 * @var string                  $address
 * @var bool                    $may_confirm Whether they read emails to the giver's address.
 * @var string                  $email     The giver's address.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

$is_live = in_array( $state, array( 'reserved', 'purchased' ), true );

// The answer to a press says the state.
echo $answer !== '' ? $answer : '<p>' . esc_html(
	match ( true ) {
		$permalink === ''      => __( 'This list no longer exists.', 'trousseau' ),
		$state === 'pending'   => sprintf(
			$may_confirm
				/* translators: %s: date and time */
				? __( 'It’s reserved for you until %s. Please confirm.', 'trousseau' )
				/* translators: 1: date and time, 2: email address */
				: __( 'It’s reserved for you until %1$s. To confirm, open the email we sent to %2$s. Wrong email? Cancel this gift and choose it again.', 'trousseau' ),
			$until,
			Language::isolate( $email )
		),
		$state === 'released'  => __( 'You cancelled this gift, so others can give it.', 'trousseau' ),
		! $is_live             => __( 'The reservation ran out, so others can give it.', 'trousseau' ),
		/* translators: %s: date */
		$state === 'reserved'  => sprintf( __( 'It’s reserved for you until %s.', 'trousseau' ), $until ),
		$thanked               => __( 'You’ve bought it, and they’ve thanked you.', 'trousseau' ),
		$note === 'wrapped'    => __( 'You’ve bought and wrapped it.', 'trousseau' ),
		$note === 'given'      => __( 'You’ve given it. Thank you!', 'trousseau' ),
		default                => __( 'You’ve bought it. Thank you!', 'trousseau' ),
	}
) . '</p>';
?>
<?php echo $message === '' || $is_live ? '' : '<p><q>' . esc_html( $message ) . '</q></p>'; ?>
<?php if ( $delivery !== '' ) : ?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Where to send it', 'trousseau' ); ?></h2>
	<p dir="auto"><?php echo nl2br( esc_html( $delivery ) ); ?></p>
</section>
<?php endif; ?>
<div class="trousseau-ways">
<?php
if ( $state === 'pending' ) {
	echo $may_confirm ? Form::button( $address, 'confirm', __( 'Confirm', 'trousseau' ), array(), $gift ) : Form::button( $address, 'resend', __( 'Resend the email', 'trousseau' ), array(), $gift );
}
if ( $state === 'reserved' || ( $state === 'pending' && $may_confirm ) ) {
	echo Form::button( $address, 'bought', __( 'I’ve bought it', 'trousseau' ), array(), $gift, $state === 'pending' ? 'is-quiet' : '' );
}
if ( $takes_notes ) {
	echo $note === '' ? Form::button( $address, 'note', __( 'I’ve wrapped it', 'trousseau' ), array( 'note' => 'wrapped' ), $gift ) : '';
	echo $note !== 'given' ? Form::button( $address, 'note', __( 'I’ve given it', 'trousseau' ), array( 'note' => 'given' ), $gift, $note === '' ? 'is-quiet' : '' ) : '';
	echo $note !== '' ? Form::button( $address, 'note', $note === 'given' ? __( 'I haven’t given it yet', 'trousseau' ) : __( 'I haven’t wrapped it yet', 'trousseau' ), array( 'note' => '' ), $gift, 'is-quiet' ) : '';
}
if ( $longer ) {
	echo Form::button( $address, 'keep', $keep, array( 'until' => $longer ), $gift, 'is-quiet' );
}
if ( $is_live || $state === 'pending' ) {
	echo Form::button( $address, 'release', __( 'Cancel my gift', 'trousseau' ), array(), $gift, 'is-quiet' );
}
?>
</div>
<?php
if ( $is_live ) {
	echo Form::open( $address, 'change', array(), 'is-quiet' );
	if ( $most > 1 ) {
		/* translators: %s: number of pieces */
		echo $form->input( 'count', __( 'How many are you giving?', 'trousseau' ), array( 'type' => 'number', 'min' => 1, 'max' => $most, 'required' => true ), sprintf( __( 'Up to %s.', 'trousseau' ), number_format_i18n( $most ) ) );
	}
	echo $form->textarea( 'message', __( 'Your message', 'trousseau' ), array( 'maxlength' => 500, 'rows' => 2 ), __( 'They’ll read it with your gift. Optional.', 'trousseau' ) );
	echo '<p>' . Form::submit( __( 'Save changes', 'trousseau' ) ) . '</p></form>';
}
echo Template::html( 'shop-link', compact( 'shop' ) );
