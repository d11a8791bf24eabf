<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\PlainText;
use Trousseau\Service\Item;

/** A registry's meta. The lists are JSON text. Stored values are read tolerantly: each key has a function that makes a clean value of any other. */
final class Meta {

	public const ITEM_IDS = 'registry_item_ids';
	public const INVITEES = 'registry_invitees';
	/** The owners of a registry besides its author. */
	public const OWNERS = 'registry_owners';

	public const EVENT_TYPE = 'registry_event_type';
	public const EVENT_DATE = 'registry_event_date';

	/** The currency of its gifts' prices, by ISO 4217. */
	public const CURRENCY = 'registry_currency';

	/** The day until which owners don't see who gives what, `always`, or empty. */
	public const SURPRISE_UNTIL = 'registry_surprise_until';

	/** `names`: the surprise hides only names, so owners see how many are given. `all` or empty: it hides both. */
	public const SURPRISE_KEEPS = 'registry_surprise_keeps';

	/** How long its gifts are reserved: a number of days, `day` for until the event, or empty for the default. */
	public const RESERVED_FOR = 'trousseau_reserved_for';

	/** Where shares of group gifts are sent. Only for owners. */
	public const PAY_TO = 'registry_pay_to';

	/** Marks a list in the trash that its owner has deleted: it is deleted for good once its givers' emails are planned. */
	public const IS_DELETED = '_trousseau_deleted';

	public const MAX_INVITEES       = 1000;
	public const MAX_OWNERS         = 5;
	public const MAX_INVITEE_LENGTH = 254;
	public const MAX_EVENT_TYPE     = 100;
	public const MAX_PAY_TO         = 300;

	public static function item_ids( int $post_id ): array {
		return json_decode( self::clean_item_ids( get_post_meta( $post_id, self::ITEM_IDS, true ) ) );
	}

	public static function invitees( int $post_id ): array {
		return array_values( self::guest_list( $post_id ) );
	}

	/** The guest list's entry with one of these names, in any case, or empty. */
	public static function invitee( int $post_id, string ...$names ): string {
		$entries = array_map( static fn( string $name ): string => self::guest_list( $post_id )[ self::invitee_key( $name ) ] ?? '', $names );
		return array_values( array_filter( $entries, 'strlen' ) )[0] ?? '';
	}

	/** @return array<string, string> The co-owners of a registry by their keys. */
	public static function owner_list( int $post_id ): array {
		return self::people_in( get_post_meta( $post_id, self::OWNERS, true ), self::MAX_OWNERS );
	}

	/** Removes people, by their names in small letters, from the list of guests, or of owners. */
	public function remove( int $post_id, string $key, array $names ): void {
		// Another process may have stored the list since this one read it.
		wp_cache_delete( $post_id, 'post_meta' );
		$stored = self::people_in( get_post_meta( $post_id, $key, true ) );
		$left   = array_filter( $stored, static fn( string $person ): bool => ! in_array( mb_strtolower( $person ), $names, true ) );
		if ( $left !== $stored ) {
			$this->store_people( $post_id, $key, $left );
		}
	}

	/** @param string[] $people The list of guests, or of owners. */
	public function store_people( int $post_id, string $key, array $people ): void {
		update_post_meta( $post_id, $key, wp_slash( (string) wp_json_encode( array_values( $people ) ) ) );
	}

	/** @return int[] The registries that an account has made, those in the trash included. */
	public function made_by( int $author ): array {
		$wpdb = $GLOBALS['wpdb'];
		return array_map( 'intval', $wpdb->get_col( $wpdb->prepare( "SELECT ID FROM $wpdb->posts WHERE post_type = %s AND post_author = %d", PostType::NAME, $author ) ) );
	}

	/**
	 * @param string[] $names
	 * @return int[] Posts whose list of guests, or of owners, contains one of these names: it is JSON text, so each has to be read once more.
	 */
	public function naming( array $names, string ...$keys ): array {
		$wpdb  = $GLOBALS['wpdb'];
		$in    = implode( ', ', array_fill( 0, count( $keys ), '%s' ) );
		$likes = implode( ' OR ', array_fill( 0, count( $names ), 'meta_value LIKE %s' ) );
		return $names ? array_map( 'intval', $wpdb->get_col( $wpdb->prepare( "SELECT DISTINCT post_id FROM $wpdb->postmeta WHERE meta_key IN ( $in ) AND ( $likes )", array( ...$keys, ...array_map( array( $this, 'like' ), $names ) ) ) ) ) : array();
	}

	/** @return int[] Those of a network's sites on which such a list contains a name, by one query; all where one lacks its table, or has it on another machine. */
	public function sites_naming( array $sites, string $name, array $keys ): array {
		$wpdb   = $GLOBALS['wpdb'];
		$in     = implode( ', ', array_fill( 0, count( $keys ), '%s' ) );
		$each   = array_map( static fn( int $site ): string => "SELECT $site FROM DUAL WHERE EXISTS ( SELECT 1 FROM {$wpdb->get_blog_prefix( $site )}postmeta WHERE meta_key IN ( $in ) AND meta_value LIKE %s )", $sites );
		$values = array_merge( ...array_fill( 0, count( $sites ), array( ...$keys, $this->like( $name ) ) ) );
		$shown  = $wpdb->suppress_errors();
		$found  = $wpdb->get_col( $wpdb->prepare( implode( ' UNION ALL ', $each ), $values ) );
		$wpdb->suppress_errors( $shown );
		return $wpdb->last_error === '' ? array_map( 'intval', $found ) : $sites;
	}

	private function like( string $name ): string {
		return '%' . $GLOBALS['wpdb']->esc_like( (string) wp_json_encode( $name ) ) . '%';
	}

	/** The key of a guest: entries that name the same guest share it. Its space keeps PHP from turning a name of digits into a number. */
	public static function invitee_key( string $name ): string {
		return ' ' . mb_strtolower( trim( $name ) );
	}

	/** Plain text: entities are decoded. */
	public static function event_type( int $post_id ): string {
		return html_entity_decode( self::clean_event_type( get_post_meta( $post_id, self::EVENT_TYPE, true ) ), ENT_QUOTES | ENT_HTML5, 'UTF-8' );
	}

	/** `YYYY-MM-DD`, or empty. */
	public static function event_date( int $post_id ): string {
		return self::clean_event_date( get_post_meta( $post_id, self::EVENT_DATE, true ) );
	}

	public static function currency( int $post_id ): string {
		return self::clean_currency( get_post_meta( $post_id, self::CURRENCY, true ) );
	}

	/** Plain text: entities are decoded. */
	public static function pay_to( int $post_id ): string {
		return PlainText::of_html( self::clean_pay_to( get_post_meta( $post_id, self::PAY_TO, true ) ) );
	}

	public static function surprise_until( int $post_id ): string {
		return self::clean_surprise_until( get_post_meta( $post_id, self::SURPRISE_UNTIL, true ) );
	}

	public static function surprise_keeps_names_only( int $post_id ): bool {
		return get_post_meta( $post_id, self::SURPRISE_KEEPS, true ) === 'names';
	}

	public static function reserved_for( int $post_id ): string {
		return self::clean_reserved_for( get_post_meta( $post_id, self::RESERVED_FOR, true ) );
	}

	public static function clean_item_ids( mixed $value ): string {
		$ids = array_filter( self::list_of( $value ), static fn( $id ) => is_numeric( $id ) && (int) $id > 0 );
		return (string) wp_json_encode( array_slice( array_unique( array_map( 'intval', $ids ) ), 0, Item::MAX_ON_LIST ) );
	}

	public static function clean_invitees( mixed $value ): string {
		return (string) wp_json_encode( array_values( self::people_in( $value ) ) );
	}

	public static function clean_owners( mixed $value ): string {
		return (string) wp_json_encode( array_values( self::people_in( $value, self::MAX_OWNERS ) ) );
	}

	public static function clean_event_type( mixed $value ): string {
		return is_scalar( $value ) ? self::shortened( sanitize_text_field( (string) $value ), self::MAX_EVENT_TYPE ) : '';
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

	/** Cleans the end of a surprise; an unknown value conceals the givers. */
	public static function clean_surprise_until( mixed $value ): string {
		$is_plain = $value === '' || $value === null || $value === false || self::clean_event_date( $value ) === $value;
		return $is_plain ? (string) $value : 'always';
	}

	public static function clean_surprise_keeps( mixed $value ): string {
		return in_array( $value, array( 'all', 'names' ), true ) ? $value : '';
	}

	public static function clean_pay_to( mixed $value ): string {
		$text  = is_scalar( $value ) ? (string) preg_replace( '/<[^<>]*>/', '', wp_check_invalid_utf8( (string) $value ) ) : '';
		$lines = array_map( static fn( string $line ): string => trim( (string) preg_replace( '/[\p{Cc}\s]+/u', ' ', $line ) ), preg_split( '/[\r\n]/', $text ) );
		return self::shortened( implode( "\n", array_filter( $lines, 'strlen' ) ), self::MAX_PAY_TO );
	}

	/** The limit is for the text that people read: stored, it may hold entities. */
	private static function shortened( string $html, int $most ): string {
		$plain = PlainText::of_html( $html );
		// An entity may have any number of zeros.
		return mb_strlen( $plain ) <= $most && strlen( $html ) <= 12 * $most ? $html : PlainText::to_html( mb_substr( $plain, 0, $most ) );
	}

	public static function clean_reserved_for( mixed $value ): string {
		return in_array( $value, array( '28', 'day' ), true ) ? $value : '';
	}

	public static function is_invitee_text( mixed $value ): bool {
		return is_string( $value ) && trim( $value ) !== '' && mb_strlen( trim( $value ) ) <= self::MAX_INVITEE_LENGTH && ! str_contains( trim( $value ), "\0" );
	}

	/** @return array<string, string> A registry's guests by their keys. Cleaning a thousand takes a while, and pages ask often: the last list is remembered. */
	public static function guest_list( int $post_id ): array {
		static $text = null, $guests = array();
		$stored      = get_post_meta( $post_id, self::INVITEES, true );
		if ( $text !== $stored ) {
			$guests = self::people_in( $stored );
			$text   = $stored;
		}
		return $guests;
	}

	/** @return array<string, string> A list of people, cleaned: key → entry. */
	public static function people_in( mixed $value, int $most = self::MAX_INVITEES ): array {
		$people = array();
		foreach ( array_filter( self::list_of( $value ), array( self::class, 'is_invitee_text' ) ) as $text ) {
			$people += array( self::invitee_key( $text ) => trim( $text ) );
		}
		return array_slice( $people, 0, $most, true );
	}

	private static function list_of( mixed $value ): array {
		$list = is_string( $value ) ? json_decode( $value, true ) : $value;
		return is_array( $list ) ? $list : array();
	}
}
