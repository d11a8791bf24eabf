<?php
/**
 * A new registry.
 *
 * @var string $address
 * @var bool   $is_known  Whether the visitor has signed in.
 * @var bool   $was_begun Whether they began it before.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

if ( $was_begun ) {
	echo Trousseau\Message::note( __( 'Here is what you started. Look it over, then make your list.', 'trousseau' ), 'is-answer' );
}
echo Trousseau\Form::open( $address, 'make', array(), '', true );
echo Trousseau\Template::html( 'registry-fields', get_defined_vars() );
echo '<p>' . Trousseau\Form::submit( $is_known ? __( 'Make my list', 'trousseau' ) : __( 'Go on', 'trousseau' ) ) . '</p>';
?>
</form>
