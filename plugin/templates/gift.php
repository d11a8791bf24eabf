<?php
/**
 * One gift, for its giver.
 *
 * @var string $state
 * @var int    $quantity
 * @var string $gift
 * @var string $registry
 * @var string $permalink
 * @var string $shop
 * @var string $until
 * @var string $message
 * @var bool   $thanked
 * @var string $address
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

?>
<p><strong><?php echo esc_html( Trousseau\Language::times( $quantity, $gift ) ); ?></strong><br>
<small><?php
/* translators: %s: name of a list */
echo esc_html( sprintf( __( 'for %s', 'trousseau' ), Trousseau\Language::isolate( $registry ) ) );
?></small></p>
<p><?php
echo esc_html(
	match ( $state ) {
		/* translators: %s: date and time */
		'pending'   => sprintf( __( 'Held for you until %s. Please confirm.', 'trousseau' ), $until ),
		/* translators: %s: date */
		'reserved'  => sprintf( __( 'Reserved for you until %s.', 'trousseau' ), $until ),
		'purchased' => $thanked ? __( 'You have bought it, and were thanked.', 'trousseau' ) : __( 'You have bought it. Thank you!', 'trousseau' ),
		'released'  => __( 'You changed your mind; it is free for others again.', 'trousseau' ),
		default     => __( 'The time was over; it is free for others again.', 'trousseau' ),
	}
);
?></p>
<?php echo $message === '' ? '' : '<p><q>' . esc_html( $message ) . '</q></p>'; ?>
<div class="trousseau-ways">
<?php
if ( $state === 'pending' ) {
	echo Trousseau\Form::button( $address, 'confirm', __( 'Confirm', 'trousseau' ), array(), $gift );
}
if ( $state === 'reserved' || $state === 'pending' ) {
	echo Trousseau\Form::button( $address, 'bought', __( 'I’ve bought it', 'trousseau' ), array(), $gift, $state === 'pending' ? 'is-quiet' : '' );
}
if ( in_array( $state, array( 'pending', 'reserved', 'purchased' ), true ) ) {
	echo Trousseau\Form::button( $address, 'release', __( 'I changed my mind', 'trousseau' ), array(), $gift, 'is-quiet' );
}
?>
</div>
<p class="trousseau-ways">
<?php if ( $shop !== '' && in_array( $state, array( 'pending', 'reserved' ), true ) ) : ?>
	<a href="<?php echo esc_url( $shop ); ?>" rel="nofollow noopener" referrerpolicy="strict-origin"><?php esc_html_e( 'See it in the shop', 'trousseau' ); ?></a>
<?php endif; ?>
<?php if ( $permalink !== '' ) : ?>
	<a href="<?php echo esc_url( $permalink ); ?>"><?php esc_html_e( 'To the list', 'trousseau' ); ?></a>
<?php endif; ?>
</p>
