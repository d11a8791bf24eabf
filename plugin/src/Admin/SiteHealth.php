<?php

declare(strict_types=1);

namespace Trousseau\Admin;

use Trousseau\Giving\UninvitedScreen;
use Trousseau\Platform\Request;
use Trousseau\Platform\Settings;

/** The checks on WordPress's own screen Tools → Site Health. */
final class SiteHealth {

	private const PREFIX = 'trousseau_';

	public function __construct( private readonly HealthChecks $health_checks ) {
	}

	public function add_tests( array $tests ): array {
		foreach ( HealthChecks::all() as $check ) {
			$run  = fn(): array => $this->result( $check );
			$test = array( 'label' => self::PREFIX . $check );
			if ( in_array( $check, HealthChecks::slow(), true ) ) {
				$tests['async'][ self::PREFIX . $check ] = $test + array(
					'test'              => rest_url( Request::ROUTES . "/checks/$check" ),
					'has_rest'          => true,
					'async_direct_test' => $run,
				);
			} else {
				$tests['direct'][ self::PREFIX . $check ] = $test + array( 'test' => $run );
			}
		}
		return $tests;
	}

	/** @return array<string, mixed> The result in WordPress's form. */
	public function result( string $check ): array {
		$found = $this->health_checks->find( $check );
		$words = '<p>' . esc_html( $found['words'] ) . '</p>' . ( $found['cure'] === '' ? '' : '<p>' . esc_html( $found['cure'] ) . '</p>' );
		return array(
			'label'       => $found['title'],
			'status'      => $found['status'] === 'unknown' ? 'recommended' : $found['status'],
			'badge'       => array( 'label' => __( 'Trousseau', 'trousseau' ), 'color' => 'blue' ),
			'description' => $words,
			'actions'     => $found['status'] === 'good' || ! current_user_can( 'manage_options' ) ? '' : sprintf( '<p><a href="%s">%s</a></p>', esc_url( $check === 'uninvited' ? UninvitedScreen::url() : Settings::url() ), esc_html__( 'Open Trousseau’s settings', 'trousseau' ) ),
			'test'        => self::PREFIX . $check,
		);
	}
}
