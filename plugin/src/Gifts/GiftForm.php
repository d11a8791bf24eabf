<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Lists\Meta;
use Trousseau\Lists\PictureUpload;
use Trousseau\Lists\Sections;
use Trousseau\Platform\Currency;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Service\Item;
use WP_Post;

/** The form of a gift. */
final class GiftForm {

	public const UPLOAD = 'upload';

	private const BOXES = array( 'any_number', 'most_wanted' );

	public function __construct(
		private readonly GiftPicture $gift_picture,
		private readonly PictureUpload $picture_upload,
		private readonly UnusedPictures $unused_pictures,
	) {
	}

	/** The least price of a thing that several may pay for. */
	private const MIN_PRICE = 50;

	public static function of( ?Item $item, string $section, string $currency, bool $is_most_wanted = false ): Form {
		$is_money = $item && $item->is_money();
		$price    = $item ? self::stored_price( $item, $currency ) : null;
		return new Form(
			$item ? array(
				'section'     => $section,
				'most_wanted' => $is_most_wanted ? '1' : '',
				'name'        => $item->name,
				'address'     => $item->url,
				'kind'        => $is_money ? 'money' : '',
				'price'       => $price === null ? '' : Currency::typed( $price, $currency ),
				'quantity'    => (string) ( $is_money || $item->is_any_number() ? 1 : $item->needed() ),
				'any_number'  => $item->is_any_number() ? '1' : '',
				'description' => $item->description,
				'image'       => $item->image_url,
			) + array_map( 'strval', array_intersect_key( $item->answer, Item::facts() ) ) : array( 'quantity' => '1' )
		);
	}

	/** Fills in the fields that a form of its kind doesn't have: what nobody saw stays as it is stored. A box without a tick isn't sent. */
	public static function complete( Form $form, Form $stored ): void {
		foreach ( array_diff_key( $stored->typed(), $form->typed(), array_flip( self::BOXES ) ) as $field => $value ) {
			$form->set( $field, $value );
		}
	}

	/** The values of a stored gift's form as they would be stored, so that texts that mean the same compare as equal. */
	public static function values( Form $form, WP_Post $post, bool $is_money, bool $has_file = false ): array {
		$currency = Meta::currency( $post->ID );
		$price    = Price::read( $form->text( 'price' ), $currency, determine_locale() );
		$picture  = $form->is_checked( 'no-picture' ) ? '' : $form->text( 'image' );
		$address  = ShopLookup::address_in( $form->text( 'address' ) );
		return array(
			'name'        => $form->text( 'name' ),
			'price'       => $price?->is_sure ? Currency::typed( $price->amounts[0], $currency ) : $form->text( 'price' ),
			// Of any number the field only proposes one, which changes with what is given.
			'quantity'    => $form->is_checked( 'any_number' ) || $form->text( 'quantity' ) === '' ? '1' : $form->text( 'quantity' ),
			'any_number'  => $form->is_checked( 'any_number' ) ? '1' : '',
			'description' => $form->lines( 'description' ),
			// Invalid links keep their text, so that their sender reads the error.
			'address'     => $form->text( 'address' ) === '' ? (string) get_permalink( $post ) : ( $address === '' ? $form->text( 'address' ) : $address ),
			'section'     => $form->text( 'section' ),
			'most_wanted' => $form->is_checked( 'most_wanted' ) ? '1' : '',
			'image'       => $has_file ? self::UPLOAD : $picture,
		) + self::facts( $form ) + ( $is_money ? array( 'pay_to' => ShareForm::sent_to( $form ) ) : array() );
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
			'quantity'    => __( 'How many?', 'trousseau' ),
			'any_number'  => __( 'Any number', 'trousseau' ),
			'description' => __( 'Note for your guests', 'trousseau' ),
			'address'     => __( 'Link', 'trousseau' ),
			'section'     => __( 'Category', 'trousseau' ),
			'most_wanted' => __( 'Most wanted', 'trousseau' ),
			'pay_to'      => __( 'How should people pay you?', 'trousseau' ),
			'image'       => __( 'Someone else changed the picture, too. Choose yours again to use it instead.', 'trousseau' ),
		) + Item::facts();
	}

	/** Whether “More options” has something to correct, or the copy that becomes a group gift. */
	public static function has_more( Form $form ): bool {
		return $form->is_checked( 'several' ) || array_diff_key( $form->faults(), array_flip( array( '', 'address', 'name', 'price', 'reading', 'list_currency', self::UPLOAD ) ) );
	}

	/** The price of a gift, or the goal of a group gift. */
	private static function stored_price( Item $item, string $currency ): ?float {
		return match ( true ) {
			$item->has_no_goal() => null,
			$item->is_money()    => Currency::from_units( $item->needed(), $currency ),
			default              => $item->price,
		};
	}

	public static function least_price( string $currency ): string {
		return Currency::amount( self::MIN_PRICE, $currency );
	}

	/** Returns the item for the service, and records errors on the form. */
	public function item( Form $form, WP_Post $post, ?Item $before = null ): ?array {
		$name    = $form->needs( 'name', Item::MAX_NAME, __( 'Enter a name for the gift.', 'trousseau' ) );
		$address = ShopLookup::address_in( $form->text( 'address' ) );
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
			$form->needs( $fact, Item::longest_fact( $fact ) );
		}
		$form->needs( 'section', Sections::MAX_NAME );
		$is_money = self::is_money( $form, $before );
		if ( $is_money ) {
			$is_fund = $before ? ShopLink::is_fund( $before, $post->ID ) : $form->text( 'kind' ) === 'money';
			self::check_money( $form, $post, $price, max( 1, $quantity ), $currency, $is_fund );
		} elseif ( ! $before && ! in_array( ShareForm::sent_to( $form ), array( '', Meta::pay_to( $post->ID ) ), true ) ) {
			$form->fault( 'several', __( 'You’ve said how people should pay you. Tick this box to make it a group gift.', 'trousseau' ) );
		}
		if ( $is_money && $form->is_checked( 'any_number' ) ) {
			$form->fault( 'any_number', __( 'A group gift needs a fixed number. Choose one or the other.', 'trousseau' ) );
		} elseif ( $form->is_checked( 'any_number' ) ) {
			$quantity = Item::ANY_NUMBER;
		}
		isset( $form->faults()[ self::UPLOAD ] ) || $this->keep_picture( $form, $post );
		if ( ! $form->is_sound() ) {
			return null;
		}
		$image = self::picture( $form, $post->ID, $before->image_url ?? '' );
		if ( $price === false ) {
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
	public static function is_money( Form $form, ?Item $before ): bool {
		return $before ? $before->is_money() : $form->text( 'kind' ) === 'money' || $form->is_checked( 'several' );
	}

	private static function check_money( Form $form, WP_Post $post, float|false|null $price, int $quantity, string $currency, bool $is_fund ): void {
		if ( $currency === '' ) {
			$form->fault( 'price', __( 'Choose the currency of your list first, under “Details”.', 'trousseau' ) );
		} elseif ( $price === null && ! $is_fund ) {
			$form->fault( 'price', __( 'Enter the amount you’d like.', 'trousseau' ) );
		} elseif ( $price && $form->is_checked( 'several' ) && $price * $quantity < self::MIN_PRICE ) {
			/* translators: %s: amount of money */
			$form->fault( 'several', sprintf( __( 'Group gifts start at %s.', 'trousseau' ), self::least_price( $currency ) ) );
		} elseif ( $price && Currency::to_units( $price, $currency ) * $quantity >= Item::ANY_NUMBER ) {
			$form->fault( 'price', __( 'That amount is too large. Enter a smaller one.', 'trousseau' ) );
		}
		ShareForm::pay_to( $form, Meta::pay_to( $post->ID ), __( 'Say how people should pay you.', 'trousseau' ) );
	}

	/** Stores a picture that was sent, even if something else is wrong: a form that is shown again has lost the file. */
	public function keep_picture( Form $form, WP_Post $post ): void {
		$sent = $this->picture_upload->receive( self::UPLOAD );
		$url  = is_string( $sent ) ? $this->gift_picture->upload( $sent, $post->ID, $form->text( 'key' ) ) : '';
		if ( $url !== '' ) {
			$this->unused_pictures->expect( $post->ID );
			$form->set( 'image', $url );
			$form->set( 'no-picture', '' );
		} elseif ( $sent !== null ) {
			$form->fault( self::UPLOAD, ( is_string( $sent ) ? PictureUpload::unusable() : $sent )->get_error_message() );
		}
	}

	private static function picture( Form $form, int $registry, string $before ): string {
		if ( $form->is_checked( 'no-picture' ) ) {
			return '';
		}
		$image   = Item::web_address( $form->text( 'image' ) );
		$is_gone = GiftPicture::is_own( $image ) && GiftPicture::address( $image, $registry ) === '';
		return $image !== '' && ! $is_gone && mb_strlen( $image ) <= Item::FIELDS['image_url'][1] ? $image : $before;
	}

	/** The question of which amount a typed price means: `question` and `options`. Null if it's clear. */
	public static function question( Form $form, WP_Post $post ): ?array {
		$text     = $form->text( 'price' );
		$currency = self::chosen_currency( $form, $post ) ?: Meta::currency( $post->ID );
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
	private static function price( Form $form, WP_Post $post, ?Item $before, string $currency ): float|false|null {
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
