<?php
/**
 * An owner's guests, a page of them at a time.
 *
 * @var bool   $is_cut   Whether it can't be told right now who gives.
 * @var string $search   The address of the search; empty where there are few guests.
 * @var string $share    The address that opens the list for those who have it; empty where there is none.
 * @var bool   $has_link Whether that is the link of a private list.
 * @var string $details  The address of the page on which the owner chooses the people who see the list.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Guests\GuestsPage;
use Trousseau\Lists\Accounts;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\OpenedForm;
use Trousseau\Platform\Template;

if ( $share === '' ) :
	?>
<section class="trousseau-section">
	<p><?php esc_html_e( 'Your list is private: each guest gets a link of their own by email. For one link that everyone can use, in a chat or on a card, choose “Anyone with the link”.', 'trousseau' ); ?></p>
	<p class="trousseau-ways"><a href="<?php echo esc_url( $details ); ?>"><?php esc_html_e( 'Choose who can see it', 'trousseau' ); ?></a></p>
</section>
<?php else : ?>
<section class="trousseau-share" id="trousseau-share" data-share="<?php echo esc_url( $share ); ?>" data-title="<?php echo esc_attr( $name ); ?>">
	<h2><?php esc_html_e( 'Share your list', 'trousseau' ); ?></h2>
	<p><?php echo esc_html( $has_link ? __( 'Anyone with this link can open your list without an account. Nobody else can find it.', 'trousseau' ) : __( 'Your list is public: anyone can view it and give.', 'trousseau' ) ); ?></p>
	<p class="trousseau-field trousseau-copied"><label for="trousseau-permalink"><?php esc_html_e( 'Link to your list', 'trousseau' ); ?></label>
		<input type="text" id="trousseau-permalink" readonly value="<?php echo esc_attr( $share ); ?>">
		<button type="button" class="wp-element-button" data-copy data-needs-script hidden data-copied="<?php esc_attr_e( 'Copied', 'trousseau' ); ?>"><?php esc_html_e( 'Copy', 'trousseau' ); ?></button></p>
	<p class="trousseau-qr" data-qr role="img" aria-label="<?php esc_attr_e( 'QR code that opens your list', 'trousseau' ); ?>"></p>
	<p class="trousseau-ways">
		<button type="button" class="wp-element-button trousseau-quiet" data-send hidden><?php esc_html_e( 'Share', 'trousseau' ); ?></button>
		<a href="<?php echo esc_url( $whatsapp ); ?>" target="_blank" rel="noopener noreferrer"><?php esc_html_e( 'Send by WhatsApp', 'trousseau' ); ?></a>
		<a href="<?php echo esc_url( $cards ); ?>"><?php esc_html_e( 'Print cards', 'trousseau' ); ?></a>
	</p>
	<?php if ( $has_link ) : ?>
	<details class="trousseau-more">
		<summary><?php esc_html_e( 'Is the link in the wrong hands?', 'trousseau' ); ?></summary>
		<p><?php esc_html_e( 'After you create a new link, the old link and its QR code no longer work, even on devices that have used them. Your invited guests and their gifts stay.', 'trousseau' ); ?></p>
		<?php echo Form::button( $address, 'renew', __( 'Create a new link', 'trousseau' ), array(), '', 'is-quiet' ); ?>
	</details>
	<?php endif; ?>
</section>
<?php
endif;
if ( $count ) :
	?>
<section class="trousseau-section" id="trousseau-list">
	<h2><?php
	/* translators: %s: number of guests */
	echo esc_html( sprintf( _n( '%s guest', '%s guests', $count, 'trousseau' ), number_format_i18n( $count ) ) );
	?></h2>
	<p class="trousseau-ways"><a href="#trousseau-invite"><?php esc_html_e( 'Invite guests', 'trousseau' ); ?></a></p>
	<?php echo $search === '' ? '' : Template::html( 'search', array( 'address' => $search, 'place' => 'trousseau-list', 'label' => __( 'Find a guest', 'trousseau' ), 'find' => $find ) ); ?>
	<?php if ( $find !== '' ) : ?>
	<p><?php
	/* translators: 1: number of guests, 2: what was looked for */
	echo esc_html( sprintf( $found ? _n( '%1$s guest with “%2$s”', '%1$s guests with “%2$s”', $found, 'trousseau' ) : __( 'No guest has “%2$s” in their name or email.', 'trousseau' ), number_format_i18n( $found ), Language::isolate( $find ) ) );
	?> <a href="<?php echo esc_url( $search ); ?>#trousseau-list"><?php esc_html_e( 'Show all', 'trousseau' ); ?></a></p>
	<?php endif; ?>
	<?php if ( $is_cut ) : ?>
	<p><?php esc_html_e( 'What your guests are giving can’t be shown right now. Please come back in a minute.', 'trousseau' ); ?></p>
	<?php endif; ?>
	<ul class="trousseau-rows" role="list">
	<?php foreach ( $guests as $trousseau_guest ) : ?>
		<li class="is-guest">
			<span><strong><?php echo esc_html( Language::isolate( $trousseau_guest['typed'] ?: $trousseau_guest['name'] ) ); ?></strong> <small><?php echo esc_html( Language::facts( array( $trousseau_guest['typed'] === '' ? '' : Language::isolate( $trousseau_guest['name'] ), $trousseau_guest['state'] ) ) ); ?></small></span>
			<?php
			$trousseau_again = sprintf( '<button type="submit" form="trousseau-invite" name="again" value="%s">%s</button>', esc_attr( $trousseau_guest['name'] ), Template::label( __( 'Resend', 'trousseau' ), $trousseau_guest['name'] ) );
			echo Template::more( $trousseau_again . Form::button( $address, 'cancel', __( 'Cancel invitation', 'trousseau' ), array( 'guest' => $trousseau_guest['name'] ), $trousseau_guest['name'] ), $trousseau_guest['name'] );
			?>
			<?php if ( $trousseau_guest['link'] !== '' ) : ?>
			<details class="trousseau-link"><summary><?php esc_html_e( 'Their link', 'trousseau' ); ?></summary><input type="text" readonly value="<?php echo esc_attr( $trousseau_guest['link'] ); ?>" aria-label="<?php echo esc_attr( $trousseau_guest['name'] ); ?>"><span class="trousseau-form is-button is-quiet" data-needs-script hidden><button type="button" class="wp-element-button" data-copy data-copied="<?php esc_attr_e( 'Copied', 'trousseau' ); ?>"><?php esc_html_e( 'Copy', 'trousseau' ); ?></button></span></details>
			<?php endif; ?>
		</li>
	<?php endforeach; ?>
	</ul>
	<?php if ( $parts > 1 ) : ?>
	<nav class="trousseau-ways" aria-label="<?php esc_attr_e( 'Pages of guests', 'trousseau' ); ?>">
		<?php if ( $before !== '' ) : ?>
		<a href="<?php echo esc_url( $before ); ?>#trousseau-list" rel="prev"><?php esc_html_e( 'Previous', 'trousseau' ); ?></a>
		<?php endif; ?>
		<span><?php
		/* translators: 1: number of this page, 2: number of pages */
		echo esc_html( sprintf( __( 'Page %1$s of %2$s', 'trousseau' ), number_format_i18n( $part ), number_format_i18n( $parts ) ) );
		?></span>
		<?php if ( $after !== '' ) : ?>
		<a href="<?php echo esc_url( $after ); ?>#trousseau-list" rel="next"><?php esc_html_e( 'Next', 'trousseau' ); ?></a>
		<?php endif; ?>
	</nav>
	<?php endif; ?>
</section>
	<?php
endif;
echo '<section class="trousseau-section"><h2>' . esc_html__( 'Invite guests', 'trousseau' ) . '</h2>';
// Where one link opens the list for everybody, copying it is the main thing to do.
echo Form::open( $address, 'invite', array( OpenedForm::FIELD => $form->text( OpenedForm::FIELD ) ), $share === '' ? '' : 'is-quiet', id: 'trousseau-invite' );
echo $form->textarea(
	'guests',
	__( 'Who would you like to invite?', 'trousseau' ),
	array( 'rows' => 3, 'placeholder' => "ann@example.org\nbob@example.org" ),
	__( 'Enter one or more emails or user names. Guests each get their own link and don’t need an account.', 'trousseau' )
);
echo $form->textarea( 'note', __( 'Add a message', 'trousseau' ), array( 'rows' => 2, 'maxlength' => GuestsPage::MAX_NOTE ) );
echo $form->input( 'owner', __( 'Invitation from', 'trousseau' ), array( 'maxlength' => Accounts::LONGEST_NAME, 'autocomplete' => 'off' ), __( 'Shown in invitations and, if your list is public, in search.', 'trousseau' ) );
echo '<p>' . Form::submit( __( 'Send invitations', 'trousseau' ) ) . '</p></form></section>';
