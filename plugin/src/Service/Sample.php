<?php

declare(strict_types=1);

namespace Trousseau\Service;

use Trousseau\Platform\Settings;

/**
 * Stands in for the item service where someone tries the plugin: sample gifts that visitors can give. It is on only where WordPress
 * says that it runs for one person alone (`WP_ENVIRONMENT_TYPE` is `local`), no service is entered, and the option below names the list.
 */
final class Sample {

	/** The list with the sample gifts, and the claims on them. WordPress Playground sets it, by the plugin's blueprint. */
	private const OPTION = 'trousseau_sample';

	public static function is_on(): bool {
		return wp_get_environment_type() === 'local' && Settings::value( Settings::BASE_URL ) === '' && is_array( get_option( self::OPTION ) );
	}

	/** A connection to the sample: its requests leave this site never. */
	public function connection(): HttpClient {
		return new HttpClient( 'https://sample.invalid', '', 'sample', 'sample', array( $this, 'send' ) );
	}

	/** Says on every page that the gifts are samples. */
	public static function mark(): void {
		if ( self::is_on() ) {
			$label = __( 'About this preview', 'trousseau' );
			$words = __( 'This is a preview with sample gifts. You can give one, and nobody is told. To add gifts and send emails, connect the Trousseau item service to your own site under Settings → Trousseau.', 'trousseau' );
			printf( '<aside aria-label="%s" style="margin:0;padding:.8em 1.2em;background:#82334a;color:#fffaf6;font:15px/1.5 system-ui,sans-serif;text-align:center">%s</aside>', esc_attr( $label ), esc_html( $words ) );
		}
	}

	/** Answers a request as the item service does. */
	public function send( string $url, array $request ): array {
		$path  = (string) wp_parse_url( $url, PHP_URL_PATH );
		$asked = (array) json_decode( (string) $request['body'], true );
		parse_str( (string) wp_parse_url( $url, PHP_URL_QUERY ), $query );
		preg_match( '#^/(?:registries/(?<registry>\d+))?/?(?:items(?:/(?<item>\d+))?)?/?(?:claims(?:/(?<claim>[\w-]+))?)?$#', $path, $found );
		$about  = fn( string $name ): string => $found[ $name ] ?? '';
		$is     = static fn( string $method, string $pattern ): bool => $request['method'] === $method && preg_match( "#^$pattern$#", $path );
		$answer = match ( true ) {
			$is( 'GET', '/registries/\d+/items' )               => array( 200, (int) $about( 'registry' ) === $this->state()['registry'] ? $this->items() : array() ),
			$is( 'GET', '/items/\d+' )                          => $this->or_none( $this->item( (int) $about( 'item' ) ) ),
			$is( 'POST', '/registries/\d+/items/\d+/claims' )   => $this->give( (int) $about( 'item' ), $asked, $request['headers']['Idempotency-Key'] ?? '' ),
			$is( 'GET', '/registries/\d+/claims' )              => array( 200, array( 'claims' => array_values( $this->state()['claims'] ), 'concealed_until' => null ) ),
			$is( 'GET', '/claims' )                             => array( 200, $this->claims( $query ) ),
			$is( 'GET', '/claims/[\w-]+' )                      => $this->or_none( $this->state()['claims'][ $about( 'claim' ) ] ?? null ),
			$is( 'PATCH', '/claims/[\w-]+' )                    => $this->change( $about( 'claim' ), $asked ),
			$is( 'DELETE', '/claims/[\w-]+' )                   => $this->change( $about( 'claim' ), array( 'state' => 'released' ) ),
			$request['method'] === 'GET'                        => array( 404, array( 'detail' => 'The sample has no such thing.' ) ),
			default                                             => array( 503, array( 'detail' => 'The sample takes gifts, and nothing else.' ) ),
		};
		return array(
			'status'  => $answer[0],
			'headers' => array(),
			'body'    => (string) wp_json_encode( $answer[1] ),
		);
	}

	/** @return array{registry: int, claims: array<string, array<string, mixed>>} */
	private function state(): array {
		return (array) get_option( self::OPTION ) + array( 'registry' => 0, 'claims' => array() );
	}

	private function items(): array {
		$gifts = array(
			array( 'Enamelled cast-iron cocotte', 'Forest green, 26 cm. For Sunday stews and the bread we keep promising to bake.', 'Maison Bérard', 289, 1, 0 ),
			array( 'Washed linen bedding', 'In any of these four colours. We like them mixed.', 'Linnéa', 129.5, 3, 1 ),
			array( 'Hand-blown wine glasses', 'One is a present. Twelve are a party.', 'Glashütte Wolf', 24, 12, 8 ),
			array( 'Terracotta table lamp', 'For the reading corner under the stairs.', 'Studio Lume', 98, 1, 0 ),
			array( 'Little olive tree', null, 'Gärtnerei Anders', 45, 1, 0 ),
			array( 'Picnic basket', null, null, null, 1, 1 ),
		);
		$state = $this->state();
		$items = array();
		foreach ( $gifts as $place => list( $name, $description, $retailer, $price, $needed, $given ) ) {
			$id      = $place + 1;
			$taken   = array_filter( $state['claims'], static fn( array $one ): bool => $one['item_id'] === $id && ( new Claim( $one ) )->is_open() );
			$items[] = array(
				'id'                 => $id,
				'registry_id'        => $state['registry'],
				'name'               => $name,
				'description'        => $description,
				'url'                => 'https://shop.example/' . sanitize_title( $name ),
				'retailer'           => $retailer,
				'price'              => $price,
				'quantity_needed'    => $needed,
				'quantity_purchased' => $given + array_sum( array_column( $taken, 'quantity' ) ),
			);
		}
		return $items;
	}

	private function item( int $id ): ?array {
		return $this->items()[ $id - 1 ] ?? null;
	}

	/** @return array{0: int, 1: array<string, mixed>} A status, and the body of an answer. */
	private function or_none( ?array $thing ): array {
		return $thing === null ? array( 404, array( 'detail' => 'The sample has no such thing.' ) ) : array( 200, $thing );
	}

	private function give( int $item_id, array $asked, string $key ): array {
		$id   = substr( hash( 'sha256', $key === '' ? wp_generate_uuid4() : $key ), 0, 22 );
		$made = $this->state()['claims'][ $id ] ?? null;
		$item = $this->item( $item_id );
		if ( $made || ! $item ) {
			return $this->or_none( $made );
		}
		if ( (int) ( $asked['quantity'] ?? 1 ) > ( new Item( $item ) )->remaining() ) {
			return array( 409, array( 'detail' => 'Not that many are left.' ) );
		}
		$claim = array(
			'id'          => $id,
			'registry_id' => $item['registry_id'],
			'item_id'     => $item_id,
			'quantity'    => 1,
			'state'       => 'reserved',
			'giver'       => array(),
			'created_at'  => gmdate( 'c' ),
		);
		return array( 201, $this->kept( $claim, $asked ) );
	}

	private function change( string $id, array $asked ): array {
		$claim = $this->state()['claims'][ $id ] ?? null;
		return $this->or_none( $claim ? $this->kept( $claim, $asked ) : null );
	}

	private function kept( array $made, array $asked ): array {
		$claim               = array_intersect_key( $asked, array_flip( array( 'quantity', 'state', 'message', 'giver' ) ) ) + $made;
		$claim['giver']     += array( 'user_id' => null, 'name' => '', 'email' => null );
		$claim['expires_at'] = match ( $claim['state'] ) {
			'pending'  => gmdate( 'c', time() + HOUR_IN_SECONDS ),
			'reserved' => gmdate( 'c', time() + 14 * DAY_IN_SECONDS ),
			default    => null,
		};
		$claim['updated_at'] = gmdate( 'c' );
		$state               = $this->state();
		$state['claims']     = array_replace( $state['claims'], array( $claim['id'] => $claim ) );
		update_option( self::OPTION, $state, false );
		return $claim;
	}

	/** @return array<string, mixed>[] The claims with these ids, or of this giver, each with its item. */
	private function claims( array $query ): array {
		$ids    = isset( $query['ids'] ) ? explode( ',', (string) $query['ids'] ) : null;
		$wanted = static fn( array $one ): bool => $ids === null ? ( $query['email'] ?? '' ) === $one['giver']['email'] : in_array( $one['id'], $ids, true );
		$found  = array_values( array_filter( $this->state()['claims'], $wanted ) );
		return array_map( fn( array $one ): array => $one + array( 'item' => $this->item( $one['item_id'] ) ), empty( $query['skip'] ) ? $found : array() );
	}
}
