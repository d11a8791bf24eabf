<?php
/**
 * Functions of setup.php that need the plugin. Tests name no class of the plugin's; only this file and those in
 * plugin/test/fixtures do. `$call` calls a function of setup.php, also from there.
 */

use Trousseau\Admin\HealthChecks;
use Trousseau\Affiliate\AffiliateRound;
use Trousseau\Affiliate\AffiliateRule;
use Trousseau\Affiliate\AffiliateRules;
use Trousseau\Service\ApiClient;
use Trousseau\Service\ItemService;
use Trousseau\Admin\ConnectionTest;
use Trousseau\Admin\ServiceAccount;
use Trousseau\Giving\Claims;
use Trousseau\Guests\Invitations;
use Trousseau\Platform\Cookie;
use Trousseau\Platform\Tables;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\JobRunner;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Lock;
use Trousseau\Platform\Mail;
use Trousseau\Platform\Settings;
use Trousseau\Platform\SignedToken;
use Trousseau\Plugin;

return array(
	'sign'               => static fn( string $purpose, string $text ) => SignedToken::sign( $purpose, $text ),
	'read_signed'        => static fn( string $purpose, string $text ) => SignedToken::read( $purpose, $text ),
	'seal'               => static fn( string $purpose, string $text ) => SignedToken::seal( $purpose, $text ),
	'guest_link'         => static fn( int $registry, string $email ) => Plugin::get( Invitations::class )->link( get_post( $registry ), $email ),
	'claim_link'         => static fn( string $claim, bool $confirms = false ) => Claims::link( $claim, $confirms ),
	// Does the site's work of these kinds only: the jobs that are due, and daily work in any case.
	'run_jobs'           => static function ( string ...$kinds ): void {
		$queue    = Plugin::get( JobQueue::class );
		$handlers = array_intersect_key( Plugin::parts( JobHandler::class ), array_flip( $kinds ) );
		foreach ( $handlers as $kind => $handler ) {
			if ( $handler::EVERY ) {
				$queue->add( $kind, null, 1, 'all' );
			}
		}
		( new JobRunner( Plugin::get( Tables::class ), $queue, $handlers ) )->run( 10 * JobRunner::SECONDS );
	},
	// Makes the jobs of a kind within the next days due, and releases those that a process has claimed.
	'make_due'           => static function ( string $kind, float $days = 1000 ): void {
		$wpdb = $GLOBALS['wpdb'];
		$wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->prefix}trousseau_jobs SET run_at = 1, claimed_until = 0 WHERE handler = %s AND run_at <= %d", $kind, (int) ( 1000 * ( time() + $days * DAY_IN_SECONDS ) ) ) );
	},
	'send_waiting_mails' => static function () use ( $call ): void {
		$call( 'make_due', 'mail' );
		$call( 'run_jobs', 'mail' );
	},
	'kept_value'         => static fn( string $name ) => Plugin::get( KeptValues::class )->get( $name, true ),
	'keep_value'         => static fn( string $name, mixed $value, int $seconds = 0 ) => Plugin::get( KeptValues::class )->set( $name, $value, $seconds ),
	'forget_values'      => static function ( string $beginning ): void {
		$wpdb = $GLOBALS['wpdb'];
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->prefix}trousseau_values WHERE name LIKE %s", $wpdb->esc_like( $beginning ) . '%' ) );
		wp_cache_flush();
	},
	'add_job'            => static fn( string $kind, mixed $payload = null, int $at = 0, string $key = '' ) => Plugin::get( JobQueue::class )->add( $kind, $payload, $at, $key ),
	'delete_jobs'        => static fn( string $kind ) => $GLOBALS['wpdb']->delete( "{$GLOBALS['wpdb']->prefix}trousseau_jobs", array( 'handler' => $kind ) ),
	// Makes values with this prefix expire so many seconds earlier.
	'age_values'         => static function ( string $beginning, int $seconds, int $most ): void {
		$wpdb = $GLOBALS['wpdb'];
		$wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->prefix}trousseau_values SET expires_at = expires_at - %d WHERE name LIKE %s LIMIT %d", 1000 * $seconds, $wpdb->esc_like( $beginning ) . '%', $most ) );
	},
	// Gives the site the service's address, and an account that the service believes.
	'join_service'       => static function ( string $url ): void {
		update_option( Settings::BASE_URL, $url );
		$account = ServiceAccount::named( Settings::value( Settings::USERNAME ) ) ?? Plugin::get( ServiceAccount::class )->make();
		if ( is_wp_error( $account ) ) {
			throw new RuntimeException( 'WordPress has no account for the service: ' . $account->get_error_message() );
		}
	},
	// Sets affiliate rules by shop, and starts applying them to existing links.
	'affiliate'          => static function ( array $rules ): void {
		$all = AffiliateRules::of_site();
		foreach ( $rules as $shop => $rule ) {
			$all->set( new AffiliateRule( $shop, $rule ) );
		}
		Plugin::get( AffiliateRound::class )->begin();
	},
	// The plugin's cookie with this value, as a browser sends it.
	'cookie'             => static fn( string $name, string $value ) => Cookie::header( $name, $value ),
	// The cookie's value in this request.
	'read_cookie'        => static fn( string $name ) => Plugin::get( Cookie::class )->read( $name ),
	// The findings of the plugin's checks by name.
	'findings'           => static fn() => Plugin::get( HealthChecks::class )->find_all(),
	'finding'            => static fn( string $check ) => Plugin::get( HealthChecks::class )->find( $check ),
	'forget_locks'       => static function ( string ...$names ): void {
		foreach ( $names as $name ) {
			Plugin::get( Lock::class )->forget( $name );
		}
	},
	'send_mail'          => static fn( string $to, string $template, array $values = array(), int $at = 0, array $only = array() ) => Plugin::get( Mail::class )->send( $to, $template, $values, $at, $only ),
	'refuse_mail'        => static function ( string ...$addresses ): void {
		foreach ( $addresses as $address ) {
			Plugin::get( Mail::class )->refuse( $address );
		}
	},
	// Returns how many emails to an address may be sent when requested from these networks.
	'mails_that_may_go'  => static function ( string $address, string $template, int ...$networks ): int {
		$count = 0;
		foreach ( $networks as $network ) {
			$_SERVER['REMOTE_ADDR'] = "192.0.2.$network";
			$count                 += count( Plugin::get( Mail::class )->may_go( array( $address ), $template ) );
		}
		return $count;
	},
	// Calls the service as the site does, or with another address, key, name and password.
	'api'                => static function ( ?array $client, string $method, mixed ...$arguments ): mixed {
		$api    = $client ? new ApiClient( ...$client ) : ApiClient::of_site();
		$answer = method_exists( $api, $method ) ? $api->$method( ...$arguments ) : $api->ask( static fn( ItemService $service ): mixed => $service->$method( ...$arguments ) );
		return ! is_wp_error( $answer ) ? $answer : array(
			'error'   => $answer->get_error_code(),
			'message' => $answer->get_error_message(),
			'data'    => $answer->get_error_data(),
		);
	},
	'repair_order'       => static fn( int $registry ) => Plugin::get( ItemService::class )->get_registry( $registry ),
	'test_connection'    => static fn() => Plugin::get( ConnectionTest::class )->run(),
);
