<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\PlainText;
use Trousseau\Service\Item;
use WP_Error;

/**
 * The values that a registry's meta may have. WordPress cleans every value that it stores, and the REST API refuses a value
 * that could only be cleaned by losing something.
 */
final class MetaRules {

	private const CLEANERS = array(
		Meta::ITEM_IDS       => 'clean_item_ids',
		Meta::INVITEES       => 'clean_invitees',
		Meta::OWNERS         => 'clean_owners',
		Meta::EVENT_TYPE     => 'clean_event_type',
		Meta::EVENT_DATE     => 'clean_event_date',
		Meta::CURRENCY       => 'clean_currency',
		Meta::SURPRISE_UNTIL => 'clean_surprise_until',
		Meta::SURPRISE_KEEPS => 'clean_surprise_keeps',
		Meta::RESERVED_FOR   => 'clean_reserved_for',
		Meta::PAY_TO         => 'clean_pay_to',
	);

	public function __construct( private readonly Accounts $accounts, private readonly CurrencyRules $currency_rules ) {
	}

	public static function register(): void {
		foreach ( self::CLEANERS as $key => $cleaner ) {
			$clean = array( Meta::class, $cleaner );
			register_post_meta(
				PostType::NAME,
				$key,
				array(
					'type'              => 'string',
					'single'            => true,
					'default'           => in_array( $key, array( Meta::ITEM_IDS, Meta::INVITEES, Meta::OWNERS ), true ) ? '[]' : '',
					'sanitize_callback' => $clean,
					'auth_callback'     => static fn( bool $allowed, string $meta_key, int $post_id, int $user_id ): bool
						=> user_can( $user_id, 'edit_post', $post_id ) && ( $meta_key !== Meta::OWNERS || CoOwnerRules::may_write_list( $post_id, $user_id ) ),
					'show_in_rest'      => array(
						// Only the edit context shows it: a published registry is public, its guests are not.
						'schema'           => array( 'type' => 'string', 'context' => array( 'edit' ) ),
						'prepare_callback' => $clean,
					),
				)
			);
		}
	}

	/** Keeps the keys out of the custom fields box, `the_meta()` and everything else that shows unprotected meta. */
	public static function protect( bool $is_protected, string $key ): bool {
		return $is_protected || isset( self::CLEANERS[ $key ] );
	}

	/** What is wrong with a value sent to the REST API, in words. Empty if it may be stored. */
	public static function fault( string $key, string $value ): string {
		$list     = json_decode( $value, true );
		$list     = is_array( $list ) && array_is_list( $list ) ? $list : array( null );
		$is_clean = $value === '' || call_user_func( array( Meta::class, self::CLEANERS[ $key ] ), $value ) === $value;
		return match ( $key ) {
			Meta::ITEM_IDS       => array_filter( $list, static fn( $id ) => ! is_int( $id ) || $id < 1 ) ? __( 'must be a JSON array of item ids', 'trousseau' ) : self::fault_of_count( count( array_unique( $list ) ), Item::MAX_ON_LIST ),
			Meta::INVITEES       => self::fault_of_people( $list, count( $list ), Meta::MAX_INVITEES ),
			Meta::OWNERS         => self::fault_of_people( $list, count( Meta::people_in( $list, Meta::MAX_OWNERS + 1 ) ), Meta::MAX_OWNERS ),
			Meta::EVENT_TYPE     => self::fault_of_length( $value, Meta::MAX_EVENT_TYPE ),
			Meta::PAY_TO         => self::fault_of_length( $value, Meta::MAX_PAY_TO ),
			Meta::EVENT_DATE     => $is_clean ? '' : __( 'must be a date such as 2027-05-30', 'trousseau' ),
			Meta::CURRENCY       => $is_clean ? '' : __( 'must be the three capital letters of a currency, such as EUR', 'trousseau' ),
			Meta::SURPRISE_UNTIL => $is_clean ? '' : __( 'must be a date such as 2027-05-30, or “always”', 'trousseau' ),
			Meta::SURPRISE_KEEPS => $is_clean ? '' : __( 'must be “all”, “names” or empty', 'trousseau' ),
			Meta::RESERVED_FOR   => $is_clean ? '' : __( 'must be “28”, “day” or empty', 'trousseau' ),
		};
	}

	private static function fault_of_people( array $list, int $count, int $most ): string {
		if ( array_filter( $list, static fn( $name ) => ! Meta::is_invitee_text( $name ) ) ) {
			/* translators: %d: number of characters */
			return sprintf( __( 'must be a JSON array of user names and emails of 1 to %d characters', 'trousseau' ), Meta::MAX_INVITEE_LENGTH );
		}
		return self::fault_of_count( $count, $most );
	}

	private static function fault_of_count( int $count, int $most ): string {
		/* translators: %d: number of gifts, guests or owners */
		return $count <= $most ? '' : sprintf( __( 'must not list more than %d', 'trousseau' ), $most );
	}

	private static function fault_of_length( string $value, int $most ): string {
		/* translators: %d: number of characters */
		return mb_strlen( PlainText::of_html( $value ) ) <= $most ? '' : sprintf( __( 'must not be longer than %d characters', 'trousseau' ), $most );
	}

	/** The first error in a REST request's meta, before anything is stored. A new registry has the number 0. */
	public function refuse( mixed $meta, int $post_id ): ?WP_Error {
		$meta = is_array( $meta ) ? $meta : array();
		foreach ( $meta as $key => $value ) {
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
			$nobody = in_array( $key, array( Meta::INVITEES, Meta::OWNERS ), true ) ? $this->name_of_nobody( $key, $value, $post_id ) : '';
			if ( $nobody !== '' ) {
				$words = $key === Meta::OWNERS
					/* translators: %s: user name */
					? __( 'No account here has the user name “%s”. Add them by email instead.', 'trousseau' )
					/* translators: %s: user name */
					: __( 'No account here has the user name “%s”. Invite them by email instead.', 'trousseau' );
				$words = sprintf( $words, $nobody );
				return self::invalid( $name, $words, $words );
			}
		}
		$refused = array_key_exists( Meta::OWNERS, $meta ) ? CoOwnerRules::refuse_change( $post_id, $meta[ Meta::OWNERS ] ) : null;
		return $refused ?? ( array_key_exists( Meta::CURRENCY, $meta ) ? $this->currency_rules->refuse_change( $post_id, $meta[ Meta::CURRENCY ] ) : null );
	}

	private static function invalid( string $name, string $message, string $fault ): WP_Error {
		return new WP_Error( 'rest_invalid_param', $message, array( 'status' => 400, 'params' => array( $name => $fault ) ) );
	}

	/** The first added name that no user has: someone who took it later would become the guest. */
	private function name_of_nobody( string $key, string $value, int $post_id ): string {
		$listed = $post_id ? ( $key === Meta::OWNERS ? Meta::owner_list( $post_id ) : Meta::guest_list( $post_id ) ) : array();
		$new    = array_filter( array_diff_key( Meta::people_in( $value ), $listed ), static fn( string $name ): bool => ! str_contains( $name, '@' ) );
		return (string) current( array_diff_key( $new, $this->accounts->with_user_names( $new ) ) );
	}
}
