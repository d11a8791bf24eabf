<?php
/**
 * An owner's guests.
 *
 * @var Trousseau\Form                   $form
 * @var string                           $address
 * @var array<int, array<string, mixed>> $guests
 * @var string                           $permalink
 * @var string                           $name
 * @var bool                             $is_public
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

echo Trousseau\Form::open( $address, 'invite' );
echo $form->textarea(
	'guests',
	__( 'Whom do you invite?', 'trousseau' ),
	array(
		'rows'        => 3,
		'placeholder' => "ann@example.org\nbob@example.org",
	),
	__( 'Mail addresses, or names of people with an account here; several at once are fine. Each gets a mail with a link of their own, and needs no account.', 'trousseau' )
);
echo $form->textarea(
	'note',
	__( 'A word to go with it', 'trousseau' ),
	array(
		'rows'      => 2,
		'maxlength' => 1000,
	)
);
echo $form->input(
	'owner',
	__( 'Who invites?', 'trousseau' ),
	array(
		'maxlength'    => 100,
		'autocomplete' => 'off',
	),
	__( 'As your guests know you, such as “Ann & Bob”. It stands in the invitations; left empty, they name the list alone.', 'trousseau' )
);
echo '<p>' . Trousseau\Form::submit( __( 'Invite', 'trousseau' ) ) . '</p></form>';
?>
<?php if ( $guests ) : ?>
<section class="trousseau-section">
	<h2><?php
	/* translators: %s: number of guests */
	echo esc_html( sprintf( _n( '%s guest', '%s guests', count( $guests ), 'trousseau' ), number_format_i18n( count( $guests ) ) ) );
	?></h2>
	<ul class="trousseau-rows" role="list">
	<?php foreach ( $guests as $trousseau_guest ) : ?>
		<li>
			<span><strong><?php echo esc_html( Trousseau\Language::isolate( $trousseau_guest['name'] ) ); ?></strong> <small><?php echo esc_html( $trousseau_guest['state'] ); ?></small></span>
			<span class="trousseau-ways">
				<?php echo Trousseau\Form::button( $address, 'again', __( 'Send again', 'trousseau' ), array( 'guest' => $trousseau_guest['name'] ), $trousseau_guest['name'], 'is-quiet' ); ?>
				<?php echo Trousseau\Form::button( $address, 'take-back', __( 'Take back', 'trousseau' ), array( 'guest' => $trousseau_guest['name'] ), $trousseau_guest['name'], 'is-quiet' ); ?>
			</span>
			<?php if ( $trousseau_guest['link'] !== '' ) : ?>
			<details><summary><?php esc_html_e( 'Their link', 'trousseau' ); ?></summary><input type="text" readonly value="<?php echo esc_attr( $trousseau_guest['link'] ); ?>" aria-label="<?php echo esc_attr( $trousseau_guest['name'] ); ?>"></details>
			<?php endif; ?>
		</li>
	<?php endforeach; ?>
	</ul>
</section>
<?php endif; ?>
<section class="trousseau-section trousseau-share" data-share="<?php echo esc_url( $permalink ); ?>" data-title="<?php echo esc_attr( $name ); ?>">
	<h2><?php esc_html_e( 'Share the address', 'trousseau' ); ?></h2>
	<p><?php echo esc_html( $is_public ? __( 'Your list is public: whoever has its address can look and give.', 'trousseau' ) : __( 'Your list is private: its address opens for invited guests who log in. Those without an account need the link in their mail.', 'trousseau' ) ); ?></p>
	<p class="trousseau-field"><label for="trousseau-permalink"><?php esc_html_e( 'Address of your list', 'trousseau' ); ?></label><input type="text" id="trousseau-permalink" readonly value="<?php echo esc_attr( $permalink ); ?>"></p>
	<p class="trousseau-ways" data-needs-script hidden>
		<button type="button" class="wp-element-button" data-copy data-copied="<?php esc_attr_e( 'Copied', 'trousseau' ); ?>"><?php esc_html_e( 'Copy', 'trousseau' ); ?></button>
		<button type="button" class="wp-element-button" data-send hidden><?php esc_html_e( 'Send it on', 'trousseau' ); ?></button>
	</p>
	<p class="trousseau-qr" data-qr role="img" aria-label="<?php esc_attr_e( 'The address as a square code for a phone’s camera', 'trousseau' ); ?>"></p>
</section>
