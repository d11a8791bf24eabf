<?php

declare(strict_types=1);

namespace Trousseau;

use WP_Post;

/** The one renderer behind blocks, shortcodes and the registry's own page. Everything is escaped here. */
final class View {

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
		$items = Registry::items( $post );
		if ( is_wp_error( $items ) ) {
			$body = self::note( __( 'The gifts can’t be shown just now. Please come back in a moment.', 'trousseau' ), 'is-problem' );
		} elseif ( ! $items ) {
			$body = self::note( __( 'There are no gifts on this list yet.', 'trousseau' ) );
		} else {
			$giving = Giving::is_allowed( $post );
			$rows   = array_map( static fn( array $item ): string => self::item( $item, $post, $giving ), $items );
			// The role keeps it a list for VoiceOver, which drops lists without bullets.
			$body = '<ul class="trousseau-items" role="list">' . implode( '', $rows ) . '</ul>';
		}
		$message = Giving::message();
		return sprintf(
			'<section class="trousseau-registry" id="trousseau-registry-%1$d" aria-labelledby="trousseau-title-%1$d"><h2 id="trousseau-title-%1$d">%2$s</h2>%3$s%4$s</section>',
			$post->ID,
			esc_html__( 'Gifts', 'trousseau' ),
			$message === '' ? '' : self::note( $message, 'is-answer' ),
			$body
		);
	}

	/** The occasion and its date. */
	public static function event( ?WP_Post $post ): string {
		if ( ! $post || ! Access::can_read( $post ) ) {
			return '';
		}
		$type = Meta::event_type( $post->ID );
		$date = Meta::event_date( $post->ID );
		$line = array();
		if ( $type !== '' ) {
			$line[] = '<span class="trousseau-event__type">' . esc_html( $type ) . '</span>';
		}
		if ( $date !== '' ) {
			$utc    = new \DateTimeZone( 'UTC' );
			$words  = wp_date( (string) get_option( 'date_format' ), ( new \DateTimeImmutable( $date, $utc ) )->getTimestamp(), $utc );
			$line[] = sprintf( '<time class="trousseau-event__date" datetime="%s">%s</time>', esc_attr( $date ), esc_html( (string) $words ) );
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
			return self::note( __( 'There are no public registries yet.', 'trousseau' ) );
		}
		wp_enqueue_style( 'trousseau' );
		$row = static fn( WP_Post $post ): string => sprintf(
			'<li><a href="%s">%s</a>%s</li>',
			esc_url( (string) get_permalink( $post ) ),
			esc_html( Registry::title( $post ) ),
			self::event( $post )
		);
		return '<ul class="trousseau-registries" role="list">' . implode( '', array_map( $row, $posts ) ) . '</ul>';
	}

	/** @param array<string, mixed> $item */
	private static function item( array $item, WP_Post $post, bool $giving ): string {
		$name      = (string) $item['name'];
		$needed    = Item::needed( $item );
		$remaining = Item::remaining( $item );
		$image     = Item::web_address( $item['image_url'] ?? '' );
		$link      = ShopLink::of( $item, $post->ID );
		$facts     = array();
		if ( is_numeric( $item['price'] ?? null ) ) {
			/** Filters a price as it is shown, for instance to add the site's currency. */
			$price   = (string) apply_filters( 'trousseau_price', number_format_i18n( (float) $item['price'], 2 ), $item );
			$facts[] = '<span class="trousseau-price">' . esc_html( $price ) . '</span>';
		}
		if ( (string) ( $item['retailer'] ?? '' ) !== '' ) {
			$facts[] = '<span class="trousseau-retailer">' . esc_html( (string) $item['retailer'] ) . '</span>';
		}
		$need = $remaining === 0
			? __( 'Already given', 'trousseau' )
			/* translators: 1: number still needed, 2: number wished for */
			: sprintf( __( '%1$s of %2$s still needed', 'trousseau' ), number_format_i18n( $remaining ), number_format_i18n( $needed ) );

		$html  = sprintf( '<li class="trousseau-item%s" id="trousseau-item-%d">', $remaining === 0 ? ' is-fulfilled' : '', (int) $item['id'] );
		$html .= $image === '' ? '' : sprintf( '<img src="%s" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">', esc_url( $image ) );
		$html .= '<div class="trousseau-item__text"><h3>' . esc_html( $name ) . '</h3>';
		if ( (string) ( $item['description'] ?? '' ) !== '' ) {
			$html .= '<p class="trousseau-description">' . nl2br( esc_html( (string) $item['description'] ) ) . '</p>';
		}
		$html .= $facts ? '<p class="trousseau-facts">' . implode( ' · ', $facts ) . '</p>' : '';
		$html .= sprintf(
			'<p class="trousseau-need">%s <progress max="%d" value="%d" aria-label="%s"></progress></p>',
			esc_html( $need ),
			$needed,
			$needed - $remaining,
			/* translators: 1: number given, 2: number wished for */
			esc_attr( sprintf( __( '%1$s of %2$s given', 'trousseau' ), number_format_i18n( $needed - $remaining ), number_format_i18n( $needed ) ) )
		);
		$html .= '<div class="trousseau-actions">';
		$html .= $link === '' ? '' : sprintf(
			'<a href="%s" rel="nofollow noopener" referrerpolicy="strict-origin">%s<span class="screen-reader-text">: %s</span></a>',
			esc_url( $link, array( 'http', 'https' ) ),
			esc_html__( 'See it in the shop', 'trousseau' ),
			esc_html( $name )
		);
		$html .= $giving && $remaining > 0 ? Giving::form( $item, $post ) : '';
		return $html . '</div></div></li>';
	}

	private static function note( string $text, string $state = '' ): string {
		return sprintf( '<p class="trousseau-note %s"%s>%s</p>', esc_attr( $state ), $state === '' ? '' : ' role="status"', esc_html( $text ) );
	}
}
