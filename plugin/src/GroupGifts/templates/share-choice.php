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
	echo $is_sent ? '' : Form::button( $address, 'release', __( 'Remove', 'trousseau' ), array(), $gift, 'is-quiet' );
	?>
	</div>
	<?php if ( $is_sent ) : ?>
	<details class="trousseau-more">
		<summary><?php esc_html_e( 'Remove', 'trousseau' ); ?></summary>
		<p><?php esc_html_e( 'You’ve told us that you sent your share. The owners have the money, or the person who is buying the gift does. Only they can return it, so if you cancel your share, please ask them.', 'trousseau' ); ?></p>
		<?php echo Form::button( $address, 'release', __( 'Cancel my share', 'trousseau' ), array(), $gift, 'is-quiet' ); ?>
	</details>
	<?php endif; ?>
</section>
