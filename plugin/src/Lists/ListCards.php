<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Language;
use Trousseau\Platform\PageAddress;
use WP_Post;

/** A list in a line or on a card: its occasion, and the link to it. */
final class ListCards {

	public static function event( ?WP_Post $post ): string {
		return $post && Access::can_read( $post ) ? self::occasion( RegistryForm::occasion( Meta::event_type( $post->ID ) ), Meta::event_date( $post->ID ) ) : '';
	}

	public static function occasion( string $type, string $date ): string {
		$line = array();
		if ( $type !== '' ) {
			$line[] = '<span class="trousseau-event__type">' . esc_html( Language::isolate( $type ) ) . '</span>';
		}
		if ( $date !== '' ) {
			$line[] = sprintf( '<time class="trousseau-event__date" datetime="%s">%s</time>', esc_attr( $date ), esc_html( Language::calendar_day( $date ) ) );
		}
		return $line ? '<p class="trousseau-event">' . implode( '<span class="trousseau-event__dot">' . "\u{a0}· " . '</span>', $line ) . '</p>' : '';
	}

	/**
	 * @param WP_Post[] $posts      Registries that the visitor may see.
	 * @param bool      $with_owner Whether each says whose list it is, where its title doesn't.
	 * @param bool      $is_theirs  Whether they are the visitor's own, and lead to their page for owners.
	 */
	public static function links( array $posts, bool $with_owner = false, bool $is_theirs = false ): string {
		// One query reads all pictures.
		_prime_post_caches( array_filter( array_map( 'get_post_thumbnail_id', $posts ) ), false, true );
		$row = static function ( WP_Post $post ) use ( $with_owner, $is_theirs ): string {
			$title = Registries::title( $post );
			$owner = $with_owner ? Registries::owner_name( $post ) : '';
			return sprintf(
				'<li>%s<a href="%s">%s</a>%s%s</li>',
				get_the_post_thumbnail( $post, 'medium_large', array( 'class' => 'trousseau-cover', 'alt' => '' ) ),
				esc_url( $is_theirs ? PageAddress::of( 'home', $post->ID ) : (string) get_permalink( $post ) ),
				esc_html( Language::isolate( $title ) ),
				$owner === '' || mb_stripos( $title, $owner ) !== false ? '' : '<p class="trousseau-owner">' . esc_html( Language::isolate( $owner ) ) . '</p>',
				self::event( $post )
			);
		};
		return '<ul class="trousseau-registries" role="list">' . implode( '', array_map( $row, $posts ) ) . '</ul>';
	}
}
