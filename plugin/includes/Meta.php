<?php

declare(strict_types=1);

namespace Trousseau;

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

	private const MAX_INVITEES       = 1000;
	private const MAX_INVITEE_LENGTH = 254;
	private const MAX_EVENT_TYPE     = 1000; // Of text with entities, as the service writes it: it takes 100 characters.

	/** Every key with the function that makes a clean value of any other. */
	private const CLEANERS = array(
		self::ITEM_IDS   => 'clean_item_ids',
		self::INVITEES   => 'clean_invitees',
		self::EVENT_TYPE => 'clean_event_type',
		self::EVENT_DATE => 'clean_event_date',
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
		return json_decode( self::clean_invitees( get_post_meta( $post_id, self::INVITEES, true ) ) );
	}

	/** Plain text: entities are decoded. */
	public static function event_type( int $post_id ): string {
		return html_entity_decode( self::clean_event_type( get_post_meta( $post_id, self::EVENT_TYPE, true ) ), ENT_QUOTES | ENT_HTML5, 'UTF-8' );
	}

	/** `YYYY-MM-DD`, or nothing. */
	public static function event_date( int $post_id ): string {
		return self::clean_event_date( get_post_meta( $post_id, self::EVENT_DATE, true ) );
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
		}
		return '';
	}

	public static function clean_item_ids( mixed $value ): string {
		$ids = array_filter( self::list_of( $value ), static fn( $id ) => is_numeric( $id ) && (int) $id > 0 );
		return (string) wp_json_encode( array_values( array_unique( array_map( 'intval', $ids ) ) ) );
	}

	public static function clean_invitees( mixed $value ): string {
		$invitees = array();
		foreach ( array_filter( self::list_of( $value ), array( self::class, 'is_invitee_text' ) ) as $text ) {
			$invitees += array( ' ' . mb_strtolower( trim( $text ) ) => trim( $text ) );
		}
		return (string) wp_json_encode( array_slice( array_values( $invitees ), 0, self::MAX_INVITEES ) );
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

	private static function is_invitee_text( mixed $value ): bool {
		return is_string( $value ) && trim( $value ) !== '' && mb_strlen( trim( $value ) ) <= self::MAX_INVITEE_LENGTH;
	}

	/** @return mixed[] */
	private static function list_of( mixed $value ): array {
		$list = is_string( $value ) ? json_decode( $value, true ) : $value;
		return is_array( $list ) ? $list : array();
	}

	/** The first fault of a REST request's meta, before anything is stored. */
	public static function refuse( mixed $meta ): ?WP_Error {
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
				return new WP_Error(
					'rest_invalid_param',
					/* translators: %s: list of parameters */
					sprintf( __( 'Invalid parameter(s): %s', 'trousseau' ), $name ),
					array(
						'status' => 400,
						'params' => array( $name => $name . ' ' . $fault ),
					)
				);
			}
		}
		return null;
	}
}
