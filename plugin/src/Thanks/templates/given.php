<?php
/**
 * The givers and their gifts.
 *
 * @var Trousseau\Platform\Form          $form
 * @var array<int, array<string, mixed>> $rows
 * @var array<string, array{name: string, text: string}> $extras What guests give that isn't on the list.
 * @var string                           $address
 * @var string                           $open The claim whose thank-you is being written.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

if ( $extras ) {
	echo '<h2>' . esc_html__( 'Gifts not on your list', 'trousseau' ) . '</h2><ul class="trousseau-rows" role="list">';
	foreach ( $extras as $trousseau_extra ) {
		printf( '<li><span><strong>%s</strong> %s</span></li>', esc_html( Language::isolate( $trousseau_extra['name'] ) ), esc_html( Language::isolate( $trousseau_extra['text'] ) ) );
	}
	echo '</ul><h2>' . esc_html__( 'Thank-yous', 'trousseau' ) . '</h2>';
}
if ( ! $rows ) {
	echo '<p>' . esc_html__( 'No gifts yet. As soon as someone gives something, you’ll see it here.', 'trousseau' ) . '</p>';
	return;
}
$trousseau_waiting = count( array_filter( $rows, static fn( array $row ): bool => ! $row['thanked'] ) );
?>
<p><?php
/* translators: %s: number of gifts */
echo esc_html( $trousseau_waiting ? sprintf( _n( '%s gift to say thank you for', '%s gifts to say thank you for', $trousseau_waiting, 'trousseau' ), number_format_i18n( $trousseau_waiting ) ) : __( 'You’ve thanked everyone.', 'trousseau' ) );
?></p>
<?php
$trousseau_here  = array_filter( $rows, static fn( array $row ): bool => $row['is_here'] );
$trousseau_lists = array(
	__( 'On its way', 'trousseau' )  => array_diff_key( $rows, $trousseau_here ),
	__( 'Arrived', 'trousseau' ) => $trousseau_here,
);
foreach ( array_filter( $trousseau_lists ) as $trousseau_words => $trousseau_rows ) :
	echo $trousseau_here ? '<h2>' . esc_html( $trousseau_words ) . '</h2>' : '';
	?>
<ul class="trousseau-rows" role="list">
	<?php foreach ( $trousseau_rows as $trousseau_row ) : ?>
	<li id="trousseau-claim-<?php echo esc_attr( $trousseau_row['id'] ); ?>">
		<span>
			<strong><?php echo esc_html( Language::isolate( $trousseau_row['giver'] ) ); ?></strong>
			<small><?php echo esc_html( Language::isolate( $trousseau_row['email'] ) ); ?></small><br>
			<?php echo esc_html( $trousseau_row['named'] ); ?>
			<small><?php echo esc_html( $trousseau_row['state'] ); ?></small>
			<?php echo $trousseau_row['message'] === '' ? '' : '<q>' . esc_html( $trousseau_row['message'] ) . '</q>'; ?>
		</span>
		<?php
		echo $trousseau_row['thanked']
			? '<div class="trousseau-thanked"><span tabindex="-1">' . esc_html__( 'Thanked ✓', 'trousseau' ) . '</span>' . Form::button( $address, 'not-thanked', __( 'Undo', 'trousseau' ), array( 'claim' => $trousseau_row['id'] ), $trousseau_row['giver'], 'is-quiet' ) . '</div>'
			: Form::button( $address, 'thanked', __( 'Mark as thanked', 'trousseau' ), array( 'claim' => $trousseau_row['id'] ), $trousseau_row['giver'] );
		if ( ! $trousseau_row['thanked'] && $trousseau_row['email'] !== '' ) :
			$trousseau_field = 'thanks-' . $trousseau_row['id'];
			if ( ! isset( $form->typed()[ $trousseau_field ] ) ) {
				$form->set( $trousseau_field, $trousseau_row['thanks'] );
			}
			?>
		<details class="trousseau-thanks"<?php echo $open === $trousseau_row['id'] ? ' open' : ''; ?>>
			<summary><?php echo Template::label( __( 'Write a thank-you', 'trousseau' ), $trousseau_row['giver'] ); ?></summary>
			<?php
			echo Form::open( "$address#trousseau-claim-" . $trousseau_row['id'], 'write', array( 'claim' => $trousseau_row['id'] ) );
			/* translators: %s: email address */
			echo $form->textarea( $trousseau_field, __( 'Your message', 'trousseau' ), array( 'rows' => 6 ), sprintf( __( 'We’ll email it to %s.', 'trousseau' ), Language::isolate( $trousseau_row['email'] ) ) );
			echo '<p>' . Form::submit( __( 'Send thank-you', 'trousseau' ), $trousseau_row['giver'] ) . '</p></form>';
			?>
		</details>
		<?php endif; ?>
		<div id="trousseau-claim-<?php echo esc_attr( $trousseau_row['id'] ); ?>-here" class="trousseau-thanked">
			<?php
			echo $trousseau_row['is_here'] ? '<span tabindex="-1">' . esc_html__( 'Arrived ✓', 'trousseau' ) . '</span>' : '';
			echo Form::button( $address, $trousseau_row['is_here'] ? 'not-here' : 'here', $trousseau_row['is_here'] ? __( 'Undo', 'trousseau' ) : __( 'Mark as arrived', 'trousseau' ), array( 'claim' => $trousseau_row['id'] ), $trousseau_row['named'], 'is-quiet' );
			?>
		</div>
	</li>
	<?php endforeach; ?>
</ul>
<?php endforeach; ?>
<div class="trousseau-ways">
	<button type="button" class="wp-element-button" data-print data-needs-script hidden><?php esc_html_e( 'Print', 'trousseau' ); ?></button>
	<?php echo Form::button( $address, 'save', __( 'Save as spreadsheet', 'trousseau' ), array(), '', 'is-quiet' ); ?>
</div>
