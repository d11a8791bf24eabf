<?php
/**
 * A rule for the links to a shop.
 *
 * @var string $was    The shop of the rule that is changed; empty for a new rule.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\AdminForm;

$attributes = static fn( string $field ): string => sprintf( 'id="trousseau-%1$s" name="%1$s" aria-describedby="trousseau-%1$s-hint"%2$s', esc_attr( $field ), isset( $faults[ $field ] ) ? ' aria-invalid="true" autofocus' : '' );

?>
<?php echo AdminForm::open( $action, array( 'was' => $was ) ); ?>
	<div class="form-field">
		<label for="trousseau-shop"><?php esc_html_e( 'Shop', 'trousseau' ); ?></label>
		<input type="text" inputmode="url" dir="ltr" required spellcheck="false" autocapitalize="none" placeholder="shop.example" value="<?php echo esc_attr( $shop ); ?>" <?php echo $attributes( 'shop' ); ?>>
		<p id="trousseau-shop-hint"><?php esc_html_e( 'The shop’s domain. Add a path, such as shop.example/de, to match only part of it.', 'trousseau' ); ?></p>
	</div>
	<div class="form-field">
		<label for="trousseau-template"><?php esc_html_e( 'Link', 'trousseau' ); ?></label>
		<input type="text" inputmode="url" dir="ltr" required spellcheck="false" autocapitalize="none" placeholder="https://partner.example/?id=you&amp;to={url}" value="<?php echo esc_attr( $template ); ?>" <?php echo $attributes( 'template' ); ?>>
		<p id="trousseau-template-hint"><?php
		/* translators: 1: the placeholder {url}, 2: an example such as ?tag=you-21 */
		echo wp_kses( sprintf( __( 'As your affiliate program writes it, with %1$s in place of the gift’s address. Or only what’s added to that address, such as %2$s.', 'trousseau' ), '<code>{url}</code>', '<code>?tag=you-21</code>' ), array( 'code' => array() ) );
		?></p>
	</div>
	<?php submit_button( $was === '' ? __( 'Create links', 'trousseau' ) : __( 'Change links', 'trousseau' ), 'primary', 'submit', false ); ?>
</form>
