<?php
/**
 * The head of every page for a registry's owner: its name, and the links between the pages.
 *
 * @var string     $name     The words of the link to the list: its name, mostly.
 * @var string[][] $tabs     The words of each page, its address, and words that lead there from the other pages.
 * @var string     $details  The address of the page on which a closed list is opened again.
 * @var bool       $waits    Whether the list is to be public and isn't approved yet.
 * @var bool       $approves Whether the reader may approve it.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;

?>
<p class="trousseau-of">
	<a href="<?php echo esc_url( $permalink ); ?>"><?php echo esc_html( $name ); ?></a>
	<small><?php
	echo esc_html(
		match ( $seen_by ) {
			'publish' => __( 'Public: everyone can see it', 'trousseau' ),
			'link'    => __( 'Private: anyone with the link can see it', 'trousseau' ),
			default   => __( 'Private: only your guests can see it', 'trousseau' ),
		}
	);
	?></small>
</p>
<nav class="trousseau-tabs" aria-label="<?php esc_attr_e( 'Your list', 'trousseau' ); ?>">
	<ul role="list">
<?php foreach ( $tabs as list( $trousseau_words, $trousseau_address ) ) : ?>
		<li><a href="<?php echo esc_url( $trousseau_address ); ?>"<?php echo $trousseau_words === $current ? ' aria-current="page"' : ''; ?>><?php echo esc_html( $trousseau_words ); ?></a></li>
<?php endforeach; ?>
	</ul>
</nav>
<?php foreach ( array_filter( $tabs, static fn( array $tab ): bool => $tab[2] !== '' ) as list( , $trousseau_address, $trousseau_words ) ) : ?>
<p class="trousseau-note"><a href="<?php echo esc_url( $trousseau_address ); ?>"><?php echo esc_html( $trousseau_words ); ?></a></p>
<?php endforeach; ?>
<?php if ( $waits ) : ?>
<div class="trousseau-note<?php echo $approves ? ' has-button' : ''; ?>">
	<?php if ( $approves ) : ?>
	<p><?php esc_html_e( 'The owner would like to make this list public. Until you approve it, only invited guests can see it.', 'trousseau' ); ?></p>
		<?php echo Form::button( $details, 'approve', __( 'Approve', 'trousseau' ) ) . Form::button( $details, 'leave-private', __( 'Keep private', 'trousseau' ), array(), '', 'is-quiet' ); ?>
	<?php else : ?>
	<p><?php esc_html_e( 'Your list isn’t public yet: an administrator of this site has to approve it first. Until then, only the people you invite can see it.', 'trousseau' ); ?></p>
	<?php endif; ?>
</div>
<?php endif; ?>
<?php if ( $closed ) : ?>
<div class="trousseau-note has-button">
	<p><?php esc_html_e( 'This list is closed. Your guests see a thank-you, and nobody can give any more.', 'trousseau' ); ?></p>
	<?php echo Form::button( $details, 'reopen', __( 'Reopen list', 'trousseau' ), array(), '', 'is-quiet' ); ?>
</div>
<?php endif; ?>
