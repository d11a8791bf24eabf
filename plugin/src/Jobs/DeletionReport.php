<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\ChangeNotice;
use Trousseau\Registry\PostType;
use Trousseau\Service\GiftCache;
use Trousseau\Service\ItemService;
use Trousseau\Support\RateLimiter;
use WP_Post;
use WP_REST_Request;

/**
 * Registries that this site has deleted: their items are the service's, which is told. Each is noted in the database until
 * the service has heard of it, so that one that was away at that moment learns of it later.
 */
final class DeletionReport {

	/** An event that tells what is still noted. */
	public const RETRY = 'trousseau_tell_deletions';

	private const NOTE = 'trousseau_deleted_';

	/**
	 * Registries at which the service asked this site to look, and since when the site knows that each is gone. Anybody can
	 * ask, so their number is limited, at a time and in an hour.
	 */
	private const ASKED        = 'trousseau_asked_for';
	private const MOST_ASKED   = 100;
	private const MOST_AN_HOUR = 600;

	/** Seconds after which what was gone is still gone: a copy of the database that is put back comes row by row. */
	private const GONE_FOR = HOUR_IN_SECONDS;

	/** Seconds for telling, all registries together: behind an answer, and where nobody waits. */
	private const PATIENCE      = 1.0;
	private const PATIENCE_CRON = 20.0;

	/** How many are told at a time, and seconds until the next ones are, or these again. */
	private const BATCH = 20;
	private const PAUSE = 5 * MINUTE_IN_SECONDS;

	/** @var int[] Those of this request. */
	private static array $deleted = array();

	public static function note( int $id, WP_Post $post ): void {
		if ( $post->post_type !== PostType::NAME ) {
			return;
		}
		GiftCache::forget( $id );
		ChangeNotice::forget( $id );
		AffiliateUpdate::forget( $id );
		if ( ! ItemService::of_site()->is_configured() ) {
			return;
		}
		GiverRetention::note_gone( $id );
		add_option( self::NOTE . $id, (string) time(), '', false );
		if ( ! self::$deleted ) {
			// Should this request end before it has told.
			wp_schedule_single_event( time() + MINUTE_IN_SECONDS, self::RETRY );
		}
		// Another site of the network tells its own service: there the number may be somebody else's.
		if ( ! is_multisite() || ! ms_is_switched() ) {
			self::$deleted[] = $id;
		}
	}

	/**
	 * The service asks, without credentials, whether a registry is gone. The answer is the same for every number: the site
	 * looks later, and deletes at the service the registries that it doesn't have.
	 */
	public static function register_route(): void {
		register_rest_route(
			'trousseau/v1',
			'/registries/(?P<id>[1-9]\d{0,15})/look',
			array(
				'methods'             => 'POST',
				'permission_callback' => '__return_true',
				'callback'            => static function ( WP_REST_Request $request ): array {
					self::look_later( (int) $request['id'] );
					return array( 'asked' => true );
				},
			)
		);
	}

	private static function look_later( int $id ): void {
		$asked = self::asked();
		if ( isset( $asked[ $id ] ) || count( $asked ) >= self::MOST_ASKED || ! ItemService::of_site()->is_configured() || ! RateLimiter::allows( 'look', '', self::MOST_AN_HOUR, HOUR_IN_SECONDS ) ) {
			return;
		}
		update_option( self::ASKED, $asked + array( $id => 0 ), false );
		wp_schedule_single_event( time(), self::RETRY );
	}

	/** Asked again, the service hears it again. */
	private static function look( float $until ): void {
		$left = array();
		foreach ( self::asked() as $id => $gone_since ) {
			$seconds = $until - microtime( true );
			if ( ! self::is_gone( $id ) ) {
				continue;
			}
			if ( ! $gone_since || $gone_since > time() - self::GONE_FOR || $seconds < 0 ) {
				$left[ $id ] = $gone_since ?: time();
			} else {
				ItemService::of_site()->tell_deleted( $id, $seconds );
			}
		}
		if ( $left ) {
			update_option( self::ASKED, $left, false );
			wp_schedule_single_event( time() + self::GONE_FOR, self::RETRY );
		} else {
			delete_option( self::ASKED );
		}
	}

	/** @return array<int, int> */
	private static function asked(): array {
		$asked = get_option( self::ASKED );
		return is_array( $asked ) ? array_map( 'intval', $asked ) : array();
	}

	/**
	 * The database itself says so. WordPress finds no post either where the question failed, and the service would delete
	 * one that is there; one that is of another type at the moment may be a registry again.
	 */
	private static function is_gone( int $id ): bool {
		$wpdb = $GLOBALS['wpdb'];
		return $wpdb->get_var( $wpdb->prepare( "SELECT COUNT(*) FROM $wpdb->posts WHERE ID = %d", $id ) ) === '0';
	}

	/** Nobody waits for the service. */
	public static function tell_behind_the_answer(): void {
		// A program with a password of its own may be the service, which waits for this answer and knows already.
		if ( ! self::$deleted || did_action( 'application_password_did_authenticate' ) ) {
			return;
		}
		foreach ( array( 'fastcgi_finish_request', 'litespeed_finish_request' ) as $finish ) {
			if ( function_exists( $finish ) ) {
				$finish();
			}
		}
		$until = microtime( true ) + self::PATIENCE;
		foreach ( self::$deleted as $id ) {
			$left = $until - microtime( true );
			if ( $left < 0.1 || ! self::tell( $id, $left ) ) {
				return;
			}
		}
	}

	public static function tell_rest(): void {
		self::look( microtime( true ) + self::PATIENCE_CRON );
		$wpdb = $GLOBALS['wpdb'];
		$like = $wpdb->esc_like( self::NOTE ) . '%';
		// In any order, so that none that cannot be told keeps others from it.
		$names = $wpdb->get_col( $wpdb->prepare( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE %s ORDER BY RAND() LIMIT %d", $like, self::BATCH ) );
		$until = microtime( true ) + self::PATIENCE_CRON;
		foreach ( $names as $name ) {
			$left = $until - microtime( true );
			if ( $left > 0 ) {
				self::tell( (int) substr( $name, strlen( self::NOTE ) ), $left );
			}
		}
		if ( $wpdb->get_var( $wpdb->prepare( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE %s LIMIT 1", $like ) ) ) {
			wp_schedule_single_event( time() + self::PAUSE, self::RETRY );
		}
	}

	private static function tell( int $id, float $seconds ): bool {
		return ItemService::of_site()->tell_deleted( $id, $seconds ) && delete_option( self::NOTE . $id );
	}
}
