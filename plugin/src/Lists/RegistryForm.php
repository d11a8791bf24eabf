<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Currency;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\PlainText;
use Trousseau\Plugin;
use WP_Post;

/** The form of a registry: name, occasion, day, story, picture, currency, visibility, and surprise. */
final class RegistryForm {

	public const MAX_TITLE = 200;
	public const MAX_STORY = 20_000;
	public const MAX_OTHER = 100;

	public const UPLOAD = 'picture';

	/** The pages of a list's details, each with its fields, to which features add theirs. */
	public const PARTS = array(
		'about'    => array( 'title', 'occasion', 'other', 'date', 'story', 'picture', 'currency', 'relabel' ),
		'privacy'  => array( 'status', 'surprise', 'until', 'keeps' ),
		'delivery' => array( 'reserved' ),
		'after'    => array( 'closes' ),
	);

	/** The occasions that a form offers, as they are stored in every language: in English. */
	private const OCCASIONS = array(
		'wedding'     => 'Wedding',
		'baby'        => 'Baby',
		'home'        => 'New home',
		'birthday'    => 'Birthday',
		'christening' => 'Christening',
		'graduation'  => 'Graduation',
		'holidays'    => 'Holidays',
	);

	public function __construct( private readonly Limits $limits, private readonly ListLink $list_link ) {
	}

	/** The currency for which a list is most likely meant: that of its owner's newest list, or else the site's. */
	public static function usual_currency(): string {
		foreach ( get_current_user_id() ? Registries::owned_by( get_current_user_id() ) : array() as $list ) {
			if ( Meta::currency( $list->ID ) !== '' ) {
				return Meta::currency( $list->ID );
			}
		}
		return Currency::of_site();
	}

	public function of( WP_Post $post ): Form {
		$type     = Meta::event_type( $post->ID );
		$occasion = array_search( $type, self::OCCASIONS, true );
		$until    = Meta::surprise_until( $post->ID );
		$date     = Meta::event_date( $post->ID );
		return new Form(
			array(
				'title'    => Registries::title( $post ),
				'occasion' => $occasion ?: 'other',
				'other'    => $occasion === false ? $type : '',
				'date'     => $date,
				'story'    => self::plain( $post->post_content ),
				'currency' => Meta::currency( $post->ID ),
				// Saving a list that waits for approval, or for its day, keeps its owner's choice, and neither approves it nor brings it forward.
				'status'   => $post->post_status === 'future' || ( Approval::waits( $post ) && ! Access::looks_after_all() ) ? 'publish' : self::status( $post ),
				'surprise' => match ( $until ) {
					''                     => 'no',
					'always'               => 'always',
					self::day_after( $date ) => 'after',
					default                => 'day',
				},
				'until'    => preg_match( '/^\d/', $until ) ? $until : '',
				'keeps'    => Meta::surprise_keeps_names_only( $post->ID ) ? 'names' : 'all',
				'reserved' => Meta::reserved_for( $post->ID ),
				'closes'   => Closing::day( $post->ID ),
			) + array_map( static fn( string $field ): string => $field::value( $post->ID ), Plugin::parts( ListField::class ) )
		);
	}

	/** @return array<string, string> The values as they would be stored, so that texts that mean the same compare as equal; `picture` only if it changes. */
	public static function values( Form $form, bool $has_file = false ): array {
		$values = array_map( array( $form, 'text' ), array_combine( array_keys( self::labels() ), array_keys( self::labels() ) ) );
		unset( $values['picture'] );
		$values['story'] = $form->lines( 'story' );
		$values          = self::added_values( $form ) + $values;
		if ( $values['occasion'] !== 'other' ) {
			$values['other'] = '';
		}
		if ( $values['surprise'] !== 'day' ) {
			$values['until'] = '';
		}
		if ( $has_file || $form->is_checked( 'no-picture' ) ) {
			$values['picture'] = $has_file ? self::UPLOAD : '';
		}
		return $values;
	}

	/** @return array<string, string> The values that were sent of the fields of features. */
	public static function added_values( Form $form ): array {
		$sent = array_intersect_key( Plugin::parts( ListField::class ), $form->typed() );
		return array_combine( array_keys( $sent ), array_map( static fn( string $name, string $field ): string => $field::HAS_LINES ? $form->lines( $name ) : $form->text( $name ), array_keys( $sent ), $sent ) );
	}

	/** @return string[] The fields on a page of the details. */
	public static function part( string $part ): array {
		return array( ...self::PARTS[ $part ], ...array_keys( array_filter( Plugin::parts( ListField::class ), static fn( string $field ): bool => $field::PART === $part ) ) );
	}

	public function stored_values( WP_Post $post ): array {
		return array( 'picture' => (string) ( get_post_thumbnail_id( $post ) ?: '' ) ) + self::values( $this->of( $post ) );
	}

	/** @return array<string, string> The words for the fields; a picture's are for a form whose sender has changed it, too. */
	public static function labels(): array {
		return array(
			'title'    => __( 'Name of your list', 'trousseau' ),
			'occasion' => __( 'Occasion', 'trousseau' ),
			'other'    => __( 'What’s the occasion?', 'trousseau' ),
			'date'     => __( 'When is it?', 'trousseau' ),
			'status'   => __( 'Who can see it?', 'trousseau' ),
			'story'    => __( 'A few words for your guests', 'trousseau' ),
			'currency' => __( 'Currency of your prices', 'trousseau' ),
			'surprise' => __( 'When do you see who’s giving what?', 'trousseau' ),
			'until'    => __( 'From which day?', 'trousseau' ),
			'keeps'    => __( 'What stays secret?', 'trousseau' ),
			'closes'   => __( 'When does the list close?', 'trousseau' ),
			'reserved' => __( 'How long can guests keep a gift reserved before they buy it?', 'trousseau' ),
			'picture'  => __( 'Someone else changed the picture, too. Choose yours again to use it instead.', 'trousseau' ),
		) + array_map( static fn( string $field ): string => $field::label(), Plugin::parts( ListField::class ) );
	}

	/** The people who can see a registry: `publish` for everyone, `link` for anyone with its link, `private` for its guests. */
	public static function status( WP_Post $post ): string {
		return match ( true ) {
			$post->post_status === 'publish' => 'publish',
			ListLink::is_on( $post )         => 'link',
			default                          => 'private',
		};
	}

	/** An occasion as readers see it: in their language where it is one that forms offer, or else in the owner's words. */
	public static function occasion( string $stored ): string {
		$offered = array_search( $stored, self::OCCASIONS, true );
		return $offered === false ? $stored : self::occasions()[ $offered ];
	}

	public static function occasions(): array {
		return array(
			'wedding'     => __( 'Wedding', 'trousseau' ),
			'baby'        => __( 'Baby', 'trousseau' ),
			'home'        => __( 'New home', 'trousseau' ),
			'birthday'    => __( 'Birthday', 'trousseau' ),
			'christening' => __( 'Christening', 'trousseau' ),
			'graduation'  => __( 'Graduation', 'trousseau' ),
			'holidays'    => __( 'Holidays', 'trousseau' ),
			'other'       => __( 'Something else', 'trousseau' ),
		);
	}

	/** Notes the faults on the form. Its sender sees these fields, or all of them; the others stay as they are stored, whatever that is. */
	public static function check( Form $form, ?WP_Post $before = null, array $fields = array() ): void {
		$sees = static fn( string ...$names ): bool => ! $fields || array_intersect( $names, $fields );
		$sees( 'title' ) && $form->needs( 'title', self::MAX_TITLE, __( 'Give your list a name, such as “Ann & Bob”.', 'trousseau' ) );
		$sees( 'host' ) && $form->needs( 'host', Accounts::LONGEST_NAME );
		$sees( 'story' ) && $form->needs( 'story', self::MAX_STORY );
		$sees( 'other' ) && $form->needs( 'other', self::MAX_OTHER );
		foreach ( array_filter( Plugin::parts( ListField::class ), $sees, ARRAY_FILTER_USE_KEY ) as $name => $field ) {
			$form->needs( $name, $field::LONGEST );
			$field::check( $form, $before ? $field::value( $before->ID ) : '' );
		}
		$date = $form->text( 'date' );
		if ( $date !== '' && Meta::clean_event_date( $date ) === '' ) {
			$form->fault( 'date', __( 'Choose a date such as 2027-05-30, or leave it empty.', 'trousseau' ) );
		}
		$closes = $form->text( 'closes' );
		if ( $sees( 'closes', 'date' ) && $closes !== '' && ( Meta::clean_event_date( $closes ) === '' || $closes <= $date ) ) {
			$is_seen = $sees( 'closes' );
			$form->fault( $is_seen ? 'closes' : 'date', $is_seen ? __( 'Choose a date after the big day, such as 2027-06-13, or leave it empty.', 'trousseau' ) : __( 'Your list would close before this date. Choose an earlier one, or change when the list closes under “After the day”.', 'trousseau' ) );
		}
		$until = $form->text( 'until' );
		if ( $form->text( 'surprise' ) === 'day' && Meta::clean_event_date( $until ) === '' ) {
			$form->fault( 'until', __( 'Choose the date from which you’d like to see everything.', 'trousseau' ) );
		}
		if ( $sees( 'surprise', 'date' ) && $form->text( 'surprise' ) === 'after' && $date === '' ) {
			$is_seen = $sees( 'date' );
			$form->fault( $is_seen ? 'date' : 'surprise', $is_seen ? __( 'Choose the date of the big day, so the surprise can end after it.', 'trousseau' ) : __( 'Your list has no date yet. Choose one under “About” first, or choose the date on which the surprise ends.', 'trousseau' ) );
		}
	}

	/** Makes the current user's new list. Returns its number; 0 where the form has a fault. */
	public function make( Form $form ): int {
		self::check( $form );
		$refusal = $form->is_sound() ? $this->limits->refuse_list() : null;
		if ( $refusal ) {
			$form->fault( '', $refusal->get_error_message() );
		}
		if ( ! $form->is_sound() ) {
			return 0;
		}
		$id = wp_insert_post( $this->post( $form ) );
		if ( $id ) {
			Accounts::take_name( wp_get_current_user(), $form->text( 'host' ) );
			$this->list_link->set( get_post( $id ), $form->text( 'status' ) === 'link' );
		} else {
			$form->fault( '', __( 'We couldn’t create your list right now. Nothing you typed is lost: try again in a minute.', 'trousseau' ) );
		}
		return $id;
	}

	/** The registry as WordPress stores it. ListLink stores its link. */
	public function post( Form $form, ?WP_Post $before = null ): array {
		$story    = $form->lines( 'story' );
		$occasion = $form->text( 'occasion' );
		$post     = array(
			'post_type'   => PostType::NAME,
			// The name is plain text, also where WordPress lets its owner write HTML.
			'post_title'  => PlainText::to_html( $form->text( 'title' ) ),
			'post_status' => $form->text( 'status' ) === 'publish' ? 'publish' : 'private',
			'meta_input'  => array(
				Meta::EVENT_TYPE     => $occasion === 'other' ? PlainText::to_html( $form->text( 'other' ) ) : ( self::OCCASIONS[ $occasion ] ?? '' ),
				Meta::EVENT_DATE     => Meta::clean_event_date( $form->text( 'date' ) ),
				Meta::CURRENCY       => Meta::clean_currency( $form->text( 'currency' ) ),
				Meta::SURPRISE_UNTIL => self::surprise_of( $form ),
				Meta::RESERVED_FOR   => Meta::clean_reserved_for( $form->text( 'reserved' ) ),
				Meta::SURPRISE_KEEPS => $form->text( 'keeps' ) === 'names' ? 'names' : '',
			),
		);
		// A story that was written in the site's editor stays as it is until someone changes its words.
		if ( ! $before || self::plain( $before->post_content ) !== $story ) {
			$post['post_content'] = PlainText::to_html( $story );
		}
		return wp_slash( $post );
	}

	public static function fields( Form $form, ?WP_Post $post = null ): array {
		return array(
			'form'       => $form,
			'occasions'  => self::occasions(),
			'currencies' => Currency::all( $form->text( 'currency' ) ),
			'picture'    => $post ? (string) get_the_post_thumbnail_url( $post, 'medium_large' ) : '',
			'upload'     => PictureUpload::may_upload(),
			'post'       => $post,
			'added'      => $post ? array_map( static fn( string $field ): string => $field::html( $form ), Plugin::parts( ListField::class ) ) : array(),
			'approval'   => Approval::is_announced() && $post?->post_status !== 'publish',
		);
	}

	/** @return array<string, string> What a change of a field, or a choice of the surprise, does. */
	public static function effects( WP_Post $post ): array {
		$date  = Meta::event_date( $post->ID );
		$after = self::day_after( $date );
		return array(
			'date'     => $date !== '' && Meta::surprise_until( $post->ID ) === $after
				? __( 'If the date changes, your surprise ends the day after the new one. Guests who follow your list get an email.', 'trousseau' )
				: __( 'The date is optional. If it changes, guests who follow your list get an email.', 'trousseau' ),
			'currency' => Meta::currency( $post->ID ) === '' ? '' : __( 'Changing it doesn’t convert your prices. We’ll ask you first.', 'trousseau' ),
			'no'       => __( 'All owners see it as soon as you save.', 'trousseau' ),
			'after'    => $date === ''
				? __( 'Your list needs a date first. Choose it under “About”.', 'trousseau' )
				/* translators: %s: date */
				: sprintf( __( '%s. It moves with the date.', 'trousseau' ), Language::calendar_day( $after ) ),
			'always'   => __( 'Not even to say thank you.', 'trousseau' ),
		);
	}

	/** The default: a wedding's and a baby's gifts are a surprise until the day after, a housewarming's are none. */
	public static function surprise_of( Form $form ): string {
		$date   = Meta::clean_event_date( $form->text( 'date' ) );
		$choice = $form->text( 'surprise' );
		if ( $choice === 'usual' ) {
			$choice = in_array( $form->text( 'occasion' ), array( 'wedding', 'baby', 'birthday', 'christening', 'holidays' ), true ) && $date !== '' ? 'after' : 'no';
		}
		return match ( $choice ) {
			'always' => 'always',
			'after'  => self::day_after( $date ),
			'day'    => Meta::clean_event_date( $form->text( 'until' ) ),
			default  => '',
		};
	}

	private static function day_after( string $date ): string {
		return $date === '' ? '-' : gmdate( 'Y-m-d', strtotime( "$date UTC" ) + DAY_IN_SECONDS );
	}

	/** A story's words, as its form sends them back. */
	private static function plain( string $story ): string {
		$text = preg_replace( array( '#<br\s*/?>\n?#i', '#</(p|h\d|li|blockquote)>\s*#i' ), array( "\n", "\n\n" ), excerpt_remove_blocks( $story ) );
		return ( new Form( array( 'story' => PlainText::of_html( (string) $text ) ) ) )->lines( 'story' );
	}
}
