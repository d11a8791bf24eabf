<?php
/**
 * One gift, for its giver.
 *
 * @var string                  $state
 * @var int                     $quantity
 * @var string                  $gift
 * @var string                  $named   The gift with its pieces, or the amount of a share.
 * @var string                  $currency The currency of a share; nothing for pieces.
 * @var string                  $delivery The address to which the gift is sent; empty: none.
 * @var string|null             $choice  The answer of a giver who is asked about a share of a gift that lacks money; null: nobody asks.
 * @var bool                    $is_share Whether it is a share of a gift that several pay for.
 * @var bool                    $is_bought Whether one of the givers has bought that gift.
 * @var bool                    $is_buyer Whether the reader buys that gift with this share.
 * @var bool                    $is_spent Whether the reader buys that gift, with this share or another.
 * @var bool                    $is_unsent Whether the reader still has to send the share.
 * @var bool                    $is_sent Whether the share is marked as sent: then it stays as it is.
 * @var array|null              $money   The reader's money that lies with somebody to whom it doesn't belong, as its template takes it.
 * @var array|null              $buying  The one who buys a gift that several pay for, as its template takes it.
 * @var array|null              $send    The ways to send a share, as its template takes them.
 * @var array<int, array{name: string, amount: string}> $owed The shares of others of which the reader has the money, and doesn't buy the gift.
 * @var string                  $registry
 * @var string                  $permalink
 * @var bool                    $may_read Whether this device opens the list.
 * @var string                  $lost    The page on which guests ask for their invitations once more.
 * @var string                  $shop
 * @var string                  $until
 * @var string                  $message
 * @var string                  $note    The giver's own note: `wrapped`, `given`, or nothing.
 * @var bool                    $takes_notes
 * @var bool                    $next    Whether the gift has ended, and its list has others.
 * @var string                  $again   The page on which it can be given again after its time was over; empty: there is none.
 * @var bool                    $thanked
 * @var string                  $answer  The result of the last press, as HTML.
 * @var Trousseau\Platform\Form $form The typed number and message.
 * @var bool                    $is_gone Whether it is a share of a gift that is no longer on the list.
 * @var bool                    $no_goal Whether it is a share of a fund that takes any amount.
 * @var int                     $most    The most pieces that they can give.
 * @var int                     $longer  The later time until which it can be kept; 0: none.
 * @var string                  $keep    The same in words.
 * @var string                  $address
 * @var bool                    $may_confirm Whether they read emails to the giver's address.
 * @var string                  $email   The giver's address.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftAmount;
use Trousseau\Gifts\ShopLink;
use Trousseau\GroupGifts\ShareMoney;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

$is_live   = in_array( $state, array( 'reserved', 'purchased' ), true );
$is_fund   = $buying['is_fund'] ?? false;
$to_buy    = $is_buyer && ! $is_bought && ! $is_fund;
$rest      = $to_buy ? $buying['rest'] ?? 0 : 0;
$is_open   = $is_live && ! $is_bought;
$is_lost   = $is_gone && ! $is_bought;
$elsewhere = $money && $money['may_pass'];
$place     = $send['place'] ?? '';
// The one who buys decides by buying the gift, or by letting somebody else do it.
$is_asked = $choice !== null && ! $is_spent;
// Money that the site can't bring back is asked for by those who have it.
$consequence = match ( true ) {
	! $is_share => '',
	$is_sent    => ShareMoney::no_way_back(),
	$is_fund && $is_buyer => __( 'If you cancel your share, the others will send theirs to the owners of the list.', 'trousseau' ),
	$is_buyer   => __( 'If you cancel your share, you’re no longer buying the gift, and we’ll email the others.', 'trousseau' ),
	default     => '',
};

?>
<p><strong><?php echo esc_html( $named ); ?></strong><br>
<small><?php
/* translators: %s: name of a list */
echo esc_html( sprintf( __( 'for %s', 'trousseau' ), Language::isolate( $registry ) ) );
?></small></p>
<?php
echo $answer;
// The answer to a press says the state of a gift, but doesn't say what comes next for a share.
echo $answer !== '' && ( ! $is_share || ( $state === 'purchased' && ! $money ) ) ? '' : '<p>' . esc_html(
	match ( true ) {
		$permalink === ''      => __( 'This list no longer exists.', 'trousseau' ),
		$state === 'pending'   => sprintf(
			$may_confirm
				/* translators: %s: date and time */
				? __( 'It’s reserved for you until %s. Please confirm.', 'trousseau' )
				: ( $is_share
				/* translators: 1: date and time, 2: email address */
				? __( 'Your share is reserved until %1$s. To confirm, open the email we sent to %2$s. Wrong email? Cancel your share and chip in again.', 'trousseau' )
				/* translators: 1: date and time, 2: email address */
				: __( 'It’s reserved for you until %1$s. To confirm, open the email we sent to %2$s. Wrong email? Cancel this gift and choose it again.', 'trousseau' ) ),
			$until,
			Language::isolate( $email )
		),
		$state === 'released'  => $is_share ? __( 'You’ve cancelled your share.', 'trousseau' ) : __( 'You cancelled this gift, so others can give it.', 'trousseau' ),
		! $is_live && $no_goal => __( 'The time ran out, so your share has ended.', 'trousseau' ),
		! $is_live             => $is_share ? __( 'The time ran out, so others can give this amount.', 'trousseau' ) : __( 'The reservation ran out, so others can give it.', 'trousseau' ),
		$is_lost               => $state === 'reserved' ? __( 'The owners have removed this gift from their list. Please don’t send anything for it.', 'trousseau' ) : __( 'The owners have removed this gift from their list.', 'trousseau' ),
		$is_fund && $is_spent  => __( 'The others are sending their shares to you.', 'trousseau' ),
		$to_buy && $state === 'purchased' => __( 'You’re buying it.', 'trousseau' ),
		/* translators: %s: date */
		$is_spent && $state === 'reserved' => sprintf( __( 'Please buy it by %s.', 'trousseau' ), $until ),
		$is_spent              => __( 'You’ve bought it. Thank you!', 'trousseau' ),
		$elsewhere             => __( 'You’ve sent your share, but someone else should have it now.', 'trousseau' ),
		$is_unsent && $is_bought => __( 'It’s bought. Please send your share.', 'trousseau' ),
		/* translators: %s: date */
		$is_unsent && $until !== '' && $no_goal => sprintf( __( 'Please send it by %s, or your share ends that day.', 'trousseau' ), $until ),
		/* translators: %s: date */
		$is_unsent && $until !== '' => sprintf( __( 'Please send it by %s, or your share ends that day and others can give that amount.', 'trousseau' ), $until ),
		$is_unsent             => __( 'Please send it.', 'trousseau' ),
		/* translators: %s: date */
		$state === 'reserved'  => sprintf( __( 'It’s reserved for you until %s.', 'trousseau' ), $until ),
		$is_share && $thanked  => __( 'You’ve sent it, and they’ve thanked you.', 'trousseau' ),
		$is_share              => __( 'You’ve sent it. Thank you!', 'trousseau' ),
		$thanked               => __( 'You’ve bought it, and they’ve thanked you.', 'trousseau' ),
		$note === 'wrapped'    => __( 'You’ve bought and wrapped it.', 'trousseau' ),
		$note === 'given'      => __( 'You’ve given it. Thank you!', 'trousseau' ),
		default                => __( 'You’ve bought it. Thank you!', 'trousseau' ),
	}
) . '</p>';
?>
<?php echo $message === '' || $is_open ? '' : '<p><q>' . esc_html( $message ) . '</q></p>'; ?>
<?php if ( $buying && $buying['goal'] && ! $is_bought ) : ?>
<p class="trousseau-need"><?php echo esc_html( $buying['progress'] ); ?> <progress max="<?php echo (int) $buying['goal']; ?>" value="<?php echo (int) $buying['promised']; ?>" aria-label="<?php echo esc_attr( $buying['progress'] ); ?>"></progress></p>
<?php endif; ?>
<?php if ( $owed ) : ?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Money you have from others', 'trousseau' ); ?></h2>
	<p><?php $is_lost ? esc_html_e( 'The gift is no longer on the list. Please return their money.', 'trousseau' ) : esc_html_e( 'You’re no longer buying the gift. Please pass their money on to the person who is, or return it.', 'trousseau' ); ?></p>
	<ul class="trousseau-rows" role="list">
	<?php foreach ( $owed as $other ) : ?>
		<li><span><strong><?php echo esc_html( Language::isolate( $other['name'] ) ); ?></strong> <?php echo esc_html( $other['amount'] ); ?></span></li>
	<?php endforeach; ?>
	</ul>
</section>
<?php endif; ?>
<?php echo $money ? Template::html( 'share-money', $money + compact( 'address', 'gift' ) ) : ''; ?>
<?php echo $buying ? Template::html( 'share-buyer', $buying + compact( 'address', 'gift', 'currency' ) + array( 'is_short' => $choice !== null ) ) : ''; ?>
<?php echo $send ? Template::html( 'send-share', $send ) : ''; ?>
<?php echo $is_asked ? Template::html( 'share-choice', compact( 'choice', 'address', 'gift' ) + array( 'sent_to' => $is_sent ? $place : null ) ) : ''; ?>
<?php if ( $delivery !== '' ) : ?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Where to send it', 'trousseau' ); ?></h2>
	<p dir="auto"><?php echo nl2br( esc_html( $delivery ) ); ?></p>
</section>
<?php endif; ?>
<?php if ( $rest ) : ?>
<details class="trousseau-more">
	<summary><?php esc_html_e( 'I’ve bought it', 'trousseau' ); ?></summary>
	<p><?php
	/* translators: %s: amount of money */
	echo esc_html( __( 'Once it’s bought, all shares are final.', 'trousseau' ) . ' ' . sprintf( __( 'If you pay the missing amount, your share becomes %s.', 'trousseau' ), GiftAmount::of( $quantity + $rest, $currency ) ) );
	?></p>
	<div class="trousseau-ways">
	<?php
	/* translators: %s: amount of money */
	echo Form::button( $address, 'bought', sprintf( __( 'I’ve bought it and I’m paying the missing %s', 'trousseau' ), GiftAmount::of( $rest, $currency ) ), array( 'whole' => $quantity + $rest ), $gift );
	echo Form::button( $address, 'bought', __( 'I’ve bought it for less, and nothing is missing', 'trousseau' ), array(), $gift, 'is-quiet' );
	?>
	</div>
</details>
<?php elseif ( $to_buy && $buying ) : ?>
<p><small><?php esc_html_e( 'Once it’s bought, all shares are final.', 'trousseau' ); ?></small></p>
<?php endif; ?>
<div class="trousseau-ways">
<?php
if ( $state === 'pending' && $may_confirm ) {
	echo Form::button( $address, 'confirm', __( 'Confirm', 'trousseau' ), array(), $gift );
} elseif ( $state === 'pending' ) {
	echo Form::button( $address, 'resend', __( 'Resend the email', 'trousseau' ), array(), $gift );
}
if ( $is_unsent || $elsewhere ) {
	$words = match ( true ) {
		! $elsewhere                    => __( 'I’ve sent it', 'trousseau' ),
		$send['to_buyer']               => __( 'The buyer has my money now', 'trousseau' ),
		default                         => __( 'The owners have my money now', 'trousseau' ),
	};
	echo Form::button( $address, 'bought', $words, array( 'to' => $send['place'] ), $gift, $is_asked || $elsewhere ? 'is-quiet' : '' );
} elseif ( ( $to_buy && ! $rest ) || ( ! $is_share && ( $state === 'reserved' || ( $state === 'pending' && $may_confirm ) ) ) ) {
	echo Form::button( $address, 'bought', __( 'I’ve bought it', 'trousseau' ), array(), $gift, $state === 'pending' ? 'is-quiet' : '' );
}
if ( $takes_notes ) {
	echo $note === '' ? Form::button( $address, 'note', __( 'I’ve wrapped it', 'trousseau' ), array( 'note' => 'wrapped' ), $gift ) : '';
	echo $note !== 'given' ? Form::button( $address, 'note', __( 'I’ve given it', 'trousseau' ), array( 'note' => 'given' ), $gift, $note === '' ? 'is-quiet' : '' ) : '';
	echo $note !== '' ? Form::button( $address, 'note', $note === 'given' ? __( 'I haven’t given it yet', 'trousseau' ) : __( 'I haven’t wrapped it yet', 'trousseau' ), array( 'note' => '' ), $gift, 'is-quiet' ) : '';
}
if ( $longer && ! $is_gone && ! $is_bought ) {
	echo Form::button( $address, 'keep', $keep, array( 'until' => $longer ), $gift, 'is-quiet' );
}
if ( ( $is_open && ! $is_asked && $consequence === '' ) || $state === 'pending' ) {
	echo Form::button( $address, 'release', $is_share ? __( 'Cancel my share', 'trousseau' ) : __( 'Cancel my gift', 'trousseau' ), array(), $gift, 'is-quiet' );
}
?>
</div>
<?php if ( $is_open && ! $is_asked && ! $money && $consequence !== '' && ( $buying['received'] ?? '' ) === '' ) : ?>
<details class="trousseau-more">
	<summary><?php esc_html_e( 'Cancel my share', 'trousseau' ); ?></summary>
	<p><?php echo esc_html( $consequence ); ?></p>
	<?php echo $is_sent ? Form::button( $address, 'got-back', __( 'I’ve got it back', 'trousseau' ), array( 'from' => $place ), $gift, 'is-quiet' ) : Form::button( $address, 'release', __( 'Cancel my share', 'trousseau' ), array(), $gift, 'is-quiet' ); ?>
</details>
<?php endif; ?>
<?php
if ( $is_open && ! ( $is_share && $is_gone ) ) {
	echo $is_share ? '<details class="trousseau-more"' . ( $form->is_sound() ? '' : ' open' ) . '><summary>' . esc_html__( 'Change amount or message', 'trousseau' ) . '</summary>' : '';
	echo Form::open( $address, 'change', array(), 'is-quiet' );
	if ( $is_share && ! $is_sent ) {
		/* translators: %s: amount of money */
		echo $form->input( 'amount', __( 'How much are you giving?', 'trousseau' ), array( 'inputmode' => 'decimal', 'required' => true, 'autocomplete' => 'off' ), sprintf( __( 'Up to %s.', 'trousseau' ), GiftAmount::of( $most, $currency ) ) );
	} elseif ( ! $is_share && $most > 1 ) {
		/* translators: %s: number of pieces */
		echo $form->input( 'count', __( 'How many are you giving?', 'trousseau' ), array( 'type' => 'number', 'min' => 1, 'max' => $most, 'required' => true ), sprintf( __( 'Up to %s.', 'trousseau' ), number_format_i18n( $most ) ) );
	}
	echo $form->textarea( 'message', __( 'Your message', 'trousseau' ), array( 'maxlength' => 500, 'rows' => 2 ), __( 'They’ll read it with your gift. Optional.', 'trousseau' ) );
	echo '<p>' . Form::submit( __( 'Save changes', 'trousseau' ) ) . '</p></form>' . ( $is_share ? '</details>' : '' );
}
?>
<p class="trousseau-ways">
<?php if ( $shop !== '' && ( $is_share ? $to_buy : in_array( $state, array( 'pending', 'reserved' ), true ) ) ) : ?>
	<a href="<?php echo esc_url( $shop ); ?>" rel="<?php echo esc_attr( ShopLink::relation( $shop ) ); ?>" referrerpolicy="strict-origin"><?php esc_html_e( 'View in shop', 'trousseau' ); ?></a>
	<?php echo ShopLink::disclosure( $shop ) === '' ? '' : '<small>' . esc_html( ShopLink::disclosure( $shop ) ) . '</small>'; ?>

<?php endif; ?>
<?php if ( $permalink !== '' && ! $may_read ) : ?>
	<small><?php esc_html_e( 'To see the list on this device, open your invitation or the list’s link here.', 'trousseau' ); ?></small>
	<a href="<?php echo esc_url( $lost ); ?>"><?php esc_html_e( 'Resend my invitation', 'trousseau' ); ?></a>
<?php elseif ( $permalink !== '' ) : ?>
	<?php echo $again === '' ? '' : '<a class="wp-element-button" href="' . esc_url( $again ) . '">' . esc_html__( 'Give it after all', 'trousseau' ) . '</a>'; ?>

	<a<?php echo $next && $again === '' ? ' class="wp-element-button"' : ''; ?> href="<?php echo esc_url( $permalink ); ?>"><?php $next ? esc_html_e( 'Choose another gift', 'trousseau' ) : esc_html_e( 'Back to the list', 'trousseau' ); ?></a>
<?php endif; ?>
</p>
