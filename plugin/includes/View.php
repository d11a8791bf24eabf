<?php

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

use WP_Post;

/** The one renderer behind blocks, shortcodes and the registry's own page. Everything is escaped here. */
final class View {

	/** So many gifts need no filter. */
	private const FEW = 12;

	private static bool $gifts = true;

	/** Runs something during which no registry shows its gifts. */
	public static function without_gifts( callable $action ): mixed {
		$before      = self::$gifts;
		self::$gifts = false;
		try {
			return $action();
		} finally {
			self::$gifts = $before;
		}
	}

	/** The gifts of a registry; nothing for those who may not read it. */
	public static function registry( ?WP_Post $post ): string {
		if ( ! $post || ! self::$gifts || ! Access::can_read( $post ) ) {
			return '';
		}
		wp_enqueue_style( 'trousseau' );
		wp_enqueue_script( 'trousseau-pages' );
		$list   = GiftList::of( $post );
		$giving = $list->is_current && Giving::is_allowed( $post );
		$mine   = $list->items ? Claim::remembered_at( $post->ID ) : array(); // No page asks the service for it.
		$under  = Sections::of( $post );
		$items  = array();
		foreach ( $list->items ?? array() as $place => $item ) {
			$items[] = self::item( $item, $post, $giving, $mine ) + array(
				'place'   => $place,
				'section' => $under[ (int) $item['id'] ] ?? '',
			);
		}
		$is_given = static fn( array $item ): bool => $item['given'] >= $item['needed'] && $item['mine'] === '';
		$sections = array_map( static fn( array $section ): array => $section + array( 'wanted' => array_filter( $section['items'], static fn( array $item ): bool => ! $is_given( $item ) ) ), Sections::arranged( $items ) );
		return Template::html(
			'registry',
			array(
				'id'       => $post->ID,
				'sections' => $list->items === null ? null : $sections,
				'given'    => array_filter( $items, $is_given ),
				'stale'    => $list->items === null || $list->is_current ? '' : Language::moment( $list->known_at ),
				'answer'   => Message::html(),
				'as'       => is_user_logged_in() ? '' : Guest::of( $post ),
				'manage'   => current_user_can( 'edit_post', $post->ID ) && (int) $post->post_author === get_current_user_id() ? PageRouter::address( 'gifts', $post->ID ) : '',
				'mine'     => PageRouter::address( 'my-gifts' ),
				'filter'   => count( $items ) > self::FEW,
			)
		);
	}

	/** The occasion and its date. */
	public static function event( ?WP_Post $post ): string {
		if ( ! $post || ! Access::can_read( $post ) ) {
			return '';
		}
		$type = RegistryForm::occasion( Meta::event_type( $post->ID ) );
		$date = Meta::event_date( $post->ID );
		$line = array();
		if ( $type !== '' ) {
			$line[] = '<span class="trousseau-event__type">' . esc_html( Language::isolate( $type ) ) . '</span>';
		}
		if ( $date !== '' ) {
			$utc    = new \DateTimeZone( 'UTC' );
			$words  = Language::day( ( new \DateTimeImmutable( $date, $utc ) )->getTimestamp(), $utc );
			$line[] = sprintf( '<time class="trousseau-event__date" datetime="%s">%s</time>', esc_attr( $date ), esc_html( $words ) );
		}
		return $line ? '<p class="trousseau-event">' . implode( ' · ', $line ) . '</p>' : '';
	}

	/** Public registries, newest first. */
	public static function registries( int $count ): string {
		$posts = get_posts(
			array(
				'post_type'    => PostType::NAME,
				'post_status'  => 'publish',
				'numberposts'  => max( 1, min( 100, $count ) ),
				'has_password' => false,
			)
		);
		if ( ! $posts ) {
			return Message::note( __( 'There are no public registries yet.', 'trousseau' ) );
		}
		wp_enqueue_style( 'trousseau' );
		$row = static fn( WP_Post $post ): string => sprintf(
			'<li><a href="%s">%s</a>%s</li>',
			esc_url( (string) get_permalink( $post ) ),
			esc_html( Language::isolate( Registry::title( $post ) ) ),
			self::event( $post )
		);
		return '<ul class="trousseau-registries" role="list">' . implode( '', array_map( $row, $posts ) ) . '</ul>';
	}

	/**
	 * A gift as its template takes it.
	 *
	 * @param array<string, mixed>  $item
	 * @param array<int, string>    $mine Number of an item → claim of the visitor's.
	 * @return array<string, mixed>
	 */
	private static function item( array $item, WP_Post $post, bool $giving, array $mine ): array {
		$id        = (int) $item['id'];
		$needed    = Item::needed( $item );
		$remaining = Item::remaining( $item );
		$is_known  = isset( $item['quantity_purchased'] );
		$need      = match ( true ) {
			! $is_known && $needed === 1, $remaining === 1 && $needed === 1 => __( 'Wanted', 'trousseau' ),
			/* translators: %s: number wished for */
			! $is_known      => sprintf( __( '%s wished for', 'trousseau' ), number_format_i18n( $needed ) ),
			$remaining === 0 => __( 'Already given', 'trousseau' ),
			/* translators: 1: number still needed, 2: number wished for */
			default          => sprintf( __( '%1$s of %2$s still needed', 'trousseau' ), number_format_i18n( $remaining ), number_format_i18n( $needed ) ),
		};
		return array(
			'id'          => $id,
			'name'        => Language::isolate( (string) $item['name'] ),
			'description' => (string) ( $item['description'] ?? '' ),
			'price'       => Currency::price( $item['price'] ?? null, $post, $item ),
			'amount'      => (float) ( $item['price'] ?? 0 ),
			'retailer'    => Language::isolate( (string) ( $item['retailer'] ?? '' ) ),
			'picture'     => Picture::address( $item['image_url'] ?? '' ),
			'shop'        => ShopLink::of( $item, $post->ID ),
			'need'        => $need,
			'needed'      => $needed,
			'given'       => $is_known ? $needed - $remaining : -1,
			'mine'        => isset( $mine[ $id ] ) ? Claim::link( $mine[ $id ] ) : '',
			'give'        => $giving && $is_known && $remaining > 0 ? PageRouter::address( 'give', $post->ID, array( 'item' => $id ) ) : '',
			'answer'      => Message::html( $id ),
		);
	}
}
