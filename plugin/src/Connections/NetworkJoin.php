<?php

declare(strict_types=1);

namespace Trousseau\Connections;

use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Network;
use Trousseau\Platform\Settings;

/** Each site of a network joins the network's service by itself: a new one at once, the others when they are next used. A job tries it again after a failure. */
final class NetworkJoin {

	/** The network's service for which this site has planned its job. */
	private const PLANNED = 'trousseau_join_planned';

	/** @var int[] Sites that are visited at the end of this request. */
	private array $expected = array();

	public function __construct( private readonly JobQueue $job_queue ) {
	}

	/** Lets a site join at once, though nobody may visit it for days. */
	public function expect( int $site ): void {
		$this->expected[] = $site;
	}

	/** Visits these sites, without waiting for them: they plan their jobs and do them. */
	public function visit(): void {
		if ( ! Network::has_plugin() || Network::service()['address'] === '' ) {
			return;
		}
		foreach ( $this->expected as $site ) {
			wp_remote_post(
				get_site_url( $site, 'wp-cron.php' ),
				array(
					'timeout'   => 0.01,
					'blocking'  => false,
					// WordPress asks itself the same way: a certificate for the public name may not fit here.
					'sslverify' => apply_filters( 'https_local_ssl_verify', false ),
				)
			);
		}
	}

	/** Plans the job once for each service that the network enters. A site with a service of its own keeps that. */
	public function plan(): void {
		$service = Network::service();
		if ( ! Network::has_plugin() || $service['address'] === '' || get_option( self::PLANNED ) === $service['entered'] ) {
			return;
		}
		// If no attempt to join entered this address, someone chose it.
		$is_chosen = Settings::value( Settings::BASE_URL ) !== '' && get_option( Joining::OUTCOME ) === false;
		if ( ! $is_chosen && $this->job_queue->add( Joining::JOB, null, 0, 'service' ) ) {
			update_option( self::PLANNED, $service['entered'] );
		}
	}
}
