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

use Trousseau\Support\Form;
use Trousseau\Support\Language;

$trousseau_where = match ( true ) {
	/* translators: %s: amount of money */
	$owners        => sprintf( __( 'Your %s is with the people whose list it is.', 'trousseau' ), $amount ),
	/* translators: %s: amount of money */
	$holder === '' => sprintf( __( 'Your %s is with a guest who buys the gift, or was going to.', 'trousseau' ), $amount ),
	/* translators: 1: amount of money, 2: name of a person */
	default        => sprintf( __( 'Your %1$s is with %2$s.', 'trousseau' ), $amount, Language::isolate( $holder ) ),
};
?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Your money', 'trousseau' ); ?></h2>
	<p><?php echo esc_html( $trousseau_where . ' ' . ( $may_pass ? __( 'Ask them to pass it on, or to give it back to you.', 'trousseau' ) : __( 'Ask them to give it back to you.', 'trousseau' ) ) ); ?></p>
	<p><?php echo Form::button( $address, 'got-back', __( 'I’ve got it back', 'trousseau' ), array( 'from' => $place ), $gift, 'is-quiet' ); ?></p>
</section>
