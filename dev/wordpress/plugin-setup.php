<?php
/**
 * Functions of setup.php that need the plugin. Tests name no class of the plugin's; only this file does.
 */

use Trousseau\Claims\Invitations;
use Trousseau\Jobs\Handlers;
use Trousseau\Jobs\Mail;
use Trousseau\Support\JobQueue;
use Trousseau\Support\JobRunner;
use Trousseau\Support\SignedToken;

return array(
	'sign'       => static fn( string $purpose, string $text ) => SignedToken::sign( $purpose, $text ),
	'seal'       => static fn( string $purpose, string $text ) => SignedToken::seal( $purpose, $text ),
	'guest_link' => static fn( int $registry, string $email ) => Invitations::link( get_post( $registry ), $email ),
	// Does the site's work of these kinds only: the jobs that are due, and daily work in any case.
	'run_jobs'   => static function ( string ...$kinds ): void {
		$queue    = new JobQueue();
		$handlers = array_intersect_key( Handlers::all(), array_flip( $kinds ) );
		foreach ( $handlers as $kind => $handler ) {
			if ( $handler::EVERY ) {
				$queue->add( $kind, null, 1, 'all' );
			}
		}
		( new JobRunner( $queue, $handlers ) )->run();
	},
	// Makes the jobs of a kind within the next days due, and releases those that a process has claimed.
	'make_due'   => static function ( string $kind, int $days ): void {
		$wpdb = $GLOBALS['wpdb'];
		$wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->prefix}trousseau_jobs SET run_at = 1, claimed_until = 0 WHERE handler = %s AND run_at <= %d", $kind, 1000 * ( time() + $days * DAY_IN_SECONDS ) ) );
	},
	'mail_state' => static fn() => Mail::state(),
);
