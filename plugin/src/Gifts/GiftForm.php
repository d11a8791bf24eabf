<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Meta;
use Trousseau\Lists\PictureUpload;
use Trousseau\Lists\Sections;
use Trousseau\Platform\Currency;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\OpenedForm;
use Trousseau\Platform\RateLimiter;
use Trousseau\Service\Invalid;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;
use Trousseau\Service\TooMany;
use WP_Error;
use WP_Post;

/** The form of a gift, and what a shop's page fills in. */
final class GiftForm {

	public const UPLOAD = 'upload';

	public const MAX_NAME = Item::MAX_NAME;

	private const BOXES = array( 'any_number', 'most_wanted' );

	public function __construct(
		private readonly ItemService $item_service,
		private readonly PictureUpload $picture_upload,
		private readonly RateLimiter $rate_limiter,
	) {
	}

	/** The most of a goal in minor units: one more means that there is none; and the least price of a thing that several may pay for. */
	private const MAX_GOAL  = Item::ANY_NUMBER - 1;
	private const MIN_PRICE = 50;

	public static function of( ?array $item, string $section, string $currency, bool $is_most_wanted = false ): Form {
		$is_money = $item && Item::is_money( $item );
		$price    = $item ? self::stored_price( $item, $currency ) : null;
		return new Form(
			$item ? array(
				'section'     => $section,
				'most_wanted' => $is_most_wanted ? '1' : '',
				'name'        => $item['name'],
				'address'     => $item['url'],
				'kind'        => $is_money ? 'money' : '',
				'price'       => $price === null ? '' : Currency::typed( $price, $currency ),
				'quantity'    => (string) ( $is_money || Item::is_any_number( $item ) ? 1 : Item::needed( $item ) ),
				'any_number'  => Item::is_any_number( $item ) ? '1' : '',
				'description' => (string) $item['description'],
				'image'       => (string) $item['image_url'],
			) + array_map( 'strval', array_intersect_key( $item, Item::facts() ) ) : array( 'quantity' => '1' )
		);
	}

	/** Fills in the fields that a form didn't show: it was opened before an update, and what nobody saw stays as it is stored. */
	public static function complete( Form $form, Form $stored ): void {
		$opened = OpenedForm::of( $form );
		foreach ( array_diff_key( $stored->typed(), $form->typed() ) as $field => $value ) {
			// A box without a tick isn't sent either.
			if ( ! in_array( $field, self::BOXES, true ) || ! $opened?->showed( $field ) ) {
				$form->set( $field, $value );
			}
		}
	}

	/**
	 * The values of a stored gift's form as they would be stored, so that texts that mean the same compare as equal.
	 *
	 * @return array<string, string>
	 */
	public static function values( Form $form, WP_Post $post, bool $is_money, bool $has_file = false ): array {
		$currency = Meta::currency( $post->ID );
		$price    = Price::read( $form->text( 'price' ), $currency, determine_locale() );
		$picture  = $form->is_checked( 'no-picture' ) ? '' : $form->text( 'image' );
		$address  = self::address_in( $form->text( 'address' ) );
		return array(
			'name'        => $form->text( 'name' ),
			'price'       => $price?->is_sure ? Currency::typed( $price->amounts[0], $currency ) : $form->text( 'price' ),
			'quantity'    => $form->text( 'quantity' ) === '' ? '1' : $form->text( 'quantity' ),
			'any_number'  => $form->is_checked( 'any_number' ) ? '1' : '',
			'description' => $form->lines( 'description' ),
			// Invalid links keep their text, so that their sender reads the error.
			'address'     => $form->text( 'address' ) === '' ? (string) get_permalink( $post ) : ( $address === '' ? $form->text( 'address' ) : $address ),
			'section'     => $form->text( 'section' ),
			'most_wanted' => $form->is_checked( 'most_wanted' ) ? '1' : '',
			'image'       => $has_file ? self::UPLOAD : $picture,
		) + self::facts( $form ) + ( $is_money ? array( 'pay_to' => $form->text( 'pay_to' ) ) : array() );
	}

	/** @return array<string, string> */
	private static function facts( Form $form ): array {
		return array_map( array( $form, 'text' ), array_combine( array_keys( Item::facts() ), array_keys( Item::facts() ) ) );
	}

	/** @return array<string, string> The words for the fields; a picture's are for a form whose sender has changed it, too. */
	public static function labels(): array {
		return array(
			'name'        => __( 'Name', 'trousseau' ),
			'price'       => __( 'Price', 'trousseau' ),
			'quantity'    => __( 'How many would you like?', 'trousseau' ),
			'any_number'  => __( 'Any number', 'trousseau' ),
			'description' => __( 'Note for your guests', 'trousseau' ),
			'address'     => __( 'Link', 'trousseau' ),
			'section'     => __( 'Category', 'trousseau' ),
			'most_wanted' => __( 'Most wanted', 'trousseau' ),
			'pay_to'      => __( 'How should people pay you?', 'trousseau' ),
			'image'       => __( 'Someone else changed the picture, too. Choose yours again to use it instead.', 'trousseau' ),
		) + Item::facts();
	}

	/** Whether something behind “More options” is filled in or wrong. A shop's name isn't: lookups fill it in, and the card shows it. */
	public static function has_more( Form $form ): bool {
		$fields = array( 'any_number', 'description', 'section', 'most_wanted', 'several' );
		return ! in_array( $form->text( 'quantity' ), array( '', '1' ), true )
			|| array_filter( $fields, array( $form, 'is_checked' ) )
			|| array_intersect_key( $form->faults(), array_flip( array( ...$fields, ...array_keys( Item::facts() ), 'quantity', 'pay_to' ) ) );
	}

	/** The price of a gift, or the goal of a group gift. */
	private static function stored_price( array $item, string $currency ): ?float {
		if ( Item::has_no_goal( $item ) ) {
			return null;
		}
		if ( Item::is_money( $item ) ) {
			return Currency::from_units( Item::needed( $item ), $currency );
		}
		return $item['price'] === null ? null : (float) $item['price'];
	}

	/** The lowest price of a group gift, in words. */
	public static function least_price( string $currency ): string {
		return Currency::amount( self::MIN_PRICE, $currency );
	}

	/** Fills in the facts on a shop's page. Returns what is missing, in words. Empty if all were found. */
	public function look_up( Form $form, WP_Post $post ): string {
		$address = self::address_in( $form->text( 'address' ) );
		if ( $address === '' ) {
			$form->fault( 'address', __( 'Paste a link to a shop’s page. It begins with https://', 'trousseau' ) );
			return '';
		}
		if ( ShopLink::of( array( 'url' => strtok( $address, '#' ) ), $post->ID ) === '' ) {
			$form->fault( 'address', __( 'This link leads to your own list. Paste a link to a gift.', 'trousseau' ) );
			return '';
		}
		$form->set( 'address', $address );
		$form->set( 'name', self::name_in( $address ) );
		if ( ! $this->rate_limiter->allows( 'lookup', (string) get_current_user_id(), 120, HOUR_IN_SECONDS ) ) {
			return __( 'You’ve added many links in a short time. Please fill in this gift yourself.', 'trousseau' );
		}
		try {
			$found = $this->item_service->lookup( $address );
		} catch ( Invalid ) {
			$form->set( 'name', '' );
			return self::problem( 'not_allowed' );
		} catch ( TooMany ) {
			return __( 'You’ve added many links in a short time. Please fill in this gift yourself.', 'trousseau' );
		} catch ( ServiceError ) {
			return __( 'We can’t read the shop’s page right now. Fill in the gift yourself, or try again.', 'trousseau' );
		}
		$form->set( 'address', $found['url'] );
		$form->set( 'retailer', (string) $found['retailer'] );
		$code    = (string) ( $found['problem']['code'] ?? '' );
		$guessed = (string) $found['name'] === '' && ! in_array( $code, array( 'not_allowed', 'not_a_page' ), true ) ? $form->text( 'name' ) : '';
		$form->set( 'name', $guessed !== '' ? $guessed : (string) $found['name'] );
		if ( $guessed !== '' && (string) $found['price'] === '' ) {
			return __( 'The shop’s page didn’t tell us what it sells, so we took the name from its link. Check it and add the price.', 'trousseau' );
		}
		if ( $code !== '' && $code !== 'nothing_found' ) {
			return self::problem( $code );
		}
		$form->set( 'description', mb_substr( (string) $found['description'], 0, Item::FIELDS['description'][1] ) );
		$form->set( 'image', (string) $found['image_url'] );
		$form->set( 'price', (string) $found['price'] );
		$form->set( 'currency', (string) $found['currency'] );
		return self::fill_in( $form, $post );
	}

	/**
	 * Looks up what is missing in a form with a link and no name. Typed values stay. Returns the missing facts in words, like `look_up`.
	 */
	public function look_up_rest( Form $form, WP_Post $post ): string {
		$typed   = array_filter( $form->typed(), static fn( mixed $value ): bool => $value !== '' );
		$missing = $this->look_up( $form, $post );
		foreach ( array_diff_key( $typed, array( 'address' => '' ) ) as $field => $value ) {
			$form->set( $field, $value );
		}
		return $missing;
	}

	/** Adapts a shop's facts to the list. Returns a sentence for the owner, or empty. */
	public static function fill_in( Form $form, WP_Post $post ): string {
		$form->set( 'name', self::shortened( $form->text( 'name' ) ) );
		$price    = $form->text( 'price' );
		$theirs   = $form->text( 'currency' );
		$currency = Meta::currency( $post->ID );
		if ( $price !== '' && $theirs !== '' && $currency !== '' && $theirs !== $currency ) {
			$form->set( 'price', '' );
			/* translators: 1: price as the shop says it, 2: currency of the list */
			return sprintf( __( 'The shop’s price is %1$s, but your list uses %2$s. Please enter the price yourself.', 'trousseau' ), Currency::amount( (float) $price, $theirs ), $currency );
		}
		// Shops' pages write numbers as machines do.
		$form->set( 'price', is_numeric( $price ) ? Currency::typed( (float) $price, $currency ) : $price );
		$missing = array_filter(
			array(
				__( 'the name', 'trousseau' )    => $form->text( 'name' ) === '',
				__( 'the price', 'trousseau' )   => $form->text( 'price' ) === '',
				__( 'the picture', 'trousseau' ) => $form->text( 'image' ) === '',
			)
		);
		/* translators: %s: list such as “the price, the picture” */
		return $missing ? sprintf( __( 'Not found on the shop’s page: %s. Add it if you like.', 'trousseau' ), implode( wp_get_list_item_separator(), array_keys( $missing ) ) ) : '';
	}

	private static function shortened( string $name ): string {
		return mb_strlen( $name ) > self::MAX_NAME ? preg_replace( '/\s+\S*$/u', '', mb_substr( $name, 0, self::MAX_NAME - 1 ) ) . '…' : $name;
	}

	/** The name that the words in a shop's address suggest, such as `/blue-mug-123456.html`. Empty if they suggest none. */
	public static function name_in( string $address ): string {
		$is_code = static fn( string $word ): bool => preg_match( '/^(\d{4,}|(?=.*\d)(?=.*\p{L})\w{6,})$/u', $word ) === 1;
		foreach ( array_reverse( explode( '/', (string) wp_parse_url( $address, PHP_URL_PATH ) ) ) as $part ) {
			$text = str_replace( '+', ' ', rawurldecode( $part ) );
			if ( preg_match( '/=|^[a-z]{2}[-_][a-z]{2}$/i', $text ) || wp_check_invalid_utf8( $text ) === '' ) {
				continue;
			}
			$words = preg_split( '/[\s_-]+/u', (string) preg_replace( '/\.(html?|php|aspx?|jsp)$/i', '', $text ), -1, PREG_SPLIT_NO_EMPTY );
			while ( $words && $is_code( end( $words ) ) ) {
				array_pop( $words );
			}
			while ( $words && $is_code( $words[0] ) ) {
				array_shift( $words );
			}
			if ( count( preg_grep( '/^\p{L}{2,}/u', $words ) ) > 1 ) {
				return self::shortened( implode( ' ', array_map( static fn( string $word ): string => mb_strtoupper( mb_substr( $word, 0, 1 ) ) . mb_substr( $word, 1 ), $words ) ) );
			}
		}
		return '';
	}

	/** Returns the sentence for a failed lookup. */
	private static function problem( string $code ): string {
		return match ( $code ) {
			'refused'     => __( 'This shop doesn’t let other sites read its pages. Fill in the gift yourself.', 'trousseau' ),
			'not_allowed' => __( 'We can’t open this link. Is it a public page of a shop?', 'trousseau' ),
			'not_a_page'  => __( 'This link isn’t a shop’s page. Fill in the gift yourself.', 'trousseau' ),
			default       => __( 'We can’t read the shop’s page. Fill in the gift yourself, or try again later.', 'trousseau' ),
		};
	}

	/** The first address in texts that someone pasted, or shared from a phone. */
	public static function address_in( string ...$texts ): string {
		return self::addresses_in( ...$texts )[0] ?? '';
	}

	/** @return string[] All addresses in such texts, each once. */
	public static function addresses_in( string ...$texts ): array {
		$addresses = array();
		foreach ( $texts as $text ) {
			preg_match_all( '#https?://[^\s<>"“”«»]{4,}#iu', $text, $found );
			foreach ( $found[0] ?? array() as $address ) {
				// A link ends before the punctuation of its sentence, and before the bracket around it.
				$end         = str_contains( $address, '(' ) ? '.,;:!?…\'’' : '.,;:!?…\'’)';
				$addresses[] = (string) preg_replace( "/[$end]+$/u", '', $address );
			}
			if ( preg_match( '#^[\w-]+(\.[\w-]+)+/\S*$#u', $text ) ) {
				$addresses[] = "https://$text";
			}
		}
		return array_values( array_unique( preg_grep( '#^https?://[^/?\#]*@#i', $addresses, PREG_GREP_INVERT ) ) );
	}

	/** Returns the item for the service, and records errors on the form. */
	public function item( Form $form, WP_Post $post, ?array $before = null ): ?array {
		$name    = $form->needs( 'name', self::MAX_NAME, __( 'Enter a name for the gift.', 'trousseau' ) );
		$address = self::address_in( $form->text( 'address' ) );
		if ( $form->text( 'address' ) !== '' && ( $address === '' || mb_strlen( $address ) > Item::FIELDS['url'][1] ) ) {
			$form->fault( 'address', __( 'Paste a link to a shop’s page, or leave it empty.', 'trousseau' ) );
		}
		$chosen   = self::chosen_currency( $form, $post );
		$currency = $chosen ?: Meta::currency( $post->ID );
		$price    = self::price( $form, $post, $before, $currency );
		$quantity = $form->text( 'quantity' ) === '' ? 1 : $form->number( 'quantity' );
		if ( ! $form->is_checked( 'any_number' ) && ( $quantity < 1 || $quantity > 100_000 ) ) {
			$form->fault( 'quantity', __( 'How many would you like? Enter at least 1.', 'trousseau' ) );
		}
		$form->needs( 'description', Item::FIELDS['description'][1] );
		foreach ( array_keys( Item::facts() ) as $fact ) {
			$form->needs( $fact, Item::MAX_FACT );
		}
		$form->needs( 'section', Sections::MAX_NAME );
		$is_money = self::is_money( $form, $before );
		if ( $is_money ) {
			$is_fund = $before ? ShopLink::is_fund( $before, $post->ID ) : $form->text( 'kind' ) === 'money';
			self::check_money( $form, $post, $price, max( 1, $quantity ), $currency, $is_fund );
		} elseif ( ! $before && ! in_array( $form->text( 'pay_to' ), array( '', Meta::pay_to( $post->ID ) ), true ) ) {
			$form->fault( 'several', __( 'You’ve said how people should pay you. Tick this box to make it a group gift.', 'trousseau' ) );
		}
		if ( $is_money && $form->is_checked( 'any_number' ) ) {
			$form->fault( 'any_number', __( 'A group gift needs a fixed number. Choose one or the other.', 'trousseau' ) );
		} elseif ( $form->is_checked( 'any_number' ) ) {
			$quantity = Item::ANY_NUMBER;
		}
		if ( ! $form->is_sound() ) {
			return null;
		}
		$image = $this->picture( $form, $post, (string) ( $before['image_url'] ?? '' ) );
		if ( is_wp_error( $image ) ) {
			$form->fault( self::UPLOAD, $image->get_error_message() );
			return null;
		}
		if ( $price === false ) {
			// The uploaded picture is stored by now, and stays in the form.
			$form->set( 'image', $image );
			$form->set( 'asked', $form->text( 'price' ) );
			$form->fault( 'reading', __( 'Choose the price you mean.', 'trousseau' ) );
			return null;
		}
		if ( $chosen !== '' ) {
			update_post_meta( $post->ID, Meta::CURRENCY, $chosen );
		}
		$goal = $is_money && $price !== null ? Currency::to_units( (float) $price, $currency ) * $quantity : Item::ANY_NUMBER;
		return array(
			'name'            => $name,
			// Every gift has a link. Without a shop it is the list's own.
			'url'             => $address !== '' ? $address : (string) get_permalink( $post ),
			'price'           => $is_money ? null : $price,
			'quantity_needed' => $is_money ? $goal : $quantity,
			'description'     => $form->lines( 'description' ) ?: null,
			'image_url'       => $image ?: null,
		) + array_map( static fn( string $fact ): ?string => $fact === '' ? null : $fact, self::facts( $form ) ) + ( $is_money && ! $before ? array( 'unit' => 'money' ) : array() );
	}

	/** Whether it is a group gift: a new one for which the owner chose that, or one already. */
	public static function is_money( Form $form, ?array $before ): bool {
		return $before ? Item::is_money( $before ) : $form->text( 'kind' ) === 'money' || $form->is_checked( 'several' );
	}

	/** Records the errors of a group gift. */
	private static function check_money( Form $form, WP_Post $post, float|false|null $price, int $quantity, string $currency, bool $is_fund ): void {
		if ( $currency === '' ) {
			$form->fault( 'price', __( 'Choose the currency of your list first, under “Details”.', 'trousseau' ) );
		} elseif ( $price === null && ! $is_fund ) {
			$form->fault( 'price', __( 'Enter the amount you’d like.', 'trousseau' ) );
		} elseif ( $price && $form->is_checked( 'several' ) && $price * $quantity < self::MIN_PRICE ) {
			/* translators: %s: amount of money */
			$form->fault( 'several', sprintf( __( 'Group gifts start at %s.', 'trousseau' ), self::least_price( $currency ) ) );
		} elseif ( $price && Currency::to_units( $price, $currency ) * $quantity > self::MAX_GOAL ) {
			$form->fault( 'price', __( 'That amount is too large. Enter a smaller one.', 'trousseau' ) );
		}
		ShareForm::pay_to( $form, Meta::pay_to( $post->ID ), __( 'Say how people should pay you.', 'trousseau' ) );
	}

	private function picture( Form $form, WP_Post $post, string $before ): string|WP_Error {
		$sent = $this->picture_upload->upload( self::UPLOAD, $post );
		if ( is_wp_error( $sent ) ) {
			return $sent;
		}
		if ( $sent ) {
			return (string) wp_get_attachment_image_url( $sent, 'large' );
		}
		if ( $form->is_checked( 'no-picture' ) ) {
			return '';
		}
		$image = Item::web_address( $form->text( 'image' ) );
		return $image !== '' && mb_strlen( $image ) <= Item::FIELDS['image_url'][1] ? $image : $before;
	}

	/**
	 * The question of which amount a typed price means, with the possible ones. Null if it's clear.
	 *
	 * @return array{question: string, options: array<string, array{0: string}>}|null
	 */
	public static function question( Form $form, WP_Post $post ): ?array {
		$text     = $form->text( 'price' );
		$currency = Meta::currency( $post->ID );
		$price    = $text !== '' && $form->text( 'asked' ) === $text ? Price::read( $text, $currency, determine_locale() ) : null;
		if ( ! $price || $price->is_sure ) {
			return null;
		}
		$options = array();
		foreach ( $price->amounts as $amount ) {
			$options[ (string) $amount ] = array( Currency::amount( $amount, $currency ) );
		}
		$question = $price->is_ours
			/* translators: %s: price as somebody typed it */
			? __( 'Which price do you mean by “%s”?', 'trousseau' )
			/* translators: 1: price as somebody typed it, 2: currency, such as EUR */
			: __( 'The price “%1$s” isn’t in your list’s currency, %2$s. Which price should your list show?', 'trousseau' );
		return array(
			'question' => sprintf( $question, Language::isolate( $text ), $currency ),
			'options'  => $options + array( 'none' => array( __( 'No price', 'trousseau' ) ) ),
		);
	}

	/** The currency that the person has chosen for a list that had none. */
	private static function chosen_currency( Form $form, WP_Post $post ): string {
		$is_asked = Meta::currency( $post->ID ) === '' && ( $form->text( 'price' ) !== '' || self::is_money( $form, null ) );
		return $is_asked ? Meta::clean_currency( $form->text( 'list_currency' ) ) : '';
	}

	/** The price in the form. Null if there is none, false if the person has to choose the amount. */
	private static function price( Form $form, WP_Post $post, ?array $before, string $currency ): float|false|null {
		$text   = $form->text( 'price' );
		$stored = $before ? self::stored_price( $before, $currency ) : null;
		if ( $text === '' ) {
			return null;
		}
		if ( $stored !== null && $text === Currency::typed( $stored, $currency ) ) {
			return $stored;
		}
		$price = Price::read( $text, $currency, determine_locale() );
		if ( ! $price ) {
			/* translators: %s: price as people type it, such as 24.90 */
			$form->fault( 'price', sprintf( __( 'Enter the price as a number above 0, such as %s, or leave it empty.', 'trousseau' ), Currency::typed( Currency::digits( $currency ) ? 24.9 : 2490, $currency ) ) );
			return null;
		}
		if ( $price->is_sure ) {
			return $price->amounts[0];
		}
		$chosen = $form->text( 'reading' );
		if ( ! isset( self::question( $form, $post )['options'][ $chosen ] ) ) {
			return false;
		}
		return is_numeric( $chosen ) ? (float) $chosen : null;
	}
}
