<?php
/**
 * The one who buys a gift that several pay for, as each of its givers sees it.
 *
 * @var Trousseau\Platform\Form $form
 * @var bool                    $is_mine  Whether the reader buys it.
 * @var string                  $my_other The address of the share with which the reader buys it; nothing: this one, or they don't.
 * @var bool                    $is_fund  Whether it is money for the owners, which nobody buys: somebody may only collect it.
 * @var bool                    $may_buy  Whether the owners have invited the reader.
 * @var string|null             $by       The buyer's name; empty: they don't say it; null: nobody buys it, or the reader.
 * @var bool                    $is_bought Whether the gift is bought.
 * @var bool                    $is_short Whether the day has come and money is missing.
 * @var int                     $rest     The money that the one who buys still lacks.
 * @var string                  $currency
 * @var string                  $received The money that the others have sent to the reader.
 * @var string                  $sums     The same beside what is to come, in words.
 * @var array<int, array{name: string, amount: string, stage: string}> $others The shares of others, for the one who buys.
 * @var string                  $address
 * @var string                  $gift
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftAmount;
use Trousseau\Giving\MyGiftPage;
use Trousseau\Lists\Meta;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;

$trousseau_form = static function () use ( $form, $is_mine, $is_fund, $address, $gift ): void {
	echo Form::open( $address, 'buy' );
	echo $form->textarea( 'pay_to', __( 'How should the others pay you?', 'trousseau' ), array( 'maxlength' => Meta::MAX_PAY_TO, 'rows' => 2, 'autocomplete' => 'off' ), __( 'An IBAN with the account holder’s name, a PayPal.Me link, or words such as “in an envelope”. Only people with a confirmed share see it.', 'trousseau' ) );
	printf( '<p><label class="trousseau-choice"><input type="checkbox" name="named" value="1"%s> <span>%s <small>%s</small></span></label></p>', checked( $form->is_checked( 'named' ), true, false ), esc_html__( 'Show the others my name', 'trousseau' ), $is_fund ? '' : esc_html__( 'Otherwise they only see that one of you is buying it. If you’ve received money and then stop buying it, those who sent it see your name. What you wrote above may also show who you are.', 'trousseau' ) );
	echo '<p>' . Form::submit( $is_mine ? __( 'Save', 'trousseau' ) : __( 'I’ll buy it', 'trousseau' ), $gift ) . '</p></form>';
};
?>
<?php
// Nobody is asked to collect the money of a fund.
if ( $is_fund && ! $is_mine && $my_other === '' && $by === null ) {
	return;
}
?>
<section class="trousseau-section">
	<h2><?php $is_fund ? esc_html_e( 'Where the money goes', 'trousseau' ) : esc_html_e( 'Who’s buying', 'trousseau' ); ?></h2>
<?php if ( $is_mine ) : ?>
	<p><?php echo esc_html( $is_fund ? __( 'You’re collecting the money, and the others are sending you their shares.', 'trousseau' ) : ( $is_bought ? __( 'You’ve bought it, and the others are sending you their shares.', 'trousseau' ) : __( 'You’re buying it, and the others are sending you their shares.', 'trousseau' ) ) ); ?></p>
	<?php if ( $is_short && ! $is_fund && $rest > 0 && ! $is_bought ) : ?>
	<p><?php
		/* translators: %s: amount of money */
		echo esc_html( sprintf( __( 'The day has come, and %s is missing. Buy it anyway, or let someone else buy it.', 'trousseau' ), GiftAmount::of( $rest, $currency ) ) );
	?></p>
	<?php endif; ?>
	<?php echo $sums === '' ? '' : '<p>' . esc_html( $sums ) . '</p>'; ?>
	<?php if ( $others ) : ?>
	<ul class="trousseau-rows" role="list">
		<?php foreach ( $others as $trousseau_other ) : ?>
		<li><span><strong><?php echo esc_html( Language::isolate( $trousseau_other['name'] ) ); ?></strong> <?php echo esc_html( $trousseau_other['amount'] ); ?>
		<small><?php echo esc_html( $trousseau_other['stage'] ); ?></small></span></li>
		<?php endforeach; ?>
	</ul>
	<?php endif; ?>
	<details class="trousseau-more"<?php echo $form->is_sound() ? '' : ' open'; ?>>
		<summary><?php esc_html_e( 'How the others pay you', 'trousseau' ); ?></summary>
		<?php $trousseau_form(); ?>
	</details>
	<?php if ( ! $is_bought && $received !== '' ) : ?>
	<p><small><?php echo esc_html( MyGiftPage::no_way_back( $received ) ); ?></small></p>
	<?php elseif ( ! $is_bought ) : ?>
	<details class="trousseau-more">
		<summary><?php $is_fund ? esc_html_e( 'I’m no longer collecting', 'trousseau' ) : esc_html_e( 'I’m no longer buying it', 'trousseau' ); ?></summary>
		<p><?php $is_fund ? esc_html_e( 'You keep your own share. We’ll email the others to send theirs to the owners.', 'trousseau' ) : esc_html_e( 'You keep your own share. We’ll email the others that no one is buying it now and one of them can.', 'trousseau' ); ?></p>
		<?php echo Form::button( $address, 'not-buy', $is_fund ? __( 'Stop collecting', 'trousseau' ) : __( 'Let someone else buy it', 'trousseau' ), array(), $gift, 'is-quiet' ); ?>
	</details>
	<?php endif; ?>
<?php elseif ( $my_other !== '' ) : ?>
	<p><?php echo esc_html( $is_fund ? __( 'You’re collecting the money, so you keep this share.', 'trousseau' ) : ( $is_bought ? __( 'You’ve bought it, and this share paid for it, too.', 'trousseau' ) : __( 'You’re buying it with another of your shares, so you keep this one.', 'trousseau' ) ) ); ?>
	<a href="<?php echo esc_url( $my_other ); ?>"><?php $is_fund ? esc_html_e( 'View your other share', 'trousseau' ) : esc_html_e( 'View the share you’re buying it with', 'trousseau' ); ?></a></p>
<?php elseif ( $by !== null ) : ?>
	<p><?php
	echo esc_html(
		match ( true ) {
			$is_fund && $by === ''   => __( 'One of you is collecting the money. Send your share to them.', 'trousseau' ),
			/* translators: 1: name of a person */
			$is_fund                 => sprintf( __( '%1$s is collecting the money. Send your share to %1$s.', 'trousseau' ), Language::isolate( $by ) ),
			$by === '' && $is_bought => __( 'One of you has bought it for everyone. Send your share to them.', 'trousseau' ),
			$by === ''               => __( 'One of you is buying it for everyone. Send your share to them.', 'trousseau' ),
			/* translators: 1: name of a person */
			$is_bought               => sprintf( __( '%1$s has bought it for everyone. Send your share to %1$s.', 'trousseau' ), Language::isolate( $by ) ),
			/* translators: 1: name of a person */
			default                  => sprintf( __( '%1$s is buying it for everyone. Send your share to %1$s.', 'trousseau' ), Language::isolate( $by ) ),
		}
	);
	?></p>
<?php elseif ( ! $may_buy ) : ?>
	<p><?php esc_html_e( 'Nobody is buying it for everyone yet, so send your share to the owners.', 'trousseau' ); ?></p>
<?php else : ?>
	<p><?php esc_html_e( 'Nobody is buying it for everyone yet, so send your share to the owners. If you buy it, the others send their shares to you.', 'trousseau' ); ?></p>
	<details class="trousseau-more"<?php echo $form->is_sound() ? '' : ' open'; ?>>
		<summary><?php esc_html_e( 'Buy it for everyone', 'trousseau' ); ?></summary>
		<?php $trousseau_form(); ?>
	</details>
<?php endif; ?>
</section>
