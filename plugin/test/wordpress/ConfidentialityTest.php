<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** WordPress's own lists, searches, counts and screens show no private registry to people who may not see it. */
final class ConfidentialityTest extends WordPressTestCase {

	protected function setUp(): void {
		parent::setUp();
		self::user( 'edith', 'editor' );
		self::user( 'arthur', 'author' );
		self::user( 'conrad', 'contributor' );
	}

	public function test_no_argument_opens_the_lists_of_the_rest_api_or_counts_words_in_others_registries(): void {
		$guests = array( 'registry_invitees' => '["bob"]' );
		foreach ( array( 'P' => 'private', 'D' => 'draft', 'O' => 'publish' ) as $title => $status ) {
			$this->registry( 'alice', compact( 'title', 'status' ) + array( 'content' => 'xylophone', 'meta' => $guests ) );
		}
		$total = function ( string $login, string $query ): int {
			$answer = $this->rest( $login, 'GET', "/wp/v2/registry?search=xylophone&$query" );
			self::assertSame( 200, $answer->status, $answer->text );
			return $answer->total();
		};

		list( $alice, $carol ) = array( self::user( 'alice' ), self::user( 'carol' ) );
		foreach ( array( '', '&author_exclude=99', "&author=$alice", "&author=$alice&author_exclude=99", "&author=$carol&author_exclude=$carol", '&exclude=99&offset=0' ) as $also ) {
			self::assert_each( 0, array( 'private', 'draft', 'draft,private', 'any', 'publish,private' ), static fn( string $status ): int => $total( 'carol', "status=$status$also" ) );
			self::assertSame( 0, $total( 'carol', "status=publish&context=edit$also" ), "context=edit $also" );
			self::assertSame( 1, $total( 'carol', "status=publish$also" ), "public $also" );
		}
		self::assertSame( 3, $total( 'alice', 'status=any&context=edit&author_exclude=99' ) );
		self::assertSame( 3, $total( 'admin', 'status=any&context=edit&author_exclude=99' ) );
		self::assertSame( 0, $total( 'bob', 'status=private' ), 'a list beyond the public ones holds one’s own' );
	}

	public function test_the_dialog_that_attaches_files_finds_no_registry_of_others_and_only_people_who_may_change_one_attach_files_to_it(): void {
		foreach ( array( 'night' => 'private', 'morning' => 'draft', 'noon' => 'publish' ) as $time => $status ) {
			$this->registry( 'alice', compact( 'status' ) + array( 'title' => "Mandolin $time", 'content' => 'zither' ) );
		}
		$found = function ( string $login, string $words ): array {
			$answer = $this->ajax( $login, 'find_posts', array( 'ps' => $words, '_ajax_nonce' => $this->nonce_for( $login, 'find-posts' ) ) );
			self::assertSame( 200, $answer->status, $answer->text );
			preg_match_all( '/Mandolin \w+/', wp_json_encode( $answer->json ), $titles );
			sort( $titles[0] );
			return $titles[0];
		};
		foreach ( array( 'arthur', 'edith' ) as $login ) {
			self::assert_each( array( 'Mandolin noon' ), array( 'zither', 'mandolin', '' ), static fn( string $words ): array => $found( $login, $words ) );
		}
		self::assertCount( 3, $found( 'admin', 'zither' ) );
		$made = $this->registry( 'alice', array( 'title' => 'Axolotl', 'status' => 'private' ) );
		// The address of an attached file or page contains the registry's.
		$page = $this->rest( 'edith', 'POST', '/wp/v2/pages', array( 'title' => 'Page', 'status' => 'publish', 'parent' => $made->id ) );
		self::assertSame( array( 201, 0 ), array( $page->status, $page->json['parent'] ) );
		self::assertStringNotContainsStringIgnoringCase( 'axolotl', $page->text );
		foreach ( array( 'arthur' => null, 'admin' => $made->id ) as $login => $parent ) {
			$own    = wp_insert_attachment( array( 'post_title' => 'File', 'post_mime_type' => 'image/png', 'post_author' => self::user( $login ) ), 'file.png' );
			$answer = $this->rest( $login, 'POST', "/wp/v2/media/$own", array( 'post' => $made->id ) );
			self::assertSame( $parent, $answer->json['post'] );
			self::assertSame( $parent !== null, str_contains( $answer->text, $made->slug ) );
		}
	}

	public function test_a_query_into_which_another_plugin_lets_private_posts_finds_no_registry_of_others_and_hidden_ones_take_no_places_in_a_list_of_xmlrpc(): void {
		$id    = $this->registry( 'alice', array( 'title' => 'Quokka', 'status' => 'private' ) )->id;
		$found = fn( ?string $login ): bool => in_array( $id, $this->in_request( $login, static fn(): array => wp_list_pluck( ( new \WP_Query( array( 'posts_per_page' => 50 ) ) )->posts, 'ID' ) ), true );
		foreach ( array( " AND post_type = 'registry' AND post_status = 'private'", " AND post_type = 'REGISTRY ' AND post_status = 'private'", " AND post_status = 'private'" ) as $where ) {
			$widen = static fn(): string => $where;
			add_filter( 'posts_where', $widen );
			self::assertSame( array( false, false, true ), array_map( $found, array( null, 'conrad', 'alice' ) ), $where );
			remove_filter( 'posts_where', $widen );
		}
		$id = self::post( array( 'post_type' => 'registry', 'post_status' => 'private', 'post_title' => 'Mine', 'post_content' => 'narwhal', 'post_author' => self::user( 'carol' ), 'post_date' => '2020-01-01 00:00:00' ) );
		$this->registry( 'alice', array( 'title' => 'Newer', 'content' => 'narwhal', 'status' => 'private' ) );
		$found = $this->xmlrpc( 'carol', 'wp.getPosts', array( 'post_type' => 'registry', 'post_status' => 'private', 's' => 'narwhal', 'number' => 1 ) );
		self::assertSame( array( (string) $id ), array_column( $found, 'post_id' ) );
	}

	public function test_the_screens_for_comments_and_addresses_name_no_registry_of_others(): void {
		$id     = $this->registry( 'alice', array( 'title' => 'Quokka', 'content' => 'Story', 'status' => 'private' ) )->id;
		$status = fn( string $login, string $query ): int => $this->screen( $login, "edit-comments.php?$query" )->status;
		self::assert_each( 403, array( 'p=', 'p=0', 'p=-', 'p=-0', 'p=%2B', 'p=%20', 'p=%20-', '%20p=' ), static fn( string $named ): int => $status( 'conrad', "$named$id" ) );
		self::assert_each( 200, array( 'p[]=', 'p[]=-', 'p[p]=' ), static fn( string $named ): int => $status( 'conrad', "$named$id" ) );
		self::assertSame( 200, $status( 'admin', "p=$id" ) );
		$open = $this->registry( 'alice', array( 'title' => 'Open one', 'status' => 'publish' ) );
		self::assertSame( 200, $status( 'conrad', "p=$open->id" ) );

		$own   = $this->registry( 'carol', array( 'title' => 'Own', 'status' => 'private' ) );
		$draft = $this->registry( 'alice', array( 'title' => 'Quokka', 'status' => 'draft' ) );
		$nonce = $this->nonce_for( 'carol', 'samplepermalink' );
		$ask   = fn( int $post ): Answer => $this->ajax( 'carol', 'sample-permalink', array( 'samplepermalinknonce' => $nonce, 'post_id' => (string) $post ) );
		// WordPress makes a draft's future address of its title.
		foreach ( array( $id, $draft->id ) as $other ) {
			$answer = $ask( $other );
			self::assertSame( 403, $answer->status );
			self::assertStringNotContainsStringIgnoringCase( 'quokka', $answer->text );
		}
		self::assertStringContainsString( $own->slug, $ask( $own->id )->text );
	}

	public function test_no_request_with_a_posts_number_tells_the_title_or_address_of_a_registry_of_others(): void {
		$id       = $this->registry( 'alice', array( 'title' => 'Whisperwood', 'status' => 'private', 'meta' => array( 'registry_invitees' => '["bob"]' ) ) )->id;
		$revision = $this->in_request( 'alice', static fn(): int => _wp_put_post_revision( $id ) );
		// StrangersTest.php asks as somebody who may write nothing.
		foreach ( array( 'conrad' => false, 'edith' => false, 'bob' => true ) as $login => $is_theirs ) {
			$told = '';
			foreach ( array( "/?p=$id&post_type=registry", "/?p=$id", "/?registry=$id", "/?p=$revision" ) as $path ) {
				$answer = $this->page( $login, $path );
				$told  .= $answer->location() . $answer->text;
			}
			self::assertSame( $is_theirs, stripos( $told, 'whisperwood' ) !== false, $login );
		}
		self::assert_each( 403, array( 'carol', 'conrad', 'edith' ), fn( string $login ): int => $this->screen( $login, "edit-comments.php?p=$revision" )->status );
	}

	private function table( string $login, callable $ask ): string {
		$run = static function () use ( $ask ): void {
			set_current_screen( 'edit-registry' );
			$list = _get_list_table( 'WP_Posts_List_Table', array( 'screen' => 'edit-registry' ) );
			$list->prepare_items();
			$ask( $list );
		};
		return $this->printed( $login, $run, '/wp-admin/edit.php?post_type=registry&all_posts=1' );
	}

	public function test_the_list_table_counts_and_dates_only_the_users_own_registries(): void {
		$views  = static fn( object $list ) => $list->views();
		$months = static fn( object $list ) => ( new \ReflectionMethod( $list, 'months_dropdown' ) )->invoke( $list, 'registry' );
		$this->registry( 'carol', array( 'title' => 'One of Carol', 'status' => 'draft' ) );
		$before = $this->table( 'carol', $views );
		self::assertStringContainsString( 'count', $before );
		foreach ( array( 'draft', 'pending', 'private', 'publish' ) as $status ) {
			$this->registry( 'bob', compact( 'status' ) + array( 'title' => 'Another' ) );
		}
		self::post( array( 'post_type' => 'registry', 'post_status' => 'draft', 'post_title' => 'Old', 'post_author' => self::user( 'bob' ), 'post_date' => '2019-03-04 05:06:07' ) );
		self::assertSame( $before, $this->table( 'carol', $views ) );
		self::assertNotSame( $before, $this->table( 'admin', $views ) );
		self::assertStringNotContainsString( 'March 2019', $this->table( 'carol', $months ) );
		self::assertStringContainsString( 'March 2019', $this->table( 'admin', $months ) );
	}

	public function test_no_page_shows_a_guest_who_else_is_invited(): void {
		$guests = '["bob","grandmother@family.test","carol"]';
		$made   = $this->registry( 'alice', array( 'title' => 'Ours', 'status' => 'private', 'meta' => array( 'registry_invitees' => $guests ) ) );
		foreach ( array( $made->link, '/registry/', "/?registry=$made->id", '/' ) as $path ) {
			self::assertDoesNotMatchRegularExpression( '/grandmother|carol/i', $this->visit( 'bob', $path )->text, $path );
		}
		self::assertDoesNotMatchRegularExpression( '/grandmother|carol/i', $this->table( 'bob', static fn( object $list ) => $list->display() ) );
		self::assertSame( $guests, $this->rest( 'bob', 'GET', "/wp/v2/registry/$made->id?context=edit" )->json['meta']['registry_invitees'], 'by the API guests read the list' );
	}

	public function test_a_search_for_words_of_a_story_behind_a_password_finds_nothing_for_people_who_only_signed_in(): void {
		$made     = $this->registry( 'alice', array( 'title' => 'Behind the gate', 'content' => 'wombats', 'status' => 'publish', 'password' => 'sesame', 'meta' => array( 'registry_invitees' => '["bob"]' ) ) );
		$finds    = static fn( Answer $list ): bool => $list->total() !== 0 || $list->text !== '[]';
		$searches = fn( ?string $login ): array => array(
			str_contains( $this->page( $login, '/?s=wombats' )->text, 'Behind the gate' ),
			str_contains( $this->page( $login, '/?s=wombats&post_type=registry' )->text, 'Behind the gate' ),
			$finds( $this->rest( $login, 'GET', '/wp/v2/registry?search=wombats' ) ),
			$finds( $this->rest( $login, 'GET', '/wp/v2/search?search=wombats&type=post&subtype=any' ) ),
		);
		self::assert_each( array( false, false, false, false ), array( null, 'carol', 'conrad', 'edith' ), $searches );
		// Its people find it by its words; lists of registries show it only where it is edited.
		self::assert_each( array( true, false, false, true ), array( 'alice', 'bob', 'admin' ), $searches );
		self::assertSame( array( $made->id ), array_column( $this->rest( 'alice', 'GET', '/wp/v2/registry?search=wombats&context=edit' )->json, 'id' ) );
		$page = $this->page( 'carol', $made->link );
		self::assertSame( 200, $page->status );
		self::assert_shows( 'post_password', $page->text, hides: 'wombats' );
		self::assertSame( array( 403, 200 ), array_map( fn( string $with ): int => $this->rest( 'carol', 'GET', "/wp/v2/registry/$made->id$with" )->status, array( '', '?password=sesame' ) ) );
		self::assertSame( array( 401, 401 ), array_map( fn( int $id ): int => $this->rest( null, 'GET', "/wp/v2/Registry/$id" )->status, array( $made->id, 87_654_321 ) ), 'WordPress finds its addresses in any capitals' );
	}

	public function test_pictures_of_a_registry_that_wasnt_public_go_with_it_unless_its_owner_shows_them_elsewhere(): void {
		$picture = static fn( int $parent ): int => wp_insert_attachment( array( 'post_title' => 'Echidna', 'post_mime_type' => 'image/png', 'post_author' => self::user( 'alice' ) ), 'echidna.png', $parent );
		$status  = fn( ?string $login, int $id ): int => $this->rest( $login, 'GET', "/wp/v2/media/$id" )->status;
		$remove  = fn( int $id ): int => $this->rest( 'alice', 'DELETE', "/wp/v2/registry/$id?force=true" )->status;

		$closed = $this->registry( 'alice', array( 'title' => 'Over', 'status' => 'private' ) )->id;
		$gone   = $picture( $closed );
		$shown  = $picture( $closed );
		$open   = $this->registry( 'alice', array( 'title' => 'Stays', 'status' => 'publish', 'featured_media' => $shown ) )->id;
		$binned = $this->registry( 'alice', array( 'title' => 'Over, too', 'status' => 'private' ) )->id;
		$in_bin = $picture( $binned );
		$this->rest( 'alice', 'DELETE', "/wp/v2/registry/$binned" );
		$locked = $this->registry( 'alice', array( 'title' => 'Over, and locked', 'status' => 'publish', 'password' => 'knock' ) )->id;
		$behind = $picture( $locked );

		$all    = array( $gone, $shown, $in_bin, $behind );
		$states = fn( ?string $login ): array => array_map( static fn( int $id ): int => $status( $login, $id ), $all );
		self::assertSame( array( 200, 200, 200, 200 ), $states( 'admin' ) );
		self::assertSame( array( 404, 404, 404, 404 ), $states( null ) );
		self::assert_each( 200, array( $closed, $binned, $locked ), $remove );
		self::assertSame( array( 404, 200, 404, 404 ), $states( 'admin' ) );
		$seen = $picture( $open );
		self::assertSame( 200, $remove( $open ) );
		self::assertSame( array( 200, 200 ), array( $status( null, $seen ), $status( null, $shown ) ) );
	}

	public function test_a_registry_with_a_password_is_in_no_list_and_no_sitemap_but_where_its_owner_and_administrators_work(): void {
		array_map( static fn( string $option ) => update_option( $option, 100 ), array( 'posts_per_page', 'posts_per_rss' ) );
		$alice = self::user( 'alice' );
		$made  = fn( string $title, string $day, array $also = array() ): object => $this->registry( 'alice', $also + compact( 'title' ) + array( 'status' => 'publish', 'date' => "{$day}T00:00:00" ) );
		// Stories of people who may write posts may have such a block.
		get_userdata( $alice )->add_cap( 'edit_posts' );
		$open   = $made( 'Openly shown', '2020-01-01', array( 'content' => '<!-- wp:post-navigation-link {"type":"next","showTitle":true} /-->' ) );
		$locked = $made( 'Locked away', '2020-01-02', array( 'password' => 'knock' ) );
		$next   = $made( 'Openly following', '2020-01-03' );
		$blocks = '<!-- wp:trousseau/registries {"count":100} /--><!-- wp:query {"query":{"perPage":50,"postType":"registry","inherit":false}} --><div class="wp-block-query"><!-- wp:post-template --><!-- wp:post-title {"isLink":true} /--><!-- /wp:post-template --></div><!-- /wp:query -->';
		$page   = self::post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Lists', 'post_content' => $blocks ) );
		$search = '/wp-json/wp/v2/search?type=post&per_page=100';
		$both   = "&include=$open->id,$locked->id";
		$read   = fn( ?string $login, string $path ): string => ( str_starts_with( $path, '/wp-json' ) ? $this->rest( null, 'GET', substr( $path, strlen( '/wp-json' ) ) ) : $this->visit( $login, $path ) )->text;
		$mixed  = array( '/?post_type[]=registry&post_type[]=post', '/?post_type[]=registry&post_type[]=post&feed=rss2', "/?author=$alice&post_type[]=registry&post_type[]=post", "$search&subtype=any", "$search&subtype=any$both" );
		$lists  = array( '/registry/', '/registry/feed/', '/?post_type=registry', "/?page_id=$page", '/wp-json/wp/v2/registry?per_page=100', "/wp-json/wp/v2/registry?per_page=100$both", "$search&subtype=registry", "$search&subtype=registry$both" );
		foreach ( array( null, 'carol', 'alice', 'admin' ) as $login ) {
			$is_theirs = in_array( $login, array( 'alice', 'admin' ), true );
			foreach ( $is_theirs ? $lists : array( ...$lists, ...$mixed ) as $path ) {
				$text = $read( $login, $path );
				self::assertSame( array( true, false ), array( str_contains( $text, $open->slug ), str_contains( $text, 'Locked away' ) || str_contains( $text, "$locked->slug/" ) ), "$login $path" );
			}
			self::assertStringNotContainsString( $locked->slug, $this->in_request( $login, array( RegistriesTest::class, 'sitemaps' ) )['sitemap posts registry']->text );
			self::assertStringContainsString( 'post-password-form', $this->page( $login, $locked->link )->text );
		}
		$beside = $read( null, $open->link );
		self::assertSame( array( true, false ), array( str_contains( $beside, $next->slug ), str_contains( $beside, $locked->slug ) ), 'the link to the next one' );
		get_userdata( $alice )->remove_cap( 'edit_posts' );

		foreach ( array( 'alice' => "author=$alice&", 'admin' => '' ) as $login => $query ) {
			$list = $this->rest( $login, 'GET', "/wp/v2/registry?{$query}status=publish,private&context=edit&per_page=100" );
			self::assertContains( $locked->id, array_column( $list->json, 'id' ) );
			self::assertSame( count( $list->json ), $list->total() );
		}
		$texts = array( $this->table( 'alice', static fn( object $list ) => $list->display() ), $read( 'alice', '/registries/mine/' ), $read( 'alice', '/registries/add/' ) );
		self::assertCount( 3, preg_grep( '/Locked away/', $texts ) );
		foreach ( array( 'alice' => 200, 'admin' => 200, 'carol' => 404 ) as $login => $status ) {
			self::assertSame( $status, $this->page( $login, "/registries/$locked->id/gifts/" )->status, "$login needs no password to change gifts" );
		}
		$named = $this->rest( null, 'GET', "/wp/v2/registry/$locked->id?password=knock" );
		self::assertSame( array( 200, $locked->slug ), array( $named->status, $named->json['slug'] ) );
		// WordPress would guess the whole address from a part of it.
		self::post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Lockpicking', 'post_name' => 'lockpicking-guide' ) );
		foreach ( array( '/locked', '/locked-a/', '/registry/lock/', '/registry/locked-a/', '/registry/open/' ) as $path ) {
			$answer = $this->page( null, $path );
			self::assertSame( array( 404, '' ), array( $answer->status, $answer->location() ), $path );
		}
		self::assertStringContainsString( 'lockpicking-guide', $this->page( null, '/lock' )->location() );
	}

	public function test_no_slug_tells_that_a_private_registry_of_that_name_exists_and_a_former_address_leads_only_visitors_to_it_who_may_see_it(): void {
		$made   = $this->registry( 'alice', array( 'title' => 'Capybara', 'status' => 'publish' ) );
		$change = fn( array $fields ): Answer => $this->rest( 'alice', 'POST', "/wp/v2/registry/$made->id", $fields );
		$slug   = $change( array( 'slug' => 'capybara-and-coati' ) )->json['slug'];
		$leads  = function ( ?string $login ) use ( $made, $slug ): array {
			$answer = $this->page( $login, $made->link );
			return array( $answer->status, str_contains( $answer->location(), $slug ) );
		};
		self::assertSame( array( 301, true ), $leads( null ) );
		$change( array( 'status' => 'private' ) );
		self::assert_each( array( 404, false ), array( null, 'carol', 'edith' ), $leads );
		self::assertSame( array( 301, true ), $leads( 'alice' ) );
		$title  = 'Tamarin and Saki';
		$closed = array(
			$this->registry( 'alice', compact( 'title' ) + array( 'status' => 'private' ) ),
			$this->registry( 'alice', compact( 'title' ) + array( 'status' => 'private', 'slug' => 'tamarin' ) ),
			$this->registry( 'alice', compact( 'title' ) + array( 'status' => 'draft', 'slug' => 'tamarin-draft' ) ),
			$this->registry( 'alice', compact( 'title' ) + array( 'status' => 'pending', 'slug' => 'tamarin-pending' ) ),
		);
		foreach ( $closed as $one ) {
			self::assertMatchesRegularExpression( '/^tamarin(-and-saki|-draft|-pending)?-[a-z0-9]{10}$/', $one->slug );
		}
		self::assertSame( 'tamarin-and-saki', $this->registry( 'bob', compact( 'title' ) + array( 'status' => 'publish' ) )->slug );
		foreach ( array( 'tamarin', 'tamarin-draft', 'tamarin-pending' ) as $slug ) {
			self::assertSame( $slug, $this->registry( 'bob', compact( 'slug' ) + array( 'title' => 'x', 'status' => 'publish' ) )->slug );
		}
		foreach ( array( array( 'title' => 'Other' ), array( 'status' => 'publish' ), array( 'status' => 'private' ), array( 'slug' => $closed[0]->slug ) ) as $change ) {
			self::assertSame( $closed[0]->slug, $this->rest( 'alice', 'POST', "/wp/v2/registry/{$closed[0]->id}", $change )->json['slug'] );
		}
		$again = $this->registry( 'bob', array( 'title' => 'Public', 'status' => 'publish' ) );
		self::assertSame( $again->slug, $this->rest( 'bob', 'POST', "/wp/v2/registry/$again->id", array( 'status' => 'private' ) )->json['slug'] );
	}
}
