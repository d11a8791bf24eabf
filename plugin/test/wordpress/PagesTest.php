<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Lists\Registries;
use Trousseau\Plugin;
use Trousseau\Visibility\QueryFilter;

/** The pages as visitors see them: a registry's gifts on its page, in blocks and shortcodes; the way to the shop. */
final class PagesTest extends WordPressTestCase {

	private array $items = array();

	protected function setUp(): void {
		parent::setUp();
		$this->outside->answer(
			'GET /registries/*/items',
			fn( array $request ): array => array_values( array_filter( $this->items, static fn( array $item ): bool => $request['path'] === "/registries/$item[registry_id]/items" ) )
		);
	}

	private function list_of( array $fields = array() ): object {
		return $this->registry( 'alice', $fields + array( 'title' => 'Ann & Bob', 'status' => 'publish' ) );
	}

	private function item( int $registry, array $fields = array() ): int {
		$id                 = count( $this->items ) + 1;
		$this->items[ $id ] = $fields + array( 'id' => $id, 'registry_id' => $registry, 'name' => "Gift $id", 'url' => "https://shop.example/$id", 'quantity_needed' => 1, 'quantity_purchased' => 0 );
		return $id;
	}

	private static function page_with( string $content ): string {
		return '/?page_id=' . self::post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Page', 'post_content' => $content ) );
	}

	public function test_a_registrys_page_shows_occasion_story_and_gifts_in_the_owners_order_by_one_request(): void {
		$meta = array( 'registry_item_ids' => '[4,3,1]', 'registry_event_type' => 'Wedding', 'registry_event_date' => '2027-05-30', 'registry_currency' => 'EUR' );
		$made = $this->list_of( array( 'content' => 'Our story' ) + compact( 'meta' ) );
		$this->item( $made->id, array( 'name' => 'Kettle', 'price' => 1234.5, 'retailer' => 'Corner shop', 'description' => "Blue\nor green", 'quantity_needed' => 3, 'quantity_purchased' => 1 ) );
		$this->item( $made->id, array( 'name' => 'Unlisted' ) );
		$this->item( $made->id, array( 'name' => 'Pan', 'price' => 24, 'image_url' => 'https://images.example/pan.jpg' ) );
		$this->item( $made->id, array( 'name' => 'Bowl', 'quantity_needed' => 2, 'quantity_purchased' => 5 ) );
		$page = $this->page( null, $made->link );
		self::assertSame( 200, $page->status );
		$text  = $page->text;
		$order = array(
			'<body',
			'<time class="trousseau-event__date" datetime="2027-05-30">May 30, 2027</time>',
			'Our story',
			'<h3>Pan</h3>',
			'<h3>Kettle</h3>',
			'<h3>Unlisted</h3>',
			'<details class="trousseau-given">',
			'Given: 1',
			'<h3>Bowl</h3>',
		);
		self::assertMatchesRegularExpression( '/' . implode( '.*', array_map( static fn( string $part ): string => preg_quote( $part, '/' ), $order ) ) . '/s', $text );
		self::assert_shows( array( 'Corner shop', "Blue<br />\nor green", '2 needed', '<progress max="3" value="1"', 'Given', '<progress max="2" value="2"', 'href="https://shop.example/1" rel="nofollow noopener"', 'trousseau.css', 'pages.js' ), $text );
		self::assertSame( 2, substr_count( $text, '>Available</p>' ), 'what is needed once needs no numbers' );
		self::assertSame( 2, substr_count( $text, '<progress' ), 'and no bar' );
		preg_match_all( '/<span class="trousseau-price">(.*?)<\/span>/', $text, $prices );
		self::assertMatchesRegularExpression( '/^(€24 €1,234\.50|EUR\x{a0}24 EUR\x{a0}1,234\.50)$/u', implode( ' ', $prices[1] ) );
		self::assertStringNotContainsString( 'images.example', $text, 'no browser is sent to a shop for a picture' );
		preg_match_all( '/<a class="[^"]*trousseau-give"[^>]*href="([^"]*\/give\/\?item=\d+)"/', $text, $ways );
		self::assertSame( array_map( static fn( int $item ): string => home_url( "/registries/$made->id/give/?item=$item" ), array( 3, 1, 2 ) ), $ways[1], 'nothing is left of the last one' );
		self::assertDoesNotMatchRegularExpression( '/_wpnonce|method="post"/', $text );
		self::assertSame( array( "GET /registries/$made->id/items" ), $this->outside->asked() );
		self::assertSame( 'Basic ' . base64_encode( 'admin:secret' ), $this->outside->requests[0]['headers']['authorization'] );
	}

	public function test_a_list_that_is_found_says_whose_it_is(): void {
		$list  = $this->list_of( array( 'title' => 'Our big day' ) );
		$owner = (int) get_post( $list->id )->post_author;
		$found = fn(): string => preg_match( '#<li>.*?</li>#s', (string) strstr( $this->page( null, '/registries/find/?find=big' )->text, 'trousseau-registries' ), $row ) ? $row[0] : '';
		self::assertStringNotContainsString( 'trousseau-owner', $found(), 'a user name is no name' );
		wp_update_user( array( 'ID' => $owner, 'display_name' => 'Amira <3' ) );
		self::assertStringContainsString( '<p class="trousseau-owner">Amira &lt;3</p>', $found() );
		update_post_meta( $list->id, '_trousseau_owner_name', 'Amira & Ben' );
		self::assertStringContainsString( '<p class="trousseau-owner">Amira &amp; Ben</p>', $found(), 'the name chosen for this list' );
		foreach ( array( 'Big Day', '' ) as $name ) {
			update_post_meta( $list->id, '_trousseau_owner_name', $name );
			self::assertStringNotContainsString( 'trousseau-owner', $found() );
		}
	}

	public function test_a_public_list_is_found_by_the_name_that_guests_know_its_owner_by_and_by_no_hidden_one(): void {
		$named = fn( string $words ): array => array_map( static fn( \WP_Post $post ): string => $post->post_title, Plugin::get( Registries::class )->named( $words, 50 ) );
		$bob   = self::user( 'bob' );
		$list  = $this->registry( 'bob', array( 'title' => 'Our day', 'status' => 'publish' ) );
		$this->registry( 'bob', array( 'title' => 'For guests', 'status' => 'private' ) );
		wp_update_user( array( 'ID' => $bob, 'display_name' => 'Robert Stone', 'first_name' => '' ) );
		self::assertSame( array( array( 'Our day' ), array( 'Our day' ), array(), array() ), array_map( $named, array( 'stone', 'Our Robert', 'bob', 'guests' ) ) );
		foreach ( array( 'bob', 'bob@stone.example' ) as $hidden ) {
			wp_update_user( array( 'ID' => $bob, 'display_name' => $hidden ) );
			self::assertSame( array( array(), array() ), array_map( $named, array( 'bob', 'stone' ) ), $hidden );
		}
		update_post_meta( $list->id, '_trousseau_owner_name', 'Granny' );
		self::assertSame( array( 'Our day' ), $named( 'granny' ) );
		update_post_meta( $list->id, '_trousseau_owner_name', '' );
		wp_update_user( array( 'ID' => $bob, 'display_name' => 'Robert Stone' ) );
		self::assertSame( array(), $named( 'stone' ), 'the owner has taken the name away' );
	}

	public function test_a_list_is_found_by_names_and_a_search_never_tells_that_there_is_a_private_one(): void {
		$ann = $this->list_of( array( 'title' => 'Ann & Bob O\'Neil' ) );
		$zoe = $this->list_of( array( 'title' => 'Zoë + Bob' ) );
		$this->list_of( array( 'title' => 'Hidden Marigold', 'status' => 'private' ) );
		$this->list_of( array( 'title' => 'Drafted Marigold', 'status' => 'draft' ) );
		$this->list_of( array( 'title' => 'Locked Marigold', 'password' => 'open' ) );
		$asked  = array();
		$watch  = static function ( string $statement ) use ( &$asked ): string {
			$asked[] = strtr( $statement, array( 'marigold' => 'WORDS', 'daffodil' => 'WORDS' ) );
			return $statement;
		};
		$search = function ( string $words, ?string $login = null ) use ( $watch, &$asked ): Answer {
			$asked = array();
			add_filter( 'query', $watch );
			$page = $this->page( $login, '/registries/find/?find=' . rawurlencode( $words ) );
			remove_filter( 'query', $watch );
			return $page;
		};
		$found  = static function ( Answer $page ): array {
			preg_match_all( '#<li><a href="([^"]*)">#', preg_replace( '#^.*<main|</main>.*$#s', '', $page->text ), $links );
			return $links[1];
		};
		$said   = static fn( Answer $page, string $words ): string => str_replace( $words, 'WORDS', (string) strstr( (string) strstr( $page->text, 'class="trousseau-page"' ), '</main>', true ) );
		self::assertSame( array(), $found( $this->page( null, '/registries/find/' ) ) );
		$cases  = array(
			'bob'            => array( $zoe->link, $ann->link ),
			'ANN and Bob'    => array( $ann->link ),
			'bob oneil neil' => array( $ann->link ),
			'O’Neil'         => array( $ann->link ),
			'zoe'            => array( $zoe->link ),
			'Zoë Smith'      => array( $zoe->link ),
			'amp'            => array(),
			'%'              => array(),
			'Neil & and'     => array( $ann->link ),
		);
		foreach ( $cases as $words => $links ) {
			$page = $search( $words );
			self::assertSame( array( 200, $links ), array( $page->status, $found( $page ) ), $words );
			self::assert_shows( array( 'Invited? Resend my invitation', home_url( '/registries/lost-invitation/' ) ), $page->text );
		}
		foreach ( array( null, 'carol' ) as $login ) {
			$hidden     = $said( $search( 'marigold', $login ), 'marigold' );
			$statements = $asked;
			self::assertSame( $said( $search( 'daffodil', $login ), 'daffodil' ), $hidden );
			self::assertSame( $asked, $statements, 'they take the same time' );
		}
	}

	public function test_a_page_shows_no_endless_text_again(): void {
		$long = str_repeat( 'a b ', 512 * KB_IN_BYTES );
		foreach ( array( 'new' => array( 'title', 'story' ), 'lost-invitation' => array( 'email' ) ) as $name => $fields ) {
			$page = $this->page( 'alice', "/registries/$name/", form: array( 'do' => 'make' ) + array_fill_keys( $fields, $long ) );
			self::assertSame( 422, $page->status, $name );
			self::assertLessThan( 400 * KB_IN_BYTES, strlen( $page->text ), $name );
		}
		$made = $this->list_of();
		$page = $this->page( 'alice', "/registries/$made->id/people/", form: array( 'do' => 'add', 'person' => str_repeat( 'x', MB_IN_BYTES ) ) );
		self::assertSame( 422, $page->status );
		self::assertLessThan( 400 * KB_IN_BYTES, strlen( $page->text ) );
	}

	public function test_an_owner_opens_the_form_of_a_gift_that_was_added_elsewhere_a_moment_ago(): void {
		remove_filter( 'trousseau_gifts_fresh_for', '__return_zero' );
		$made = $this->list_of();
		$form = fn(): string => $this->page( 'alice', "/registries/$made->id/gifts/?item=1" )->text;
		self::assertStringNotContainsString( 'value="Jug"', $form() );
		$this->item( $made->id, array( 'name' => 'Jug', 'price' => null, 'description' => '', 'retailer' => '', 'image_url' => '' ) );
		self::assertStringContainsString( 'value="Jug"', $form() );
	}

	public function test_a_shop_that_cannot_be_read_gives_a_name_and_the_page_says_what_to_do(): void {
		$made    = $this->list_of();
		$address = 'https://shop.example/upphetta-french-press-coffee-maker';
		$look    = fn(): string => $this->page( 'alice', "/registries/$made->id/gifts/", form: array( 'do' => 'look', 'address' => $address ) )->text;
		$found   = array( 'url' => $address, 'name' => null, 'description' => null, 'image_url' => null, 'price' => null, 'currency' => null, 'retailer' => 'Shop' );
		foreach ( array( 'refused', 'unreachable', 'nothing_found' ) as $code ) {
			$this->outside->answer( 'POST /lookups', array( 'problem' => array( 'code' => $code, 'detail' => '' ) ) + $found );
			$page = $look();
			self::assertStringContainsString( 'value="Upphetta French Press Coffee Maker"', $page, $code );
			self::assertStringContainsString( 'The shop’s page didn’t tell us what it sells, so we took', $page, $code );
			self::assertStringContainsString( 'trousseau-bookmark', $page, $code );
		}
		$this->outside->answer( 'POST /lookups', new \WP_Error( 'http_request_failed', 'away' ) );
		self::assertStringContainsString( 'value="Upphetta French Press Coffee Maker"', $look() );
		$this->outside->answer( 'POST /lookups', array( 'problem' => array( 'code' => 'not_a_page', 'detail' => '' ) ) + $found );
		self::assertStringNotContainsString( 'Upphetta French', $look(), 'no shop’s page' );
	}

	public function test_a_gift_form_clears_a_field_that_is_sent_empty_and_none_that_is_missing(): void {
		$made   = $this->list_of();
		$stored = array();
		$id     = $this->item( $made->id, array( 'name' => 'Glasses', 'description' => 'Blue ones', 'retailer' => 'Corner shop', 'price' => 12.5, 'image_url' => null, 'quantity_needed' => 2_147_483_647 ) );
		$this->item( $made->id );
		$this->item( $made->id );
		$this->outside->answer(
			"PUT /items/$id",
			function ( array $request ) use ( &$stored, $id ): array {
				$stored             = $request['body'];
				$this->items[ $id ] = $stored + $this->items[ $id ];
				return array( 'data' => $this->items[ $id ] );
			}
		);
		$path = "/registries/$made->id/gifts/?item=$id";
		$save = function ( array $fields, string $opened ) use ( $path, $id ): void {
			self::assertSame( 303, $this->page( 'alice', $path, form: array( 'do' => 'change', 'item' => (string) $id, 'opened' => $opened ) + $fields )->status );
		};
		$open = function () use ( $path ): array {
			$page = $this->page( 'alice', $path )->text;
			self::assertSame( 1, preg_match( '/name="opened" value="([^"]+)"/', $page, $stamp ) );
			return array( $stamp[1], (bool) preg_match( '/<input[^>]* checked[^>]* name="most_wanted"/', $page ), preg_match( '/<input[^>]* value="([^"]*)"[^>]* name="section"/', $page, $section ) ? $section[1] : null );
		};
		$all  = array( 'name' => 'Glasses', 'price' => '12.50', 'quantity' => '1', 'any_number' => '1', 'description' => 'Blue ones', 'address' => 'https://shop.example/1', 'retailer' => 'Corner shop', 'section' => 'Kitchen', 'most_wanted' => '1', 'image' => '' );
		$save( $all, $open()[0] );
		self::assertSame( array( true, 'Kitchen' ), array_slice( $open(), 1 ) );

		$shown = array( 'name', 'price', 'quantity', 'any_number', 'most_wanted', 'address', 'image' );
		$save( array( 'name' => 'Wine glasses' ) + array_intersect_key( $all, array_flip( $shown ) ), $open()[0] );
		self::assertSame( array( 'Wine glasses', 'Blue ones', 'Corner shop', 2_147_483_647 ), array( $stored['name'], $stored['description'], $stored['retailer'], $stored['quantity_needed'] ) );
		self::assertSame( array( true, 'Kitchen' ), array_slice( $open(), 1 ) );

		$save( array( 'description' => '', 'retailer' => '', 'section' => '' ) + array_diff_key( $all, array( 'any_number' => 1, 'most_wanted' => 1 ) ), $open()[0] );
		self::assertSame( array( null, null, 1 ), array( $stored['description'], $stored['retailer'], $stored['quantity_needed'] ) );
		self::assertSame( array( false, '' ), array_slice( $open(), 1 ) );
	}

	/** Follows a link to a shop, as a click on a page of this address does. */
	private function follow( ?string $login, string $query, array $server = array() ): Answer {
		return $this->page( $login, "/?trousseau_go=$query", server: $server ?: array( 'HTTP_REFERER' => home_url( '/' ) ) );
	}

	public function test_every_field_of_an_item_comes_out_as_text_and_only_web_addresses_become_links(): void {
		$made    = $this->list_of();
		$nasty   = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";
		$hostile = $this->item( $made->id, array( 'name' => $nasty, 'description' => $nasty, 'retailer' => $nasty, 'url' => 'javascript:alert(3)', 'image_url' => 'javascript:alert(4)', 'affiliate_url' => 'javascript:alert(5)', 'affiliate_status' => 'active' ) );
		$quoted  = $this->item( $made->id, array( 'url' => 'https://shop.example/" onclick="alert(6)', 'image_url' => 'https://images.example/x.jpg" onerror="alert(7)' ) );
		foreach ( array( 'JaVaScRiPt:alert(8)', ' javascript:alert(8)', 'data:text/html,alert(8)', '//evil.example/8', '/alert(8)', 'ftp://files.example/alert(8)', 'https:alert(8)', "java\nscript:alert(8)" ) as $url ) {
			$this->item( $made->id, array( 'url' => $url, 'image_url' => $url ) );
		}
		$give = home_url( "/registries/$made->id/give/?item=" );
		foreach ( array( null, 'bob', 'admin' ) as $login ) {
			self::assertSame( 1, preg_match( '/<ul class="trousseau-items".*?<\/ul>/s', $this->page( $login, $made->link )->text, $list ) );
			self::assertSame( 10, substr_count( $list[0], '<h3>' ) );
			self::assertDoesNotMatchRegularExpression( '/<script|onerror="|onclick="|<img src=x/', $list[0] );
			self::assertGreaterThanOrEqual( 3, substr_count( $list[0], '&lt;script&gt;alert(1)&lt;/script&gt;' ) );
			foreach ( array( $hostile, $quoted ) as $item ) {
				self::assertSame( 1, preg_match( '/<div [^>]*class="trousseau-page">.*?<\/form>/s', $this->page( $login, "$give$item" )->text, $form ) );
				self::assertDoesNotMatchRegularExpression( '/<script|onerror="|onclick="|<img src=x|javascript:/', $form[0] );
			}
			preg_match_all( '/(?:href|src)="([^"]*)"/', $list[0], $addresses );
			$own = array_filter( $addresses[1], static fn( string $address ): bool => str_starts_with( $address, $give ) );
			self::assertCount( 10, array_filter( $own, static fn( string $address ): bool => ! str_contains( $address, 'bought=' ) ) );
			self::assertSame( array( 'https://shop.example/' ), array_map( static fn( string $address ): string => substr( $address, 0, 21 ), array_values( array_diff( $addresses[1], $own ) ) ) );
		}
		self::assertSame( 404, $this->follow( null, "$hostile&registry=$made->id" )->status );
		self::assertMatchesRegularExpression( '/^https:\/\/shop\.example\/[^"\s<>]*$/D', $this->follow( null, "$quoted&registry=$made->id" )->location() );
	}

	public function test_an_affiliate_link_is_followed_through_the_site_and_stands_on_no_page(): void {
		$made      = $this->list_of();
		$other     = $this->list_of( array( 'title' => 'Other' ) );
		$closed    = $this->list_of( array( 'title' => 'Closed', 'status' => 'private', 'meta' => array( 'registry_invitees' => '["bob"]' ) ) );
		$affiliate = 'https://affiliate.example/?tag=couple-21&to=pan';
		$active    = $this->item( $made->id, array( 'affiliate_url' => $affiliate, 'affiliate_status' => 'active' ) );
		$states    = array_map( fn( ?string $status ): int => $this->item( $made->id, array( 'affiliate_url' => $affiliate, 'affiliate_status' => $status ) ), array( 'inactive', 'expired', 'none', null, 'ACTIVE' ) );
		$hidden    = $this->item( $closed->id, array( 'affiliate_url' => $affiliate, 'affiliate_status' => 'active' ) );

		$text = $this->page( null, $made->link )->text;
		$give = $this->page( null, "/registries/$made->id/give/?item=$active" )->text;
		foreach ( array( $text, $give ) as $page ) {
			self::assert_shows( "/?trousseau_go=$active&#038;registry=$made->id\"", $page, hides: 'affiliate.example' );
		}
		self::assert_shows( array_map( static fn( int $plain ): string => "href=\"https://shop.example/$plain\"", $states ), $text );
		$unpaid = $this->list_of( array( 'title' => 'Unpaid' ) );
		$this->item( $unpaid->id );
		foreach ( array( array( $text, 1 ), array( $give, 1 ), array( $this->page( null, $unpaid->link )->text, 0 ) ) as list( $page, $links ) ) {
			self::assertSame( $links, substr_count( html_entity_decode( $page, ENT_QUOTES ), 'this site or the list’s owner may earn a commission' ) );
			self::assertSame( $links, substr_count( $page, 'rel="sponsored nofollow' ) );
		}

		$go = $this->follow( null, "$active&registry=$made->id" );
		self::assertSame( array( 302, $affiliate ), array( $go->status, $go->location() ) );
		foreach ( $states as $plain ) {
			self::assertSame( "https://shop.example/$plain", $this->follow( null, "$plain&registry=$made->id" )->location() );
		}
		$wrong = array( "$active&registry=$other->id", "$active", "$hidden&registry=$closed->id", "$hidden&registry=$made->id", "99999&registry=$made->id", "x&registry=$made->id", "$active&registry[]=$made->id" );
		foreach ( $wrong as $query ) {
			$refused = $this->follow( null, $query );
			self::assertSame( array( 404, '' ), array( $refused->status, $refused->location() ), $query );
		}
		self::assertSame( $affiliate, $this->follow( 'bob', "$hidden&registry=$closed->id" )->location() );
	}

	public function test_visitors_who_come_to_a_shops_link_from_elsewhere_are_told_the_shops_name_and_asked(): void {
		$made    = $this->list_of( array( 'title' => 'Ann & "Bob"' ) );
		$closed  = $this->list_of( array( 'title' => 'Closed', 'status' => 'private' ) );
		$shop    = array( 'affiliate_url' => 'https://affiliate.example/?tag=couple-21', 'affiliate_status' => 'active' );
		$gift    = $this->item( $made->id, array( 'name' => 'Pan <b>&</b> pot' ) + $shop );
		$hidden  = $this->item( $closed->id, array( 'name' => 'Hidden pan' ) + $shop );
		$address = "$gift&registry=$made->id";
		$host    = home_url();
		$places  = array(
			array( 'HTTP_REFERER' => '' ),
			array( 'HTTP_REFERER' => 'https://mail.example/' ),
			array( 'HTTP_REFERER' => "https://evil.example/$host/" ),
			array( 'HTTP_REFERER' => "$host.evil.example/" ),
			array( 'HTTP_REFERER' => str_replace( 'http:', 'https:', $host ) ),
			array( 'HTTP_REFERER' => "$host/", 'HTTP_SEC_FETCH_SITE' => 'cross-site' ),
			array( 'HTTP_SEC_FETCH_SITE' => 'same-site' ),
			array( 'HTTP_SEC_FETCH_SITE' => 'none' ),
		);
		foreach ( array( null, 'bob' ) as $login ) {
			foreach ( $places as $server ) {
				$about  = wp_json_encode( $server );
				$answer = $this->follow( $login, $address, $server );
				self::assertSame( array( 200, '' ), array( $answer->status, $answer->location() ), $about );
				self::assertMatchesRegularExpression( '/wp-block-template-part|wp-site-blocks/', $answer->text, 'in the looks of the theme' );
				self::assert_shows( array( '<title>Continue to the shop?', 'leads to another site: affiliate.example.', 'rel="sponsored nofollow', '“Pan &lt;b&gt;&amp;&lt;/b&gt; pot”', '“Ann &amp; &quot;Bob&quot;”', $made->link ), $answer->text );
				self::assertStringContainsString( 'may earn a commission', html_entity_decode( $answer->text, ENT_QUOTES ) );
				self::assertStringNotContainsString( 'couple-21', $answer->text, 'an affiliate link stands on no page' );
				self::assertStringContainsString( '<a class="button wp-element-button" href="' . esc_url( home_url( "/?trousseau_go=$address" ) ) . '"', $answer->text );
			}
			foreach ( array( array( 'HTTP_REFERER' => $made->link ), array( 'HTTP_SEC_FETCH_SITE' => 'same-origin' ) ) as $server ) {
				$answer = $this->follow( $login, $address, $server );
				self::assertSame( array( 302, $shop['affiliate_url'] ), array( $answer->status, $answer->location() ) );
			}
			self::assertSame( 200, $this->follow( $login, "$address&_wp_http_referer=" . rawurlencode( "$host/" ), array( 'HTTP_REFERER' => '' ) )->status );
			$secret = $this->follow( $login, "$hidden&registry=$closed->id", array( 'HTTP_REFERER' => '' ) );
			self::assertSame( 404, $secret->status );
			self::assertDoesNotMatchRegularExpression( '/Hidden|affiliate/', $secret->text );
		}
		self::assertStringNotContainsString( 'Continue to the shop', $this->page( null, '/' )->text );
	}

	public function test_flattening_gives_the_promised_keys_guests_to_those_who_belong_to_it_and_affiliate_links_to_administrators(): void {
		$made = $this->list_of( array( 'title' => 'Flat & "plain"', 'content' => 'Story', 'meta' => array( 'registry_item_ids' => '[2]', 'registry_invitees' => '["bob"]', 'registry_event_type' => 'Birth' ) ) );
		$gift = $this->item( $made->id, array( 'affiliate_url' => 'https://affiliate.example/', 'affiliate_status' => 'active' ) );
		$flat = fn( ?string $login ): array => $this->in_request( $login, static fn(): array => Registries::flatten( get_post( $made->id ) ) );
		$own  = $flat( 'alice' );
		self::assertCount( 1, $own['items'] );
		self::assertSame(
			array(
				'id'          => $made->id,
				'user_id'     => self::user( 'alice' ),
				'title'       => 'Flat & "plain"',
				'description' => 'Story',
				'is_public'   => true,
				'permalink'   => $made->link,
				'share_key'   => $made->id,
				'meta'        => array( 'registry_item_ids' => array( 2 ), 'registry_invitees' => array( 'bob' ), 'registry_event_type' => 'Birth', 'registry_event_date' => '' ),
				'items'       => $own['items'],
			),
			$own
		);
		foreach ( array( 'admin' => array( array( 'bob' ), true ), 'bob' => array( array( 'bob' ), false ), 'carol' => array( array(), false ), '' => array( array(), false ) ) as $login => list( $guests, $is_told ) ) {
			$seen = $flat( $login ?: null );
			self::assertSame( array( $guests, $gift, $is_told, $is_told ), array( $seen['meta']['registry_invitees'], $seen['items'][0]['id'], isset( $seen['items'][0]['affiliate_url'] ), isset( $seen['items'][0]['affiliate_status'] ) ), $login );
		}
	}

	public function test_a_list_without_gifts_says_so_and_an_item_of_another_registry_is_no_gift(): void {
		$made = $this->list_of();
		self::assertStringContainsString( 'No gifts on this list yet', $this->page( null, $made->link )->text );
		$this->item( $made->id );
		$this->item( $made->id + 1 );
		$this->outside->answer( 'GET /registries/*/items', array_values( $this->items ) );
		preg_match_all( '/<h3>(.*?)<\/h3>/', $this->page( null, $made->link )->text, $names );
		self::assertSame( array( 'Gift 1' ), $names[1] );
	}

	public function test_blocks_shortcodes_and_the_query_parameter_show_a_registry_once_and_only_to_its_readers(): void {
		$open   = $this->list_of( array( 'title' => 'Open & wide' ) );
		$closed = $this->list_of( array( 'title' => 'Closed', 'status' => 'private', 'meta' => array( 'registry_invitees' => '["bob"]', 'registry_event_type' => 'Secret party' ) ) );
		$this->item( $open->id, array( 'name' => 'Open gift' ) );
		$this->item( $closed->id, array( 'name' => 'Closed gift' ) );
		foreach ( array( "[trousseau_registry id=\"$closed->id\"]", "[trousseau_registry id=\"$closed->slug\"]", "<!-- wp:trousseau/registry {\"registry\":\"$closed->slug\"} /-->", "<!-- wp:trousseau/registry {\"registry\":\"$closed->id\"} /-->" ) as $content ) {
			$path = self::page_with( $content );
			self::assertSame( 1, substr_count( $this->visit( 'bob', $path )->text, 'Closed gift</h3>' ), $content );
			self::assertStringNotContainsString( 'Closed gift', $this->visit( null, $path )->text, $content );
		}
		$asking = self::page_with( '<!-- wp:trousseau/event /--><!-- wp:trousseau/registry /-->' );
		self::assert_each( 1, array( $open->id, $open->slug ), fn( int|string $reference ): int => substr_count( $this->visit( null, "$asking&registry=$reference" )->text, 'Open gift</h3>' ) );
		self::assertStringContainsString( 'Secret party', $this->visit( 'bob', "$asking&registry=$closed->id" )->text );
		foreach ( array( $closed->id, $closed->slug, 'nothing', '99999', '' ) as $reference ) {
			self::assertDoesNotMatchRegularExpression( '/gift<\/h3>|Secret party/', $this->visit( null, "$asking&registry=$reference" )->text );
		}
		self::assertStringContainsString( 'Open gift</h3>', $this->visit( null, "/?registry=$open->slug" )->text );
		$no_list = 'no list here, or it’s private';
		foreach ( array( '/?registry=nothing' => 1, '/?post_type=registry&p=99999' => 1, '/?post_type=registry&paged=99' => 0 ) as $path => $times ) {
			$page = $this->page( null, $path );
			self::assertSame( array( 404, $times ), array( $page->status, substr_count( $page->text, $no_list ) ), $path );
		}
		$list = $this->visit( null, self::page_with( '[trousseau_registries] <!-- wp:trousseau/registries {"count":100} /-->' ) )->text;
		self::assertSame( 2, substr_count( $list, "<a href=\"$open->link\">Open &amp; wide</a>" ) );
		self::assertStringNotContainsString( $closed->link, $list );
		foreach ( array( '[trousseau_registry]', '<!-- wp:trousseau/registry /--><!-- wp:trousseau/event /-->' ) as $content ) {
			$self = $this->list_of( array( 'title' => 'Self', 'content' => $content, 'meta' => array( 'registry_event_type' => 'Housewarming' ) ) );
			$this->item( $self->id, array( 'name' => 'Own gift' ) );
			$text = $this->visit( null, $self->link )->text;
			self::assertSame( array( 1, 1 ), array( substr_count( $text, 'Own gift</h3>' ), substr_count( strstr( $text, '<body' ), 'Housewarming' ) ), $content );
		}
	}

	public function test_of_pages_with_a_list_that_are_opened_at_once_for_the_first_time_each_is_known_to_show_it(): void {
		$id      = $this->list_of()->id;
		$path    = self::page_with( "[trousseau_registry id=\"$id\"]" );
		$page    = (int) substr( (string) strrchr( $path, '=' ), 1 );
		$another = $page + 1;

		// Another process notes its page after this one has read which are known.
		$meanwhile = static function ( string $statement ) use ( &$meanwhile, $id, $another ): string {
			if ( preg_match( "/lock_shown-on|^INSERT INTO \S*_values .*'shown_on'/s", $statement ) ) {
				remove_filter( 'query', $meanwhile );
				self::call( 'keep_value', 'shown_on', array( $id => array( $another ) ) );
			}
			return $statement;
		};
		add_filter( 'query', $meanwhile );
		$this->visit( null, $path );
		remove_filter( 'query', $meanwhile );
		self::assertEqualsCanonicalizing( array( $page, $another ), self::call( 'kept_value', 'shown_on' )[ $id ] );
	}

	public function test_no_shortcode_runs_that_somebody_typed_into_a_gift_a_title_or_a_search(): void {
		add_shortcode( 'loud', static fn() => 'SHORTCODE-RAN' );
		$made = $this->list_of( array( 'title' => 'Ann [loud]', 'meta' => array( 'registry_event_type' => 'Party [loud]' ) ) );
		$this->item( $made->id, array( 'name' => 'Gift [loud]', 'description' => '[loud]x[/loud]' ) );
		$blocks = "<!-- wp:trousseau/event {\"registry\":\"$made->id\"} /--><!-- wp:trousseau/registry {\"registry\":\"$made->id\"} /--><!-- wp:trousseau/registries /--><!-- wp:trousseau/page {\"page\":\"find\"} /-->";
		$text   = html_entity_decode( $this->visit( null, self::page_with( $blocks ) . '&find=[loud]' )->text );
		remove_shortcode( 'loud' );
		self::assert_shows( array( 'Gift [loud]', 'Party [loud]', 'Ann [loud]', 'value="[loud]"' ), $text );
		self::assertStringNotContainsString( 'SHORTCODE-RAN', $text );
	}

	public function test_a_story_shows_no_gifts_of_others_by_their_names_by_a_loop_of_wordpresss_and_by_no_page_of_the_plugins(): void {
		$blocks = '<!-- wp:trousseau/event /--><!-- wp:trousseau/registry /-->';
		$loop   = static fn( string $inner ): string => "<!-- wp:query {\"query\":{\"perPage\":100,\"postType\":\"registry\",\"inherit\":false}} --><div class=\"wp-block-query\"><!-- wp:post-template -->$inner<!-- /wp:post-template --></div><!-- /wp:query -->";
		foreach ( array( 1, 2, 3 ) as $n ) {
			$other = $this->list_of( array( 'title' => "Other $n", 'content' => $blocks, 'meta' => array( 'registry_event_type' => 'Party of others' ) ) );
			$this->item( $other->id, array( 'name' => 'Gift of others' ) );
			$named[] = "[trousseau_registry id=\"$other->id\"]\n<!-- wp:trousseau/registry {\"registry\":\"$other->slug\"} /-->\n";
		}
		$stories = array(
			// As in a copied list, whose story names the first one.
			$named[0],
			implode( array( ...$named, ...$named ) ) . str_repeat( "[trousseau_registry]\n", 100 ),
			$loop( $blocks ),
			$loop( '<!-- wp:post-content /-->' ),
			$loop( '<!-- wp:trousseau/page {"page":"mine"} /-->' ),
			str_repeat( "[trousseau_page name=\"my-gifts\"]\n", 200 ),
			str_repeat( "<!-- wp:trousseau/page {\"page\":\"my-gifts\"} /-->\n", 200 ),
		);
		foreach ( $stories as $story ) {
			$made = $this->list_of( array( 'title' => 'Full', 'content' => $story ) );
			$this->item( $made->id, array( 'name' => 'Own gift' ) );
			$this->outside->requests = array();
			$text                    = $this->page( 'bob', $made->link )->text;
			self::assertSame( 1, substr_count( $text, 'Own gift</h3>' ), substr( $story, 0, 100 ) );
			self::assertDoesNotMatchRegularExpression( '/Gift of others<|Party of others|class="trousseau-page"/', $text );
			self::assertSame( array( "GET /registries/$made->id/items" ), $this->outside->asked() );
		}
		$this->outside->answer( 'GET /claims?email=*' );
		$this->outside->requests = array();
		$text                    = $this->visit( 'bob', self::page_with( $loop( $blocks ) . '[trousseau_page name="my-gifts"]' ) )->text;
		$counts                  = array_map( static fn( string $part ): int => substr_count( $text, $part ), array( 'Gift of others</h3>', 'Party of others', 'class="trousseau-page"' ) );
		self::assertSame( array( 3, 3, 1 ), $counts );
		self::assertCount( 1, preg_grep( '#/claims\?email=#', $this->outside->asked() ) );
	}

	public function test_reading_a_registry_over_rest_never_asks_the_service_which_reads_it_so_itself_and_feeds_and_excerpts_are_free_of_gifts(): void {
		$id = $this->list_of( array( 'title' => 'Mirror', 'content' => '<!-- wp:trousseau/registry /-->[trousseau_registry]' ) )->id;
		self::assert_each( 200, array( "/wp/v2/registry/$id?context=edit", '/wp/v2/registry?context=edit' ), fn( string $path ): int => $this->rest( 'alice', 'GET', $path )->status );
		self::assertSame( array(), $this->outside->asked() );
		$preview = $this->rest( 'alice', 'GET', "/wp/v2/block-renderer/trousseau/registry?context=edit&post_id=$id" );
		self::assertStringContainsString( 'No gifts on this list', $preview->json['rendered'] );
		$made = $this->list_of( array( 'title' => 'Quiet', 'content' => 'Only words' ) );
		$this->item( $made->id, array( 'name' => 'Loud gift' ) );
		foreach ( array( "{$made->link}feed/?withoutcomments=1", '/registry/feed/', "{$made->link}embed/", '/registry/', '/?s=words' ) as $path ) {
			$text = $this->page( null, $path )->text;
			self::assertStringContainsString( 'Quiet', $text, $path );
			self::assertStringNotContainsString( 'Loud gift', $text, $path );
		}
		self::assertStringNotContainsString( 'Loud gift', $this->rest( null, 'GET', "/wp/v2/registry/$made->id" )->text );
		self::assertSame( 'Only words', $this->in_request( null, static fn(): string => get_the_excerpt( $made->id ) ) );
	}

	public function test_hundreds_of_pictures_and_planned_mails_make_no_event_each_and_leave_no_rows_behind(): void {
		$made = $this->list_of( array( 'title' => 'Many pictures' ) );
		for ( $n = 0; $n < 45; ++$n ) {
			$this->item( $made->id, array( 'image_url' => "https://images.example/$n.png" ) );
		}
		$this->page( null, $made->link );
		$rows   = static fn( string $table, string $column, string $beginning ): int => count( array_filter( array_column( self::call( 'rows', "trousseau_$table" ), $column ), static fn( string $name ): bool => str_starts_with( $name, $beginning ) ) );
		$counts = static fn(): array => array(
			$rows( 'jobs', 'handler', 'picture' ),
			count( preg_grep( '/^trousseau/', array_merge( ...array_values( array_map( 'array_keys', array_filter( _get_cron_array(), 'is_array' ) ) ) ) ) ),
		);
		self::assertSame( array( 45, 2 ), $counts(), 'every hour, and now' );
		self::assertGreaterThanOrEqual( 45, $rows( 'values', 'name', 'lock_picture' ) );
		$this->outside->answer( 'GET https://images.example/*', new \WP_Error( 'http_request_failed', 'away' ) );
		$this->outside->answer( 'POST /*', array(), 404 );
		$this->run_jobs( 'picture' );
		self::assertSame( array( 25, 2 ), $counts() );
		$this->run_jobs( 'picture' );
		$this->run_jobs( 'picture' );
		self::assertSame( 0, $counts()[0] );
		self::call( 'age_values', 'lock_picture', 864_000, 1000 );
		$this->run_jobs( 'sweep' );
		self::assertSame( 0, $rows( 'values', 'name', 'lock_picture' ) );

		$before = count( _get_cron_array() );
		for ( $n = 0; $n < 100; ++$n ) {
			self::call( 'send_mail', "guest$n@example.org", 'my-gifts', array( 'link' => 'x' ), time() + ( 2 + $n ) * HOUR_IN_SECONDS );
		}
		self::assertCount( $before, _get_cron_array() );
	}

	public function test_the_browser_script_comes_only_where_it_is_switched_on_and_never_with_the_sites_own_credentials(): void {
		$made = $this->list_of( array( 'title' => 'Live', 'meta' => array( 'registry_invitees' => '["bob"]' ) ) );
		$this->item( $made->id );
		$settings = function ( ?string $login ) use ( $made ): ?array {
			$text = $this->page( $login, $made->link )->text;
			self::assertDoesNotMatchRegularExpression( '/"secret"/', $text );
			return preg_match( '/window\.trousseau = (\{.*?\});/', $text, $found ) ? json_decode( $found[1], true ) + array( 'script' => str_contains( $text, '/assets/trousseau.js' ) ) : null;
		};
		self::assertNull( $settings( 'bob' ), 'off' );
		update_option( 'trousseau_browser_client', '1' );
		update_option( 'trousseau_api_key', 'gate' );
		self::assertNull( $settings( 'bob' ), 'no credentials handed out' );
		add_filter( 'trousseau_browser_credentials', static fn( $none, $user ): array => array( 'username' => $user->user_login, 'password' => '</script>own' ), 10, 2 );
		$given = $settings( 'bob' );
		self::assertSame( array( 'bob', '</script>own', 'gate', $made->id, true ), array( $given['username'], $given['password'], $given['apiKey'], $given['registry'], $given['script'] ) );
		self::assertNull( $settings( null ), 'not signed in' );
		self::assertNull( $settings( 'carol' ), 'a stranger' );
	}

	public function test_a_changed_gift_clears_its_lists_pages_in_breeze_and_leaves_the_rest_of_the_site(): void {
		$made    = $this->list_of();
		$cleared = new \ArrayObject();
		$purge   = static fn( int $id ) => $cleared[] = apply_filters( 'breeze_collect_urls_for_cache_purge', array( "of $id" ), $id );
		add_action( 'breeze_clear_all_cache', static fn() => $cleared[] = 'all' );
		$this->item( $made->id, array( 'quantity_needed' => 9 ) );
		$taken   = function () use ( $made, $cleared ): array {
			++$this->items[1]['quantity_purchased'];
			$cleared->exchangeArray( array() );
			$this->page( null, $made->link );
			return (array) $cleared;
		};
		self::assertSame( array( 'all' ), $taken(), 'an older Breeze' );
		add_action( 'purge_post_cache', $purge );
		list( $pages ) = $taken();
		self::assertSame( array( "of $made->id", $made->link ), array_slice( $pages, 0, 2 ) );
		self::assertContains( home_url( '/registry/' ), $pages );
		$cleared->exchangeArray( array() );
		$this->rest( 'alice', 'POST', "/wp/v2/registry/$made->id", array( 'title' => 'Others' ) );
		self::assertSame( array( 'all' ), (array) $cleared, 'its name stands on other pages' );
		self::assertIsArray( $taken()[0] );

		$front = self::page_with( "[trousseau_registry id=\"$made->id\"]" );
		$this->page( null, $this->page( null, $front )->location() ?: $front );
		update_option( 'show_on_front', 'page' );
		update_option( 'page_on_front', (int) substr( $front, strlen( '/?page_id=' ) ) );
		self::assertSame( array( 'all' ), $taken(), 'the gift stands on the front page' );
	}

	public function test_each_block_has_an_example_that_asks_nobody_for_anything(): void {
		$blocks = array_filter( \WP_Block_Type_Registry::get_instance()->get_all_registered(), static fn( string $name ): bool => str_starts_with( $name, 'trousseau/' ), ARRAY_FILTER_USE_KEY );
		self::assertCount( 4, $blocks );
		$words = $this->in_request(
			'admin',
			static function (): array {
				set_current_screen( 'post' );
				do_action( 'enqueue_block_editor_assets' );
				preg_match( '/window\.trousseauEditor = (.*);$/m', implode( "\n", array_filter( (array) wp_scripts()->get_data( 'trousseau-editor', 'before' ) ) ), $found );
				return json_decode( $found[1], true );
			}
		);
		foreach ( $blocks as $name => $block ) {
			self::assertSame( array( 'isExample' => true ), $block->example['attributes'] ?? null, $name );
			self::assertMatchesRegularExpression( '/<[^>]+>\w+/', $words['examples'][ $name ], $name );
		}
		self::assertStringContainsString( '4 needed', $words['examples']['trousseau/registry'] );
		self::assertSame( array(), $this->outside->asked() );
	}

	public function test_a_request_that_has_nothing_to_do_with_lists_makes_none_of_the_plugins_objects(): void {
		$made = static fn(): array => array_keys( ( new \ReflectionProperty( Plugin::class, 'made' ) )->getValue() );
		foreach ( array( '/', get_permalink( 1 ), get_permalink( 2 ), get_category_link( 1 ), get_feed_link() ) as $address ) {
			self::assertSame( array( 200, array() ), array( $this->page( null, $address )->status, $made() ), $address );
		}
		self::assertSame( array( 200, array() ), array( $this->rest( null, 'GET', '/wp/v2/types/post' )->status, $made() ) );
		$this->page( null, '/?s=list' );
		self::assertContains( QueryFilter::class, $made(), 'a search leaves out what the visitor must not see' );
	}

	public function test_six_gifts_have_a_filter_that_works_without_a_script(): void {
		$made = $this->list_of( array( 'meta' => array( 'registry_currency' => 'EUR' ) ) );
		foreach ( array( array(), array( 'price' => 80.0 ), array( 'quantity_purchased' => 1 ), array( 'unit' => 'money', 'quantity_needed' => 20_000 ), array() ) as $n => $fields ) {
			$this->item( $made->id, array( 'name' => 'Bowl ' . ( $n + 1 ) ) + $fields );
		}
		self::assertStringNotContainsString( 'data-filter', $this->read( null, $made->link ) );
		$this->item( $made->id, array( 'name' => 'Crêpe pan' ) );
		self::assertStringContainsString( 'data-filter', $this->read( null, $made->link ) );
		$shown    = function ( string $query ) use ( $made ): array {
			$page = $this->page( null, "$made->link?gifts-of=$made->id&$query" );
			self::assertSame( 200, $page->status, $query );
			preg_match_all( '/id="trousseau-item-(\d+)"[^>]*(?<! hidden)>/', $page->text, $items );
			return array_map( 'intval', $items[1] );
		};
		$expected = array(
			'words='                 => array( 1, 2, 3, 4, 5, 6 ),
			'words=CREPE'            => array( 6 ),
			'words=bowl%205'         => array( 5 ),
			'up-to=79,90'            => array( 1, 3, 4, 5, 6 ),
			'up-to=-1&heading=*'     => array( 1, 2, 3, 4, 5, 6 ),
			'heading=Kitchen'        => array(),
			'show=needed'            => array( 1, 2, 4, 5, 6 ),
			'show=group'             => array( 4 ),
			'words[]=x&show[]=group' => array( 1, 2, 3, 4, 5, 6 ),
		);
		foreach ( $expected as $query => $ids ) {
			$found = $shown( $query );
			sort( $found );
			self::assertSame( $ids, $found, $query );
		}
	}

	private static function decoded( string $html ): string {
		return html_entity_decode( $html, ENT_QUOTES );
	}

	public function test_a_block_theme_without_templates_for_registries_shows_them_by_the_plugins(): void {
		$list = $this->list_of( array( 'content' => '<!-- wp:paragraph --><p>Our story</p><!-- /wp:paragraph -->', 'meta' => array( 'registry_event_type' => 'Housewarming' ) ) );
		$this->item( $list->id, array( 'name' => 'Copper kettle' ) );
		$is_taken  = version_compare( get_bloginfo( 'version' ), '6.7', '>=' );
		$templates = array_filter( $this->rest( 'admin', 'GET', '/wp/v2/templates?context=edit' )->json, static fn( array $one ): bool => str_ends_with( $one['slug'], '-registry' ) && $one['source'] === 'plugin' );
		self::assertEqualsCanonicalizing( $is_taken ? array( 'archive-registry', 'single-registry' ) : array(), array_column( $templates, 'slug' ) );
		self::assertSame( 1, preg_match( '/<main.*<\/main>/s', $this->page( null, $list->link )->text, $main ) );
		self::assert_each( 1, array( 'Ann & Bob</h1>', 'Housewarming', 'Our story', 'Copper kettle</h3>' ), static fn( string $words ): int => substr_count( self::decoded( $main[0] ), $words ) );
		$archive = $this->page( null, '/registry/' );
		self::assertSame( 200, $archive->status );
		self::assertStringContainsString( 'Ann & Bob</a>', self::decoded( $archive->text ) );
		if ( $is_taken ) {
			self::assertMatchesRegularExpression( '/<main.*Housewarming.*<\/main>/s', $archive->text );
		}
	}

	public function test_each_pattern_is_a_page_that_works_for_whom_it_is_made(): void {
		$this->list_of();
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
