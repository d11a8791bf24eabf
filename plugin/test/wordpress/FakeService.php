<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** The item service as far as gifts and their givers go: it numbers gifts, keeps their order on the site, and makes one thing of each key. */
final class FakeService {

	/** @var array<int, array<string, mixed>> Gifts by their numbers. */
	public array $items = array();

	/** @var array<int, array<string, mixed>> Those that are taken off their lists. */
	private array $removed = array();

	/** @var array<string, array<string, mixed>> What guests give, the newest first. */
	public array $claims = array();

	/** @var array<string, Answer> Answers by the keys of requests. */
	private array $made = array();

	public function __construct( private readonly Outside $outside ) {
		$outside->answer( 'GET /registries/*/items', fn( array $request ): array => array_values( array_filter( $this->items, static fn( array $item ): bool => $item['registry_id'] === self::number( $request, 2 ) ) ) );
		$outside->answer( 'GET /items/*', fn( array $request ): Answer => $this->item( self::number( $request, 2 ) ) );
		$outside->answer( 'POST /registries/*/items', fn( array $request ): Answer => $this->once( $request, fn(): Answer => $this->add( self::number( $request, 2 ), $request['body'] ) ) );
		$outside->answer( 'PUT /items/*', fn( array $request ): Answer => $this->change( self::number( $request, 2 ), $request['body'] ) );
		$outside->answer( 'POST /items/*/move', fn( array $request ): Answer => $this->move( self::number( $request, 2 ), $request['body']['registry_id'] ) );
		$outside->answer( 'DELETE /registries/*', array( 'detail' => 'Registry not found' ), 404 );
		$outside->answer( 'DELETE /registries/*/items/*', fn( array $request ): Answer => $this->remove( self::number( $request, 4 ) ) );
		$outside->answer( 'PATCH /registries/*', fn( array $request ): Answer => $this->change_registry( self::number( $request, 2 ), $request['body'] ) );
		$outside->answer( 'POST /registries/*/items/*/claims', fn( array $request ): Answer => $this->once( $request, fn(): Answer => $this->give( self::number( $request, 4 ), $request['body'] ) ) );
		$outside->answer( 'GET /registries/*/claims', fn( array $request ): array => array( 'claims' => $this->claims_where( 'registry_id', self::number( $request, 2 ) ), 'concealed_until' => null ) );
		$outside->answer( 'GET /claims/*', fn( array $request ): Answer => $this->claim( basename( $request['path'] ) ) );
		$outside->answer( 'PATCH /claims/*', fn( array $request ): Answer => $this->change_claim( basename( $request['path'] ), $request['body'] ) );
		$outside->answer( 'DELETE /claims/*', fn( array $request ): Answer => $this->change_claim( basename( $request['path'] ), array( 'state' => 'released' ) ) );
		$outside->answer( 'GET /claims?*', fn( array $request ): array => $this->asked_for( $request['path'] ) );
		$outside->answer( 'POST /registries/*/invitees', fn( array $request ): array => $this->invite( self::number( $request, 2 ), static fn( array $guests ): array => array( ...$guests, ...$request['body']['invitees'] ) ) );
		$outside->answer( 'DELETE /registries/*/invitees/*', fn( array $request ): array => $this->invite( self::number( $request, 2 ), static fn( array $guests ): array => array_diff( $guests, array( rawurldecode( basename( $request['path'] ) ) ) ) ) );
		$outside->answer( 'GET /events?*', array(), 404 );
		$outside->answer( 'GET /question-key', array(), 404 );
	}

	private function invite( int $registry, callable $change ): array {
		$invitees = array_values( array_unique( $change( json_decode( (string) get_post_meta( $registry, 'registry_invitees', true ) ?: '[]', true ) ) ) );
		update_post_meta( $registry, 'registry_invitees', wp_json_encode( $invitees ) );
		return compact( 'invitees' );
	}

	private static function number( array $request, int $place ): int {
		return (int) ( explode( '/', strtok( $request['path'], '?' ) )[ $place ] ?? 0 );
	}

	private function once( array $request, callable $make ): Answer {
		$key                                                 = $request['headers']['idempotency-key'] ?? '';
		return $key === '' ? $make() : $this->made[ $key ] ??= $make();
	}

	private function item( int $id ): Answer {
		return isset( $this->items[ $id ] ) ? new Answer( 200, '', array(), array( 'data' => $this->items[ $id ] ) ) : new Answer( 404, '', array(), array( 'detail' => 'Item not found' ) );
	}

	public function add( int $registry, array $fields ): Answer {
		if ( ! in_array( get_post_status( $registry ), array( 'publish', 'private' ), true ) ) {
			return new Answer( 404, '', array(), array( 'detail' => 'Registry not found' ) );
		}
		$id                 = 1 + count( $this->items ) + count( $this->removed );
		$this->items[ $id ] = $fields + array( 'id' => $id, 'registry_id' => $registry, 'price' => null, 'description' => null, 'retailer' => null, 'image_url' => null, 'quantity_needed' => 1, 'quantity_purchased' => 0, 'created_at' => gmdate( 'c' ) );
		$this->order( $registry, static fn( array $ids ): array => array( ...$ids, $id ) );
		return new Answer( 201, '', array(), array( 'data' => $this->items[ $id ] ) );
	}

	private function change( int $id, array $changes ): Answer {
		if ( isset( $this->removed[ $id ] ) && ! empty( $changes['is_active'] ) ) {
			$this->items[ $id ] = $this->removed[ $id ];
			unset( $this->removed[ $id ] );
			$this->order( $this->items[ $id ]['registry_id'], static fn( array $ids ): array => array( ...$ids, $id ) );
		}
		if ( isset( $this->items[ $id ] ) ) {
			$this->items[ $id ] = array_diff_key( $changes, array( 'is_active' => true ) ) + $this->items[ $id ];
		}
		return $this->item( $id );
	}

	private function move( int $id, int $registry ): Answer {
		$item = $this->items[ $id ] ?? null;
		if ( $item && ( $item['unit'] ?? '' ) === 'money' && get_post_meta( $item['registry_id'], 'registry_currency', true ) !== get_post_meta( $registry, 'registry_currency', true ) ) {
			return new Answer( 409, '', array(), array( 'detail' => 'Another currency' ) );
		}
		if ( $item && $item['registry_id'] !== $registry ) {
			$this->order( $item['registry_id'], static fn( array $ids ): array => array_values( array_diff( $ids, array( $id ) ) ) );
			$this->order( $registry, static fn( array $ids ): array => array( ...$ids, $id ) );
			$this->items[ $id ]['registry_id'] = $registry;
			foreach ( $this->claims_where( 'item_id', $id ) as $claim ) {
				$this->claims[ $claim['id'] ]['registry_id'] = $registry;
			}
		}
		return $this->item( $id );
	}

	private function remove( int $id ): Answer {
		if ( ! isset( $this->items[ $id ] ) ) {
			return $this->item( $id );
		}
		$this->removed[ $id ] = $this->items[ $id ];
		unset( $this->items[ $id ] );
		$this->order( $this->removed[ $id ]['registry_id'], static fn( array $ids ): array => array_values( array_diff( $ids, array( $id ) ) ) );
		return new Answer( 204, '' );
	}

	private function change_registry( int $id, array $changes ): Answer {
		foreach ( $changes['meta'] ?? array() as $name => $value ) {
			update_post_meta( $id, $name, is_array( $value ) ? wp_json_encode( $value ) : $value );
		}
		return new Answer( 200, '', array(), array( 'id' => $id ) );
	}

	/** Changes the order of a list's gifts, as the service does by WordPress's REST API. */
	private function order( int $registry, callable $change ): void {
		$ids = json_decode( (string) get_post_meta( $registry, 'registry_item_ids', true ) ?: '[]', true );
		update_post_meta( $registry, 'registry_item_ids', wp_json_encode( $change( $ids ) ) );
	}

	/** The names of a list's gifts in their order. @return string[] */
	public function names( int $registry ): array {
		$ids = json_decode( (string) get_post_meta( $registry, 'registry_item_ids', true ) ?: '[]', true );
		return array_map( fn( int $id ): string => $this->items[ $id ]['name'], $ids );
	}

	/** A claim of somebody on a gift, as a guest or an administrator makes it. */
	public function give( int $item, array $fields ): Answer {
		$quantity = $fields['quantity'] ?? 1;
		if ( ! isset( $this->items[ $item ] ) ) {
			return $this->item( $item );
		}
		if ( $this->items[ $item ]['quantity_purchased'] + $quantity > $this->items[ $item ]['quantity_needed'] ) {
			return new Answer( 409, '', array(), array( 'detail' => 'Not that many are left' ) );
		}
		$id                                          = str_pad( (string) ( 1 + count( $this->claims ) ), 22, 'x', STR_PAD_LEFT );
		$this->items[ $item ]['quantity_purchased'] += $quantity;
		$now                                         = gmdate( 'c' );
		$state                                       = $fields['state'] ?? 'reserved';
		$ends                                        = $state === 'purchased' ? null : gmdate( 'c', time() + ( $fields['expires_in'] ?? ( $state === 'pending' ? HOUR_IN_SECONDS : 14 * DAY_IN_SECONDS ) ) );
		$this->claims                                = array(
			$id => array_diff_key( $fields, array( 'expires_in' => 0 ) ) + array( 'id' => $id, 'registry_id' => $this->items[ $item ]['registry_id'], 'item_id' => $item, 'quantity' => 1, 'state' => 'reserved', 'message' => null, 'thanked_at' => null, 'expires_at' => $ends, 'created_at' => $now, 'updated_at' => $now ),
		) + $this->claims;
		$this->claims[ $id ]                        += ( $this->items[ $item ]['unit'] ?? '' ) === 'money' ? array( 'buys' => false, 'pay_to' => null ) : array();
		$this->claims[ $id ]['giver']               += array( 'user_id' => null, 'name' => null, 'email' => null );
		return new Answer( 201, '', array(), $this->claims[ $id ] );
	}

	/** A claim, with the place to which the one who buys the gift has others send their shares. */
	private function claim( string $id ): Answer {
		$claim = $this->claims[ $id ] ?? null;
		if ( ! $claim ) {
			return new Answer( 404, '', array(), array( 'detail' => 'Claim not found' ) );
		}
		$buyers = array_filter( $this->claims_where( 'item_id', $claim['item_id'] ), static fn( array $other ): bool => ! empty( $other['buys'] ) );
		return new Answer( 200, '', array(), ( $buyers ? array( 'pay_to' => end( $buyers )['pay_to'] ) : array() ) + $claim );
	}

	private function change_claim( string $id, array $changes ): Answer {
		$before = $this->claims[ $id ];
		$ends   = isset( $changes['expires_in'] ) ? array( 'expires_at' => gmdate( 'c', time() + $changes['expires_in'] ) ) : array();
		$after  = $ends + array( 'thanked_at' => array_key_exists( 'thanked', $changes ) ? ( $changes['thanked'] ? gmdate( 'c' ) : null ) : $before['thanked_at'] ) + $changes + $before;
		$held   = static fn( array $claim ): int => in_array( $claim['state'], array( 'released', 'expired' ), true ) ? 0 : $claim['quantity'];
		if ( isset( $this->items[ $before['item_id'] ] ) ) {
			$item                        = &$this->items[ $before['item_id'] ];
			$item['quantity_purchased'] += $held( $after ) - $held( $before );
			if ( $held( $after ) > $held( $before ) && $item['quantity_purchased'] > $item['quantity_needed'] ) {
				$item['quantity_purchased'] -= $held( $after ) - $held( $before );
				return new Answer( 409, '', array(), array( 'detail' => 'Not that many are left' ) );
			}
		}
		$this->claims[ $id ] = array_diff_key( $after, array( 'thanked' => true, 'expires_in' => 0 ) );
		return $this->claim( $id );
	}

	private function claims_where( string $field, mixed $value ): array {
		return array_values( array_filter( $this->claims, static fn( array $claim ): bool => $claim[ $field ] === $value ) );
	}

	/** The claims of a person, or those with these ids, each with its gift. @return array<string, mixed>[] */
	private function asked_for( string $path ): array {
		parse_str( (string) wp_parse_url( $path, PHP_URL_QUERY ), $query );
		$ids   = isset( $query['ids'] ) ? explode( ',', $query['ids'] ) : array();
		$found = array_filter( $this->claims, static fn( array $claim ): bool => $ids ? in_array( $claim['id'], $ids, true ) : $claim['giver']['email'] === $query['email'] );
		$found = array_slice( $found, (int) ( $query['skip'] ?? 0 ), (int) ( $query['limit'] ?? 1000 ) );
		return array_map( fn( array $claim ): array => array( 'item' => $this->items[ $claim['item_id'] ] ?? null ) + $claim, array_values( $found ) );
	}
}
