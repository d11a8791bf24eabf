<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** Patterns and templates of the plugin, in a block theme that knows no registries. */
final class PatternsTest extends WordPressTestCase {

	private object $list;

	protected function setUp(): void {
		parent::setUp();
		$content    = '<!-- wp:paragraph --><p>Our story</p><!-- /wp:paragraph -->';
		$meta       = array( 'registry_event_type' => 'Housewarming' );
		$this->list = $this->registry( 'alice', array( 'title' => 'Ann & Bob', 'status' => 'publish' ) + compact( 'content', 'meta' ) );
		$gift       = array( 'id' => 801, 'registry_id' => $this->list->id, 'name' => 'Copper kettle', 'url' => 'https://shop.example/kettle', 'is_active' => true, 'quantity_needed' => 1, 'quantity_purchased' => 0 );
		$this->outside->answer( "GET /registries/{$this->list->id}/items", array( $gift ) );
	}

	/** From 6.7 on, WordPress takes templates of plugins. */
	private static function takes_templates(): bool {
		return version_compare( get_bloginfo( 'version' ), '6.7', '>=' );
	}

	private static function decoded( string $html ): string {
		return html_entity_decode( $html, ENT_QUOTES );
	}

	public function test_a_block_theme_without_templates_for_registries_shows_them_by_the_plugins(): void {
		$templates = array_filter( $this->rest( 'admin', 'GET', '/wp/v2/templates?context=edit' )->json, static fn( array $one ): bool => str_ends_with( $one['slug'], '-registry' ) && $one['source'] === 'plugin' );
		self::assertEqualsCanonicalizing( self::takes_templates() ? array( 'archive-registry', 'single-registry' ) : array(), array_column( $templates, 'slug' ) );
		self::assertSame( 1, preg_match( '/<main.*<\/main>/s', $this->page( null, $this->list->link )->text, $main ) );
		self::assert_each( 1, array( 'Ann & Bob</h1>', 'Housewarming', 'Our story', 'Copper kettle</h3>' ), static fn( string $words ): int => substr_count( self::decoded( $main[0] ), $words ) );
		$archive = $this->page( null, '/registry/' );
		self::assertSame( 200, $archive->status );
		self::assertStringContainsString( 'Ann & Bob</a>', self::decoded( $archive->text ) );
		if ( self::takes_templates() ) {
			self::assertMatchesRegularExpression( '/<main.*Housewarming.*<\/main>/s', $archive->text );
		}
	}

	public function test_each_pattern_is_a_page_that_works_for_whom_it_is_made(): void {
		$shown = array( 'lists' => 'Ann & Bob', 'mine' => 'Gifts you’re giving', 'start' => 'Create your list' );
		$found = array();
		foreach ( $this->rest( 'admin', 'GET', '/wp/v2/block-patterns/patterns' )->json as $pattern ) {
			if ( str_starts_with( $pattern['name'], 'trousseau-plugin/' ) ) {
				$found[ basename( $pattern['name'] ) ] = $pattern;
			}
		}
		ksort( $found );
		self::assertSame( array_keys( $shown ), array_keys( $found ) );
		foreach ( $found as $name => $pattern ) {
			self::assertSame( array( 'trousseau' ), $pattern['categories'] );
			$page = $this->rest( 'admin', 'POST', '/wp/v2/pages', array( 'title' => $name, 'status' => 'publish', 'content' => $pattern['content'] ) )->json;
			$seen = $this->page( 'alice', $page['link'] );
			self::assertSame( 200, $seen->status );
			self::assertStringContainsString( $shown[ $name ], self::decoded( $seen->text ) );
			if ( $name === 'start' ) {
				self::assertSame( 1, preg_match( '/class="wp-block-button__link wp-element-button" href="([^"]*)"/', $seen->text, $button ) );
				self::assertSame( 200, $this->page( 'alice', self::decoded( $button[1] ) )->status, 'the button leads to a page' );
				self::assertMatchesRegularExpression( '#href="[^"]*/registries/find/">Find a list</a>#', $seen->text );
			}
			if ( $name === 'mine' ) {
				self::assertStringContainsString( 'Ann & Bob', self::decoded( $seen->text ), 'their lists' );
			}
		}
	}
}
