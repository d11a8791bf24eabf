<?php
/**
 * A registry's drafts of gifts, for its owners.
 *
 * @var WP_Post                          $post
 * @var string                           $address
 * @var array<int, array<string, mixed>> $drafts  By their numbers.
 * @var string[]                         $chosen  Numbers of the chosen ones.
 * @var array<int, string>               $changes Last changes in words, by the numbers of gifts.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\GiftDrafts;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Service\Item;

?>
<section class="trousseau-section" id="trousseau-drafts">
	<h2><?php
	/* translators: %s: number of gifts */
	echo esc_html( sprintf( _n( '%s draft', '%s drafts', count( $drafts ), 'trousseau' ), number_format_i18n( count( $drafts ) ) ) );
	?></h2>
	<p><?php esc_html_e( 'Guests can’t see them until you publish them.', 'trousseau' ); ?></p>
	<?php
	echo Form::open( $address, 'remove', array(), 'is-shared', id: 'trousseau-delete-draft' ) . '</form>';
	echo Form::open( $address, 'publish', array(), 'is-shared' );
	?>
	<ul class="trousseau-rows" role="list">
	<?php
	foreach ( $drafts as $trousseau_id => $trousseau_draft ) :
		$trousseau_gift     = new Item( $trousseau_draft );
		$trousseau_name     = Language::isolate( $trousseau_gift->name );
		$trousseau_currency = $trousseau_gift->is_money() ? (string) $trousseau_draft['currency'] : '';
		$trousseau_facts    = array(
			$trousseau_draft['most_wanted'] ? '★ ' . __( 'Most wanted', 'trousseau' ) : '',
			Language::isolate( (string) $trousseau_draft['section'] ),
			GiftAmount::price( $trousseau_gift, $post->ID ),
			...array_values( array_map( array( Language::class, 'isolate' ), $trousseau_gift->own_facts() ) ),
			GiftAmount::wished( $trousseau_gift, $trousseau_currency ),
			$changes[ $trousseau_id ] ?? '',
			GiftDrafts::is_on_its_way( $trousseau_draft ) ? __( 'Publishing was interrupted. Publish it again.', 'trousseau' ) : '',
		);
		?>
		<li id="trousseau-draft<?php echo (int) $trousseau_id; ?>">
			<label class="trousseau-choice"><input type="checkbox" name="drafts[]" value="<?php echo (int) $trousseau_id; ?>"<?php checked( in_array( (string) $trousseau_id, $chosen, true ) ); ?>> <span><strong><?php echo esc_html( $trousseau_name ); ?></strong><small><?php echo esc_html( implode( ' · ', array_filter( $trousseau_facts ) ) ); ?></small></span></label>
			<span class="trousseau-order__do"><?php if ( ! GiftDrafts::is_on_its_way( $trousseau_draft ) ) : ?><a href="<?php echo esc_url( add_query_arg( 'item', $trousseau_id, $address ) ); ?>" aria-label="<?php
			/* translators: %s: name of a gift */
			echo esc_attr( sprintf( __( 'Change: %s', 'trousseau' ), $trousseau_name ) );
			?>"><?php esc_html_e( 'Change', 'trousseau' ); ?></a><?php endif; ?><button class="wp-element-button trousseau-quiet" form="trousseau-delete-draft" name="item" value="<?php echo (int) $trousseau_id; ?>" aria-label="<?php
			/* translators: %s: name of a gift */
			echo esc_attr( sprintf( __( 'Delete: %s', 'trousseau' ), $trousseau_name ) );
			?>"><?php esc_html_e( 'Delete', 'trousseau' ); ?></button></span>
		</li>
	<?php endforeach; ?>
	</ul>
	<p class="trousseau-ways"><button type="submit" class="wp-element-button trousseau-quiet"><?php esc_html_e( 'Publish selected', 'trousseau' ); ?></button></p>
	</form>
</section>
