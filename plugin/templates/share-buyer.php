<?php
/**
 * The one who buys a gift that several pay for, as each of its givers sees it.
 *
 * @var Trousseau\Support\Form                                     $form
 * @var bool                                                       $is_mine  Whether the reader buys it.
 * @var bool                                                       $may_buy  Whether the owners have invited the reader.
 * @var string|null                                                $by       The buyer's name; empty: they don't say it; null: nobody buys it, or the reader.
 * @var array<int, array{name: string, amount: string, is_sent: bool}> $others The other shares, for the one who buys.
 * @var string                                                     $address
 * @var string                                                     $gift
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\Meta;
use Trousseau\Support\Form;
use Trousseau\Support\Language;

$trousseau_form = static function () use ( $form, $is_mine, $address, $gift ): void {
	echo Form::open( $address, 'buy' );
	echo $form->input( 'pay_to', __( 'How do the others send you their shares?', 'trousseau' ), array( 'maxlength' => Meta::MAX_PAY_TO, 'autocomplete' => 'off' ), __( 'An IBAN with the name of the account, a PayPal.Me address, or words such as “in an envelope”. Only those who have confirmed a share see it.', 'trousseau' ) );
	printf( '<p><label class="trousseau-choice"><input type="checkbox" name="named" value="1"%s> <span>%s</span></label></p>', checked( $form->is_checked( 'named' ), true, false ), esc_html__( 'The others may read my name', 'trousseau' ) );
	echo '<p>' . Form::submit( $is_mine ? __( 'Save changes', 'trousseau' ) : __( 'I’ll buy it', 'trousseau' ), $gift ) . '</p></form>';
};
?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'The one who buys it', 'trousseau' ); ?></h2>
<?php if ( $is_mine ) : ?>
	<p><?php esc_html_e( 'You buy it, and the others send their shares to you.', 'trousseau' ); ?></p>
	<?php if ( $others ) : ?>
	<ul class="trousseau-rows" role="list">
		<?php foreach ( $others as $trousseau_other ) : ?>
		<li><span><strong><?php echo esc_html( Language::isolate( $trousseau_other['name'] ) ); ?></strong> <?php echo esc_html( $trousseau_other['amount'] ); ?>
		<small><?php echo esc_html( $trousseau_other['is_sent'] ? _x( 'sent', 'share of a gift', 'trousseau' ) : _x( 'will be sent', 'share of a gift', 'trousseau' ) ); ?></small></span></li>
		<?php endforeach; ?>
	</ul>
	<?php endif; ?>
	<?php $trousseau_form(); ?>
	<p><?php echo Form::button( $address, 'not-buy', __( 'I don’t buy it after all', 'trousseau' ), array(), $gift, 'is-quiet' ); ?></p>
<?php elseif ( $by !== null ) : ?>
	<p><?php
	/* translators: %s: name of a person */
	echo esc_html( $by === '' ? __( 'One of you buys it. Your share goes to them.', 'trousseau' ) : sprintf( __( '%s buys it. Your share goes to them.', 'trousseau' ), Language::isolate( $by ) ) );
	?></p>
<?php elseif ( ! $may_buy ) : ?>
	<p><?php esc_html_e( 'Nobody has said yet that they buy it, so your share goes to the people whose list it is.', 'trousseau' ); ?></p>
<?php else : ?>
	<p><?php esc_html_e( 'Nobody has said yet that they buy it, so your share goes to the people whose list it is. One of you may buy it: then the others send their shares to them.', 'trousseau' ); ?></p>
	<details class="trousseau-more"<?php echo $form->is_sound() ? '' : ' open'; ?>>
		<summary><?php esc_html_e( 'I’ll buy it', 'trousseau' ); ?></summary>
		<?php $trousseau_form(); ?>
	</details>
<?php endif; ?>
</section>
