<?php

declare(strict_types=1);

namespace Trousseau;

use WP_Error;

/**
 * The one component that talks to the item service.
 *
 * Every call answers the decoded JSON body, `true` for 204, `null` for 404, and otherwise a WP_Error with one of the codes
 * `api_not_configured`, `api_unreachable` (no answer) and `api_error` (data: status).
 */
final class ApiClient {

	private const TIMEOUT = 10;

	/** A gift that others keep changing in the same moment is given up after so many attempts. */
	private const PURCHASE_ATTEMPTS = 5;

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
		return new self(
			Settings::value( Settings::BASE_URL ),
			Settings::value( Settings::API_KEY ),
			Settings::value( Settings::USERNAME ),
			Settings::value( Settings::APP_PASSWORD ),
		);
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

	public function list_items( int $skip = 0, int $limit = 100 ): mixed {
		return $this->call( 'GET', "/items?skip=$skip&limit=$limit" );
	}

	/** The item itself, out of its envelope. */
	public function get_item( int $id ): mixed {
		return self::data_of( $this->call( 'GET', "/items/$id" ) );
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
	public function create_item( array $item ): mixed {
		foreach ( array( 'name', 'url' ) as $field ) {
			if ( ! is_string( $item[ $field ] ?? null ) || $item[ $field ] === '' ) {
				/* translators: %s: name of a field */
				return new WP_Error( 'api_invalid_item', sprintf( __( 'An item needs the field %s.', 'trousseau' ), $field ) );
			}
		}
		return $this->call( 'POST', '/items', $item );
	}

	/** @param array<string, mixed> $changes Only these keys change. */
	public function update_item( int $id, array $changes, string $if_match = '' ): mixed {
		return $this->call( 'PUT', "/items/$id", $changes, $if_match );
	}

	public function delete_item( int $id ): mixed {
		return $this->call( 'DELETE', "/items/$id" );
	}

	/**
	 * Marks pieces of an item as given. Two guests may do so at once: the write holds only for the state that was read,
	 * and another state is read again.
	 *
	 * @return mixed The item as it is then, null when there is none, WP_Error `not_enough_left` when others were faster.
	 */
	public function purchase( int $item_id, int $count ): mixed {
		for ( $attempt = 1; ; $attempt++ ) {
			$response = $this->send( 'GET', "/items/$item_id" );
			$item     = self::data_of( self::decode( $response ) );
			if ( ! is_array( $item ) ) {
				return $item;
			}
			if ( $count < 1 || $count > Item::remaining( $item ) ) {
				return new WP_Error( 'not_enough_left', __( 'Fewer of these are still needed.', 'trousseau' ) );
			}
			$changed = $this->update_item(
				$item_id,
				array( 'quantity_purchased' => (int) ( $item['quantity_purchased'] ?? 0 ) + $count ),
				(string) wp_remote_retrieve_header( $response, 'etag' )
			);
			$outrun  = is_wp_error( $changed ) && ( $changed->get_error_data()['status'] ?? 0 ) === 412;
			if ( ! $outrun || $attempt === self::PURCHASE_ATTEMPTS ) {
				return self::data_of( $changed );
			}
		}
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

	/** All active items of a registry, in its order, by one request. */
	public function registry_items( int $id ): mixed {
		return $this->call( 'GET', "/registries/$id/items" );
	}

	/** @param array<string, mixed> $item */
	public function create_registry_item( int $id, array $item ): mixed {
		return $this->call( 'POST', "/registries/$id/items", $item );
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

	/** @param array<string, mixed>|null $body */
	private function call( string $method, string $path, ?array $body = null, string $if_match = '', bool $signed = true ): mixed {
		return self::decode( $this->send( $method, $path, $body, $if_match, $signed ) );
	}

	/**
	 * @param array<string, mixed>|null $body
	 * @return array<string, mixed>|WP_Error
	 */
	private function send( string $method, string $path, ?array $body = null, string $if_match = '', bool $signed = true ): array|WP_Error {
		if ( ! $this->is_configured() ) {
			return new WP_Error( 'api_not_configured', __( 'The address of the item service is not set.', 'trousseau' ) );
		}
		$headers = array( 'Accept' => 'application/json' );
		if ( $signed && $this->has_credentials() ) {
			// Basic authentication is base64.
			$headers['Authorization'] = 'Basic ' . base64_encode( $this->username . ':' . $this->app_password );
		}
		if ( $signed && $this->api_key !== '' ) {
			$headers['x-api-key'] = $this->api_key;
		}
		if ( $if_match !== '' ) {
			$headers['If-Match'] = $if_match;
		}
		if ( $body !== null ) {
			$headers['Content-Type'] = 'application/json';
		}
		$response = wp_remote_request(
			$this->base_url . $path,
			array(
				'method'      => $method,
				'headers'     => $headers,
				'body'        => $body === null ? null : wp_json_encode( (object) $body ),
				'timeout'     => self::TIMEOUT,
				'redirection' => 0, // A redirect would carry the credentials along.
			)
		);
		return is_wp_error( $response ) ? new WP_Error( 'api_unreachable', $response->get_error_message() ) : $response;
	}

	/** @param array<string, mixed>|WP_Error $response */
	private static function decode( array|WP_Error $response ): mixed {
		if ( is_wp_error( $response ) ) {
			return $response;
		}
		$status = (int) wp_remote_retrieve_response_code( $response );
		$body   = json_decode( wp_remote_retrieve_body( $response ), true );
		if ( $status === 404 ) {
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
		return new WP_Error( 'api_error', $message, array( 'status' => $status ) );
	}

	private static function data_of( mixed $answer ): mixed {
		return is_array( $answer ) ? $answer['data'] ?? $answer : $answer;
	}
}
