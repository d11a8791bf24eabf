<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Admin\HealthChecks;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\SignedToken;
use Trousseau\Plugin;

/** The checks for a site's keeper under Site Health, and the facts beside them. */
final class SiteHealthTest extends WordPressTestCase {

	/** Checks that ask the service, and those that need this site alone. */
	private const OF_SERVICE = array( 'connection', 'account', 'versions', 'clock', 'reservations', 'surprises' );
	private const OF_SITE    = array( 'jobs', 'mail', 'keys', 'givers', 'uninvited', 'visitors' );

	private const UNKNOWN = array( 'versions' => 'unknown', 'clock' => 'unknown', 'reservations' => 'unknown', 'surprises' => 'unknown' );

	protected function setUp(): void {
		parent::setUp();
		$this->outside->answer( 'GET /health', array( 'status' => 'healthy', 'service' => 'trousseau-api' ) );
		$this->outside->answer( 'GET /registries?skip=0&limit=1' );
		$this->service_says();
	}

	private static function version(): string {
		return get_file_data( WP_PLUGIN_DIR . '/trousseau/trousseau.php', array( 'Version' ) )[0];
	}

	/** Sets the facts that the service tells about itself; an empty text stands for a fact that it leaves out. */
	private function service_says( array $also = array() ): void {
		$told = array_filter(
			$also + array(
				'version'           => self::version(),
				'time'              => self::ago( 0 ),
				'item_access'       => 'registry',
				'claims_expired_at' => self::ago( 0 ),
			),
			static fn( mixed $value ): bool => $value !== ''
		);
		$this->outside->answer( 'GET /status', $told );
	}

	private static function ago( int $seconds ): string {
		return gmdate( 'Y-m-d\TH:i:s.000\Z', time() - $seconds );
	}

	/** The result of a check in WordPress's form, with its text. */
	private function result( string $check ): object {
		$run    = static function () use ( $check ): array {
			$tests = apply_filters( 'site_status_tests', array( 'direct' => array(), 'async' => array() ) );
			return call_user_func( $tests['direct'][ "trousseau_$check" ]['test'] ?? $tests['async'][ "trousseau_$check" ]['async_direct_test'] );
		};
		$result = (object) $this->in_request( 'admin', $run );
		self::assertSame( "trousseau_$check", $result->test );
		$result->text   = html_entity_decode( wp_strip_all_tags( $result->description ), ENT_QUOTES );
		$result->status = str_starts_with( $result->label, 'Not known yet' ) ? 'unknown' : $result->status;
		return $result;
	}

	/** @return array<string, string> Check → urgency, of all that isn't well. */
	private function not_well(): array {
		$checks = array( ...self::OF_SERVICE, ...self::OF_SITE );
		$found  = array_combine( $checks, array_map( fn( string $check ): string => $this->result( $check )->status, $checks ) );
		return array_filter( $found, static fn( string $status ): bool => $status !== 'good' );
	}

	public function test_find_nothing_wrong_on_a_sound_site_except_an_account_that_may_do_everything(): void {
		self::assertSame( array( 'account' => 'recommended' ), $this->not_well() );
		self::assertStringContainsString( 'an administrator’s', $this->result( 'account' )->text );
		self::assertMatchesRegularExpression( '/The plugin’s version is \d.*the service’s \d.*WordPress’s \d.*PHP’s \d/', $this->result( 'versions' )->text );
		$titles = array_map( fn( string $check ): string => $this->result( $check )->label, array( ...self::OF_SERVICE, ...self::OF_SITE ) );
		self::assertSame( $titles, array_unique( $titles ) );
		$this->in_request( 'admin', static fn() => self::call( 'site-health.make_account' ) );
		self::assertSame( array(), $this->not_well() );
		get_role( 'trousseau_service' )->remove_cap( 'delete_others_registries' );
		$lacking = $this->result( 'account' );
		self::assertSame( 'critical', $lacking->status );
		self::assertStringContainsString( 'delete_others_registries', $lacking->text );
	}

	/** @return array<string, array{0: array<string, mixed>, 1: array<string, string>, 2: string, 3: string}> What the service says, what is found, a check, its words. */
	public function faults(): array {
		return array(
			'nothing'                       => array( array(), array(), 'clock', '' ),
			'another minor version'         => array( array( 'version' => '99.9.3' ), array( 'versions' => 'recommended' ), 'versions', 'same minor version' ),
			'another patch'                 => array( array( 'version' => preg_replace( '/\d+$/D', '77', self::version() ) ), array(), 'versions', '' ),
			'a fast clock'                  => array( array( 'time' => 400 ), array( 'clock' => 'recommended', 'reservations' => 'critical' ), 'clock', 'NTP' ),
			'all of it late'                => array( array( 'time' => -300, 'claims_expired_at' => -310 ), array( 'clock' => 'recommended' ), 'clock', 'NTP' ),
			'reservations that do not end'  => array( array( 'claims_expired_at' => -400 ), array( 'reservations' => 'critical' ), 'reservations', 'expire claims' ),
			'reservations that never ended' => array( array( 'claims_expired_at' => null ), array( 'reservations' => 'critical' ), 'reservations', 'restart it' ),
			'gifts for everybody'           => array( array( 'item_access' => 'authenticated' ), array( 'surprises' => 'critical' ), 'surprises', 'ITEM_ACCESS=registry' ),
			'no version'                    => array( array( 'version' => '' ), self::UNKNOWN, 'versions', '' ),
		);
	}

	/** @dataProvider faults */
	public function test_find_what_is_wrong_with_the_service_which_says_it_itself( array $says, array $expected, string $check, string $cure ): void {
		self::call( 'site-health.make_account' );
		$this->service_says( array_map( static fn( mixed $value ): mixed => is_int( $value ) ? self::ago( -$value ) : $value, $says ) );
		self::assertSame( $expected, $this->not_well() );
		if ( $cure !== '' ) {
			self::assertStringContainsString( $cure, $this->result( $check )->text );
		} else {
			self::assertSame( 1, substr_count( $this->result( $check )->description, '<p>' ), 'no cure' );
		}
	}

	private function send( string $to ): void {
		self::call( 'send_mail', $to, 'my-gifts', array( 'link' => home_url() ) );
	}

	public function test_find_mails_that_dont_leave_and_say_why_without_anybodys_address(): void {
		self::assertStringContainsString( 'No emails to send yet', $this->result( 'mail' )->text );
		$this->send( 'ann@example.org' );
		self::assertCount( 1, $this->sent() );
		self::assertMatchesRegularExpression( '/The last one was sent (?:a moment ago|\d minutes? ago)/', $this->result( 'mail' )->text );

		$this->send( 'ben@example.org' );
		$GLOBALS['wpdb']->query( "UPDATE {$GLOBALS['wpdb']->prefix}trousseau_jobs SET run_at = " . 1000 * ( time() - 3 * HOUR_IN_SECONDS ) . " WHERE handler = 'mail'" );
		$late = $this->result( 'mail' );
		self::assertSame( 'critical', $late->status );
		self::assertStringContainsString( 'should have been sent 3 hours ago', $late->text );

		$refuse = static function (): bool {
			do_action( 'wp_mail_failed', new \WP_Error( 'wp_mail_failed', 'Refused: <aunt@example.org> is unknown' ) );
			return false;
		};
		add_filter( 'pre_wp_mail', $refuse );
		$this->run_later( 'mail' );
		$refused = $this->result( 'mail' );
		self::assertSame( 'recommended', $refused->status );
		self::assertMatchesRegularExpression( '/^1 email couldn’t be sent yet.* Refused: <…> is unknown/', $refused->text );
		// The mail is tried six times, each when it is due.
		for ( $tries = 1; $tries < 7; ++$tries ) {
			$this->run_later( 'mail' );
		}
		$failed = $this->result( 'mail' );
		self::assertSame( 'critical', $failed->status );
		self::assertMatchesRegularExpression( '/^1 email to a guest or owner couldn’t be sent.* Refused: <…> is unknown/', $failed->text );
		remove_filter( 'pre_wp_mail', $refuse );
		$GLOBALS['wpdb']->query( "UPDATE {$GLOBALS['wpdb']->prefix}trousseau_jobs SET failed_at = failed_at - 2000 WHERE failed_at > 0" );
		$this->send( 'cem@example.org' );
		$this->run_jobs( 'mail' );
		self::assertSame( 'good', $this->result( 'mail' )->status );
	}

	public function test_find_tasks_that_do_not_run_but_not_those_of_a_feature_that_is_no_longer_there(): void {
		$queue = Plugin::get( JobQueue::class );
		$late  = time() - 3 * HOUR_IN_SECONDS;
		$queue->add( 'of-a-deleted-feature', null, $late, 'all' );
		$this->run_later( 'digest' );
		self::assertSame( 'good', $this->result( 'jobs' )->status );
		self::assertGreaterThan( time(), (int) $queue->next_at( ...array_keys( Plugin::parts( JobHandler::class ) ) ) );
		$queue->add( 'picture', null, $late, 'late' );
		self::assertStringContainsString( 'Tasks should have run 3 hours ago', $this->result( 'jobs' )->text );
	}

	public function test_find_a_daily_round_that_does_not_come_and_tell_no_keeper_who_may_be_an_owner_with_a_surprise_how_much_is_reserved(): void {
		$this->registry( 'admin', array( 'title' => 'Of the keeper', 'status' => 'private', 'meta' => array( 'registry_surprise_until' => 'always' ) ) );
		$before = $this->admin_page( 'admin', 'options-general.php', 'trousseau' );
		foreach ( array( 12, 14 ) as $days ) {
			self::call( 'send_mail', 'ann@example.org', 'claim-reminder', array(), time() + $days * DAY_IN_SECONDS );
		}
		$this->send( 'ann@example.org' );
		self::assertSame( $before, $this->admin_page( 'admin', 'options-general.php', 'trousseau' ) );
		self::assertStringContainsString( 'kept for 12 months after the event', $this->result( 'givers' )->text );
		self::call( 'keep_value', 'forgotten_at', time() - 3 * DAY_IN_SECONDS );
		$late = $this->result( 'givers' );
		self::assertSame( array( 'recommended', 2 ), array( $late->status, substr_count( $late->description, '<p>' ) ) );
		self::call( 'keep_value', 'forgotten_at', time() );
		update_option( 'trousseau_keep_givers', '0' );
		self::assertStringContainsString( 'for as long as the service exists', $this->result( 'givers' )->text );
	}

	public function test_find_a_proxy_that_the_site_is_not_told_about_and_know_nothing_of_a_service_that_is_older_than_the_plugin_or_away(): void {
		$found = function ( array $headers ): string {
			$run = static function () use ( $headers ): array {
				$_SERVER = $headers + $_SERVER;
				return Plugin::get( HealthChecks::class )->find( 'visitors' );
			};
			return implode( ' ', $this->in_request( 'admin', $run ) );
		};
		foreach ( array( 'X-Forwarded-For' => '203.0.113.7, 10.0.0.1', 'CF-Connecting-IP' => '203.0.113.7', 'Forwarded' => 'for="[2001:db8::7]"' ) as $name => $value ) {
			$header = 'HTTP_' . strtoupper( strtr( $name, '-', '_' ) );
			self::assertMatchesRegularExpression( "/^recommended .* $name, .* trousseau_visitor_address/", $found( array( $header => $value ) ) );
		}
		self::assertStringStartsWith( 'good ', $found( array( 'HTTP_X_FORWARDED_FOR' => '203.0.113.7', 'REMOTE_ADDR' => '203.0.113.7' ) ), 'the web server reads it' );
		add_filter( 'trousseau_visitor_address', static fn( string $address ): string => $_SERVER['HTTP_CF_CONNECTING_IP'] ?? $address );
		self::assertStringStartsWith( 'good ', $found( array( 'HTTP_CF_CONNECTING_IP' => '203.0.113.7' ) ), 'the filter reads it' );
		self::call( 'site-health.make_account' );
		$this->outside->answer( 'GET /status', array( 'detail' => 'No' ), 404 );
		self::assertSame( self::UNKNOWN, $this->not_well() );
		$this->outside->answer( 'GET /*', new \WP_Error( 'http_request_failed', 'away' ) );
		self::assertSame( array( 'connection' => 'critical', 'account' => 'unknown' ) + self::UNKNOWN, $this->not_well() );
	}

	public function test_find_many_people_who_give_from_one_address_but_never_by_the_gifts_of_a_surprise(): void {
		$this->outside->answer( 'GET /registries/*/items', static fn( array $request ): array => array( array( 'id' => 1, 'registry_id' => (int) explode( '/', $request['path'] )[2], 'name' => 'Pan', 'url' => 'https://shop.example/1', 'quantity_needed' => 99, 'quantity_purchased' => 0 ) ) );
		$this->outside->answer( 'GET /claims*' );
		$this->outside->answer( 'POST *', array( 'detail' => 'busy' ), 503 );
		$lists = array(
			'good'        => $this->registry( 'admin', array( 'title' => 'Ours', 'status' => 'publish', 'meta' => array( 'registry_surprise_until' => 'always' ) ) ),
			'recommended' => $this->registry( 'alice', array( 'title' => 'Hers', 'status' => 'publish', 'meta' => array( 'registry_surprise_until' => 'always' ) ) ),
		);
		foreach ( $lists as $status => $list ) {
			foreach ( array( 0, ...range( 0, 15 ) ) as $guest ) {
				self::assertSame( 'good', $this->result( 'visitors' )->status );
				$form = array( 'do' => 'give', 'giver' => 'Ann', 'email' => "guest$guest@example.org", 'state' => 'reserved', 'since' => SignedToken::sign( 'form', (string) ( time() - 60 ) ) );
				$this->page( null, "/registries/$list->id/give/?item=1", server: array( 'REMOTE_ADDR' => "2001:db8:$list->id::1" ), form: $form );
			}
			self::assertSame( $status, $this->result( 'visitors' )->status );
		}
		self::assertStringContainsString( 'more than 15 people', $this->result( 'visitors' )->text );
	}

	public function test_stand_under_site_health_for_users_who_may_see_it(): void {
		$this->in_request( 'admin', static fn() => self::call( 'site-health.make_account' ) );
		$slow = array( ...self::OF_SERVICE, 'page_cache' );

		$ours = static fn( array $tests ): array => array_values( preg_grep( '/^trousseau_/', array_map( 'strval', array_keys( $tests ) ) ) );
		$all  = array_map( $ours, $this->in_request( 'admin', static fn(): array => \WP_Site_Health::get_instance()->get_tests() ) );
		self::assertSame( array( preg_filter( '/^/', 'trousseau_', self::OF_SITE ), preg_filter( '/^/', 'trousseau_', $slow ) ), array( $all['direct'], $all['async'] ) );
		foreach ( $slow as $name ) {
			$path = "/trousseau/v1/checks/$name";
			self::assertSame( array( 401, 403 ), array( $this->rest( null, 'GET', $path )->status, $this->rest( 'alice', 'GET', $path )->status ) );
		}
		foreach ( self::OF_SERVICE as $name ) {
			$answer = $this->rest( 'admin', 'GET', "/trousseau/v1/checks/$name" );
			self::assertSame( array( 200, 'good', "trousseau_$name" ), array( $answer->status, $answer->json['status'], $answer->json['test'] ), $answer->text );
			self::assertMatchesRegularExpression( '/^<p>.*<\/p>$/s', $answer->json['description'] );
		}
		self::assertSame( 404, $this->rest( 'admin', 'GET', '/trousseau/v1/checks/mail' )->status );
	}
}
