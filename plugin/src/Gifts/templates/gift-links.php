<?php
/** Links and names that become gifts, each with its state. The script sends them one after the other; without it the button sends all. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

$trousseau_states = array( 'waiting' => __( 'Waiting', 'trousseau' ), 'added' => __( 'Added', 'trousseau' ) );
$trousseau_waits  = array_intersect( array( 'waiting', 'stopped' ), array_column( $links, 'state' ) );
?>
<h2><?php
/* translators: %s: number of gifts */
echo esc_html( sprintf( _n( '%s gift', '%s gifts', count( $links ), 'trousseau' ), number_format_i18n( count( $links ) ) ) );
?></h2>
<p><?php esc_html_e( 'We’ll add each one to your list, and look up the links.', 'trousseau' ); ?></p>
<?php echo Form::open( $address, 'add-links', array( 'key' => $key ), 'is-links' ); ?>
<ul class="trousseau-rows" role="list" aria-live="polite" data-links data-looking="<?php
	esc_attr_e( 'Looking…', 'trousseau' );
?>">
<?php
foreach ( $links as $trousseau_link => list( 'state' => $trousseau_state, 'words' => $trousseau_words ) ) :
	$trousseau_short = (string) preg_replace( '#^https?://(www\.)?#', '', $trousseau_link );
	$trousseau_name  = $trousseau_state === 'added' ? Language::isolate( $trousseau_words ) : $trousseau_short;
	?>
	<li data-link="<?php echo esc_attr( $trousseau_link ); ?>" data-state="<?php echo esc_attr( $trousseau_state ); ?>">
		<input type="hidden" name="links[]" value="<?php echo esc_attr( $trousseau_link ); ?>">
		<span><strong><bdi><?php echo esc_html( $trousseau_name ); ?></bdi></strong><small role="status"><?php echo esc_html( $trousseau_states[ $trousseau_state ] ?? $trousseau_words ); ?></small></span>
		<?php if ( ! isset( $trousseau_states[ $trousseau_state ] ) ) : ?>
		<a href="<?php echo esc_url( add_query_arg( array( 'by-hand' => 1, 'link' => rawurlencode( $trousseau_link ) ), $address ) ); ?>" target="_blank"><?php echo Template::label( __( 'Fix', 'trousseau' ), $trousseau_short ), Template::new_window(); ?></a>
		<?php endif; ?>
	</li>
<?php endforeach; ?>
</ul>
<p class="trousseau-ways">
	<?php echo $trousseau_waits ? Form::submit( __( 'Add all', 'trousseau' ) ) : ''; ?>
	<a href="<?php echo esc_url( $address ); ?>"><?php esc_html_e( 'Back to the list', 'trousseau' ); ?></a>
</p></form>
