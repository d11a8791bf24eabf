<?php
/**
 * The question to a giver whose gift lacks money on the day.
 *
 * @var string $choice  Their answer: `keep`, `other`, or nothing.
 * @var string|null $sent_to The place to which the reader has sent the share; null: it isn't sent.
 * @var string $address
 * @var string $gift
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\GroupGifts\ShareMoney;
use Trousseau\GroupGifts\SharedGift;
use Trousseau\Platform\Form;

?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'The goal wasn’t reached', 'trousseau' ); ?></h2>
	<p><?php
	echo esc_html(
		match ( $choice ) {
			SharedGift::KEEP  => __( 'Your choice: they get your share towards the gift anyway.', 'trousseau' ),
			SharedGift::OTHER => __( 'Your choice: they may use your share for something else.', 'trousseau' ),
			default           => __( 'The day has come. Your share stays with the gift unless you choose otherwise.', 'trousseau' ),
		}
	);
	?></p>
	<div class="trousseau-ways">
	<?php
	echo $choice === SharedGift::KEEP ? '' : Form::button( $address, 'leave-share', __( 'Keep it for the gift', 'trousseau' ), array(), $gift, 'is-quiet' );
	echo $choice === SharedGift::OTHER ? '' : Form::button( $address, 'other-use', __( 'Use it for something else', 'trousseau' ), array(), $gift, 'is-quiet' );
	echo $sent_to !== null ? '' : Form::button( $address, 'release', __( 'Cancel my share', 'trousseau' ), array(), $gift, 'is-quiet' );
	?>
	</div>
	<?php if ( $sent_to !== null ) : ?>
	<details class="trousseau-more">
		<summary><?php esc_html_e( 'Cancel my share', 'trousseau' ); ?></summary>
		<p><?php echo esc_html( ShareMoney::no_way_back() ); ?></p>
		<?php echo Form::button( $address, 'got-back', __( 'I’ve got it back', 'trousseau' ), array( 'from' => $sent_to ), $gift, 'is-quiet' ); ?>
	</details>
	<?php endif; ?>
</section>
