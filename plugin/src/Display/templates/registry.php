<?php
/**
 * The gifts of a registry, as guests see them.
 *
 * @var array<string, mixed>[]|null     $sections   The owner's headings in their order, each with its `name`, its gifts as `item.php`
 *                                                 takes them, and which of those are `wanted`; null: nothing is known.
 * @var string                          $trouble    The reason why gifts are missing or old, as HTML, unless it stands above.
 * @var string                          $visitor    The part for this visitor alone, as HTML.
 * @var array<string, mixed>            $settings   Values for the script; empty where each visitor has a page of their own.
 * @var bool                            $shared     Whether the page is the same for everyone: a script tells known devices apart.
 * @var string                          $disclosure The note that links may earn the site money; '' if none do.
 * @var Trousseau\Lists\GiftFilter|null $filter     What the visitor looks for; null: there are too few for it.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Display\RegistryView;
use Trousseau\Lists\GiftFilter;
use Trousseau\Lists\Sections;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Template;

?>
<section class="trousseau-registry" id="trousseau-registry-<?php echo (int) $id; ?>" aria-labelledby="trousseau-title-<?php echo (int) $id; ?>"<?php echo $settings ? ' data-visitor="' . esc_attr( (string) wp_json_encode( $settings ) ) . '"' : ''; ?>>
	<?php echo $shared ? RegistryView::hiding_script( $settings['cookie'] ) : ''; ?>
	<h2 id="trousseau-title-<?php echo (int) $id; ?>"<?php echo $sections === null ? ' hidden' : ''; ?>><?php esc_html_e( 'Gifts', 'trousseau' ); ?></h2>
	<?php echo $answer; ?>
	<div class="trousseau-visitor"><?php echo $visitor; ?></div>
<?php echo $trouble; ?>
<?php echo $goodbye === '' ? '' : '<p class="trousseau-note">' . nl2br( esc_html( $goodbye ) ) . '</p>'; ?>
<?php if ( $sections !== null ) : ?>
	<?php
	$trousseau_wanted = array_merge( array(), ...array_column( $sections, 'wanted' ) );
	$trousseau_shown  = static fn( array $items ): array => array_filter( $items, static fn( array $gift ): bool => ! $gift['is_hidden'] );
	$trousseau_seen   = $trousseau_shown( $trousseau_wanted );
	$trousseau_groups = array_filter( array_column( array_merge( $trousseau_wanted, $given ), 'is_money' ) );
	$trousseau_named  = $sections && $sections[0]['name'] !== '';
	$trousseau_show   = static fn( array $gift ) => print Template::html( 'item', $gift + array( 'level' => $trousseau_named ? 4 : 3 ) );
	if ( ! $sections ) {
		echo FlashMessage::note( __( 'No gifts on this list yet.', 'trousseau' ) );
	}
	if ( $filter ) :
		?>
	<details class="trousseau-filtering"<?php echo $filter->is_on ? ' open' : ''; ?>>
	<summary><?php esc_html_e( 'Search and filter', 'trousseau' ); ?></summary>
	<form class="trousseau-filter" data-filter method="get" action="<?php echo esc_url( "$address#trousseau-registry-$id" ); ?>">
		<?php echo Form::query( $address ); ?>
		<input type="hidden" name="<?php echo esc_attr( GiftFilter::PARAMETER ); ?>" value="<?php echo (int) $id; ?>">
		<label><?php esc_html_e( 'Find a gift', 'trousseau' ); ?> <input type="search" name="words" maxlength="100" autocomplete="off" value="<?php echo esc_attr( $filter->words ); ?>"></label>
		<label><?php esc_html_e( 'Price up to', 'trousseau' ); ?> <input type="number" min="0" step="any" name="up-to" inputmode="decimal" value="<?php echo esc_attr( $filter->up_to > 0 ? (string) $filter->up_to : '' ); ?>"></label>
		<?php if ( count( $sections ) > 1 ) : ?>
		<label><?php esc_html_e( 'Category', 'trousseau' ); ?> <select name="heading">
			<option value="*"><?php echo esc_html( _x( 'All', 'headings', 'trousseau' ) ); ?></option>
			<?php foreach ( $sections as $trousseau_section ) : ?>
			<option value="<?php echo esc_attr( $trousseau_section['name'] ); ?>"<?php selected( $filter->heading === $trousseau_section['name'] ); ?>><?php echo esc_html( Sections::words( $trousseau_section['name'] ) ); ?></option>
			<?php endforeach; ?>
		</select></label>
		<?php endif; ?>
		<label><?php esc_html_e( 'Show', 'trousseau' ); ?> <select name="show">
			<option value="first"><?php esc_html_e( 'Needed first', 'trousseau' ); ?></option>
			<option value="needed"<?php selected( $filter->show, 'needed' ); ?>><?php esc_html_e( 'Only gifts still needed', 'trousseau' ); ?></option>
			<?php if ( $trousseau_groups ) : ?>
			<option value="group"<?php selected( $filter->show, 'group' ); ?>><?php esc_html_e( 'Only group gifts', 'trousseau' ); ?></option>
			<?php endif; ?>
			<option value="all" hidden disabled><?php esc_html_e( 'In list order', 'trousseau' ); ?></option>
		</select></label>
		<button type="submit" class="wp-element-button trousseau-quiet"><?php esc_html_e( 'Find', 'trousseau' ); ?></button>
		<?php
		/* translators: %s: number of gifts */
		$trousseau_words = __( 'Gifts shown: %s', 'trousseau' );
		printf( '<p class="trousseau-ways"><output data-shown data-words="%s">%s</output> ', esc_attr( $trousseau_words ), esc_html( sprintf( $trousseau_words, number_format_i18n( count( $trousseau_seen ) ) ) ) );
		// The style shows it while all gifts are hidden.
		printf( '<span class="trousseau-none" role="status">%s</span> <a%s href="%s">%s</a>', esc_html__( 'No gifts match.', 'trousseau' ), $filter->is_on ? '' : ' class="trousseau-none"', esc_url( $address ), esc_html__( 'Show all', 'trousseau' ) );
		echo '</p>';
		?>
	</form>
	</details>
	<?php endif; ?>
	<?php foreach ( $sections as $trousseau_section ) : ?>
	<div class="trousseau-section-of-gifts" data-section="<?php echo esc_attr( $trousseau_section['name'] ); ?>"<?php echo $trousseau_shown( $trousseau_section['wanted'] ) ? '' : ' hidden'; ?>>
		<?php echo $trousseau_named ? '<h3>' . esc_html( Sections::words( $trousseau_section['name'] ) ) . '</h3>' : ''; ?>

		<ul class="trousseau-items" role="list">
			<?php array_map( $trousseau_show, $trousseau_section['wanted'] ); ?>
		</ul>
	</div>
	<?php endforeach; ?>
	<?php if ( $given ) : ?>
	<details class="trousseau-given"<?php echo $trousseau_seen ? '' : ' open'; ?><?php echo $trousseau_shown( $given ) ? '' : ' hidden'; ?>>
		<?php
		/* translators: %s: number of gifts */
		$trousseau_words = __( 'Given: %s', 'trousseau' );
		printf( '<summary data-words="%s">%s</summary>', esc_attr( $trousseau_words ), esc_html( sprintf( $trousseau_words, number_format_i18n( count( $given ) ) ) ) );
		?>
		<ul class="trousseau-items" role="list">
			<?php array_map( $trousseau_show, $given ); ?>
		</ul>
	</details>
	<?php endif; ?>
<?php endif; ?>
<?php echo $disclosure === '' ? '' : '<p class="trousseau-disclosure"><small>' . esc_html( $disclosure ) . '</small></p>'; ?>

<?php echo $shared ? RegistryView::marking_script() : ''; ?>
</section>
