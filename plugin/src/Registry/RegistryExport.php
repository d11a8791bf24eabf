<?php

declare(strict_types=1);

namespace Trousseau\Registry;

defined( 'ABSPATH' ) || exit;

use Trousseau\Jobs\PictureFetch;
use Trousseau\Support\ResponseHeaders;
use WP_Post;

/** A registry taken along: everything as JSON, which another site takes in again (`RegistryImport`); gifts as a table. */
final class RegistryExport {

	public const FORMAT = 'trousseau-registry-1';

	/** The fields of an item that make it the same gift elsewhere. */
	public const ITEM = array( 'name', 'description', 'url', 'retailer', 'image_url', 'price', 'quantity_needed' );

	private const CSV = 'text/csv; charset=utf-8';

	/** @param array<string, mixed>[] $items */
	public static function send( WP_Post $post, array $items, string $as ): never {
		list( $name, $type ) = $as === 'csv' ? array( 'gifts.csv', self::CSV ) : array( $post->post_name . '.json', 'application/json' );
		self::download( $name, $type, self::written( $post, $items, $as ) );
	}

	/**
	 * @param array<string, mixed>[] $items
	 * @param string                 $as    `json`: everything; `csv`: the gifts.
	 */
	public static function written( WP_Post $post, array $items, string $as ): string {
		$under = Sections::of( $post );
		$items = array_map( static fn( array $item ): array => array_intersect_key( $item, array_flip( self::ITEM ) ) + array( 'section' => $under[ (int) $item['id'] ] ?? '' ), $items );
		if ( $as === 'csv' ) {
			$fields = array( ...self::ITEM, 'section' );
			return self::table( $fields, array_map( static fn( array $item ): array => array_map( static fn( string $field ) => $item[ $field ] ?? '', $fields ), $items ) );
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
				'picture'  => PictureFetch::bytes( (int) get_post_thumbnail_id( $post ) ),
				'items'    => $items,
			),
			JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION
		);
	}

	public static function csv( string $name, array $head, array $rows ): never {
		self::download( "$name.csv", self::CSV, self::table( $head, $rows ) );
	}

	/** A table that a spreadsheet opens; what looks like a formula is text, also where semicolons part a table's cells. */
	private static function table( array $head, array $rows ): string {
		$file = fopen( 'php://temp', 'w+' );
		$safe = static fn( $value ): string => is_numeric( $value ) ? (string) $value : (string) preg_replace( '/(^|[;\t\r\n])(["\s]*)(?=[=+\-@＝＋－＠])/u', "$1$2'", (string) $value );
		foreach ( array( $head, ...$rows ) as $row ) {
			fputcsv( $file, array_map( $safe, $row ), ',', '"', '' );
		}
		rewind( $file );
		return "\u{feff}" . stream_get_contents( $file );
	}

	private static function download( string $name, string $type, string $body ): never {
		ResponseHeaders::keep_out_of_caches();
		header( "Content-Type: $type" );
		header( 'Content-Disposition: attachment; filename="' . sanitize_file_name( $name ) . '"' );
		header( 'X-Content-Type-Options: nosniff' );
		echo $body;
		exit;
	}
}
