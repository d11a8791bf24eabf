<?php
/**
 * The reader's money that lies with somebody to whom it doesn't belong.
 *
 * @var string $amount
 * @var string $place    The place where it lies, as the form sends it.
 * @var bool   $owners   Whether the owners of the list have it.
 * @var string $holder   The name of the guest who has it; nothing where they are forgotten.
 * @var bool   $may_pass Whether it may be passed on to where the share belongs now.
 * @var string $address
 * @var string $gift
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\GroupGifts\ShareMoney;
use Trousseau\Platform\Form;

?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Your money', 'trousseau' ); ?></h2>
	<p><?php echo esc_html( ShareMoney::where( $amount, $owners, $holder ) . ' ' . ( $may_pass ? __( 'Ask them to pass it on or return it.', 'trousseau' ) : __( 'Ask them to return it.', 'trousseau' ) ) ); ?></p>
	<p><?php echo Form::button( $address, 'got-back', __( 'I’ve got it back', 'trousseau' ), array( 'from' => $place ), $gift, 'is-quiet' ); ?></p>
</section>
