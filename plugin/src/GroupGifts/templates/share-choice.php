<?php
/**
 * The question to a giver whose gift lacks money on the day.
 *
 * @var string $choice  Their answer: `keep`, `other`, or nothing.
 * @var bool   $is_sent Whether the reader has sent the share.
 * @var string $address
 * @var string $gift
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\GroupGifts\SharedGift;
use Trousseau\Platform\Form;

?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Not all of the money came together', 'trousseau' ); ?></h2>
	<p><?php
	echo esc_html(
		match ( $choice ) {
			SharedGift::KEEP  => __( 'You’ve chosen that they get your share towards the gift all the same.', 'trousseau' ),
			SharedGift::OTHER => __( 'You’ve chosen that they may use your share for something else.', 'trousseau' ),
			default           => __( 'The day has come. Your share stays with the gift unless you choose something else.', 'trousseau' ),
		}
	);
	?></p>
	<div class="trousseau-ways">
	<?php
	echo $choice === SharedGift::KEEP ? '' : Form::button( $address, 'leave-share', __( 'Keep it for the gift', 'trousseau' ), array(), $gift, 'is-quiet' );
	echo $choice === SharedGift::OTHER ? '' : Form::button( $address, 'other-use', __( 'Use it for something else', 'trousseau' ), array(), $gift, 'is-quiet' );
	echo $is_sent ? '' : Form::button( $address, 'release', __( 'Take it back', 'trousseau' ), array(), $gift, 'is-quiet' );
	?>
	</div>
	<?php if ( $is_sent ) : ?>
	<details class="trousseau-more">
		<summary><?php esc_html_e( 'Take it back', 'trousseau' ); ?></summary>
		<p><?php esc_html_e( 'You’ve said that you have sent your share: the money is with the people whose list it is, or with the one who buys the gift. Only they can give it back to you. If you take your share back, please ask them for it.', 'trousseau' ); ?></p>
		<?php echo Form::button( $address, 'release', __( 'Take my share back', 'trousseau' ), array(), $gift, 'is-quiet' ); ?>
	</details>
	<?php endif; ?>
</section>
