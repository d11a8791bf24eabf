<?php
/**
 * How a list fares, for its owner.
 *
 * @var string $opened How many guests have opened the list, in words; empty where none is invited, or where it can't be told.
 * @var array{at: int, words: string, by: string, picture: string, guest: string}[] $news The newest first; `guest` is empty where it is about a gift.
 * @var string $until  The day on which the surprise ends; `always` where it never does.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListCards;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;

/* translators: %s: number of gifts */
$trousseau_facts = array( $gifts === 0 ? __( 'No gifts yet', 'trousseau' ) : sprintf( _n( '%s gift', '%s gifts', $gifts, 'trousseau' ), number_format_i18n( $gifts ) ), $opened );
?>
<section class="trousseau-home">
	<?php if ( $cover !== '' ) : ?>
	<img class="trousseau-cover" src="<?php echo esc_url( $cover ); ?>" alt="">
	<?php endif; ?>
	<div class="trousseau-home__text">
		<?php echo ListCards::event( $post ); ?>
		<?php if ( $days !== '' ) : ?>
		<p class="trousseau-home__days"><?php echo esc_html( $days ); ?></p>
		<?php endif; ?>
		<p><?php echo esc_html( Language::facts( $trousseau_facts ) ); ?></p>
		<p><a class="button wp-element-button" href="<?php echo esc_url( $next[1] ); ?>"><?php echo esc_html( $next[0] ); ?></a></p>
	</div>
</section>
<?php if ( $ideas ) : ?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'Some ideas to start with', 'trousseau' ); ?></h2>
	<p><?php esc_html_e( 'One press adds it. Price, picture and shop can come later, or never.', 'trousseau' ); ?></p>
	<?php echo Form::open( $address, 'idea', array( 'key' => $key ), 'trousseau-ideas is-quiet' ); ?>
	<?php foreach ( $ideas as $trousseau_words ) : ?>
		<button type="submit" class="wp-element-button" name="idea" value="<?php echo esc_attr( $trousseau_words ); ?>"><?php echo esc_html( "+ $trousseau_words" ); ?></button>
	<?php endforeach; ?>
	</form>
</section>
<?php endif; ?>
<?php if ( $news || $is_cut || ( $until !== '' && $gifts ) ) : ?>
<section class="trousseau-section">
	<h2><?php esc_html_e( 'What’s new', 'trousseau' ); ?></h2>
	<?php if ( $is_cut ) : ?>
	<p><?php esc_html_e( 'What your guests are giving can’t be shown right now. Please come back in a minute.', 'trousseau' ); ?></p>
	<?php elseif ( $until === 'always' ) : ?>
	<p><?php esc_html_e( 'Your gifts are a surprise, so what guests give isn’t shown here.', 'trousseau' ); ?></p>
	<?php elseif ( $until !== '' ) : ?>
	<p><?php
	/* translators: %s: date */
	echo esc_html( sprintf( __( 'Your gifts are a surprise until %s. From then on, you’ll see here what guests give.', 'trousseau' ), $until ) );
	?></p>
	<?php endif; ?>
	<?php if ( $news ) : ?>
	<ul class="trousseau-rows trousseau-news" role="list">
		<?php foreach ( $news as $trousseau_new ) : ?>
		<li>
			<?php if ( $trousseau_new['guest'] !== '' ) : ?>
			<span class="trousseau-faces" aria-hidden="true"><span><?php echo esc_html( Language::initials( $trousseau_new['guest'] ) ); ?></span></span>
			<?php else : ?>
			<span class="trousseau-order__picture"><?php echo $trousseau_new['picture'] === '' ? '' : sprintf( '<img src="%s" alt="" loading="lazy" width="56" height="56">', esc_url( $trousseau_new['picture'] ) ); ?></span>
			<?php endif; ?>
			<p><span><?php echo esc_html( $trousseau_new['words'] ); ?></span> <small><?php echo esc_html( Language::facts( array( $trousseau_new['by'], Language::ago( $trousseau_new['at'] ) ) ) ); ?></small></p>
		</li>
		<?php endforeach; ?>
	</ul>
	<?php endif; ?>
</section>
<?php endif; ?>
