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
	echo $form->input( 'host', __( 'Your name', 'trousseau' ), array( 'maxlength' => 100, 'autocomplete' => 'name' ), __( 'Shown in invitations and, if your list is public, when people search for it.', 'trousseau' ) );
}
echo $form->select( 'occasion', __( 'Occasion', 'trousseau' ), $occasions );
echo '<div data-shown-if="occasion=other">' . $form->input( 'other', __( 'Which occasion is it?', 'trousseau' ), array( 'maxlength' => 100 ) ) . '</div>';
echo $form->input( 'date', __( 'When is the day?', 'trousseau' ), array( 'type' => 'date' ), __( 'Optional.', 'trousseau' ) );
echo $form->choice(
	'status',
	__( 'People who can see it', 'trousseau' ),
	array(
		'private' => array( __( 'Only the people I invite', 'trousseau' ) ),
		'link'    => array( __( 'Anyone with the link', 'trousseau' ), __( 'You get a link and a square code to send on or to print on a card. The list stands nowhere on this site.', 'trousseau' ) ),
		'publish' => array( __( 'Everybody', 'trousseau' ), __( 'It is listed on this site, and search engines may find it.', 'trousseau' ) . ( $approval ? ' ' . __( 'An administrator of this site approves it first.', 'trousseau' ) : '' ) ),
	)
);
?>
<details class="trousseau-more"<?php echo $is_new && $form->is_sound() ? '' : ' open'; ?>>
	<summary><?php esc_html_e( 'Story, picture, currency, surprise, reservations, end', 'trousseau' ); ?></summary>
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
		__( 'A picture', 'trousseau' ),
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
	__( 'Do you want to be surprised?', 'trousseau' ),
	( $is_new ? array( 'usual' => array( __( 'As usual', 'trousseau' ), __( 'Until the day after a wedding, a birth or a birthday; for a new home you see what is given.', 'trousseau' ) ) ) : array() ) + array(
		'no'     => array( __( 'No: show me who gives what', 'trousseau' ) ),
		'after'  => array( __( 'Until the day after', 'trousseau' ) ),
		'day'    => array( __( 'Until a day that I choose', 'trousseau' ) ),
		'always' => array( __( 'Always', 'trousseau' ) ),
	)
);
if ( ! empty( $end_surprise ) ) {
	echo $form->choice( 'end_surprise', $end_surprise['question'], $end_surprise['options'] );
}
echo '<div data-shown-if="surprise=day">' . $form->input( 'until', __( 'From which day do you want to see everything?', 'trousseau' ), array( 'type' => 'date' ) ) . '</div>';
echo $added['surprise'] ?? '';
if ( ! $is_new ) {
	echo $form->input( 'closes', __( 'From which day is the list closed?', 'trousseau' ), array( 'type' => 'date' ), __( 'From then on your guests read a thank-you, and nobody can give anything more. Leave it empty to keep the list open. You can open it again at any time.', 'trousseau' ) );
}
echo $form->select(
	'reserved',
	__( 'How long may somebody keep a gift reserved before they buy it?', 'trousseau' ),
	array(
		''    => __( 'Two weeks', 'trousseau' ),
		'28'  => __( 'Four weeks', 'trousseau' ),
		'day' => __( 'Until the day', 'trousseau' ),
	),
	__( 'They’re reminded two days before it ends. It lasts 90 days at the most; then they can keep it longer.', 'trousseau' )
);
?>
</details>
