<?php
/**
 * A share of a group gift, for its giver: its state, one button for what comes next, and the rest behind “⋯” and under disclosures.
 *
 * @var string                  $stage    As in `GroupGift`.
 * @var bool                    $is_lost  Whether it is off the list, and nobody has bought it.
 * @var bool                    $is_removed Whether it is off the list in any case.
 * @var bool                    $is_mine  Whether the reader buys it with this share.
 * @var string                  $my_other The address of the reader's other share, if that is the one they are buying it with; otherwise ''.
 * @var GroupGift|null          $group    Null: its list no longer exists.
 * @var string|null             $by       The buyer's name; null: nobody buys it, or the reader.
 * @var string[]                $faces    The names of the givers that the reader knows, starting with the reader.
 * @var string                  $received The money that the buyer has from the others.
 * @var string                  $awaited  The money that the others still have to send the buyer.
 * @var array|null              $send     The ways to send it, as their template takes them.
 * @var Trousseau\Platform\Form $form     The typed amount and message.
 * @var Trousseau\Platform\Form $buy_form How the others pay the buyer.
 * @var int                     $longer   The later time until which it can be kept; 0: none.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\GroupGifts\GroupGift;
use Trousseau\GroupGifts\Shares;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\Meta;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

$is_sent  = $stage === GroupGift::SENT;
$is_spent = $stage === GroupGift::SPENT;
$to_send  = $stage === GroupGift::TO_SEND && ! $is_lost;
$to_buy   = $is_mine && ! $is_bought && ! $is_lost;
$is_open  = $stage !== GroupGift::ENDED && ! $is_bought;
$is_late  = $state === 'pending' && ( $is_bought || $late !== '' );
$no_goal  = $item && $item->has_no_goal();
$is_group = $stage !== GroupGift::ENDED && ( $item || $is_bought ) && ! $group->is_fund;
$missing  = $group?->missing() ?? 0;
// Its buyer has spent the money all the same.
$is_unlisted = $is_spent && $is_bought && $is_removed;

echo $answer;
// The answer to a press says the state, unless something else is to be done now.
$is_more = $is_late || $to_send || $to_buy || $is_unlisted || ( $is_lost && $stage !== GroupGift::ENDED );
echo $answer !== '' && ! $is_more ? '' : '<p>' . esc_html(
	match ( true ) {
		$late !== ''           => $late,
		$is_late               => __( 'A guest has bought it for everyone. Choose something else?', 'trousseau' ),
		$state === 'pending'   => sprintf(
			$may_confirm
				/* translators: %s: date and time */
				? __( 'Please confirm your share by %s.', 'trousseau' )
				/* translators: 1: date and time, 2: email address */
				: __( 'Please confirm your share by %1$s: use the link we emailed to %2$s. Wrong email? Cancel your share and chip in again.', 'trousseau' ),
			$until,
			Language::isolate( $email )
		),
		$state === 'released'  => __( 'You’ve cancelled your share.', 'trousseau' ),
		$state === 'expired'   => $no_goal || $is_lost ? __( 'Your time ran out, so your share has ended.', 'trousseau' ) : __( 'Your time ran out, so others can give this amount.', 'trousseau' ),
		$is_lost               => match ( true ) {
			$is_mine || $is_spent => __( 'The owners have removed this gift from their list. Please don’t buy it.', 'trousseau' ),
			! $is_sent => __( 'The owners have removed this gift from their list. Please don’t send anything for it.', 'trousseau' ),
			default   => __( 'The owners have removed this gift from their list.', 'trousseau' ) . ' ' . ( $by === null
				/* translators: %s: amount of money */
				? sprintf( __( 'They have your %s: please ask them to return it.', 'trousseau' ), $amount )
				/* translators: 1: amount of money, 2: name of a person */
				: sprintf( __( 'Your %1$s is with %2$s: please ask %2$s to return it.', 'trousseau' ), $amount, Language::isolate( $by ) ) ),
		},
		$is_unlisted           => __( 'The owners have removed this gift from their list. Please tell them that you’ve bought it.', 'trousseau' ),
		$is_spent && $is_bought => __( 'You’ve bought it. Thank you!', 'trousseau' ),
		/* translators: %s: date */
		$is_spent              => $state === 'reserved' ? sprintf( __( 'Please buy it by %s.', 'trousseau' ), $until ) : __( 'You’re buying it.', 'trousseau' ),
		$is_sent               => $thanked ? __( 'You’ve sent it, and they’ve thanked you.', 'trousseau' ) : __( 'You’ve sent it. Thank you!', 'trousseau' ),
		$is_bought             => __( 'It’s bought. Please send your share.', 'trousseau' ),
		$until === ''          => __( 'Please send it.', 'trousseau' ),
		/* translators: %s: date */
		$no_goal               => sprintf( __( 'Please send it by %s, or your share ends that day.', 'trousseau' ), $until ),
		/* translators: %s: date */
		default                => sprintf( __( 'Please send it by %s, or your share ends that day and others can give that amount.', 'trousseau' ), $until ),
	}
) . '</p>';
echo $message === '' ? '' : '<p><q>' . esc_html( $message ) . '</q></p>';
echo $item && ! $no_goal && $is_open ? Template::html( 'progress', compact( 'item', 'currency', 'faces' ) ) : '';
?>
<?php if ( $is_lost && $received !== '' ) : ?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Money others have sent you', 'trousseau' ); ?></h2>
	<p><?php esc_html_e( 'The gift is no longer on the list. Please return their money.', 'trousseau' ); ?></p>
<?php elseif ( $is_group ) : ?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Who’s buying', 'trousseau' ); ?></h2>
	<p><?php
	echo esc_html(
		match ( true ) {
			$is_mine                 => trim( ( $is_bought ? __( 'You’ve bought it for everyone.', 'trousseau' ) : __( 'You’re buying it for everyone.', 'trousseau' ) ) . ' ' . match ( true ) {
				/* translators: 1: amount of money, 2: amount of money */
				$received !== '' && $awaited !== '' => sprintf( __( 'The others have sent you %1$s, and %2$s is still to come.', 'trousseau' ), $received, $awaited ),
				/* translators: %s: amount of money */
				$received !== ''                    => sprintf( __( 'The others have sent you %s.', 'trousseau' ), $received ),
				/* translators: %s: amount of money */
				$awaited !== ''                     => sprintf( __( 'The others still have to send you %s.', 'trousseau' ), $awaited ),
				default                             => __( 'Nobody else has chipped in.', 'trousseau' ),
			} ),
			$is_spent                => $is_bought ? __( 'You’ve bought it, and this share paid for it, too.', 'trousseau' ) : __( 'You’re buying it yourself, so you keep this share, too.', 'trousseau' ),
			/* translators: %s: name of a person */
			$by !== null && $is_sent => sprintf( $is_bought ? __( '%s has bought it for everyone.', 'trousseau' ) : __( '%s is buying it for everyone.', 'trousseau' ), Language::isolate( $by ) ),
			/* translators: 1: name of a person */
			$by !== null             => sprintf( $is_bought ? __( '%1$s has bought it for everyone. Send your share to %1$s.', 'trousseau' ) : __( '%1$s is buying it for everyone. Send your share to %1$s.', 'trousseau' ), Language::isolate( $by ) ),
			$may_buy                 => __( 'Nobody is buying it for everyone yet, so send your share to the owners. If you buy it, the others send their shares to you.', 'trousseau' ),
			$group->is_settled()     => __( 'Everyone’s shares go to the owners.', 'trousseau' ),
			default                  => __( 'Nobody is buying it for everyone yet, so send your share to the owners.', 'trousseau' ),
		}
	);
	?>
	<?php echo $my_other === '' ? '' : '<a href="' . esc_url( $my_other ) . '">' . esc_html__( 'View your other share', 'trousseau' ) . '</a>'; ?></p>
	<?php
	/* translators: %s: amount of money */
	echo $is_mine && $is_bought && $missing ? '<p>' . esc_html( sprintf( __( 'Nobody has promised the remaining %s, and nobody can chip in any more.', 'trousseau' ), GiftAmount::of( $missing, $currency ) ) ) . '</p>' : '';
	?>
<?php endif; ?>
<?php if ( $others ) : ?>
	<ul class="trousseau-rows" role="list">
	<?php foreach ( $others as $trousseau_other ) : ?>
		<li><span><strong><?php echo esc_html( Language::isolate( GroupGift::name( $trousseau_other ) ) ); ?></strong> <?php echo esc_html( GroupGift::sum( array( $trousseau_other ) ) ); ?>
		<small><?php echo esc_html( Shares::words_of( $group->stage( $trousseau_other ) ) ); ?></small></span></li>
	<?php endforeach; ?>
	</ul>
<?php endif; ?>
<?php echo ( $is_lost && $received !== '' ) || $is_group ? '</section>' : ''; ?>
<?php echo $send ? Template::html( 'send-share', $send ) : ''; ?>
<?php echo Template::html( 'delivery', compact( 'delivery' ) ); ?>
<?php
if ( $to_buy ) {
	echo '<p>' . esc_html(
		$missing
			/* translators: %s: amount of money */
			? sprintf( __( '%s is still missing. Once it’s bought, nobody else can chip in, and all shares are final.', 'trousseau' ), GiftAmount::of( $missing, $currency ) )
			: __( 'Once it’s bought, all shares are final.', 'trousseau' )
	) . '</p>';
}
$trousseau_press = static fn( string $action, string $label, array $hidden = array(), string $class = '' ): string => Form::button( $address, $action, $label, $hidden, $gift, $class );
$trousseau_main  = match ( true ) {
	$is_late             => $trousseau_press( 'release', __( 'Cancel my share', 'trousseau' ) ),
	$state === 'pending' => $may_confirm ? $trousseau_press( 'confirm', __( 'Confirm', 'trousseau' ), array(), $at_once ? 'is-at-once' : '' ) : $trousseau_press( 'resend', __( 'Resend the email', 'trousseau' ), class: 'is-quiet' ),
	// A press can't be undone, so it asks once.
	$to_buy && $missing  => '<details class="trousseau-ask"><summary class="wp-element-button">' . Template::label( __( 'I’ve bought it', 'trousseau' ), $gift ) . '</summary><p><strong>' . esc_html( Shares::buy_anyway( GiftAmount::of( $missing, $currency ) ) ) . '</strong> '
		. esc_html__( 'You can’t undo this. If you’re paying the rest yourself, add it to your share first.', 'trousseau' ) . '</p>' . $trousseau_press( 'bought', __( 'Buy it anyway', 'trousseau' ), compact( 'missing' ) ) . '</details>',
	$to_buy              => $trousseau_press( 'bought', __( 'I’ve bought it', 'trousseau' ) ),
	$to_send             => $trousseau_press( 'bought', __( 'I’ve sent it', 'trousseau' ), array( 'to' => $group->receiver() ) ),
	default              => '',
};
$trousseau_cancel = static fn( string $class = '' ): string => $trousseau_press( 'release', __( 'Cancel my share', 'trousseau' ), array(), $class );
$is_kept          = $is_open && $state !== 'pending' && ( $is_sent || $received !== '' );
$has_menu         = $is_open && $to_buy && ! $is_kept;
$trousseau_keep   = $is_open && $longer && ! $is_new ? $trousseau_press( 'keep', $keep, array( 'until' => $longer ), $has_menu ? '' : 'is-link' ) : '';
$others           = ( $has_menu ? '' : $trousseau_keep )
	. ( ( $is_open || $state === 'pending' || ( $is_list_gone && $state === 'reserved' ) ) && ! $is_late && ! $is_sent && ! $to_buy && $received === '' ? $trousseau_cancel( 'is-link' ) : '' );
$more             = $has_menu
	? $trousseau_keep . $trousseau_press( 'not-buy', __( 'Let someone else buy it', 'trousseau' ) ) . '<small>' . esc_html__( 'You keep your own share. We’ll let the others know that one of them can buy it now.', 'trousseau' ) . '</small>' . $trousseau_cancel()
	: '';
echo Template::html( 'ways', array( 'body' => $trousseau_main ) + compact( 'gift', 'shop', 'back', 'others', 'more' ) );
if ( $is_open && ! $is_lost ) {
	$body    = $is_sent ? '' : $form->input( 'amount', __( 'How much are you giving?', 'trousseau' ), array( 'inputmode' => 'decimal', 'required' => true, 'autocomplete' => 'off' ), sprintf( __( 'Up to %s.', 'trousseau' ), GiftAmount::of( $most, $currency ) ) );
	$summary = $is_sent ? __( 'Change message', 'trousseau' ) : __( 'Change amount or message', 'trousseau' );
	echo Template::html( 'change-gift', compact( 'form', 'address', 'summary', 'body' ) );
}
?>
<?php if ( $is_kept ) : ?>
<details class="trousseau-more">
	<summary><?php $is_sent || $is_lost ? esc_html_e( 'Cancel my share', 'trousseau' ) : esc_html_e( 'Can’t buy it after all?', 'trousseau' ); ?></summary>
	<p><?php echo esc_html( $is_sent ? Shares::no_way_back() : Shares::give_back_first( $received, $is_lost ) ); ?></p>
	<?php echo $is_sent ? Form::button( $address, 'got-back', __( 'I’ve got it back: cancel my share', 'trousseau' ), array(), $gift, 'is-quiet' ) : ''; ?>
</details>
<?php endif; ?>
<?php if ( $may_buy || ( $is_mine && ! $is_lost && ( ! $is_bought || $awaited !== '' ) ) ) : ?>
<details class="trousseau-more"<?php echo $buy_form->is_sound() ? '' : ' open'; ?>>
	<summary><?php $is_mine ? esc_html_e( 'How the others pay you', 'trousseau' ) : esc_html_e( 'Buy it for everyone', 'trousseau' ); ?></summary>
	<?php
	$form = $buy_form;
	echo Form::open( $address, 'buy', array(), 'is-quiet' );
	echo $form->textarea( 'pay_to', __( 'How should the others pay you?', 'trousseau' ), array( 'maxlength' => Meta::MAX_PAY_TO, 'rows' => 2, 'autocomplete' => 'off' ), __( 'An IBAN with the account holder’s name, a PayPal.Me link, or words such as “in an envelope”. Only people with a confirmed share see it, with your name.', 'trousseau' ) );
	echo '<p>' . Form::submit( $is_mine ? __( 'Save', 'trousseau' ) : __( 'I’ll buy it', 'trousseau' ), $gift ) . '</p></form>';
	?>
</details>
<?php endif; ?>
