<?php
/**
 * The givers and their gifts.
 *
 * @var array<int, array<string, mixed>> $rows
 * @var string                           $address
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Form;
use Trousseau\Support\Language;

if ( ! $rows ) {
	echo '<p>' . esc_html__( 'Nothing is given yet. As soon as somebody gives something, you see it here.', 'trousseau' ) . '</p>';
	return;
}
$trousseau_waiting = count( array_filter( $rows, static fn( array $row ): bool => ! $row['thanked'] ) );
?>
<p><?php
/* translators: %s: number of gifts */
echo esc_html( $trousseau_waiting ? sprintf( _n( '%s gift to say thank you for', '%s gifts to say thank you for', $trousseau_waiting, 'trousseau' ), number_format_i18n( $trousseau_waiting ) ) : __( 'Everybody is thanked.', 'trousseau' ) );
?></p>
<ul class="trousseau-rows" role="list">
<?php foreach ( $rows as $trousseau_row ) : ?>
	<li id="trousseau-claim-<?php echo esc_attr( $trousseau_row['id'] ); ?>">
		<span>
			<strong><?php echo esc_html( Language::isolate( $trousseau_row['giver'] ) ); ?></strong>
			<small><?php echo esc_html( Language::isolate( $trousseau_row['email'] ) ); ?></small><br>
			<?php echo esc_html( Language::times( $trousseau_row['quantity'], $trousseau_row['gift'] ) ); ?>
			<small><?php echo esc_html( $trousseau_row['state'] ); ?></small>
			<?php echo $trousseau_row['message'] === '' ? '' : '<q>' . esc_html( $trousseau_row['message'] ) . '</q>'; ?>
		</span>
		<?php
		echo $trousseau_row['thanked']
			? '<div class="trousseau-thanked"><span tabindex="-1">' . esc_html__( 'Thanked ✓', 'trousseau' ) . '</span>' . Form::button( $address, 'not-thanked', __( 'Undo', 'trousseau' ), array( 'claim' => $trousseau_row['id'] ), $trousseau_row['giver'], 'is-quiet' ) . '</div>'
			: Form::button( $address, 'thanked', __( 'I have thanked', 'trousseau' ), array( 'claim' => $trousseau_row['id'] ), $trousseau_row['giver'] );
		?>
	</li>
<?php endforeach; ?>
</ul>
<div class="trousseau-ways">
	<button type="button" class="wp-element-button" data-print data-needs-script hidden><?php esc_html_e( 'Print', 'trousseau' ); ?></button>
	<?php echo Form::button( $address, 'save', __( 'Save as a table', 'trousseau' ), array(), '', 'is-quiet' ); ?>
</div>
