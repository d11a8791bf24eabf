<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Settings;
use WP_Error;

/**
 * The one component that talks to the item service.
 *
 * Every call answers the decoded JSON body, `true` for 204, `null` where the service says that there is nothing (404), and
 * otherwise a WP_Error with one of the codes `api_not_configured`, `api_unreachable` (no answer) and `api_error` (data: status).
 */
final class ItemService {

	private const TIMEOUT = 10;

	/** Seconds for which a page waits until the service knows our account. */
	private const SIGN_IN = 3;

	/** Claims in one request, and pages of them that are read for one page of the site. */
	private const AT_ONCE    = 100;
	private const MOST_PAGES = 10;

	/** Marks a request of ours that has less than a second. */
	private const WITHIN = 'trousseau_within';

	private readonly string $base_url;

	public function __construct(
		string $base_url,
		private readonly string $api_key = '',
		private readonly string $username = '',
		private readonly string $app_password = '',
	) {
		$this->base_url = rtrim( $base_url, '/' );
	}

	/** The client with the site's own settings. */
	public static function of_site(): self {
		return new self( ...Settings::connection() );
	}

	public function is_configured(): bool {
		return $this->base_url !== '';
	}

	public function has_credentials(): bool {
		return $this->username !== '' && $this->app_password !== '';
	}

	public function welcome(): mixed {
		return $this->call( 'GET', '/', signed: false );
	}

	public function health(): mixed {
		return $this->call( 'GET', '/health', signed: false );
	}

	/** What only the service knows: its version, its clock, who may use items, when reservations ended last. */
	public function status(): mixed {
		return $this->call( 'GET', '/status' );
	}

	public function list_items( int $skip = 0, int $limit = 100 ): mixed {
		return $this->call( 'GET', "/items?skip=$skip&limit=$limit" );
	}

	/** The item itself, out of its envelope. */
	public function get_item( int $id ): mixed {
		return self::data_of( $this->call( 'GET', "/items/$id", in_haste: true ) );
	}

	/**
	 * The items with these ids, in this order; those that are missing or fail are left out.
	 *
	 * @param int[] $ids
	 * @return array<string, mixed>[]
	 */
	public function get_items( array $ids ): array {
		$items = array();
		foreach ( $ids as $id ) {
			$item = $this->get_item( $id );
			if ( is_array( $item ) ) {
				$items[] = $item;
			} elseif ( is_wp_error( $item ) && $item->get_error_code() !== 'api_error' ) {
				break; // The service doesn't answer at all: asking on would cost the timeout once per item.
			}
		}
		return $items;
	}

	/** @param array<string, mixed> $item `name` and `url` are required here, `registry_id` by the service. */
	public function create_item( array $item, string $key = '' ): mixed {
		foreach ( array( 'name', 'url' ) as $field ) {
			if ( ! is_string( $item[ $field ] ?? null ) || $item[ $field ] === '' ) {
				/* translators: %s: name of a field */
				return new WP_Error( 'api_invalid_item', sprintf( __( 'An item needs the field %s.', 'trousseau' ), $field ) );
			}
		}
		return $this->call( 'POST', '/items', $item, key: $key );
	}

	/** @param array<string, mixed> $changes Only these keys change. */
	public function update_item( int $id, array $changes, string $if_match = '' ): mixed {
		return $this->call( 'PUT', "/items/$id", $changes, $if_match, in_haste: true );
	}

	public function delete_item( int $id ): mixed {
		return $this->call( 'DELETE', "/items/$id" );
	}

	/**
	 * What the page at an address says about the thing it sells; nothing is stored. A page that cannot be had is an answer
	 * too: `problem` says why.
	 */
	public function lookup( string $url ): mixed {
		// The plugin's account asks for many people: by this word the service lets them take turns.
		$person = substr( wp_hash( 'lookups ' . get_current_user_id() ), 0, 20 );
		return $this->call( 'POST', '/lookups', array( 'url' => $url ), headers: array( 'Trousseau-For' => $person ) );
	}

	public function list_registries( int $skip = 0, int $limit = 100 ): mixed {
		return $this->call( 'GET', "/registries?skip=$skip&limit=$limit" );
	}

	public function get_registry( int $id ): mixed {
		return $this->call( 'GET', "/registries/$id" );
	}

	/** @param array<string, mixed> $registry */
	public function create_registry( array $registry ): mixed {
		return $this->call( 'POST', '/registries', $registry );
	}

	/** @param array<string, mixed> $changes */
	public function update_registry( int $id, array $changes ): mixed {
		return $this->call( 'PATCH', "/registries/$id", $changes );
	}

	public function delete_registry( int $id ): mixed {
		return $this->call( 'DELETE', "/registries/$id" );
	}

	/** Tells that this site has no such registry any more; whether the service has heard it within so many seconds. */
	public function tell_deleted( int $id, float $seconds ): bool {
		$response = $this->send_in_haste( 'DELETE', "/registries/$id", microtime( true ) + $seconds );
		if ( is_wp_error( $response ) ) {
			return false;
		}
		$body = json_decode( wp_remote_retrieve_body( $response ), true );
		// Only the service itself says in such words that there is none; not what stands before it, or in its place.
		return match ( (int) wp_remote_retrieve_response_code( $response ) ) {
			204     => true,
			// The host of the service has it: this site is a copy, or behind. The service looks by itself.
			409     => true,
			404     => is_array( $body ) && isset( $body['detail'] ),
			default => false,
		};
	}

	/** All active items of a registry, in its order, by one request. */
	public function registry_items( int $id ): mixed {
		return $this->call( 'GET', "/registries/$id/items" );
	}

	/**
	 * The same for a page that waits: in so many seconds, in any order, and without the service asking this site anything
	 * meanwhile. Where it doesn't know our account yet, it is asked again if there is time for that.
	 */
	public function registry_items_soon( int $id, float $seconds, bool $again ): mixed {
		$now = microtime( true );
		return self::decode( $this->send_in_haste( 'GET', "/registries/$id/items", $now + $seconds, again: $again ) );
	}

	/** @param array<string, mixed> $item */
	public function create_registry_item( int $id, array $item, string $key = '' ): mixed {
		return $this->call( 'POST', "/registries/$id/items", $item, key: $key );
	}

	public function delete_registry_item( int $id, int $item_id ): mixed {
		return $this->call( 'DELETE', "/registries/$id/items/$item_id" );
	}

	public function invitees( int $id ): mixed {
		return $this->call( 'GET', "/registries/$id/invitees" );
	}

	/** @param string[] $invitees */
	public function add_invitees( int $id, array $invitees ): mixed {
		return $this->call( 'POST', "/registries/$id/invitees", array( 'invitees' => array_values( $invitees ) ) );
	}

	public function remove_invitee( int $id, string $invitee ): mixed {
		return $this->call( 'DELETE', "/registries/$id/invitees/" . rawurlencode( $invitee ) );
	}

	public function affiliate( int $id, int $item_id ): mixed {
		return $this->call( 'GET', "/registries/$id/items/$item_id/affiliate" );
	}

	public function set_affiliate( int $id, int $item_id, string $url, string $status = 'active' ): mixed {
		$body = array(
			'affiliate_url'    => $url,
			'affiliate_status' => $status,
		);
		return $this->call( 'PUT', "/registries/$id/items/$item_id/affiliate", $body );
	}

	public function clear_affiliate( int $id, int $item_id ): mixed {
		return $this->call( 'DELETE', "/registries/$id/items/$item_id/affiliate" );
	}

	/**
	 * Takes pieces of an item. A key that was made before, with the form for instance, makes one claim of it, however often
	 * it is sent. The service needn't ask this site anything where it is told whose registry it is.
	 *
	 * @param array<string, mixed> $claim
	 * @param int                  $owner The registry's.
	 */
	public function create_claim( int $id, int $item_id, array $claim, string $key = '', int $owner = 0 ): mixed {
		return $this->call( 'POST', "/registries/$id/items/$item_id/claims", $claim, key: $key, in_haste: true, headers: self::owner( $owner ) );
	}

	/**
	 * All that was claimed in a registry: `claims` and `concealed_until`.
	 *
	 * @param int $owner The registry's.
	 */
	public function registry_claims( int $id, int $owner = 0 ): mixed {
		return $this->call( 'GET', "/registries/$id/claims", in_haste: true, headers: self::owner( $owner ) );
	}

	/** What somebody gives, over all registries: by their address, and by their account where they have one. */
	public function claims_of( string $email, int $skip = 0, int $limit = 100, int $user_id = 0 ): mixed {
		return $this->call( 'GET', '/claims?' . self::person( $email, $user_id ) . "&skip=$skip&limit=$limit" );
	}

	/** The gifts of one person over all registries, each with its `item`: null where that is no longer on its list. */
	public function gifts_of( string $email ): mixed {
		$found = array();
		for ( $page = 0; $page < self::MOST_PAGES; ++$page ) {
			$more = $this->call( 'GET', '/claims?' . self::person( $email, 0 ) . '&with=item&limit=' . self::AT_ONCE . '&skip=' . $page * self::AT_ONCE, in_haste: true );
			if ( ! is_array( $more ) ) {
				return $more;
			}
			array_push( $found, ...$more );
			if ( count( $more ) < self::AT_ONCE ) {
				break;
			}
		}
		return $found;
	}

	/**
	 * Claims by their ids, each with its `item`, as above; those that aren't there are left out.
	 *
	 * @param string[] $ids
	 */
	public function gifts( array $ids ): mixed {
		$found = array();
		// The service would refuse all of them for one malformed id.
		$ids = array_filter( $ids, static fn( string $id ): bool => (bool) preg_match( '/^[\w-]{22}$/D', $id ) );
		foreach ( array_chunk( $ids, self::AT_ONCE ) as $some ) {
			$more = $this->call( 'GET', '/claims?ids=' . implode( ',', $some ) . '&with=item', in_haste: true );
			if ( ! is_array( $more ) ) {
				return $more;
			}
			array_push( $found, ...$more );
		}
		return $found;
	}

	public function get_claim( string $id ): mixed {
		return $this->call( 'GET', '/claims/' . rawurlencode( $id ), in_haste: true );
	}

	/** @param array<string, mixed> $changes */
	public function update_claim( string $id, array $changes, string $if_match = '' ): mixed {
		return $this->call( 'PATCH', '/claims/' . rawurlencode( $id ), $changes, $if_match, in_haste: true );
	}

	public function release_claim( string $id, string $if_match = '' ): mixed {
		return $this->call( 'DELETE', '/claims/' . rawurlencode( $id ), null, $if_match, in_haste: true );
	}

	/** Forgets who somebody was, in everything they gave. */
	public function erase_giver( string $email, int $user_id = 0 ): mixed {
		return $this->call( 'DELETE', '/claims?' . self::person( $email, $user_id ) );
	}

	/** Forgets all givers of a registry whose gifts nothing has changed for so many seconds. */
	public function forget_givers( int $registry_id, int $seconds ): mixed {
		return $this->call( 'DELETE', "/claims?registry_id=$registry_id&unchanged_for=$seconds" );
	}

	/**
	 * Says whose registry it is; 0: not our account's own.
	 *
	 * @return array<string, string>
	 */
	private static function owner( int $id ): array {
		return array( 'Trousseau-Owner' => (string) $id );
	}

	private static function person( string $email, int $user_id ): string {
		return 'email=' . rawurlencode( $email ) . ( $user_id ? "&user_id=$user_id" : '' );
	}

	/**
	 * @param array<string, mixed>|null $body
	 * @param bool                      $in_haste The service answers without asking this site, which waits: with every worker of
	 *                                            PHP in such a page, none would be left to answer it.
	 * @param array<string, string>     $headers
	 */
	private function call( string $method, string $path, ?array $body = null, string $if_match = '', bool $signed = true, string $key = '', bool $in_haste = false, array $headers = array() ): mixed {
		$headers += array_filter(
			array(
				'If-Match'        => $if_match,
				'Idempotency-Key' => $key,
			)
		);
		$answer   = self::decode( $in_haste ? $this->send_in_haste( $method, $path, microtime( true ) + self::SIGN_IN, $body, $headers, self::TIMEOUT ) : $this->send( $method, $path, $body, $headers, $signed ) );
		return $method === 'GET' ? $answer : $this->announce( $path, $answer );
	}

	/** Whatever this site has written shows on its next page. */
	private function announce( string $path, mixed $answer ): mixed {
		$data     = self::data_of( $answer );
		$registry = preg_match( '#^/registries/(\d+)#', $path, $found ) ? $found[1] : ( is_array( $data ) ? $data['registry_id'] ?? 0 : 0 );
		if ( $registry && ! is_wp_error( $answer ) && $answer !== null ) {
			/** Fires after something of a registry was written to the service: the registry's number. */
			do_action( 'trousseau_written', (int) $registry );
		}
		return $answer;
	}

	/**
	 * A request for which nobody should wait long: the service answers what it knows itself. Until it knows our account,
	 * about which it asks this site behind its answer, it is asked again.
	 *
	 * @param array<string, mixed>|null $body
	 * @param array<string, string>     $headers
	 * @param float|null                $within  Seconds for one answer, where that is more than what is left.
	 * @return array<string, mixed>|WP_Error
	 */
	private function send_in_haste( string $method, string $path, float $until, ?array $body = null, array $headers = array(), ?float $within = null, bool $again = true ): array|WP_Error {
		for ( $pause = 0.03; ; $pause *= 2 ) {
			$left     = max( 0.1, $until - microtime( true ) );
			$response = $this->send( $method, $path, $body, $headers + self::owner( 0 ), within: $within ?? $left );
			if ( ! $again || ! self::is_soon( $response ) || microtime( true ) + $pause > $until ) {
				return $response;
			}
			usleep( (int) ( $pause * 1e6 ) );
		}
	}

	/** Whether the service asks for a moment, in which it learns who we are. */
	private static function is_soon( array|WP_Error $response ): bool {
		return ! is_wp_error( $response ) && wp_remote_retrieve_header( $response, 'preference-applied' ) === 'wait=0';
	}

	/**
	 * @param array<string, mixed>|null $body
	 * @param array<string, string>     $headers
	 * @param float|null                $within  Seconds in which the answer is of use; the service then waits for nobody.
	 * @return array<string, mixed>|WP_Error
	 */
	private function send( string $method, string $path, ?array $body = null, array $headers = array(), bool $signed = true, ?float $within = null ): array|WP_Error {
		if ( ! $this->is_configured() ) {
			return new WP_Error( 'api_not_configured', __( 'The address of the item service is not set.', 'trousseau' ) );
		}
		$headers += array(
			'Accept'          => 'application/json',
			// Passed on to the shops that are looked up.
			'Accept-Language' => get_bloginfo( 'language' ),
		);
		if ( $signed && $this->has_credentials() ) {
			// Basic authentication is base64.
			$headers['Authorization'] = 'Basic ' . base64_encode( $this->username . ':' . $this->app_password );
		}
		if ( $signed && $this->api_key !== '' ) {
			$headers['x-api-key'] = $this->api_key;
		}
		if ( $body !== null ) {
			$headers['Content-Type'] = 'application/json';
		}
		// After its own write this site looks by itself, where the path or the answer names the registry.
		$looks = $method !== 'GET' && ( $method !== 'DELETE' || preg_match( '#^/registries/\d+/#', $path ) );
		if ( $within !== null || $looks ) {
			$headers['Prefer'] = implode( ', ', array_filter( array( $within === null ? '' : 'wait=0', $looks ? 'notice=none' : '' ) ) );
		}
		$response = wp_remote_request(
			$this->base_url . $path,
			array(
				'method'      => $method,
				'headers'     => $headers,
				'body'        => $body === null ? null : wp_json_encode( (object) $body ),
				'timeout'     => $within ?? self::TIMEOUT,
				'redirection' => 0, // A redirect would carry the credentials along.
				self::WITHIN  => $within,
			)
		);
		return is_wp_error( $response ) ? new WP_Error( 'api_unreachable', $response->get_error_message() ) : $response;
	}

	/**
	 * WordPress rounds a second's part up to a second.
	 *
	 * @param array<string, mixed> $request
	 */
	public static function keep_to_the_time( mixed $handle, array $request ): void {
		$milliseconds = (int) ( 1000 * ( $request[ self::WITHIN ] ?? 0 ) );
		if ( $milliseconds > 0 ) {
			curl_setopt( $handle, CURLOPT_NOSIGNAL, true );
			curl_setopt( $handle, CURLOPT_CONNECTTIMEOUT_MS, $milliseconds );
			curl_setopt( $handle, CURLOPT_TIMEOUT_MS, $milliseconds );
		}
	}

	/** @param array<string, mixed>|WP_Error $response */
	private static function decode( array|WP_Error $response ): mixed {
		if ( is_wp_error( $response ) ) {
			return $response;
		}
		$status = (int) wp_remote_retrieve_response_code( $response );
		$body   = json_decode( wp_remote_retrieve_body( $response ), true );
		// A 404 without these words is from a server in front of the service, or in its place.
		if ( $status === 404 && is_array( $body ) && isset( $body['detail'] ) ) {
			return null;
		}
		if ( $status === 204 ) {
			return true;
		}
		if ( $status < 300 && json_last_error() === JSON_ERROR_NONE ) {
			return $body;
		}
		$detail = is_array( $body ) && is_string( $body['detail'] ?? null ) ? $body['detail'] : '';
		/* translators: %d: HTTP status code */
		$message = $detail !== '' ? $detail : sprintf( __( 'The item service answered with HTTP status %d and no explanation.', 'trousseau' ), $status );
		$again   = (string) wp_remote_retrieve_header( $response, 'retry-after' );
		$data    = array( 'status' => $status )
			+ ( self::is_soon( $response ) ? array( 'soon' => true ) : array() )
			+ ( ctype_digit( $again ) ? array( 'retry_after' => (int) $again ) : array() );
		return new WP_Error( 'api_error', $message, $data );
	}

	/** With which HTTP status the service has refused; 0 where it hasn't, or nothing answers. */
	public static function status_of( mixed $answer ): int {
		return is_wp_error( $answer ) ? (int) ( $answer->get_error_data()['status'] ?? 0 ) : 0;
	}

	private static function data_of( mixed $answer ): mixed {
		return is_array( $answer ) ? $answer['data'] ?? $answer : $answer;
	}
}
