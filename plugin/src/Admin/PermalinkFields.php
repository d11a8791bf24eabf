<?php

declare(strict_types=1);

namespace Trousseau\Admin;

use Trousseau\Platform\Slugs;

/** The words of the plugin's addresses, among WordPress's own under Settings → Permalinks. */
final class PermalinkFields {

	private const SECTION = 'trousseau';
	private const SCREEN  = 'permalink';
	private const FIELD   = 'trousseau_slug_';

	public function __construct( private readonly Slugs $slugs ) {
	}

	public function show_and_save(): void {
		add_settings_section( self::SECTION, __( 'Gift lists', 'trousseau' ), static fn() => printf( '<p>%s</p>', esc_html__( 'Choose words in your language. Old links still work.', 'trousseau' ) ), self::SCREEN );
		$this->field( Slugs::PAGES, __( 'Pages of owners and guests', 'trousseau' ), '/new/', /* translators: a word in addresses, in small letters */ _x( 'registries', 'address', 'trousseau' ) );
		$this->field( Slugs::LISTS, __( 'Lists', 'trousseau' ), '/ann-and-bob/', /* translators: a word in addresses, in small letters */ _x( 'registry', 'address', 'trousseau' ) );
		if ( isset( $_POST[ self::FIELD . Slugs::PAGES ], $_POST[ self::FIELD . Slugs::LISTS ] ) ) {
			check_admin_referer( 'update-permalink' );
			current_user_can( 'manage_options' ) && $this->save( ...array_map( static fn( string $which ): string => self::clean( $_POST[ self::FIELD . $which ] ) ?: Slugs::USUAL[ $which ], array( Slugs::PAGES, Slugs::LISTS ) ) );
		}
	}

	private function field( string $which, string $label, string $example, string $proposed ): void {
		$show = static function () use ( $which, $example, $proposed ): void {
			printf( '<code dir="ltr">%s/</code><input type="text" id="%2$s" name="%2$s" value="%3$s" class="regular-text code"><code dir="ltr">%4$s</code>', esc_html( home_url() ), esc_attr( self::FIELD . $which ), esc_attr( Slugs::of( $which ) ), esc_html( $example ) );
			/* translators: %s: word in an address */
			echo $proposed === Slugs::of( $which ) ? '' : sprintf( '<p class="description">%s</p>', esc_html( sprintf( __( 'For example: %s', 'trousseau' ), $proposed ) ) );
		};
		add_settings_field( self::FIELD . $which, $label, $show, self::SCREEN, self::SECTION, array( 'label_for' => self::FIELD . $which ) );
	}

	private function save( string $pages, string $lists ): void {
		$refusal = match ( true ) {
			$pages === $lists => __( 'Choose two different words for gift list links.', 'trousseau' ),
			/* translators: %s: word in an address */
			default => implode( ' ', array_map( static fn( string $taken ): string => sprintf( __( 'Choose a word other than “%s” for gift list links. Another page already uses it.', 'trousseau' ), $taken ), array_filter( array( Slugs::PAGES => $pages, Slugs::LISTS => $lists ), array( $this, 'is_taken' ), ARRAY_FILTER_USE_BOTH ) ) ),
		};
		if ( $refusal !== '' ) {
			add_settings_error( self::SCREEN, self::SECTION, esc_html( $refusal ) );
			return;
		}
		$this->slugs->set( Slugs::PAGES, $pages );
		$this->slugs->set( Slugs::LISTS, $lists );
	}

	private function is_taken( string $slug, string $which ): bool {
		$rewrite = $GLOBALS['wp_rewrite'];
		$words   = array( 'wp-admin', 'wp-content', 'wp-includes', rest_get_url_prefix(), $rewrite->author_base, $rewrite->search_base, $rewrite->comments_base, $rewrite->pagination_base, $rewrite->feed_base, 'embed' );
		foreach ( array( ...get_post_types( array(), 'objects' ), ...get_taxonomies( array(), 'objects' ) ) as $type ) {
			$words[] = is_array( $type->rewrite ) ? $type->rewrite['slug'] ?? '' : '';
		}
		$other = $which === Slugs::PAGES ? Slugs::LISTS : Slugs::PAGES;
		return $slug !== Slugs::of( $which ) && ( ctype_digit( $slug ) || Slugs::is_former( $other, $slug ) || get_page_by_path( $slug ) || in_array( $slug, $words, true ) );
	}

	private static function clean( mixed $typed ): string {
		return urldecode( sanitize_title( is_string( $typed ) ? wp_unslash( $typed ) : '' ) );
	}
}
