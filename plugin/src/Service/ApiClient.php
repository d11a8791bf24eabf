<?php

declare(strict_types=1);

namespace Trousseau\Service;

use Closure;
use Trousseau\Platform\Settings;
use WP_Error;

/**
 * The client for other plugins: the calls of `ItemService`, without exceptions. Every call returns the decoded JSON body,
 * `true` for 204, `null` for 404, and otherwise a WP_Error with one of the codes `api_not_configured`, `api_unreachable`
 * (no answer) and `api_error` (data: status).
 */
final class ApiClient {

	private readonly ItemService $service;

	public function __construct( string $base_url, string $api_key = '', string $username = '', string $app_password = '' ) {
		$this->service = new ItemService( new HttpClient( $base_url, $api_key, $username, $app_password ) );
	}

	/** The client with the site's own settings. */
	public static function of_site(): self {
		return new self( ...Settings::connection() );
	}

	public function is_configured(): bool {
		return $this->service->is_configured();
	}

	/**
	 * Calls the service: `ask( fn( ItemService $service ) => $service->registry_items( 3 ) )`.
	 *
	 * @param Closure(ItemService): mixed $call
	 */
	public function ask( Closure $call ): mixed {
		try {
			return $this->obstacle() ?? self::body_of( $call( $this->service ) ) ?? true;
		} catch ( ServiceError $error ) {
			return $error->status === 404 ? null : $error->as_wp_error();
		}
	}

	public function get_item( int $id ): array|WP_Error|null {
		return $this->ask( static fn( ItemService $service ): Item => $service->get_item( $id ) );
	}

	/** The items with these ids, in this order; those that are missing or fail are left out. */
	public function get_items( array $ids ): array|WP_Error {
		$items = array();
		foreach ( $ids as $id ) {
			$item = $this->get_item( $id );
			if ( is_array( $item ) ) {
				$items[] = $item;
			} elseif ( is_wp_error( $item ) && $item->get_error_code() !== 'api_error' ) {
				break; // The service doesn't answer at all: each further item would cost the timeout.
			}
		}
		return $this->obstacle() ?? $items;
	}

	/** @param array<string, mixed> $fields `name` and `url` are required here, `registry_id` by the service. */
	public function create_item( array $fields, string $key = '' ): array|WP_Error|null {
		foreach ( $this->is_configured() ? array( 'name', 'url' ) : array() as $field ) {
			if ( ! is_string( $fields[ $field ] ?? null ) || $fields[ $field ] === '' ) {
				/* translators: %s: name of a field */
				return new WP_Error( 'api_invalid_item', sprintf( __( 'An item needs the field %s.', 'trousseau' ), $field ) );
			}
		}
		return $this->ask( static fn( ItemService $service ): array => $service->create_item( $fields, $key ) );
	}

	private function obstacle(): ?WP_Error {
		return $this->is_configured() ? null : new WP_Error( 'api_not_configured', __( 'The address of the item service is not set.', 'trousseau' ) );
	}

	private static function body_of( mixed $answer ): mixed {
		return match ( true ) {
			$answer instanceof Claim || $answer instanceof Item => $answer->answer,
			is_array( $answer ) => array_map( self::body_of( ... ), $answer ),
			default             => $answer,
		};
	}
}
