<?php

declare(strict_types=1);

namespace Trousseau\Registry;

defined( 'ABSPATH' ) || exit;

use WP_Error;

/**
 * A registry's meta. The two lists are JSON text. Whatever is stored is read tolerantly, whatever is written is cleaned,
 * and the REST API refuses what could only be cleaned by losing something.
 */
final class Meta {

	public const ITEM_IDS   = 'registry_item_ids';
	public const INVITEES   = 'registry_invitees';
	public const EVENT_TYPE = 'registry_event_type';
	public const EVENT_DATE = 'registry_event_date';

	/** ISO 4217: what the prices of its gifts are in. */
	public const CURRENCY = 'registry_currency';

	/** Until when its owner is not to know who gives what: a day, `always`, or nothing. */
	public const SURPRISE_UNTIL = 'registry_surprise_until';

	/** How long its gifts are reserved: a number of days, `day` for until its day, or nothing for as long as usual. */
	public const RESERVED_FOR = 'registry_reserved_for';

	public const MAX_INVITEES        = 1000;
	private const MAX_INVITEE_LENGTH = 254;
	private const MAX_EVENT_TYPE     = 1000; // Of text with entities, as the service writes it: it takes 100 characters.

	/** Every key with the function that makes a clean value of any other. */
	private const CLEANERS = array(
		self::ITEM_IDS       => 'clean_item_ids',
		self::INVITEES       => 'clean_invitees',
		self::EVENT_TYPE     => 'clean_event_type',
		self::EVENT_DATE     => 'clean_event_date',
		self::CURRENCY       => 'clean_currency',
		self::SURPRISE_UNTIL => 'clean_surprise_until',
		self::RESERVED_FOR   => 'clean_reserved_for',
	);

	public static function register(): void {
		foreach ( self::CLEANERS as $key => $cleaner ) {
			$clean = array( self::class, $cleaner );
			register_post_meta(
				PostType::NAME,
				$key,
				array(
					'type'              => 'string',
					'single'            => true,
					'default'           => $clean( '' ),
					'sanitize_callback' => $clean,
					'auth_callback'     => static fn( bool $allowed, string $meta_key, int $post_id, int $user_id ): bool
						=> user_can( $user_id, 'edit_post', $post_id ),
					'show_in_rest'      => array(
						// In the edit context only: a published registry is public, its guests are not.
						'schema'           => array(
							'type'    => 'string',
							'context' => array( 'edit' ),
						),
						'prepare_callback' => $clean,
					),
				)
			);
		}
	}

	/** Keeps the keys out of the custom fields box, `the_meta()` and whatever else shows unprotected meta. */
	public static function protect( bool $is_protected, string $key ): bool {
		return $is_protected || isset( self::CLEANERS[ $key ] );
	}

	/** @return int[] */
	public static function item_ids( int $post_id ): array {
		return json_decode( self::clean_item_ids( get_post_meta( $post_id, self::ITEM_IDS, true ) ) );
	}

	/** @return string[] */
	public static function invitees( int $post_id ): array {
		return array_values( self::guest_list( $post_id ) );
	}

	/** The entry of the list of guests with this name, without regard to case; nothing where there is none. */
	public static function invitee( int $post_id, string $name ): string {
		return self::guest_list( $post_id )[ self::invitee_key( $name ) ] ?? '';
	}

	/** The key of a guest: entries that name the same guest share it. Its space keeps PHP from turning a name of digits into a number. */
	public static function invitee_key( string $name ): string {
		return ' ' . mb_strtolower( trim( $name ) );
	}

	/** Plain text: entities are decoded. */
	public static function event_type( int $post_id ): string {
		return html_entity_decode( self::clean_event_type( get_post_meta( $post_id, self::EVENT_TYPE, true ) ), ENT_QUOTES | ENT_HTML5, 'UTF-8' );
	}

	/** `YYYY-MM-DD`, or nothing. */
	public static function event_date( int $post_id ): string {
		return self::clean_event_date( get_post_meta( $post_id, self::EVENT_DATE, true ) );
	}

	/** Three capital letters, or nothing. */
	public static function currency( int $post_id ): string {
		return self::clean_currency( get_post_meta( $post_id, self::CURRENCY, true ) );
	}

	/** `YYYY-MM-DD`, `always`, or nothing. */
	public static function surprise_until( int $post_id ): string {
		return self::clean_surprise_until( get_post_meta( $post_id, self::SURPRISE_UNTIL, true ) );
	}

	/** `28`, `day`, or nothing. */
	public static function reserved_for( int $post_id ): string {
		return self::clean_reserved_for( get_post_meta( $post_id, self::RESERVED_FOR, true ) );
	}

	/** What is wrong with a value sent to the REST API, in words; nothing when it may be stored. */
	public static function fault( string $key, string $value ): string {
		$list = json_decode( $value, true );
		switch ( $key ) {
			case self::ITEM_IDS:
				$valid = is_array( $list ) && array_is_list( $list ) && ! array_filter( $list, static fn( $id ) => ! is_int( $id ) || $id < 1 );
				return $valid ? '' : __( 'must be a JSON array of item ids', 'trousseau' );
			case self::INVITEES:
				$valid = is_array( $list ) && array_is_list( $list ) && ! array_filter( $list, static fn( $name ) => ! self::is_invitee_text( $name ) );
				if ( ! $valid ) {
					/* translators: %d: number of characters */
					return sprintf( __( 'must be a JSON array of user names and e-mail addresses of 1 to %d characters', 'trousseau' ), self::MAX_INVITEE_LENGTH );
				}
				/* translators: %d: number of invitees */
				return count( $list ) <= self::MAX_INVITEES ? '' : sprintf( __( 'must not list more than %d', 'trousseau' ), self::MAX_INVITEES );
			case self::EVENT_TYPE:
				/* translators: %d: number of characters */
				return mb_strlen( $value ) <= self::MAX_EVENT_TYPE ? '' : sprintf( __( 'must not be longer than %d characters', 'trousseau' ), self::MAX_EVENT_TYPE );
			case self::EVENT_DATE:
				return $value === '' || self::clean_event_date( $value ) === $value ? '' : __( 'must be a date such as 2027-05-30', 'trousseau' );
			case self::CURRENCY:
				return $value === '' || self::clean_currency( $value ) === $value ? '' : __( 'must be the three capital letters of a currency, such as EUR', 'trousseau' );
			case self::SURPRISE_UNTIL:
				return in_array( $value, array( '', 'always', self::clean_event_date( $value ) ), true ) ? '' : __( 'must be a date such as 2027-05-30, or “always”', 'trousseau' );
			case self::RESERVED_FOR:
				return $value === '' || self::clean_reserved_for( $value ) === $value ? '' : __( 'must be “28”, “day” or nothing', 'trousseau' );
		}
		return '';
	}

	public static function clean_item_ids( mixed $value ): string {
		$ids = array_filter( self::list_of( $value ), static fn( $id ) => is_numeric( $id ) && (int) $id > 0 );
		return (string) wp_json_encode( array_values( array_unique( array_map( 'intval', $ids ) ) ) );
	}

	public static function clean_invitees( mixed $value ): string {
		return (string) wp_json_encode( array_values( self::invitees_in( $value ) ) );
	}

	public static function clean_event_type( mixed $value ): string {
		return is_scalar( $value ) ? mb_substr( sanitize_text_field( (string) $value ), 0, self::MAX_EVENT_TYPE ) : '';
	}

	public static function clean_event_date( mixed $value ): string {
		$valid = is_string( $value )
			&& preg_match( '/^(\d{4})-(\d\d)-(\d\d)$/D', $value, $parts )
			&& checkdate( (int) $parts[2], (int) $parts[3], (int) $parts[1] );
		return $valid ? $value : '';
	}

	public static function clean_currency( mixed $value ): string {
		return is_string( $value ) && preg_match( '/^[A-Z]{3}$/D', $value ) ? $value : '';
	}

	/** What nobody understands conceals. */
	public static function clean_surprise_until( mixed $value ): string {
		$is_plain = $value === '' || $value === null || $value === false || self::clean_event_date( $value ) === $value;
		return $is_plain ? (string) $value : 'always';
	}

	public static function clean_reserved_for( mixed $value ): string {
		return in_array( $value, array( '28', 'day' ), true ) ? $value : '';
	}

	private static function is_invitee_text( mixed $value ): bool {
		return is_string( $value ) && trim( $value ) !== '' && mb_strlen( trim( $value ) ) <= self::MAX_INVITEE_LENGTH;
	}

	/**
	 * A registry's guests by their keys. A page asks for them many times, and cleaning a thousand takes a while: the last list
	 * is remembered as long as its text is the same.
	 *
	 * @return array<string, string>
	 */
	private static function guest_list( int $post_id ): array {
		static $text = null, $guests = array();
		$stored      = get_post_meta( $post_id, self::INVITEES, true );
		if ( $text !== $stored ) {
			$guests = self::invitees_in( $stored );
			$text   = $stored;
		}
		return $guests;
	}

	/** @return array<string, string> A stored list of guests, cleaned: key → entry. */
	public static function invitees_in( mixed $value ): array {
		$invitees = array();
		foreach ( array_filter( self::list_of( $value ), array( self::class, 'is_invitee_text' ) ) as $text ) {
			$invitees += array( self::invitee_key( $text ) => trim( $text ) );
		}
		return array_slice( $invitees, 0, self::MAX_INVITEES, true );
	}

	/** @return mixed[] */
	private static function list_of( mixed $value ): array {
		$list = is_string( $value ) ? json_decode( $value, true ) : $value;
		return is_array( $list ) ? $list : array();
	}

	/** The first fault of a REST request's meta, before anything is stored; the registry's number is 0 for a new one. */
	public static function refuse( mixed $meta, int $post_id ): ?WP_Error {
		foreach ( is_array( $meta ) ? $meta : array() as $key => $value ) {
			if ( ! isset( self::CLEANERS[ $key ] ) || $value === null ) {
				continue;
			}
			$name  = 'meta.' . $key;
			$wrong = rest_validate_value_from_schema( $value, array( 'type' => 'string' ), $name );
			if ( is_wp_error( $wrong ) ) {
				$wrong->add_data( array( 'status' => 400 ) );
				return $wrong;
			}
			$fault = self::fault( $key, $value );
			if ( $fault !== '' ) {
				/* translators: %s: list of parameters */
				return self::invalid( $name, sprintf( __( 'Invalid parameter(s): %s', 'trousseau' ), $name ), $name . ' ' . $fault );
			}
			$nobody = $key === self::INVITEES ? self::nobodys_name( $value, $post_id ) : '';
			if ( $nobody !== '' ) {
				/* translators: %s: user name */
				$words = sprintf( __( 'Nobody here has the user name “%s”. Invite that guest by their e-mail address.', 'trousseau' ), $nobody );
				return self::invalid( $name, $words, $words );
			}
		}
		return null;
	}

	private static function invalid( string $name, string $message, string $fault ): WP_Error {
		$data = array(
			'status' => 400,
			'params' => array( $name => $fault ),
		);
		return new WP_Error( 'rest_invalid_param', $message, $data );
	}

	/** The first new name of a list that no user has: whoever took it later would be the guest. */
	private static function nobodys_name( string $value, int $post_id ): string {
		$listed = $post_id ? self::guest_list( $post_id ) : array();
		$new    = array_filter( array_diff_key( self::invitees_in( $value ), $listed ), static fn( string $name ): bool => ! str_contains( $name, '@' ) );
		return (string) current( array_diff_key( $new, IdentityGuard::accounts( $new ) ) );
	}
}
