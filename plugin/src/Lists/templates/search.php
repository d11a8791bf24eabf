<?php
/**
 * A search among the gifts or guests of a list.
 *
 * @var string $place The anchor of the searched list.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;

?>
<form class="trousseau-form trousseau-search" role="search" method="get" action="<?php echo esc_url( "$address#$place" ); ?>">
	<?php echo Form::query( $address ); ?>
	<p class="trousseau-field"><label for="trousseau-find"><?php echo esc_html( $label ); ?></label><input type="search" id="trousseau-find" name="find" value="<?php echo esc_attr( $find ); ?>" maxlength="100" autocomplete="off"></p>
	<button type="submit" class="wp-element-button"><?php esc_html_e( 'Find', 'trousseau' ); ?></button>
</form>
