<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\ChangeNotice;
use Trousseau\Registry\PostType;
use Trousseau\Service\GiftCache;
use Trousseau\Service\ItemService;
use Trousseau\Support\JobQueue;
use Trousseau\Support\Postponed;
use Trousseau\Support\RateLimiter;
use WP_Post;
use WP_REST_Request;

/**
 * Reports deleted registries to the service, which has their items. Each is a job until the
 * service has heard of it, so that a service that was away learns of it later.
 */
final class DeletionReport {

	/** The job that tells one deletion, and the one that looks at a registry for which the service has asked. */
	public const JOB  = 'deletion';
	public const LOOK = 'look';

	/** Anybody can ask the site to look for a registry, so the requests at a time and in an hour are limited. */
	private const MOST_ASKED   = 100;
	private const MOST_AN_HOUR = 600;

	/** Seconds for which a registry must be missing: a restored copy of the database comes row by row. */
	private const GONE_FOR = HOUR_IN_SECONDS;

	/** Seconds for reporting all registries after an answer was sent. */
	private const PATIENCE = 1.0;

	/** @var int[] The registries that this request has deleted. */
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
		// The job reports it if this request ends before doing so.
		( new JobQueue() )->add( self::JOB, null, time() + MINUTE_IN_SECONDS, (string) $id );
		// A deletion on another site of the network is reported by that site: here the number may be another registry's.
		if ( ! is_multisite() || ! ms_is_switched() ) {
			self::$deleted[] = $id;
		}
	}

	/**
	 * The service asks, without credentials, whether a registry is gone. The answer is the same for every number: the site
	 * looks later, and reports the registries that it doesn't have.
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
		$queue = new JobQueue();
		if ( $queue->run_at( self::LOOK, (string) $id ) || $queue->count( self::LOOK ) >= self::MOST_ASKED || ! ItemService::of_site()->is_configured() || ! RateLimiter::allows( 'look', '', self::MOST_AN_HOUR, HOUR_IN_SECONDS ) ) {
			return;
		}
		$queue->add_once( self::LOOK, null, time(), (string) $id );
	}

	/**
	 * Looks for a registry about which the service has asked. A repeated question is answered again.
	 *
	 * @param int|null $gone_since Time of the first look; null: there was none.
	 * @throws Postponed Where it has to look again.
	 */
	public static function look( int $id, ?int $gone_since, float $seconds ): void {
		if ( ! self::is_gone( $id ) ) {
			return;
		}
		$queue = new JobQueue();
		if ( ! $gone_since || $gone_since > time() - self::GONE_FOR ) {
			$since = $gone_since ?: time();
			$queue->set_payload( self::LOOK, (string) $id, $since );
			throw new Postponed( max( 1, $since + self::GONE_FOR - time() ) );
		}
		ItemService::of_site()->tell_deleted( $id, $seconds );
	}

	/**
	 * Asks the database itself. WordPress also finds no post where the query failed, and the service would delete
	 * an existing registry; a post of another type may become a registry again.
	 */
	private static function is_gone( int $id ): bool {
		$wpdb = $GLOBALS['wpdb'];
		return $wpdb->get_var( $wpdb->prepare( "SELECT COUNT(*) FROM $wpdb->posts WHERE ID = %d", $id ) ) === '0';
	}

	/** Reports deletions after the answer, so that nobody waits for the service. */
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

	/** @return bool Whether the service knows now. */
	public static function tell( int $id, float $seconds ): bool {
		$is_told = ItemService::of_site()->tell_deleted( $id, $seconds );
		$is_told && ( new JobQueue() )->delete_of( self::JOB, (string) $id );
		return $is_told;
	}
}
