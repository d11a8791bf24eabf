<?php
/**
 * The people whose list it is.
 *
 * @var array<string, string> $others  The other owners, by user names and addresses.
 * @var array<string, string> $names   The names of those who have an account, with the same keys.
 * @var string[]              $own     The reader's own among them.
 * @var string                $offered The name of the owner it has been offered to, or ''.
 * @var bool                  $is_mine Whether that is the reader.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

if ( $is_mine ) {
	/* translators: %s: name of a person */
	echo '<section class="trousseau-section"><h2>' . esc_html( sprintf( __( '%s wants to hand this list over to you', 'trousseau' ), Language::isolate( $first ) ) ) . '</h2>';
	/* translators: %s: name of a person */
	echo '<p>' . esc_html( sprintf( __( 'If you accept, only you can delete the list or remove owners. %s can still change everything else, as you can now.', 'trousseau' ), Language::isolate( $first ) ) ) . '</p>';
	echo '<div class="trousseau-ways">' . Form::button( $address, 'take', __( 'Accept the list', 'trousseau' ) ) . Form::button( $address, 'end-offer', __( 'Decline', 'trousseau' ), array(), '', 'is-quiet' ) . '</div></section>';
}
?>
<ul class="trousseau-rows" role="list">
	<li class="is-guest"><span><strong><?php echo esc_html( Language::isolate( $first ) ); ?></strong> <small><?php echo $is_own ? esc_html__( 'You', 'trousseau' ) . ' · ' : ''; ?><?php esc_html_e( 'Can delete the list', 'trousseau' ); ?></small></span></li>
<?php
foreach ( $others as $trousseau_key => $trousseau_person ) :
	$trousseau_name = str_contains( $trousseau_person, '@' ) ? $trousseau_person : ( $names[ $trousseau_key ] ?? $trousseau_person );
	?>
	<li class="is-guest">
		<span>
			<strong><?php echo esc_html( Language::isolate( $trousseau_name ) ); ?></strong>
			<?php if ( in_array( $trousseau_person, $own, true ) ) : ?>
			<small><?php esc_html_e( 'You', 'trousseau' ); ?></small>
			<?php endif; ?>
		</span>
		<?php
		if ( $rules ) {
			$trousseau_may_take = $offered === '' && isset( $names[ $trousseau_key ] );
			$trousseau_offer    = $trousseau_may_take ? Form::button( $address, 'offer', __( 'Hand over the list', 'trousseau' ), array( 'person' => $trousseau_person ), $trousseau_name ) : '';
			echo Template::more( $trousseau_offer . Form::button( $address, 'remove', __( 'Remove', 'trousseau' ), array( 'person' => $trousseau_person ), $trousseau_name ), $trousseau_name );
		}
		?>
	</li>
<?php endforeach; ?>
</ul>
<?php
if ( $own && ! $rules ) {
	echo '<p class="trousseau-ways">' . Form::button( $address, 'leave', __( 'Leave this list', 'trousseau' ), array(), '', 'is-quiet' ) . '</p>';
}
if ( $rules && $offered !== '' ) {
	/* translators: %s: name of a person */
	echo '<div class="trousseau-ways"><p>' . esc_html( sprintf( __( 'We’ve asked %s to take over this list.', 'trousseau' ), Language::isolate( $offered ) ) ) . '</p>' . Form::button( $address, 'end-offer', __( 'Cancel', 'trousseau' ), array(), '', 'is-quiet' ) . '</div>';
}
if ( $rules && ! $full ) {
	echo '<section class="trousseau-section"><h2>' . esc_html__( 'Add an owner', 'trousseau' ) . '</h2>' . Form::open( $address, 'add' );
	echo $form->input( 'person', __( 'Email, or user name of an account here', 'trousseau' ), array( 'autocomplete' => 'off' ), __( 'They can change everything you can, and we’ll email them a link. Only you can remove owners or delete the list.', 'trousseau' ) );
	echo '<p>' . Form::submit( __( 'Add owner', 'trousseau' ) ) . '</p></form></section>';
}
