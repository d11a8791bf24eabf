<?php
/**
 * The givers and their gifts.
 *
 * @var string $open   The claim whose thank-you is being written.
 * @var string $answer The answer to the thank-you before it.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

if ( ! $rows ) {
	echo '<p>' . esc_html__( 'No gifts yet. As soon as someone gives something, you’ll see it here.', 'trousseau' ) . '</p>';
	return;
}
$trousseau_thanked = count( array_filter( array_column( $rows, 'thanked' ) ) );
$trousseau_awaited = count( array_filter( array_column( $rows, 'is_awaited' ) ) );
$trousseau_waiting = count( $rows ) - $trousseau_thanked - $trousseau_awaited;
$trousseau_here    = count( array_filter( array_column( $rows, 'is_here' ) ) );
$trousseau_facts   = array(
	match ( true ) {
		/* translators: %s: number of gifts */
		$trousseau_waiting > 0 => sprintf( _n( '%s gift to say thank you for', '%s gifts to say thank you for', $trousseau_waiting, 'trousseau' ), number_format_i18n( $trousseau_waiting ) ),
		$trousseau_thanked > 0 => __( 'You’ve thanked everyone so far', 'trousseau' ),
		default                => __( 'Nothing to say thank you for yet', 'trousseau' ),
	},
);
if ( $trousseau_here ) {
	/* translators: 1: number of gifts that have arrived, 2: number of gifts in all */
	$trousseau_facts[] = sprintf( __( '%1$s of %2$s arrived', 'trousseau' ), number_format_i18n( $trousseau_here ), number_format_i18n( count( $rows ) ) );
}
?>
<p><?php echo esc_html( Language::facts( $trousseau_facts ) ); ?></p>
<?php
$trousseau_lists = array(
	''                                 => array_slice( $rows, 0, $trousseau_waiting ),
	__( 'Still to come', 'trousseau' ) => array_slice( $rows, $trousseau_waiting, $trousseau_awaited ),
	__( 'Thanked', 'trousseau' )       => array_slice( $rows, $trousseau_waiting + $trousseau_awaited ),
);
/** A state, and the button that changes it. */
$trousseau_tick = static function ( string $claim, string $mark, bool $is_so, string $state, string $words, string $about ) use ( $address ): void {
	printf(
		'<div id="trousseau-claim-%s">%s%s</div>',
		esc_attr( "$claim-$mark" ),
		$is_so ? '<span tabindex="-1">' . esc_html( $state ) . '</span>' : '',
		Form::button( $address, $is_so ? "not-$mark" : $mark, $is_so ? __( 'Undo', 'trousseau' ) : $words, compact( 'claim' ), $about, 'is-quiet' )
	);
};
foreach ( array_filter( $trousseau_lists ) as $trousseau_words => $trousseau_rows ) :
	echo $trousseau_words === '' ? '' : '<h2>' . esc_html( $trousseau_words ) . '</h2>';
	?>
<ul class="trousseau-rows" role="list">
	<?php
	foreach ( $trousseau_rows as $trousseau_row ) :
		$trousseau_id    = $trousseau_row['id'];
		$trousseau_claim = array( 'claim' => $trousseau_id );
		?>
	<li id="trousseau-claim-<?php echo esc_attr( $trousseau_id ); ?>" class="has-thanks">
		<?php echo $open === $trousseau_id ? $answer : ''; ?>
		<span class="trousseau-order__picture"><?php echo $trousseau_row['picture'] === '' ? '' : sprintf( '<img src="%s" alt="" loading="lazy" width="88" height="88">', esc_url( $trousseau_row['picture'] ) ); ?></span>
		<span>
			<strong><?php echo esc_html( Language::isolate( $trousseau_row['giver'] ) ); ?></strong>
			<?php echo $trousseau_row['email'] === '' ? '<br>' : '<small class="trousseau-email">' . esc_html( Language::isolate( $trousseau_row['email'] ) ) . '</small>'; ?>
			<?php echo esc_html( $trousseau_row['named'] ); ?>
			<small class="trousseau-state"><?php echo esc_html( $trousseau_row['state'] ); ?></small>
			<?php echo $trousseau_row['message'] === '' ? '' : '<q>' . esc_html( $trousseau_row['message'] ) . '</q>'; ?>
		</span>
		<?php
		$trousseau_may_write = ! $trousseau_row['thanked'] && $trousseau_row['email'] !== '';
		// Its giver may have forgotten to say so.
		$trousseau_more = $trousseau_row['is_promised'] && $trousseau_row['arrives'] ? Form::button( $address, 'here', __( 'It’s already here', 'trousseau' ), $trousseau_claim, $trousseau_row['named'] ) : '';
		// The email marks it, too.
		$trousseau_more .= $trousseau_may_write ? Form::button( $address, 'thanked', __( 'Mark as thanked', 'trousseau' ), $trousseau_claim, $trousseau_row['giver'] ) : '';
		echo $trousseau_more === '' ? '' : Template::more( $trousseau_more, $trousseau_row['giver'] );
		?>
		<div class="trousseau-ticks">
		<?php
		if ( $trousseau_may_write ) :
			$trousseau_field = "thanks-$trousseau_id";
			if ( ! isset( $form->typed()[ $trousseau_field ] ) ) {
				$form->set( $trousseau_field, $trousseau_row['thanks'] );
			}
			?>
		<details class="trousseau-write"<?php echo $open === $trousseau_id ? ' open' : ''; ?>>
			<summary><?php echo Template::label( __( 'Write a thank-you', 'trousseau' ), $trousseau_row['giver'] ); ?></summary>
			<?php
			echo Form::open( "$address#trousseau-claim-$trousseau_id", 'write', $trousseau_claim );
			/* translators: %s: email address */
			echo $form->textarea( $trousseau_field, __( 'Your message', 'trousseau' ), array( 'rows' => 6 ), sprintf( __( 'We’ll email it to %s.', 'trousseau' ), Language::isolate( $trousseau_row['email'] ) ) );
			echo '<p>' . Form::submit( __( 'Send thank-you', 'trousseau' ), $trousseau_row['giver'] ) . '</p></form>';
			?>
		</details>
			<?php
		endif;
		if ( $trousseau_row['is_here'] || ( $trousseau_row['arrives'] && ! $trousseau_row['is_promised'] ) ) {
			$trousseau_tick( $trousseau_id, 'here', $trousseau_row['is_here'], __( 'Arrived ✓', 'trousseau' ), __( 'Mark as arrived', 'trousseau' ), $trousseau_row['named'] );
		}
		if ( ! $trousseau_may_write ) {
			$trousseau_tick( $trousseau_id, 'thanked', $trousseau_row['thanked'], __( 'Thanked ✓', 'trousseau' ), __( 'Mark as thanked', 'trousseau' ), $trousseau_row['giver'] );
		}
		?>
		</div>
	</li>
	<?php endforeach; ?>
</ul>
	<?php
endforeach;
?>
<div class="trousseau-ways">
	<button type="button" class="wp-element-button trousseau-quiet" data-print data-needs-script hidden><?php esc_html_e( 'Print', 'trousseau' ); ?></button>
	<?php echo Form::button( $address, 'save', __( 'Save as spreadsheet', 'trousseau' ), array(), '', 'is-quiet' ); ?>
</div>
