<?php
/**
 * The gifts of a registry, as guests see them.
 *
 * @var int                         $id
 * @var array<string, mixed>[]|null $sections The owner's headings in their order, each with its `name`, its gifts as `item.php`
 *                                            takes them, and which of those are `wanted`; null: nobody knows.
 * @var array<string, mixed>[]      $given    Gifts that nobody needs to give any more.
 * @var string                      $stale    Since when nothing newer is known; nothing: all is current.
 * @var string                      $answer   What came of a form, as HTML.
 * @var string                      $as       As whom this device is invited.
 * @var string                      $manage   Where its owner looks after it.
 * @var string                      $mine     Where a guest finds their gifts.
 * @var bool                        $filter   Whether there are enough for a filter.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

?>
<section class="trousseau-registry" id="trousseau-registry-<?php echo (int) $id; ?>" aria-labelledby="trousseau-title-<?php echo (int) $id; ?>">
	<h2 id="trousseau-title-<?php echo (int) $id; ?>"><?php esc_html_e( 'Gifts', 'trousseau' ); ?></h2>
	<?php echo $answer; ?>
<?php if ( $manage !== '' ) : ?>
	<p class="trousseau-ways"><a class="wp-element-button" href="<?php echo esc_url( $manage ); ?>"><?php esc_html_e( 'Look after your list', 'trousseau' ); ?></a></p>
<?php elseif ( $as !== '' ) : ?>
	<p class="trousseau-as"><small><?php
	/* translators: %s: guest */
	echo esc_html( sprintf( __( 'You are here with the invitation for %s.', 'trousseau' ), Trousseau\Language::isolate( $as ) ) );
	?> <a href="<?php echo esc_url( $mine ); ?>"><?php esc_html_e( 'My gifts', 'trousseau' ); ?></a></small></p>
<?php endif; ?>
<?php if ( $sections === null ) : ?>
	<?php echo Trousseau\Message::note( __( 'The gifts can’t be shown just now. Please come back in a moment.', 'trousseau' ), 'is-problem' ); ?>
<?php else : ?>
	<?php
	if ( $stale !== '' ) {
		/* translators: %s: date and time */
		echo Trousseau\Message::note( sprintf( __( 'These are the gifts as they were on %s. Newer changes can’t be shown just now, and nothing can be marked as given. Please come back in a moment.', 'trousseau' ), $stale ), 'is-problem' );
	}
	$trousseau_wanted = array_merge( array(), ...array_column( $sections, 'wanted' ) );
	$trousseau_named  = $sections && $sections[0]['name'] !== '';
	$trousseau_show   = static fn( array $item ) => print Trousseau\Template::html( 'item', $item + array( 'level' => $trousseau_named ? 4 : 3 ) );
	if ( ! $sections ) {
		echo Trousseau\Message::note( __( 'There are no gifts on this list yet.', 'trousseau' ) );
	}
	if ( $filter ) :
		?>
	<form class="trousseau-filter" data-filter hidden>
		<label><?php esc_html_e( 'Price up to', 'trousseau' ); ?> <input type="number" min="0" step="any" name="up-to" inputmode="decimal"></label>
		<label><input type="checkbox" name="needed-first" value="1" checked> <?php esc_html_e( 'Still needed first', 'trousseau' ); ?></label>
		<output data-shown data-words="<?php
		/* translators: %s: number of gifts */
		esc_attr_e( 'Gifts shown: %s', 'trousseau' );
		?>"></output>
	</form>
	<?php endif; ?>
	<?php foreach ( $sections as $trousseau_section ) : ?>
	<div class="trousseau-section-of-gifts" data-section="<?php echo esc_attr( $trousseau_section['name'] ); ?>"<?php echo $trousseau_section['wanted'] ? '' : ' hidden'; ?>>
		<?php echo $trousseau_named ? '<h3>' . esc_html( $trousseau_section['name'] === '' ? __( 'And also', 'trousseau' ) : Trousseau\Language::isolate( $trousseau_section['name'] ) ) . '</h3>' : ''; ?>

		<ul class="trousseau-items" role="list">
			<?php array_map( $trousseau_show, $trousseau_section['wanted'] ); ?>
		</ul>
	</div>
	<?php endforeach; ?>
	<?php if ( $given ) : ?>
	<details class="trousseau-given"<?php echo $trousseau_wanted ? '' : ' open'; ?>>
		<summary><?php
		/* translators: %s: number of gifts */
		echo esc_html( sprintf( _n( '%s gift is already given', '%s gifts are already given', count( $given ), 'trousseau' ), number_format_i18n( count( $given ) ) ) );
		?></summary>
		<ul class="trousseau-items" role="list">
			<?php array_map( $trousseau_show, $given ); ?>
		</ul>
	</details>
	<?php endif; ?>
<?php endif; ?>
</section>
