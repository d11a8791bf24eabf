<?php

declare(strict_types=1);

namespace Trousseau\Registry;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Download;
use WP_Post;

/** A registry as a file: all of it as JSON, which another site can import (`RegistryImport`), or its gifts as a table. */
final class RegistryExport {

	public const FORMAT = 'trousseau-registry-1';

	/** The fields of an item that are saved. */
	public const ITEM = array( 'name', 'description', 'url', 'retailer', 'image_url', 'price', 'quantity_needed' );

	public function __construct( private readonly Download $download, private readonly PictureUpload $picture_upload ) {
	}

	public function send( WP_Post $post, array $items, string $as ): never {
		list( $name, $type ) = $as === 'csv' ? array( 'gifts.csv', Download::CSV ) : array( $post->post_name . '.json', 'application/json' );
		$this->download->send( $name, $type, $this->written( $post, $items, $as ) );
	}

	/** @param string $as `json`: everything; `csv`: the gifts. */
	public function written( WP_Post $post, array $items, string $as ): string {
		$under = Sections::of( $post );
		$items = array_map( static fn( array $item ): array => array_intersect_key( $item, array_flip( self::ITEM ) ) + array( 'section' => $under[ (int) $item['id'] ] ?? '' ), $items );
		if ( $as === 'csv' ) {
			$fields = array( ...self::ITEM, 'section' );
			return $this->download->table( $fields, array_map( static fn( array $item ): array => array_map( static fn( string $field ) => $item[ $field ] ?? '', $fields ), $items ) );
		}
		return (string) wp_json_encode(
			array(
				'format'   => self::FORMAT,
				'site'     => home_url(),
				'title'    => Registries::title( $post ),
				'story'    => $post->post_content,
				'status'   => $post->post_status,
				'meta'     => array(
					Meta::EVENT_TYPE     => Meta::event_type( $post->ID ),
					Meta::EVENT_DATE     => Meta::event_date( $post->ID ),
					Meta::CURRENCY       => Meta::currency( $post->ID ),
					Meta::SURPRISE_UNTIL => Meta::surprise_until( $post->ID ),
					Meta::RESERVED_FOR   => Meta::reserved_for( $post->ID ),
					Meta::INVITEES       => Meta::invitees( $post->ID ),
				),
				'picture'  => $this->picture_upload->bytes( (int) get_post_thumbnail_id( $post ) ),
				'items'    => $items,
			),
			JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION
		);
	}
}
