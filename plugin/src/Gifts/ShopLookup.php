<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Lists\Meta;
use Trousseau\Platform\Currency;
use Trousseau\Platform\Form;
use Trousseau\Platform\RateLimiter;
use Trousseau\Service\Invalid;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;
use Trousseau\Service\TooMany;
use WP_Post;

/** Fills a gift's form in from its address: by what the service finds on the shop's page, or else by the words in the address. */
final class ShopLookup {

	public function __construct( private readonly ItemService $item_service, private readonly RateLimiter $rate_limiter ) {
	}

	/** Fills in the facts on a shop's page. Returns what is missing, in words. Empty if all were found. */
	public function look_up( Form $form, WP_Post $post ): string {
		try {
			return $this->read_page( $form, $post );
		} catch ( ServiceError $error ) {
			return self::words( $error );
		}
	}

	/** Why nobody could look at a page, in words. */
	public static function words( ServiceError $error ): string {
		return $error instanceof TooMany
			? __( 'You’ve added many links in a short time. Please fill in this gift yourself.', 'trousseau' )
			: __( 'We can’t read the shop’s page right now. Fill in the gift yourself, or try again.', 'trousseau' );
	}

	/** Does the same for someone who can wait. @throws ServiceError Where nobody could look at the page. */
	public function read_page( Form $form, WP_Post $post ): string {
		$address = self::address_in( $form->text( 'address' ) );
		if ( $address === '' ) {
			$form->fault( 'address', __( 'Paste a link to a shop’s page. It begins with https://', 'trousseau' ) );
			return '';
		}
		if ( ShopLink::of( new Item( array( 'url' => strtok( $address, '#' ) ) ), $post->ID ) === '' ) {
			$form->fault( 'address', __( 'This link leads to your own list. Paste a link to a gift.', 'trousseau' ) );
			return '';
		}
		$form->set( 'address', $address );
		$form->set( 'name', self::name_in( $address ) );
		if ( ! $this->rate_limiter->allows( 'lookup', (string) get_current_user_id(), 120, HOUR_IN_SECONDS ) ) {
			throw new TooMany( 'This account has looked up many links.', 429 );
		}
		try {
			$found = $this->item_service->lookup( $address );
		} catch ( Invalid ) {
			$form->set( 'name', '' );
			return self::problem( 'not_allowed' );
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

	/** Looks up what is missing in a form with a link and no name. Typed values stay. Returns the missing facts in words, like `look_up`. */
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
		$currency = Meta::currency( $post->ID ) ?: Meta::clean_currency( $form->text( 'list_currency' ) );
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
		return mb_strlen( $name ) > Item::MAX_NAME ? preg_replace( '/\s+\S*$/u', '', mb_substr( $name, 0, Item::MAX_NAME - 1 ) ) . '…' : $name;
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
				$end         = '.,;:!?…،؛؟\'’' . ( str_contains( $address, '(' ) ? '' : ')' );
				$addresses[] = (string) preg_replace( "/[$end]+$/u", '', $address );
			}
			if ( preg_match( '#^[\w-]+(\.[\w-]+)+/\S*$#u', $text ) ) {
				$addresses[] = "https://$text";
			}
		}
		return array_values( array_unique( preg_grep( '#^https?://[^/?\#]*@#i', $addresses, PREG_GREP_INVERT ) ) );
	}
}
