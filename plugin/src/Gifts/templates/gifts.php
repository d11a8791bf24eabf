<?php
/**
 * A registry's gifts, for its owner.
 *
 * @var string                    $trouble The reason why they are out of date, as HTML.
 * @var int                       $waiting The number of links and names that were pasted and not added yet.
 * @var array<string, mixed>|null $import  The import's progress: `done` of `total`, and the guests and gifts that it leaves out.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftLinks;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

if ( $import && $import['done'] < $import['total'] ) :
	?>
<div class="trousseau-note is-answer" role="status">
	<p><?php
	/* translators: 1: number of gifts, 2: number of gifts in all */
	echo esc_html( sprintf( __( '%1$s of %2$s gifts from your file are here. The others will follow in the next few minutes.', 'trousseau' ), number_format_i18n( $import['done'] ), number_format_i18n( $import['total'] ) ) );
	?></p>
	<p><a href="<?php echo esc_url( $address ); ?>"><?php esc_html_e( 'Refresh', 'trousseau' ); ?></a></p>
</div>
	<?php
elseif ( $import ) :
	?>
<div class="trousseau-note is-problem" role="status">
	<?php
	/* translators: %s: names of gifts */
	echo $import['refused'] ? '<p>' . esc_html( sprintf( __( 'These gifts from your file couldn’t be saved: %s. Add them yourself.', 'trousseau' ), Language::list( $import['refused'] ) ) ) . '</p>' : '';
	/* translators: %s: names of guests */
	echo $import['guests'] ? '<p>' . esc_html( sprintf( __( 'These guests had accounts on the other site: %s. Invite them by email.', 'trousseau' ), Language::list( $import['guests'] ) ) ) . '</p>' : '';
	?>
	<?php echo Form::button( $address, 'import-read', __( 'Dismiss', 'trousseau' ), array(), '', 'is-quiet' ); ?>
</div>
	<?php
endif;
if ( $waiting ) :
	?>
<div class="trousseau-note has-button" role="status">
	<p><?php
	/* translators: %s: number of gifts */
	echo esc_html( sprintf( _n( '%s pasted gift isn’t on your list yet.', '%s pasted gifts aren’t on your list yet.', $waiting, 'trousseau' ), number_format_i18n( $waiting ) ) );
	?></p>
	<p class="trousseau-ways"><a href="<?php echo esc_url( add_query_arg( 'links', 1, $address ) ); ?>"><?php esc_html_e( 'Continue', 'trousseau' ); ?></a>
	<?php echo Form::button( $address, 'forget-links', __( 'Dismiss', 'trousseau' ), array(), '', 'is-quiet' ); ?></p>
</div>
	<?php
endif;
echo Form::open( $address, 'look', array(), $moved ? 'is-paste is-quiet' : 'is-paste' );
echo $form->textarea(
	'address',
	__( 'Add from a link', 'trousseau' ),
	array( 'rows' => 1, 'dir' => 'auto', 'placeholder' => 'https://', 'required' => true, 'autocomplete' => 'off' ),
	/* translators: %s: number of gifts */
	sprintf( __( 'Paste a link, type a gift’s name, or paste a list of up to %s, one per line. If you paste a message, we only use the links in it.', 'trousseau' ), number_format_i18n( GiftLinks::MOST ) )
);
echo '<p class="trousseau-ways">' . Form::submit( __( 'Find it', 'trousseau' ) );
?>
	<a href="<?php echo esc_url( add_query_arg( 'by-hand', 1, $address ) ); ?>"><?php esc_html_e( 'Add it yourself', 'trousseau' ); ?></a>
	<a href="<?php echo esc_url( add_query_arg( 'fund', 1, $address ) ); ?>"><?php esc_html_e( 'Start a cash fund', 'trousseau' ); ?></a></p>
</form>
<?php if ( ! $list ) : ?>
	<?php echo FlashMessage::note( __( 'The gifts can’t be shown right now. Please come back in a minute.', 'trousseau' ), 'is-problem' ); ?>
<?php elseif ( ! $list->total ) : ?>
<p><?php esc_html_e( 'Your list is empty. Add your first gift.', 'trousseau' ); ?></p>
	<?php
else :
	echo $trouble;
	echo Template::html( 'gifts-list', compact( 'post', 'address', 'list', 'lists', 'selected', 'form', 'key', 'moved', 'to', 'under', 'most_wanted', 'changes', 'got', 'bought', 'surprised' ) );
	?>
<p class="trousseau-ways"><a class="button wp-element-button trousseau-quiet" href="<?php echo esc_url( $guests ); ?>"><?php esc_html_e( 'Invite your guests', 'trousseau' ); ?></a></p>
<?php endif; ?>
<?php echo $drafts ? Template::html( 'gift-drafts', compact( 'post', 'address', 'drafts', 'chosen', 'changes' ) ) : ''; ?>
<?php if ( $removed ) : ?>
<details class="trousseau-more" open>
	<summary><?php esc_html_e( 'Removed gifts', 'trousseau' ); ?></summary>
	<?php echo Form::open( $address, 'restore', array(), 'is-shared' ); ?>
	<ul class="trousseau-rows" role="list">
	<?php foreach ( $removed as $trousseau_id => list( 'name' => $trousseau_name ) ) : ?>
		<li><span><?php echo esc_html( Language::isolate( $trousseau_name ) ), isset( $removals[ $trousseau_id ] ) ? ' <small>' . esc_html( $removals[ $trousseau_id ] ) . '</small>' : ''; ?></span> <button class="wp-element-button trousseau-quiet" name="item" value="<?php echo (int) $trousseau_id; ?>" aria-label="<?php
		/* translators: %s: name of a gift */
		echo esc_attr( sprintf( __( 'Put back: %s', 'trousseau' ), $trousseau_name ) );
		?>"><?php esc_html_e( 'Put back', 'trousseau' ); ?></button></li>
	<?php endforeach; ?>
	</ul>
	</form>
</details>
<?php endif; ?>
<?php
if ( $list ) {
	echo Template::html( 'bookmark', array( 'bookmark' => $bookmark ) );
}
