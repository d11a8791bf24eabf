<?php
/**
 * The state and the buttons of a gift of pieces, for its giver.
 *
 * @var string[] $steps  What happens next; none where the page says it otherwise. The first one says where to buy and send it.
 * @var string   $notes  The same once nothing is left to do.
 * @var bool     $is_lost Whether it is off the list.
 * @var int      $longer The later time until which it can be kept; 0: none.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

$is_live    = in_array( $state, array( 'reserved', 'purchased' ), true );
$is_dropped = $is_lost && $late === '' && $state === 'reserved';

echo $answer;
// The answer to a press says the state, but what to do about a gift that is off its list.
echo $answer !== '' && ! ( $is_lost && $is_live ) ? '' : '<p>' . esc_html(
	match ( true ) {
		$late !== ''           => $late,
		$state === 'pending'   => sprintf(
			$may_confirm
				/* translators: %s: date and time */
				? __( 'It’s reserved for you until %s. Please confirm.', 'trousseau' )
				/* translators: 1: date and time, 2: email address */
				: __( 'It’s reserved for you until %1$s. To confirm, use the link we emailed to %2$s. Wrong email? Cancel this gift and choose it again.', 'trousseau' ),
			$until,
			Language::isolate( $email )
		),
		$is_lost               => match ( $state ) {
			'reserved'  => __( 'The owners have removed this gift from their list. Please don’t buy it.', 'trousseau' ),
			'purchased' => __( 'The owners have removed this gift from their list. Please tell them that you’ve bought it.', 'trousseau' ),
			default     => __( 'The owners have removed this gift from their list.', 'trousseau' ),
		},
		$state === 'released'  => __( 'You cancelled this gift, so others can give it.', 'trousseau' ),
		! $is_live             => __( 'The reservation ran out, so others can give it.', 'trousseau' ),
		/* translators: %s: date */
		$state === 'reserved'  => sprintf( __( 'It’s reserved for you until %s.', 'trousseau' ), $until ),
		$thanked               => __( 'You’ve bought it, and they’ve thanked you.', 'trousseau' ),
		default                => __( 'You’ve bought it. Thank you!', 'trousseau' ),
	}
) . '</p>';
?>
<?php echo $message === '' ? '' : '<p><q>' . esc_html( $message ) . '</q></p>'; ?>
<?php if ( $steps ) : ?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'What happens next', 'trousseau' ); ?></h2>
	<ol class="trousseau-steps">
	<?php foreach ( $steps as $trousseau_place => $trousseau_step ) : ?>
		<li><?php
		echo esc_html( $trousseau_step );
		if ( $trousseau_place === 0 ) {
			echo $delivery === '' ? '' : '<br><span dir="auto">' . nl2br( esc_html( $delivery ) ) . '</span>';
			echo $shop === '' ? '' : '<br>' . Template::html( 'shop-link', compact( 'shop' ) + array( 'asks' => false ) );
			echo Template::html( 'shop-disclosure', compact( 'shop' ) + array( 'is_line' => true ) );
		}
		?></li>
	<?php endforeach; ?>
	</ol>
</section>
<?php endif; ?>
<?php
echo $notes === '' ? '' : '<p>' . esc_html( $notes ) . '</p>';
echo $steps ? '' : Template::html( 'delivery', compact( 'delivery' ) );
$trousseau_press = static fn( string $action, string $label, array $hidden = array(), string $class = '' ): string => Form::button( $address, $action, $label, $hidden, $gift, $class );
$trousseau_main  = match ( true ) {
	$late !== ''            => '',
	$state === 'pending'    => $may_confirm ? $trousseau_press( 'confirm', __( 'Confirm', 'trousseau' ), array(), $at_once ? 'is-at-once' : '' ) : $trousseau_press( 'resend', __( 'Resend the email', 'trousseau' ), class: 'is-quiet' ),
	$is_dropped             => $trousseau_press( 'release', __( 'Cancel my gift', 'trousseau' ) ),
	$state === 'reserved'   => $trousseau_press( 'bought', __( 'I’ve bought it', 'trousseau' ) ),
	default                 => '',
};
$others = ( $is_dropped || ( $late === '' && $state === 'pending' && $may_confirm ) ? $trousseau_press( 'bought', __( 'I’ve bought it', 'trousseau' ), array(), 'is-link' ) : '' )
	. ( $longer && ! $steps ? $trousseau_press( 'keep', $keep, array( 'until' => $longer ), 'is-link' ) : '' )
	. ( ( $is_live && ! $is_dropped ) || $state === 'pending' ? $trousseau_press( 'release', __( 'Cancel my gift', 'trousseau' ), array(), 'is-link' ) : '' );
echo Template::html( 'ways', array( 'body' => $trousseau_main, 'more' => '', 'shop' => $steps ? '' : $shop ) + compact( 'gift', 'back', 'others' ) );
if ( $is_live && ! $is_lost && $late === '' ) {
	/* translators: %s: number of pieces */
	$body    = $most > 1 ? $form->input( 'count', __( 'How many are you giving?', 'trousseau' ), array( 'type' => 'number', 'min' => 1, 'max' => $most, 'required' => true ), sprintf( __( 'Up to %s.', 'trousseau' ), number_format_i18n( $most ) ) ) : '';
	$summary = $most > 1 ? __( 'Change number or message', 'trousseau' ) : ( $message === '' ? __( 'Add a message', 'trousseau' ) : __( 'Change message', 'trousseau' ) );
	echo Template::html( 'change-gift', compact( 'form', 'address', 'summary', 'body' ) );
}
