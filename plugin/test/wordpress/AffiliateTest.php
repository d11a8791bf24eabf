<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Affiliate\AffiliateRound;
use Trousseau\Affiliate\AffiliateScreen;
use Trousseau\Affiliate\ShopClicks;
use Trousseau\Platform\KeptValues;
use Trousseau\Plugin;

/** Affiliate links by shop: rules, the rounds behind the pages, dead links and the numbers. affiliate.test.ts has the network and the browser. */
final class AffiliateTest extends ListTestCase {

	private const SHOP = '93.184.216.34';
	private const TAG  = '?tag=me-21';

	protected function setUp(): void {
		parent::setUp();
		$this->begin( array(), 'publish' );
		$this->outside->answer( 'GET /items?*', function ( array $request ): array {
			parse_str( (string) wp_parse_url( $request['path'], PHP_URL_QUERY ), $query );
			return array_slice( array_reverse( $this->service->items ), (int) $query['skip'], (int) $query['limit'] );
		} );
		$this->outside->answer( 'PUT /registries/*/items/*/affiliate', fn( array $request ): array => $this->link( (int) explode( '/', $request['path'] )[4], $request['body'] ) );
		$this->outside->answer( 'DELETE /registries/*/items/*/affiliate', fn( array $request ): Answer => new Answer( 204, '', array(), $this->link( (int) explode( '/', $request['path'] )[4] ) ) );
	}

	private function link( int $item, array $link = array() ): array {
		$this->service->items[ $item ] = $link + array( 'affiliate_url' => null, 'affiliate_status' => null ) + $this->service->items[ $item ];
		return array();
	}

	private function gift( string $url ): int {
		$id = $this->service->add( $this->list->id, array( 'name' => 'Pan', 'url' => $url ) )->json['data']['id'];
		$this->link( $id );
		return $id;
	}

	private function link_of( int $item ): array {
		return array( $this->service->items[ $item ]['affiliate_url'], $this->service->items[ $item ]['affiliate_status'] );
	}

	private function round(): void {
		$pieces = 0;
		while ( self::call( 'kept_value', AffiliateRound::STATE ) && ++$pieces < 50 ) {
			$this->run_later( 'affiliate-round' );
		}
		self::assertNull( self::call( 'kept_value', AffiliateRound::STATE ) );
	}

	private function screen_of( string $shop = '', string $path = '' ): string {
		return html_entity_decode( $this->printed( 'admin', static fn() => Plugin::get( AffiliateScreen::class )->show(), $path ?: '/wp-admin/edit.php?post_type=registry&page=trousseau-affiliate&shop=' . rawurlencode( $shop ) ), ENT_QUOTES );
	}

	private function press( array $fields, ?string $nonce = null ): string {
		$answer = $this->admin_post( 'admin', AffiliateScreen::ACTION, $fields, $nonce );
		self::assertSame( 303, $answer->status );
		return $this->screen_of( path: substr( $answer->location(), strlen( home_url() ) ) );
	}

	private function set_rule( string $template = self::TAG, string $shop = self::SHOP ): string {
		return $this->press( compact( 'shop', 'template' ) + array( 'was' => '' ) );
	}

	public function test_only_an_administrator_makes_rules_what_cannot_be_used_stays_in_its_field_with_the_reason_and_an_account_without_rights_at_the_service_is_reported(): void {
		self::assertSame( 403, $this->admin_post( 'alice', AffiliateScreen::ACTION, array( 'shop' => self::SHOP, 'template' => self::TAG ) )->status );
		$late = $this->press( array( 'shop' => self::SHOP, 'template' => self::TAG ), 'another form' );
		self::assertStringContainsString( 'This form was open for too long, so nothing was saved', $late );
		$faulty = $this->set_rule( 'https://p.example/"><b>', 'not a shop' );
		self::assert_shows( array( 'Enter the shop’s address, such as shop.example', 'The link needs {url}', 'value="not a shop"', 'aria-invalid="true"' ), $faulty );
		self::assertFalse( get_option( 'trousseau_affiliate_rules' ) );
		$this->outside->answer( 'GET /items?*', array( array( 'id' => 5, 'registry_id' => 1, 'name' => 'Pan', 'url' => 'https://' . self::SHOP . '/pan' ) ) );
		$this->set_rule();
		$this->run_later( 'affiliate-round' );
		self::assertStringContainsString( 'ADMIN_ROLES', self::call( 'kept_value', AffiliateRound::STATE )['trouble'] );
	}

	public function test_a_rule_makes_the_links_of_a_shop_behind_the_pages_changes_and_ends_them_and_leaves_owners_own_alone(): void {
		$at   = static fn( string $path ): string => 'https://' . self::SHOP . $path;
		$long = $at( '/' . str_repeat( 'long/', 100 ) );

		list( $pan, $pot, $own, $cup, $far ) = array_map( array( $this, 'gift' ), array( $at( '/pan' ), 'https://other.example/pot', $at( '/own' ), $at( '/cup?size=2' ), $long ) );

		$this->link( $own, array( 'affiliate_url' => 'https://mine.example/own', 'affiliate_status' => 'active' ) );
		$links = fn(): array => array_map( array( $this, 'link_of' ), array( $pan, $pot, $own, $cup, $far ) );
		$to    = static fn( string $url ): string => 'https://p.example/?id=7&to=' . rawurlencode( $url );

		$saved = $this->set_rule( 'https://p.example/?id=7&to={url}', $at( '' ) );
		self::assertMatchesRegularExpression( '/notice-success.*The links to 93\.184\.216\.34 are being created.*The links are being updated/s', $saved );
		self::assertSame( array( null, null ), $this->link_of( $pan ), 'nobody waits for it' );
		$this->round();
		$none  = array( null, null );
		$owner = array( 'https://mine.example/own', 'active' );
		self::assertSame( array( array( $to( $at( '/pan' ) ), 'active' ), $none, $owner, array( $to( $at( '/cup?size=2' ) ), 'active' ), array( $to( $long ), 'active' ) ), $links() );
		self::assertMatchesRegularExpression( '/93\.184\.216\.34.*?data-colname="Gifts">4.*?data-colname="Links">4/s', $this->screen_of() );

		$jug = $this->gift( $at( '/jug' ) );
		$this->page( null, $this->list->link );
		$this->run_later( 'affiliate-registry' );
		self::assertSame( array( $to( $at( '/jug' ) ), 'active' ), $this->link_of( $jug ) );

		$this->service->items[ $cup ]['affiliate_status'] = 'inactive';
		$this->press( array( 'shop' => self::SHOP, 'was' => self::SHOP, 'template' => self::TAG ) );
		$this->round();
		self::assertSame( array( array( $at( '/pan' . self::TAG ), 'active' ), $none, $owner, array( $at( '/cup?size=2&tag=me-21' ), 'inactive' ), array( $long . self::TAG, 'active' ) ), $links() );
		self::assertStringContainsString( 'are being removed', $this->press( array( 'do' => 'end', 'shop' => self::SHOP ) ) );
		$this->round();
		self::assertSame( array( $none, $none, $owner, $none, $none ), $links() );
	}

	public function test_a_dead_link_is_found_replaced_by_the_owners_address_named_and_back_when_the_page_is(): void {
		$at    = static fn( string $path ): string => 'http://' . self::SHOP . $path;
		$items = array_map( fn( string $path ): int => $this->gift( $at( $path ) ), array( '/here', '/away', '/wall', '/moved', '/away' ) );
		foreach ( array( '/here' => 200, '/away' => 404, '/wall' => 403, '/gone' => 404 ) as $path => $status ) {
			$this->outside->answer( "GET {$at( $path )}*", 'A page', $status );
		}
		$this->outside->answer( "GET {$at( '/moved' )}*", '', 302, array( 'location' => $at( '/gone' ) ) );
		$this->set_rule();
		$this->round();
		$states = fn(): array => array_map( fn( int $item ): string => $this->link_of( $item )[1], $items );
		self::assertSame( array_fill( 0, 5, 'active' ), $states() );

		$this->outside->requests = array();
		self::assertStringContainsString( 'are being checked', $this->press( array( 'do' => 'check', 'shop' => self::SHOP ) ) );
		$this->round();
		self::assertSame( array( 'active', 'expired', 'active', 'expired', 'expired' ), $states() );
		self::assertCount( 1, preg_grep( "#^GET {$at( '/away' )}#", $this->outside->asked() ), 'the same link once' );
		$shown = $this->screen_of( self::SHOP );
		self::assert_shows( array( "registries/{$this->list->id}/gifts/", '<dt>Broken links</dt><dd>3</dd>', '<dt>Could not be checked</dt><dd>1</dd>' ), $shown );
		self::assertStringContainsString( "href=\"{$at( '/away' )}\"", $this->read( null, $this->list->link ), 'guests go by the owner’s address' );

		$this->outside->answer( "GET {$at( '/away' )}*", 'A page' );
		$this->press( array( 'do' => 'check' ) );
		$this->round();
		self::assertSame( array( 'active', 'active', 'active', 'expired', 'active' ), $states() );
	}

	public function test_the_days_round_checks_the_links_of_all_shops_once_a_week(): void {
		$link = 'http://' . self::SHOP . '/pan';
		$item = $this->gift( $link );
		$this->outside->answer( "GET $link*", 'A page', 404 );
		$this->set_rule();
		$this->round();
		$next_day = function () use ( $item ): string {
			$this->run_later( 'affiliate-round' );
			$this->round();
			return $this->link_of( $item )[1];
		};
		self::assertSame( array( 'active', 'expired' ), array( $this->link_of( $item )[1], $next_day() ), 'nobody has checked it before' );
		$this->outside->answer( "GET $link*", 'A page' );
		self::assertSame( 'expired', $next_day(), 'it was checked a day ago' );
		Plugin::get( KeptValues::class )->set( AffiliateRound::FOUND, array( 'checked' => time() - WEEK_IN_SECONDS ) + self::call( 'kept_value', AffiliateRound::FOUND ) );
		self::assertSame( 'active', $next_day() );
	}

	public function test_shops_that_owners_invent_by_the_thousand_do_not_stop_the_round(): void {
		foreach ( range( 0, 2999 ) as $n ) {
			$this->service->items[ $n ] = array( 'id' => 6001 + $n, 'registry_id' => 1, 'name' => 'x', 'url' => 'https://' . ( $n % 2 ? 'ruled.example' : "shop$n.example" ) . '/x', 'affiliate_url' => 'https://own.example/', 'affiliate_status' => 'inactive' );
		}
		$this->set_rule( '?a=b', 'ruled.example' );
		$this->round();
		$shops = self::call( 'kept_value', AffiliateRound::FOUND )['shops'];
		self::assertSame( array( 1000, 1500 ), array( count( $shops ), $shops['ruled.example']['gifts'] ) );
		self::assertGreaterThanOrEqual( 2499, array_sum( array_column( $shops, 'gifts' ) ) );
	}

	public function test_an_interrupted_round_goes_on_where_it_was_and_looks_at_every_item_once(): void {
		$items = array_map( fn( int $n ): int => $this->gift( 'https://' . self::SHOP . "/$n" ), range( 0, 129 ) );
		$this->set_rule();
		$left = 30;
		$this->outside->answer(
			'PUT /registries/*/items/*/affiliate',
			function ( array $request ) use ( &$left ): mixed {
				return --$left < 0 ? new \WP_Error( 'down', 'it is down' ) : $this->link( (int) explode( '/', $request['path'] )[4], $request['body'] );
			}
		);
		$this->run_later( 'affiliate-round' );
		self::assertMatchesRegularExpression( '/notice-warning.*try again in a few minutes: it is down/s', $this->screen_of() );
		$made = fn(): int => count( array_filter( $items, fn( int $item ): bool => ( $this->service->items[ $item ]['affiliate_status'] ?? '' ) === 'active' ) );
		self::assertSame( 30, $made() );
		unset( $this->service->items[ $items[129] ] );
		foreach ( array( 900, 901, 902 ) as $newer ) {
			$this->service->items[ $newer ] = array( 'id' => $newer ) + $this->service->items[ $items[0] ];
		}
		$left = PHP_INT_MAX;
		$this->round();
		self::assertSame( 129, $made() );
		self::assertSame( array( null, null ), $this->link_of( 900 ) );
		$found = self::call( 'kept_value', AffiliateRound::FOUND )['shops'][ self::SHOP ];
		self::assertSame( array( 130, 130 ), array( $found['gifts'], $found['links'] ), 'each is counted once' );
	}

	public function test_follows_of_links_are_counted_by_shop_and_month_and_nothing_else_about_them_is_kept(): void {
		$item = $this->gift( 'https://' . self::SHOP . '/pan' );
		$this->set_rule();
		$this->round();
		$this->page( null, $this->list->link );
		$names  = static fn(): array => preg_grep( '/^lock_/', array_column( self::call( 'rows', 'trousseau_values' ), 'name' ), PREG_GREP_INVERT );
		Plugin::get( KeptValues::class )->set( 'followed_' . gmdate( 'Y-m', strtotime( 'first day of -12 months' ) ) . '_' . self::SHOP, 7, DAY_IN_SECONDS );
		$before = $names();
		$go     = "/?trousseau_go=$item&registry={$this->list->id}";
		$here   = array( 'HTTP_SEC_FETCH_SITE' => 'same-origin' );
		foreach ( array( $here, $here, array( 'HTTP_SEC_FETCH_SITE' => 'none' ), $here + array( 'HTTP_SEC_PURPOSE' => 'prefetch' ), $here + array( 'REQUEST_METHOD' => 'HEAD' ) ) as $server ) {
			$this->page( null, $go, server: $server );
		}
		$month = gmdate( 'Y-m' );
		self::assertSame( array( self::SHOP => array( $month => 2 ) ), Plugin::get( ShopClicks::class )->all() );
		self::assertSame( array( 'followed_' . $month . '_' . self::SHOP ), array_values( array_diff( $names(), $before ) ) );
		self::assertStringContainsString( '<dt>Clicks this month</dt><dd>2</dd>', $this->screen_of( self::SHOP ) );
	}
}
