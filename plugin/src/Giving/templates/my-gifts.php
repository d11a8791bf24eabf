<?php
/**
 * The gifts that a visitor gives.
 *
 * @var array<string, array>|null $stages  The gifts by how far they are; null: they aren't known right now.
 * @var bool                      $is_sent Whether the page says that this email was sent.
 * @var bool                      $is_late Whether its link was opened too late, or is damaged.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Giving\MyGiftPage;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

$trousseau_states           = array(
	/* translators: %s: day and time */
	'pending'   => __( 'Confirm by %s', 'trousseau' ),
	/* translators: %s: date */
	'reserved'  => __( 'Reserved for you until %s', 'trousseau' ),
	'purchased' => __( 'Bought', 'trousseau' ),
	'released'  => __( 'Cancelled', 'trousseau' ),
	'expired'   => __( 'Time ran out', 'trousseau' ),
);
$trousseau_states_of_shares = array(
	/* translators: %s: date */
	'reserved'  => __( 'Send by %s', 'trousseau' ),
	'purchased' => _x( 'Sent', 'share of a gift', 'trousseau' ),
) + $trousseau_states;
$trousseau_states_of_buyers = array(
	/* translators: %s: date */
	'reserved' => __( 'Buy it by %s', 'trousseau' ),
) + $trousseau_states;

$trousseau_stages = array(
	'pending'   => __( 'To confirm', 'trousseau' ),
	'reserved'  => __( 'To buy or send', 'trousseau' ),
	// Each is still reserved until its giver cancels it.
	'removed'   => __( 'Removed by the owners', 'trousseau' ),
	'purchased' => __( 'Bought or sent', 'trousseau' ),
	'over'      => __( 'No longer reserved', 'trousseau' ),
);
?>
<?php if ( $stages ) : ?>
	<?php foreach ( $stages as $trousseau_stage => $trousseau_gifts ) : ?>
<h2><?php echo esc_html( $trousseau_stages[ $trousseau_stage ] ); ?></h2>
<ul class="trousseau-rows" role="list">
	<?php foreach ( $trousseau_gifts as $trousseau_gift ) : ?>
	<li class="has-picture">
		<span class="trousseau-order__picture"><?php echo $trousseau_gift['picture'] === '' ? '' : sprintf( '<img src="%s" alt="" loading="lazy" width="88" height="88">', esc_url( $trousseau_gift['picture'] ) ); ?></span>
		<span><a class="trousseau-row" href="<?php echo esc_url( add_query_arg( MyGiftPage::LOOKS, 1, $trousseau_gift['link'] ) ); ?>"><strong><?php echo esc_html( $trousseau_gift['named'] ); ?></strong></a>
		<small><?php
		$trousseau_words = match ( true ) {
			$trousseau_gift['buys']            => $trousseau_states_of_buyers,
			$trousseau_gift['currency'] === '' => $trousseau_states,
			default                            => $trousseau_states_of_shares,
		};
		$trousseau_state = match ( true ) {
			$trousseau_gift['is_list_gone'] => __( 'The list was deleted', 'trousseau' ),
			$trousseau_stage === 'removed' => '',
			default => sprintf( $trousseau_words[ $trousseau_gift['state'] ], $trousseau_gift['until'] ),
		};
		$trousseau_gone = $trousseau_gift['is_removed'] && ! $trousseau_gift['is_list_gone'] ? __( 'No longer on the list', 'trousseau' ) : '';
		/* translators: %s: name of a list */
		echo esc_html( Language::facts( array( $trousseau_gift['registry'] === '' ? '' : sprintf( __( 'For %s', 'trousseau' ), Language::isolate( $trousseau_gift['registry'] ) ), $trousseau_state, $trousseau_gone ) ) );
		?></small></span>
		<?php
		if ( $trousseau_stage === 'pending' ) {
			echo $trousseau_gift['may_confirm']
				? Form::button( $trousseau_gift['link'], 'confirm', __( 'Confirm', 'trousseau' ), array(), $trousseau_gift['gift'] )
				: Form::button( $trousseau_gift['link'], 'resend', __( 'Resend the email', 'trousseau' ), array(), $trousseau_gift['gift'], 'is-quiet' );
		}
		?>
	</li>
	<?php endforeach; ?>
</ul>
	<?php endforeach; ?>
<?php elseif ( $ask && $is_late ) : ?>
	<?php echo FlashMessage::note( __( 'This link has expired or isn’t complete. Links work for a day: ask for a new one below.', 'trousseau' ), 'is-problem' ); ?>
<?php elseif ( $stages !== null && ! $is_sent ) : ?>
<p><?php $ask ? esc_html_e( 'You haven’t given anything from this device yet.', 'trousseau' ) : esc_html_e( 'Nothing here yet. Once you give something, you’ll find it here.', 'trousseau' ); ?></p>
<?php endif; ?>
<?php if ( $ask ) : ?>
<section class="trousseau-section">
	<?php
	echo $is_sent || $is_late ? '' : '<h2>' . esc_html__( 'Gave something on another device?', 'trousseau' ) . '</h2>';
	echo Template::html(
		'mail-request',
		compact( 'form', 'address', 'is_sent' ) + array(
			'action'     => 'ask',
			'hint'       => __( 'We’ll email you a link to everything you’re giving.', 'trousseau' ),
			'button'     => __( 'Email me the link', 'trousseau' ),
			'if_nothing' => __( 'Still nothing? Try the email you used when you chose your gift.', 'trousseau' ),
		)
	);
	?>
	<p class="trousseau-ways"><a href="<?php echo esc_url( $lost ); ?>"><?php esc_html_e( 'Resend my invitation', 'trousseau' ); ?></a></p>
</section>
<?php endif; ?>
