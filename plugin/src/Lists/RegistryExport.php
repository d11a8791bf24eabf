<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Currency;
use Trousseau\Platform\Download;
use Trousseau\Service\Item;
use WP_Post;

/** A registry as a file: all of it as JSON, which another site can import (`RegistryImport`), or its gifts as a table. */
final class RegistryExport {

	public const FORMAT = 'trousseau-registry-1';

	public function __construct( private readonly Download $download, private readonly PictureUpload $picture_upload ) {
	}

	public function send( WP_Post $post, array $items, string $as ): never {
		list( $name, $type ) = $as === 'csv' ? array( 'gifts.csv', Download::CSV ) : array( $post->post_name . '.json', 'application/json' );
		$this->download->send( $name, $type, $this->written( $post, $items, $as ) );
	}

	/** @param string $as `json`: everything; `csv`: the gifts. */
	public function written( WP_Post $post, array $items, string $as ): string {
		$under  = GiftNotes::sections( $post );
		$marked = GiftNotes::most_wanted( $post );
		// The link of a gift without a shop is its list's address. In a JSON file it is the site's address instead,
		// which the import replaces with the new list's.
		$site   = array( 'url' => $as === 'csv' ? '' : home_url() . '/' );
		$is_own = static fn( Item $item ): bool => Registries::is_own_address( $item->url, $post->ID, $item->has_shop() );
		$fields = static fn( Item $item ): array => ( $is_own( $item ) ? $site : array() )
			+ array_intersect_key( $item->answer, Item::FIELDS )
			+ array( 'section' => $under[ $item->id ] ?? '' )
			+ ( in_array( $item->id, $marked, true ) ? array( 'most_wanted' => true ) : array() );
		if ( $as === 'csv' ) {
			$columns = array( ...array_keys( array_diff_key( Item::FIELDS, array( 'unit' => null ) ) ), 'section', 'most_wanted', 'unit' );
			$cells   = static fn( array $row ): array => array_map( static fn( string $column ) => $row[ $column ] ?? '', $columns );
			return $this->download->table( $columns, array_map( static fn( Item $item ): array => $cells( self::price( $item, $post->ID ) + $fields( $item ) ), $items ) );
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
					Meta::SURPRISE_KEEPS => Meta::surprise_keeps_names_only( $post->ID ) ? 'names' : '',
					Meta::RESERVED_FOR   => Meta::reserved_for( $post->ID ),
					Meta::PAY_TO         => Meta::pay_to( $post->ID ),
					Meta::INVITEES       => Meta::invitees( $post->ID ),
				),
				...array_map( static fn( string $field ): string => $field::value( $post->ID ), ListField::copied() ),
				'closes'   => Closing::day( $post->ID ),
				'picture'  => $this->picture_upload->bytes( (int) get_post_thumbnail_id( $post ) ),
				'items'    => array_map( $fields, $items ),
			),
			JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION
		);
	}

	/** What a spreadsheet says instead: a group gift is one piece at the price of its goal, any number is empty. */
	private static function price( Item $item, int $post_id ): array {
		if ( $item->is_any_number() ) {
			return array( 'quantity_needed' => '' );
		}
		return $item->is_money() ? array(
			'price'           => $item->has_no_goal() ? null : Currency::from_units( $item->needed(), Meta::currency( $post_id ) ),
			'quantity_needed' => 1,
		) : array();
	}
}
