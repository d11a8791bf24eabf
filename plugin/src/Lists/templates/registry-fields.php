<?php
/**
 * The fields of a registry, for a new one and for changing one.
 *
 * @var Trousseau\Platform\Form $form
 * @var array<string, string>   $occasions
 * @var array<string, string>   $currencies
 * @var string                  $picture The address of its present picture.
 * @var bool                    $upload  Whether pictures can be sent.
 * @var bool                    $is_new
 * @var array<string, string>   $added   The fields of features, by the name of the field after which they stand.
 * @var bool                    $asks_name Whether the person who makes the list has no name yet.
 * @var bool                    $approval Whether the list has to be approved before everybody sees it.
 * @var array|null              $end_surprise The question about a surprise that would end earlier: `question` and `options`.
 * @var array|null              $relabel The question about the prices after a change of currency: `question` and `options`.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

echo $form->input(
	'title',
	__( 'Name of your list', 'trousseau' ),
	array(
		'maxlength'    => 200,
		'required'     => true,
		'placeholder'  => __( 'Ann & Bob', 'trousseau' ),
		'autocomplete' => 'off',
	)
);
if ( ! empty( $asks_name ) ) {
	echo $form->input( 'host', __( 'Your name', 'trousseau' ), array( 'maxlength' => 100, 'autocomplete' => 'name' ), __( 'Shown in invitations and, if your list is public, in search.', 'trousseau' ) );
}
echo $form->select( 'occasion', __( 'Occasion', 'trousseau' ), $occasions );
echo '<div data-shown-if="occasion=other">' . $form->input( 'other', __( 'What’s the occasion?', 'trousseau' ), array( 'maxlength' => 100 ) ) . '</div>';
echo $form->input( 'date', __( 'When is it?', 'trousseau' ), array( 'type' => 'date' ), __( 'Optional.', 'trousseau' ) );
echo $form->choice(
	'status',
	__( 'Who can see it?', 'trousseau' ),
	array(
		'private' => array( __( 'Only people I invite', 'trousseau' ) ),
		'link'    => array( __( 'Anyone with the link', 'trousseau' ), __( 'You get a link and a QR code to share or print on a card. The list isn’t shown anywhere on this site.', 'trousseau' ) ),
		'publish' => array( __( 'Everyone', 'trousseau' ), __( 'It’s listed on this site, and search engines can find it.', 'trousseau' ) . ( $approval ? ' ' . __( 'An administrator of this site has to approve it first.', 'trousseau' ) : '' ) ),
	)
);
?>
<details class="trousseau-more"<?php echo $is_new && $form->is_sound() ? '' : ' open'; ?>>
	<summary><?php esc_html_e( 'More options', 'trousseau' ); ?></summary>
<?php
echo $form->textarea(
	'story',
	__( 'A few words for your guests', 'trousseau' ),
	array(
		'maxlength' => 20000,
		'rows'      => 5,
	)
);
if ( $upload ) {
	if ( $picture !== '' ) {
		printf( '<p class="trousseau-field"><img class="trousseau-thumbnail" src="%s" alt=""><label class="trousseau-choice"><input type="checkbox" name="no-picture" value="1"%s> <span>%s</span></label></p>', esc_url( $picture ), checked( $form->is_checked( 'no-picture' ), true, false ), esc_html__( 'Remove this picture', 'trousseau' ) );
	}
	echo $form->input(
		'picture',
		__( 'Picture', 'trousseau' ),
		array(
			'type'   => 'file',
			'accept' => 'image/jpeg,image/png,image/webp,image/gif',
			'value'  => false,
		)
	);
}
echo $form->select( 'currency', __( 'Currency of your prices', 'trousseau' ), $currencies );
if ( ! empty( $relabel ) ) {
	echo $form->choice( 'relabel', $relabel['question'], $relabel['options'] );
}
echo $added['currency'] ?? '';
echo $form->choice(
	'surprise',
	__( 'Would you like to be surprised?', 'trousseau' ),
	( $is_new ? array( 'usual' => array( __( 'Hide until the day after (recommended)', 'trousseau' ), __( 'Until the day after a wedding, birth or birthday. For a new home, you can see what’s given.', 'trousseau' ) ) ) : array() ) + array(
		'no'     => array( __( 'No, show me who gives what', 'trousseau' ) ),
		'after'  => array( __( 'Until the day after', 'trousseau' ) ),
		'day'    => array( __( 'Until a date I choose', 'trousseau' ) ),
		'always' => array( __( 'Always', 'trousseau' ) ),
	)
);
if ( ! empty( $end_surprise ) ) {
	echo $form->choice( 'end_surprise', $end_surprise['question'], $end_surprise['options'] );
}
echo '<div data-shown-if="surprise=day">' . $form->input( 'until', __( 'When would you like to see everything?', 'trousseau' ), array( 'type' => 'date' ) ) . '</div>';
echo $added['surprise'] ?? '';
if ( ! $is_new ) {
	echo $form->input( 'closes', __( 'When does the list close?', 'trousseau' ), array( 'type' => 'date' ), __( 'From then on, your guests see a thank-you and nobody can give any more. Leave it empty to keep the list open. You can reopen it at any time.', 'trousseau' ) );
}
echo $form->select(
	'reserved',
	__( 'How long can guests keep a gift reserved before they buy it?', 'trousseau' ),
	array(
		''    => __( 'Two weeks', 'trousseau' ),
		'28'  => __( 'Four weeks', 'trousseau' ),
		'day' => __( 'Until the big day', 'trousseau' ),
	),
	__( 'We remind guests two days before it ends. After 90 days at most, they can keep it longer.', 'trousseau' )
);
?>
</details>
