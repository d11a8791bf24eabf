<?php
/**
 * The choice of the list for a gift. The known fields of the gift stand behind the address's “#”, which the browser keeps to
 * itself; the script fills them in.
 *
 * @var string $shared The address that a phone shared.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Registries;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\PageAddress;

?>
<?php if ( ! $registries ) : ?>
<p><?php esc_html_e( 'You don’t have a list yet.', 'trousseau' ); ?></p>
<p class="trousseau-ways"><a class="button wp-element-button" href="<?php echo esc_url( $new ); ?>"><?php esc_html_e( 'Create your list', 'trousseau' ); ?></a></p>
	<?php
	return;
endif;
?>
<p data-found<?php echo $shared === '' ? ' hidden' : ''; ?>><strong data-found-name><?php echo esc_html( $shared ); ?></strong></p>
<?php foreach ( array_values( $registries ) as $trousseau_place => $trousseau_post ) : ?>
	<?php echo Form::open( PageAddress::of( 'gifts', $trousseau_post->ID ), 'look', array( 'address' => $shared ), $trousseau_place === 0 ? 'is-add' : 'is-add is-quiet' ); ?>
	<p><?php
	/* translators: %s: name of a list */
	echo Form::submit( sprintf( __( 'Add it to “%s”', 'trousseau' ), Language::isolate( Registries::title( $trousseau_post ) ) ) );
	?></p></form>
<?php endforeach; ?>
