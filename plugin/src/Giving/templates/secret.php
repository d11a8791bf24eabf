<?php
/**
 * The gifts that a list's guests give beside it.
 *
 * @var string                              $until From when the owners see it, in words.
 * @var array<string, array<string, mixed>> $gifts Id → `name`, `text`, and whether it `is_own`.
 * @var bool                                $named Whether the site knows the guest's name.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Giving\SecretGifts;
use Trousseau\Lists\Accounts;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;

?>
<p><?php
/* translators: %s: name of a list */
echo esc_html( sprintf( __( 'Giving something that isn’t on %s? Tell the other guests, so nobody gives the same thing.', 'trousseau' ), $registry ) . ' ' . $until );
?></p>
<?php if ( $gifts ) : ?>
<ul class="trousseau-rows" role="list">
	<?php foreach ( $gifts as $trousseau_id => $trousseau_gift ) : ?>
	<li><span><strong><?php echo esc_html( Language::isolate( $trousseau_gift['text'] ) ); ?></strong>
		<small><?php
		/* translators: %s: name of a giver */
		echo esc_html( sprintf( _x( 'From %s', 'giver of a gift', 'trousseau' ), Language::isolate( $trousseau_gift['name'] ) ) );
		?></small></span>
		<?php echo $trousseau_gift['is_own'] ? Form::button( $address, 'remove', __( 'Remove', 'trousseau' ), array( 'gift' => $trousseau_id ), $trousseau_gift['text'], 'is-quiet' ) : ''; ?>
	</li>
	<?php endforeach; ?>
</ul>
<?php else : ?>
<p><?php esc_html_e( 'Nothing here yet.', 'trousseau' ); ?></p>
<?php endif; ?>
<?php
if ( ! $closed ) {
	echo Form::open( $address, 'add' );
	echo $form->input( 'text', __( 'Your gift in a few words', 'trousseau' ), array( 'maxlength' => SecretGifts::LONGEST_TEXT, 'required' => true, 'autocomplete' => 'off' ) );
	echo $named ? '' : $form->input( 'giver', __( 'Your name', 'trousseau' ), array( 'maxlength' => Accounts::LONGEST_NAME, 'required' => true, 'autocomplete' => 'name' ) );
	echo '<p>' . Form::submit( __( 'Tell the other guests', 'trousseau' ) ) . '</p></form>';
}
?>
<p class="trousseau-ways"><a href="<?php echo esc_url( $back ); ?>"><?php esc_html_e( 'Back to the list', 'trousseau' ); ?></a></p>
