<?php
/**
 * A registry's drafts of gifts, for its owners.
 *
 * @var array<int, string> $changes Last changes in words, by the numbers of gifts.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftPicture;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\GiftDrafts;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;
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
	echo Form::open( $address, 'publish', array(), 'is-shared', id: 'trousseau-publish' );
	?>
	<ul class="trousseau-order" role="list">
	<?php
	foreach ( $drafts as $trousseau_id => $trousseau_draft ) {
		$trousseau_gift   = new Item( $trousseau_draft );
		$trousseau_is_cut = GiftDrafts::is_on_its_way( $trousseau_draft );
		echo Template::html(
			'gift-row',
			array(
				'id'      => "trousseau-draft$trousseau_id",
				'item'    => 0,
				'name'    => Language::isolate( $trousseau_gift->name ),
				'picture' => GiftPicture::address( $trousseau_gift->image_url, $post->ID ),
				'box'     => array( 'drafts[]', (string) $trousseau_id, 'trousseau-publish' ),
				'chosen'  => in_array( (string) $trousseau_id, $chosen, true ),
				'change'  => $trousseau_is_cut ? '' : add_query_arg( 'item', $trousseau_id, $address ),
				'facts'   => array(
					$trousseau_draft['most_wanted'] ? '★ ' . __( 'Most wanted', 'trousseau' ) : '',
					Language::isolate( (string) $trousseau_draft['section'] ),
					GiftAmount::price( $trousseau_gift, $post->ID, (string) $trousseau_draft['currency'] ),
					...array_values( array_map( array( Language::class, 'isolate' ), $trousseau_gift->own_facts() ) ),
					GiftAmount::wished( $trousseau_gift, $trousseau_gift->is_money() ? (string) $trousseau_draft['currency'] : '' ),
					$changes[ $trousseau_id ] ?? '',
					$trousseau_is_cut ? __( 'Publishing was interrupted. Publish it again.', 'trousseau' ) : '',
				),
				'menu'    => static function ( callable $about ) use ( $trousseau_id ): void {
					printf( '<button form="trousseau-delete-draft" name="item" value="%d" aria-label="%s">%s</button>', (int) $trousseau_id, esc_attr( $about( __( 'Remove', 'trousseau' ) ) ), esc_html__( 'Remove', 'trousseau' ) );
				},
				'drags'   => false,
				'below'   => static fn() => null,
			)
		);
	}
	?>
	</ul>
	<p class="trousseau-ways"><button type="submit" class="wp-element-button trousseau-quiet"><?php esc_html_e( 'Publish selected', 'trousseau' ); ?></button></p>
	</form>
</section>
