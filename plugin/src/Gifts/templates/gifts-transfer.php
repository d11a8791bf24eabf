<?php
/**
 * The bar that moves or copies the selected gifts to another list of the same owner.
 *
 * @var Trousseau\Platform\Form   $form
 * @var string                    $address
 * @var string                    $key   The key under which they are copied once.
 * @var Trousseau\Gifts\GiftParts $list
 * @var array<int, WP_Post>       $lists
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Registries;
use Trousseau\Platform\Form;

echo Form::open( $address, 'transfer', array( 'key' => $key ) + ( $list->part > 1 ? array( 'part' => $list->part ) : array() ), 'is-transfer', id: 'trousseau-transfer' );
echo $form->select( 'to', __( 'Move or copy the selected gifts to', 'trousseau' ), array_map( array( Registries::class, 'title' ), $lists ), __( 'When you move a gift, guests keep what they’ve reserved or given. A copy starts fresh.', 'trousseau' ) );
?>
	<p class="trousseau-ways">
		<button type="submit" class="wp-element-button trousseau-quiet" name="how" value="move"><?php esc_html_e( 'Move', 'trousseau' ); ?></button>
		<button type="submit" class="wp-element-button trousseau-quiet" name="how" value="copy"><?php esc_html_e( 'Copy', 'trousseau' ); ?></button>
	</p>
</form>
