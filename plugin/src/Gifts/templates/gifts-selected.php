<?php
/** The bar for the selected gifts: how many they are, and what can be done with all of them. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Registries;
use Trousseau\Platform\Form;

echo Form::open( $address, 'transfer', array( 'key' => $key ) + ( $list->part > 1 ? array( 'part' => $list->part ) : array() ), 'is-selected', id: 'trousseau-selected' );
?>
	<div class="trousseau-ways">
		<span class="trousseau-selected"><?php
		/* translators: %s: number of gifts, of any number */
		printf( esc_html__( '%s selected', 'trousseau' ), '<b></b>' );
		?></span>
		<?php if ( $lists ) : ?>
		<details name="trousseau-row"<?php echo $form->action === 'transfer' ? ' open' : ''; ?>>
			<summary class="wp-element-button trousseau-quiet"><?php esc_html_e( 'Move', 'trousseau' ); ?></summary>
			<div class="trousseau-order__menu">
				<?php echo $form->select( 'to', __( 'Move or copy the selected gifts to', 'trousseau' ), array_map( array( Registries::class, 'title' ), $lists ), __( 'When you move a gift, guests keep what they’ve reserved or given. A copy starts fresh.', 'trousseau' ) ); ?>
				<button type="submit" name="how" value="move"><?php esc_html_e( 'Move', 'trousseau' ); ?></button>
				<button type="submit" name="how" value="copy"><?php esc_html_e( 'Copy', 'trousseau' ); ?></button>
			</div>
		</details>
		<?php endif; ?>
		<details name="trousseau-row">
			<summary class="wp-element-button trousseau-quiet"><?php esc_html_e( 'Remove', 'trousseau' ); ?></summary>
			<div class="trousseau-order__menu">
				<small><?php esc_html_e( 'You can put them back later.', 'trousseau' ); ?></small>
				<button type="submit" name="do" value="remove"><?php esc_html_e( 'Remove the selected gifts', 'trousseau' ); ?></button>
			</div>
		</details>
	</div>
</form>
