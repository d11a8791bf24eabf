<?php
/**
 * Fields of a registry, for a new one and for changing one.
 *
 * @var WP_Post|null $post         Null for a new one.
 * @var bool         $asks_name    Whether the person who makes the list has no name yet.
 * @var array|null   $end_surprise The question about a surprise that would end earlier: `question` and `options`.
 * @var array|null   $relabel      The question about the prices after a change of currency: `question` and `options`.
 * @var string[]     $shown        The names of the fields, in their order.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Accounts;
use Trousseau\Lists\RegistryForm;
use Trousseau\Lists\ReservationTime;

$trousseau_labels  = RegistryForm::labels();
$trousseau_effects = $post ? RegistryForm::effects( $post ) : array();
$trousseau_hint    = static fn( string $field ): array => array_filter( array( $trousseau_effects[ $field ] ?? '' ) );
$trousseau_fields  = array(
	'title'    => fn(): string => $form->input( 'title', $trousseau_labels['title'], array( 'maxlength' => RegistryForm::MAX_TITLE, 'required' => true, 'placeholder' => __( 'Ann & Bob', 'trousseau' ), 'autocomplete' => 'off' ) ),
	'host'     => fn(): string => empty( $asks_name ) ? '' : $form->input( 'host', __( 'Your name', 'trousseau' ), array( 'maxlength' => Accounts::LONGEST_NAME, 'autocomplete' => 'name' ), __( 'Shown in invitations and, if your list is public, in search.', 'trousseau' ) ),
	// The date is shown next to it.
	'occasion' => fn(): string => '<div class="trousseau-pair is-narrow">' . $form->select( 'occasion', $trousseau_labels['occasion'], $occasions ) . $form->input( 'date', $trousseau_labels['date'], array( 'type' => 'date' ) ) . '<small>' . esc_html( $trousseau_effects['date'] ?? __( 'The date is optional.', 'trousseau' ) ) . '</small></div>',
	'other'    => fn(): string => '<div data-shown-if="occasion=other">' . $form->input( 'other', $trousseau_labels['other'], array( 'maxlength' => RegistryForm::MAX_OTHER ) ) . '</div>',
	'date'     => fn(): string => '',
	'status'   => fn(): string => $form->choice(
		'status',
		$trousseau_labels['status'],
		array(
			'private' => array( __( 'Only people I invite', 'trousseau' ) ),
			'link'    => array( __( 'Anyone with the link', 'trousseau' ), __( 'You get a link and a QR code to share.', 'trousseau' ) ),
			'publish' => array( __( 'Everyone', 'trousseau' ), __( 'Listed on this site and in search engines.', 'trousseau' ) . ( $approval ? ' ' . __( 'An administrator of this site has to approve it first.', 'trousseau' ) : '' ) ),
		)
	),
	'story'    => fn(): string => $form->textarea( 'story', $trousseau_labels['story'], array( 'maxlength' => RegistryForm::MAX_STORY, 'rows' => 4 ) ),
	'picture'  => fn(): string => ! $upload ? '' : $form->picture( 'picture', 2, $picture )
		. ( $picture === '' ? '' : sprintf( '<p class="trousseau-field"><label class="trousseau-choice"><input type="checkbox" name="no-picture" value="1"%s> <span>%s</span></label></p>', checked( $form->is_checked( 'no-picture' ), true, false ), esc_html__( 'Remove this picture', 'trousseau' ) ) ),
	'currency' => fn(): string => $form->select( 'currency', $trousseau_labels['currency'], $currencies, $trousseau_effects['currency'] ?? '' ),
	'relabel'  => fn(): string => empty( $relabel ) ? '' : $form->choice( 'relabel', $relabel['question'], $relabel['options'] ),
	'surprise' => fn(): string => $form->choice(
		'surprise',
		$trousseau_labels['surprise'],
		( $post ? array() : array( 'usual' => array( __( 'It depends on the occasion (recommended)', 'trousseau' ), __( 'The day after a wedding, birth or birthday; right away for a new home.', 'trousseau' ) ) ) ) + array(
			'no'     => array( __( 'Right away', 'trousseau' ), ...$trousseau_hint( 'no' ) ),
			'after'  => array( __( 'The day after', 'trousseau' ), ...$trousseau_hint( 'after' ) ),
			'day'    => array( __( 'On a date I choose', 'trousseau' ), ...$trousseau_hint( 'day' ) ),
			'always' => array( __( 'Never', 'trousseau' ), ...$trousseau_hint( 'always' ) ),
		)
	),
	'end_surprise' => fn(): string => empty( $end_surprise ) ? '' : $form->choice( 'end_surprise', $end_surprise['question'], $end_surprise['options'] ),
	'until'    => fn(): string => '<div data-shown-if="surprise=day">' . $form->input( 'until', $trousseau_labels['until'], array( 'type' => 'date' ) ) . '</div>',
	'keeps'    => fn(): string => '<div class="trousseau-if-surprise">' . $form->choice(
		'keeps',
		$trousseau_labels['keeps'],
		array( 'all' => array( __( 'Everything', 'trousseau' ) ), 'names' => array( __( 'Only names', 'trousseau' ) ) ),
		'is-row',
		__( 'Only names: you see what’s given, but not by whom.', 'trousseau' )
	) . '</div>',
	'closes'   => fn(): string => $form->input( 'closes', $trousseau_labels['closes'], array( 'type' => 'date' ), __( 'From then on, your guests see a thank-you and nobody can give any more. Leave it empty to keep the list open. You can reopen it at any time.', 'trousseau' ) ),
	'reserved' => fn(): string => $form->select(
		'reserved',
		$trousseau_labels['reserved'],
		array( '' => __( 'Two weeks', 'trousseau' ), '28' => __( 'Four weeks', 'trousseau' ), 'day' => __( 'Until the big day', 'trousseau' ) ),
		sprintf(
			/* translators: 1, 2: numbers of days */
			_n( 'We remind guests %1$s day before it runs out, and they can keep it longer. Unless they do, it lasts %2$s days at most.', 'We remind guests %1$s days before it runs out, and they can keep it longer. Unless they do, it lasts %2$s days at most.', ReservationTime::REMINDER / DAY_IN_SECONDS, 'trousseau' ),
			number_format_i18n( ReservationTime::REMINDER / DAY_IN_SECONDS ),
			number_format_i18n( intdiv( ReservationTime::MOST, DAY_IN_SECONDS ) )
		)
	),
);

$body = array_map( static fn( string $name ): string => isset( $trousseau_fields[ $name ] ) ? $trousseau_fields[ $name ]() : $added[ $name ], $shown );
echo implode( '', $body );
